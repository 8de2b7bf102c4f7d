"""Measures against people on their page: before anything is judged, computed by a job, and priced."""

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import rehearsals, reviews
from exports.meta_evaluation import queries as meta_evaluation_queries
from jobs.actions import execution
from jobs.models import Job
from sampling.actions import audit_samples
from sampling.audit_samples.rule import AuditRule
from sampling.pools.selection import State
from scoring import score_queries
from scoring.actions import score_jobs
from scoring.models import ImportedScore
from tests.annotation.pools import launched
from tests.exports.judged_batches import close_batch, judge_and_settle, judge_batch, settle_batch
from tests.exports.missed_answers.test_views import judged_by
from tests.factories import StudyFactory
from tests.parts import part
from tests.sampling.scored_dataset import RULE, draw_pool


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def page(client, study, **query):
    reply = client.get(reverse("measures", args=[study.slug]), query)
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def compute_figures(client, pool):
    start = reverse("measures_start", args=[pool.study.slug])
    client.post(start, {"dataset": pool.dataset_id})
    execution.run(Job.objects.get(kind="measures_against_people"))


@part
def judged(pool, bob, dora):
    """Of the three that were drawn one is implausible."""
    return judged_by(launched(pool), (bob, dora), {"Green.": "implausible"})


def test_before_anybody_judged_it_leads_to_the_batches(client, pool):
    text = page(client, pool.study)

    assert "There are no results yet" in text
    assert reverse("batches", args=[pool.study.slug]) in text


def test_without_scores_it_leads_to_them_and_offers_nothing_to_compute(client, pool, judged):
    ImportedScore.objects.all().delete()

    text = page(client, pool.study)

    assert "The data set has no scores: compute or import some." in text
    main = text[text.index("<main") :]
    assert reverse("scores", args=[pool.study.slug]) + '">Scores' in main
    assert "<button" not in main


def test_without_scores_no_job_is_started(client, pool, judged):
    ImportedScore.objects.all().delete()

    reply = client.post(
        reverse("measures_start", args=[pool.study.slug]), {"dataset": pool.dataset_id}, follow=True
    )

    assert "The data set has no scores: compute or import some." in reply.text
    assert not Job.objects.filter(kind="measures_against_people").exists()


def test_without_a_data_set_it_leads_to_the_import(client, study):
    assert "there is no data set yet" in page(client, study)


def test_each_measure_is_held_against_what_people_said(client, pool, judged):
    """.95 and .9 were plausible, .81 was not: all apart."""
    assert "Compute" in page(client, pool.study)

    compute_figures(client, pool)

    said = words(page(client, pool.study))
    assert "SAS paper#imported 3 2 plausible 1.000" in said
    assert "Only sampled answers were judged" in said
    # above .8: two of three; above .85: both.
    assert "0.8 3 67 %" in said
    assert "0.85 2 100 %" in said


def test_a_plausible_answer_costs_what_its_judgements_do(client, pool, judged):
    """Two judgements of 10 cents each, and two of three answers are plausible."""
    compute_figures(client, pool)

    said = words(page(client, pool.study, price="0.1"))

    row = said[said.index("0.8 3 67 %") :]
    assert re.match(r"0\.8 3 67 % (?:\d+ % to \d+ % )?2 3\.0 \$0\.30", row)
    assert "Cost of a plausible answer" in said
    assert "Cost of a plausible answer" not in page(client, pool.study)


def test_a_plausible_answer_costs_in_the_currency_of_the_batch(client, pool, judged):
    compute_figures(client, pool)
    pool.batches.update(reward="0.15", currency="EUR")

    said = words(page(client, pool.study))

    assert re.match(
        r"0\.8 3 67 % (?:\d+ % to \d+ % )?2 3\.0 €0\.45", said[said.index("0.8 3 67 %") :]
    )


@pytest.mark.parametrize("query", [{"price": "-1"}, {"price": "x"}, {"judgements": "0"}])
def test_a_price_that_is_none_is_said(client, pool, judged, query):
    compute_figures(client, pool)

    text = page(client, pool.study, **query)

    assert "note bad" in text
    assert "Cost of a plausible answer" not in text


def test_where_all_are_plausible_the_area_is_undefined(client, pool, plausibility):
    compute_figures(client, pool)

    said = words(page(client, pool.study))

    assert "undefined all settled answers are plausible" in said


def test_an_audited_answer_stands_for_all_left_out_with_it(client, pool, judged, bob, dora):
    rule = AuditRule(pool.name, {State.BELOW_THRESHOLD: 1, State.REPRESENTED: 2})
    audit = audit_samples.draw(pool=pool, name="audit", rule=rule, by=pool.created_by)
    judge_and_settle(launched(audit, name="second"), bob, dora, label="implausible")

    found = meta_evaluation_queries.settled_answers(pool.dataset)
    (scorer,) = score_queries.scorers(pool.dataset)
    units = meta_evaluation_queries.units(found, score_queries.values(pool.dataset, scorer))

    assert found.has_audit
    assert sorted((unit.weight, unit.is_accepted) for unit in units) == [
        *[(1.0, False)] * 3,  # Green., and the two represented
        *[(1.0, True)] * 2,
        (2.0, False),
    ]


def test_of_two_audits_of_a_pool_the_largest_stands_for_what_was_left_out(
    client, pool, judged, bob, dora
):
    for name, n, seed in (("small", 1, 1), ("large", 2, 2)):
        rule = AuditRule(pool.name, {State.BELOW_THRESHOLD: n}, seed=seed)
        audit = audit_samples.draw(pool=pool, name=name, rule=rule, by=pool.created_by)
        judge_and_settle(launched(audit, name=name), bob, dora, label="implausible")

    found = meta_evaluation_queries.settled_answers(pool.dataset)

    assert len(found.labels) == len(found.weights) == 3 + 2
    assert set(found.weights.values()) == {1.0}


@pytest.mark.parametrize(("n_capped", "weight"), [(0, 2.0), (9, 1.0)])
def test_under_a_cap_a_candidate_stands_for_the_capped_unless_they_were_audited(
    pool, bob, dora, n_capped, weight
):
    """Two would be drawn of the second question and one was, by lot."""
    capped = draw_pool(pool.dataset, replace(RULE, cap_per_turn=1), name="one each")
    judge_and_settle(launched(capped), bob, dora)
    sizes = {State.BELOW_THRESHOLD: 9, State.CAPPED: n_capped}
    audit = audit_samples.draw(
        pool=capped, name="audit", rule=AuditRule(capped.name, sizes), by=pool.created_by
    )
    judge_and_settle(launched(audit, name="second"), bob, dora)

    found = meta_evaluation_queries.settled_answers(pool.dataset)

    drawn = capped.candidates.get(inclusion_probability=0.5)
    assert found.weights[drawn.turn_id, drawn.text_sha256] == weight


def test_what_is_settled_of_a_reason_stands_for_what_is_not(pool, judged, bob, dora):
    """Two below the threshold were asked about; they disagree on one. Of what was drawn all is settled."""
    rule = AuditRule(pool.name, {State.BELOW_THRESHOLD: 2})
    audit = audit_samples.draw(pool=pool, name="audit", rule=rule, by=pool.created_by)
    batch = launched(audit, name="second")
    texts = sorted(audit.candidates.values_list("text", flat=True))
    judge_batch(batch, bob, label="implausible")
    judged_by(batch, [dora], {texts[0]: "implausible"})

    found = meta_evaluation_queries.settled_answers(pool.dataset)

    settled = audit.candidates.get(text=texts[0])
    drawn = [weight for key, weight in found.weights.items() if key[0] != settled.turn_id]
    own = found.weights[settled.turn_id, settled.text_sha256]
    assert len(texts) == 2
    assert own == pytest.approx(2 * drawn[0])


def in_the_turn_of_two(pool):
    """The candidates of the question of which a cap of one draws one of two."""
    return pool.candidates.filter(inclusion_probability=0.5)


@pytest.mark.parametrize(("seed", "weight"), [(1, 2.0), (2, 4 / 3), (3, 4 / 3)])
def test_two_caps_by_other_lots_were_each_a_chance_to_be_asked_about(pool, bob, dora, seed, weight):
    """One of two is drawn by each. By one seed both draw the same one; by another each had 3/4."""
    pools = [
        draw_pool(pool.dataset, replace(RULE, cap_per_turn=1, seed=each), name=f"by {place}")
        for place, each in enumerate((1, seed))
    ]
    for each in pools:
        judge_and_settle(launched(each, name=each.name), bob, dora)

    found = meta_evaluation_queries.settled_answers(pool.dataset)

    asked = {(c.turn_id, c.text_sha256) for each in pools for c in in_the_turn_of_two(each)}
    assert [found.weights[answer] for answer in asked] == pytest.approx([weight] * len(asked))
    certain = found.labels.keys() - asked
    assert {found.weights[answer] for answer in certain} == {1.0}


def test_what_an_audit_passed_over_had_its_chance_there_too(pool, judged, bob, dora):
    """Of two below the threshold one was sampled. A wider pool, with a cap of one, asks about the other."""
    rule = AuditRule(pool.name, {State.BELOW_THRESHOLD: 1})
    audit = audit_samples.draw(pool=pool, name="audit", rule=rule, by=pool.created_by)
    judge_and_settle(launched(audit, name="second"), bob, dora)
    wide = replace(RULE, threshold=-1.0, min_candidates=1, cap_per_turn=1)
    capped = draw_pool(pool.dataset, wide, name="wide")
    judge_and_settle(launched(capped, name="wide"), bob, dora)

    found = meta_evaluation_queries.settled_answers(pool.dataset)

    (sampled,) = audit.candidates.all()
    turn = capped.candidates.get(turn=sampled.turn)
    assert turn.inclusion_probability < 1
    own = found.weights[sampled.turn_id, sampled.text_sha256]
    assert own == pytest.approx(1 / (1 - 0.5 * (1 - turn.inclusion_probability)))


def test_each_run_is_counted_with_the_answers_it_gave(pool, judged):
    found = meta_evaluation_queries.settled_answers(pool.dataset)

    runs = meta_evaluation_queries.run_sums(found, {})

    totals = zip(
        found.runs.values(), runs.accepted.sum(axis=0), runs.weights.sum(axis=0), strict=True
    )
    assert {name: (accepted, weight) for name, accepted, weight in totals if weight} == {
        "alder": (2, 2),
        "birch": (0, 1),
        "cedar": (1, 1),
    }


def test_simulated_people_are_said_to_be_simulated(client, pool, alice):
    batch = launched(pool)
    rehearsals.rehearse(batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=alice)
    settle_batch(close_batch(batch))

    compute_figures(client, pool)

    assert "Simulated people judged" in page(client, pool.study)


def test_what_is_missing_is_said_before_a_job_is_started(client, pool):
    reply = client.post(
        reverse("measures_start", args=[pool.study.slug]), {"dataset": pool.dataset_id}, follow=True
    )

    assert "no plausibility batch is closed and settled" in reply.text
    assert not Job.objects.filter(kind="measures_against_people").exists()


def test_what_was_settled_or_scored_since_is_said(client, pool, judged, carol):
    compute_figures(client, pool)
    assert "from 0 scoring jobs and 3 verdicts in 1 batch. Up to date" in words(
        page(client, pool.study)
    )

    item = judged.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="It is cut off.", by=carol)
    assert "Since then 1 verdict came in, and 1 adjudication was recorded." in page(
        client, pool.study
    )

    about = {"metrics": ["em"], "model": "", "by": pool.created_by}
    execution.run(score_jobs.score(dataset=pool.dataset, **about)[0])
    since = (
        "Since then 1 scoring job came in and 1 verdict came in, and 1 adjudication was recorded."
    )
    assert since in page(client, pool.study)


def test_another_study_s_data_set_is_not_there(client, pool, alice):
    other = StudyFactory(created_by=alice)

    reply = client.post(reverse("measures_start", args=[other.slug]), {"dataset": pool.dataset_id})

    assert reply.status_code == 404


def test_the_job_s_page_leads_to_the_figures(client, pool, judged):
    compute_figures(client, pool)
    job = Job.objects.get(kind="measures_against_people")

    text = client.get(reverse("job", args=[pool.study.slug, job.pk])).text

    assert "1 measure compared with human judgements" in text


def test_the_page_takes_as_many_queries_however_many_measures(
    client, pool, judged, django_assert_max_num_queries
):
    compute_figures(client, pool)

    with django_assert_max_num_queries(15):
        page(client, pool.study)
