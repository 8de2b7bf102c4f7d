"""A new version of a data set takes along the work on the turns that did not change."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.urls import reverse

from annotation.actions import batches, claims, rehearsals, withdrawn_batches
from annotation.queries import repeated_answers
from corpus.actions import run_descriptions, withdrawn_runs
from corpus.models import Answer, Dataset, Turn
from exports.meta_evaluation.queries import settled_answers
from exports.meta_evaluation.stored_figures import MeasuresFigures
from exports.missed_answers.queries import audit_strata
from exports.missed_answers.stored_figures import MissedFigures
from exports.models import PrecisionAudit
from exports.releases import actions as release_actions
from exports.releases import check
from exports.releases.choice import Choice
from exports.releases.queries import changes
from exports.results.stored_figures import RunsFigures
from exports.writers.errors import ReleaseError
from jobs.actions import execution, jobs
from sampling.actions import audit_samples
from sampling.audit_samples.rule import REASONS, AuditRule
from scoring import score_queries
from scoring.models import Scorer
from tests.annotation.desk import NOW, submit
from tests.annotation.pools import candidates_of, launched
from tests.corpus.imports import answer, create_run, save_dataset, turn
from tests.exports.judged_batches import (
    close_batch,
    find_evidence,
    judge_and_settle,
    judge_batch,
    release,
    settle_batch,
)
from tests.jobs.clients import client_of
from tests.parts import part
from tests.sampling.scored_dataset import ANSWERS, PASSAGES, RULE, TURNS, draw_pool, import_scores


def mended(number, **fields):
    """The turns of the data set with one of them changed."""
    return [each | fields if each["Turn_no"] == number else each for each in TURNS]


OF_FIRST_TURN = "".join(line for line in PASSAGES.splitlines(keepends=True) if "1_2" not in line)
MENDED_REFERENCE = mended(1, Truth_answer="A touchstone is a dark slab.")


@part
def faithful(plausibility, bob, dora):
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    return judge_and_settle(batch, bob, dora, label="faithful")


@part
def before(faithful, folder) -> Path:
    """The folder of a release of the first version."""
    release(faithful, folder / "before")
    return folder / "before"


@part
def mended_version(study, pool, folder) -> Dataset:
    """The next one, made after all that a test asks for besides."""
    save_dataset(study, folder, MENDED_REFERENCE, as_new_version=True, passages=PASSAGES)
    return study.datasets.by_name("touch")


@pytest.fixture
def new_version(study, tmp_path):
    def make(turns, **settings) -> Dataset:
        settings = {"passages": PASSAGES} | settings
        save_dataset(study, tmp_path, turns, as_new_version=True, **settings)
        return study.datasets.by_name("touch")

    return make


def released(dataset, out, **options):
    return release_actions.release(
        study=dataset.study, dataset=dataset, out=out, by=dataset.created_by, **options
    )


def gold(folder):
    records = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    return {record["Turn_no"]: record["Truth_answers_alternative"] for record in records}


def rows(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_after_a_typo_in_a_reference_was_mended_only_that_turn_has_to_be_judged_again(
    before, mended_version, tmp_path
):
    made = released(mended_version, tmp_path / "after")

    old, now = gold(before), gold(tmp_path / "after")
    assert old[1]
    assert old[2]
    assert now == {1: [], 2: old[2], 3: old[3]}
    assert made.report["versions"] == [
        {
            "version": "touch@2",
            "continues": "touch@1",
            "unchanged": 2,
            "changed": {"1_1": ["reference"]},
            "new": [],
            "gone": [],
        }
    ]


def test_the_tables_say_in_which_batch_it_was_judged_and_have_no_rows_of_the_changed_turn(
    before, mended_version, tmp_path
):
    released(mended_version, tmp_path / "after")

    for name in ("items", "judgements"):
        expected = [row for row in rows(before, name) if row["turn_id"] != "1_1"]
        assert rows(tmp_path / "after", name) == expected != []
    answers = rows(tmp_path / "after", "answers")
    assert {row["dataset"] for row in answers} == {"touch@2"}
    assert {row["sampled"] for row in answers if row["turn_id"] == "1_1"} == {"not_in_pool"}
    expected = [row for row in rows(before, "answers") if row["turn_id"] != "1_1"]
    kept = [row for row in answers if row["turn_id"] != "1_1"]
    assert kept == [row | {"dataset": "touch@2"} for row in expected]


def test_the_release_of_the_version_before_stays_as_it_was(
    faithful, before, mended_version, tmp_path
):
    release(faithful, tmp_path / "again")

    for path in before.iterdir():
        if path.is_file() and path.name != "manifest.json":
            assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_before_the_release_the_page_can_say_which_answers_the_change_costs(before, mended_version):
    found = changes(Choice(mended_version))

    assert {each.turn for each in found.changes} == {"1_1"}
    assert {each.why for each in found.changes} == {"the turn has another reference in touch@2"}
    assert found.gained["gold"] == -len(gold(before)[1])


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (mended(2, Truth_rewrite="Which colour is it?"), [1]),
        (TURNS[:1], [1]),
        ([*TURNS, turn(4, "In gold.", rewrite="Where is it used?")], [1, 2]),
    ],
    ids=["changed", "removed", "added"],
)
def test_accepted_answers_stay_where_question_and_earlier_questions_are_the_same(
    before, new_version, tmp_path, turns, left
):
    after = new_version(turns, **({} if len(turns) > 1 else {"passages": OF_FIRST_TURN}))

    released(after, tmp_path / "after")
    old, now = gold(before), gold(tmp_path / "after")
    assert [number for number, answers in now.items() if answers] == left
    assert all(now[number] == old[number] for number in left)


def test_where_the_first_question_changed_nothing_of_its_conversation_counts(
    faithful, new_version, tmp_path
):
    after = new_version(mended(1, Truth_rewrite="What was a touchstone?"))

    assert after.comparison == {
        "unchanged": 0,
        "changed": {
            "1_1": ["question"],
            "1_2": ["earlier questions"],
            "1_3": ["earlier questions"],
        },
        "new": [],
        "gone": [],
    }
    with pytest.raises(ReleaseError, match="nothing to release"):
        released(after, tmp_path / "after")


def test_two_versions_in_a_row_keep_what_changed_in_neither(
    before, mended_version, new_version, tmp_path
):
    third = new_version([*MENDED_REFERENCE, turn(4, "In gold.", rewrite="Where is it used?")])

    made = released(third, tmp_path / "after")

    old, now = gold(before), gold(tmp_path / "after")
    assert now == {1: [], 2: old[2], 3: [], 4: []}
    assert [each["version"] for each in made.report["versions"]] == ["touch@3", "touch@2"]


def test_a_version_that_takes_a_mistake_back_has_all_that_the_first_one_had(
    before, new_version, tmp_path
):
    new_version([TURNS[0] | {"Truth_answer": "A slip."}], passages=OF_FIRST_TURN)
    third = new_version(TURNS)

    released(third, tmp_path / "after")

    assert gold(tmp_path / "after") == gold(before)
    assert {run.name: run.n_answers for run in third.runs.filter(kind="system")}["alder"] == 3


def test_what_is_judged_after_the_new_version_counts_in_it_too(
    plausibility, new_version, bob, dora, tmp_path
):
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    after = new_version(MENDED_REFERENCE)
    settle_batch(close_batch(judge_batch(batch, bob, dora, label="faithful")))

    released(after, tmp_path / "after")

    assert [number for number, answers in gold(tmp_path / "after").items() if answers] == [2]


def test_rehearsed_batches_of_the_version_before_are_in_no_real_release_of_the_new_one(
    pool, new_version, tmp_path, alice
):
    batch = launched(pool)
    rehearsals.rehearse(batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=alice)
    settle_batch(batches.close(batch=batch, by=alice) if batch.state != "closed" else batch)
    after = new_version(MENDED_REFERENCE)

    with pytest.raises(ReleaseError, match="no closed real batch"):
        released(after, tmp_path / "real")
    released(after, tmp_path / "rehearsed", is_rehearsal=True, set_aside_disputes=True)
    assert {row["turn_id"] for row in rows(tmp_path / "rehearsed", "items")} == {"1_2"}


def test_imported_scores_of_unchanged_turns_come_along_and_its_own_come_first(
    pool, new_version, tmp_path
):
    first, scorer = pool.dataset, pool.scorer
    second = new_version(MENDED_REFERENCE)

    def named(dataset):
        values = score_queries.values(dataset, scorer)
        answers = Answer.objects.in_bulk(values)
        return {(answers[pk].run.name, answers[pk].turn.key): values[pk] for pk in values}

    expected = {key: value for key, value in named(first).items() if key[1] != "1_1"}
    assert named(second) == expected != {}
    assert scorer in score_queries.scorers(second)
    import_scores(second, tmp_path, {"alder": [("1_1", 0.91), ("1_2", 0.11)]})
    now = named(second)
    assert (now["alder", "1_1"], now["alder", "1_2"]) == (0.91, 0.11)
    turns = Turn.objects.of(second).filter(number=2).values_list("pk", flat=True)
    assert len(score_queries.values(second, scorer, list(turns))) == len(expected)


def test_a_pool_of_the_new_version_asks_again_only_what_has_to_be(
    plausibility, mended_version, bob, dora, tmp_path
):
    given = [(run.name, [("1_1", 0.9)]) for run in mended_version.runs.filter(kind="system")]
    import_scores(mended_version, tmp_path, dict(given))
    again = launched(draw_pool(mended_version, name="again"), name="again")

    said = repeated_answers.repeated(again).decided

    n = sum(item.turn.key == "1_2" for item in plausibility.items.all())
    assert said == [repeated_answers.Decided(plausibility.name, n)]
    judge_and_settle(again, bob, dora, label="implausible")
    released(mended_version, tmp_path / "after")
    outcomes = {
        row["turn_id"]: row["plausibility"]
        for row in rows(tmp_path / "after", "answers")
        if row["sampled"] == "drawn"
    }
    assert outcomes == {"1_1": "implausible", "1_2": "implausible"}


def test_measures_against_people_rest_on_the_judgements_of_both_versions(plausibility, new_version):
    before = settled_answers(plausibility.pool.dataset)
    second = new_version(MENDED_REFERENCE)

    after = settled_answers(second)

    turn = Turn.objects.of(second).get(number=2).pk
    assert {answer for answer, _ in after.labels} == {turn}
    kept = {text for answer, text in before.labels if Turn.objects.get(pk=answer).number == 2}
    assert {text for _, text in after.labels} == kept
    assert all(after.weights[answer] == 1 for answer in after.labels)


def test_a_run_withdrawn_in_the_new_version_is_credited_there_no_more(
    plausibility, mended_version, alice, tmp_path
):
    withdrawn_runs.withdraw(
        run=mended_version.runs.get(name="alder"), reason="wrong file", by=alice
    )

    released(mended_version, tmp_path / "after")

    assert not [
        row for row in rows(tmp_path / "after", "items") if "alder" in row["runs"].split("|")
    ]
    release(plausibility, tmp_path / "before")
    assert [row for row in rows(tmp_path / "before", "items") if "alder" in row["runs"].split("|")]


def test_a_dispute_on_a_changed_turn_holds_up_no_release_of_the_new_version(
    pool, new_version, bob, dora, alice, tmp_path
):
    batch = launched(pool)
    for person, label in ((bob, "plausible"), (dora, "implausible")):
        while held := claims.claim(batch=batch, by=person, now=NOW):
            is_changed = held[0].item.turn.key == "1_1"
            submit(held[0], label if is_changed else "plausible")
    settle_batch(close_batch(batch))

    with pytest.raises(ReleaseError, match="in dispute"):
        release(batch, tmp_path / "before")
    second = new_version(MENDED_REFERENCE)
    assert check.summary(Choice(second), set_aside_disputes=False)["refused"] == ""
    released(second, tmp_path / "after")
    form = reverse("release_new", args=[second.study.slug])
    sent = client_of(alice).post(form, {"dataset": second.pk}, follow=True)
    assert sent.status_code == 200, sent.text
    assert second.study.jobs.filter(kind="release", key="touch@2").exists()


def test_what_was_judged_anew_of_a_changed_turn_is_the_reason_there(
    plausibility, new_version, bob, dora, tmp_path
):
    release(plausibility, tmp_path / "before")
    second = new_version(MENDED_REFERENCE)
    given = [(run.name, [("1_1", 0.9)]) for run in second.runs.filter(kind="system")]
    import_scores(second, tmp_path, dict(given))
    again = launched(draw_pool(second, name="again"), name="again")
    judge_and_settle(again, bob, dora, label="implausible")

    reasons = {each.turn: each.why for each in changes(Choice(second)).changes}

    assert reasons["1_1"] == "implausible in “again”, which decides instead of “plausibility”"


@pytest.mark.parametrize("withdrawn_in", [0, 1])
def test_a_withdrawn_run_is_the_reason_also_where_it_has_another_name(
    plausibility, new_version, alice, tmp_path, withdrawn_in
):
    first = plausibility.pool.dataset
    release(plausibility, tmp_path / "before")
    second = first
    for own in ("alder", "birch"):  # one of them gave an answer that nobody else did
        run = first.runs.get(name=own)
        wanted = {run.pk: {"name": f"new {own}"}}
        run_descriptions.describe(dataset=first, wanted=wanted, by=alice)
    if withdrawn_in:
        second = new_version(mended(3, Truth_rewrite="Who found it?"))
    for run in second.runs.filter(name__startswith="new "):
        withdrawn_runs.withdraw(run=run, reason="wrong file", by=alice)

    found = changes(Choice(second)).changes

    assert found
    assert all(each.why.startswith("every run that gave it was withdrawn") for each in found)


def test_figures_notice_a_run_that_is_taken_along_later(plausibility, new_version, alice):
    first = plausibility.pool.dataset
    run = withdrawn_runs.withdraw(run=first.runs.get(name="alder"), reason="no", by=alice)
    second = new_version(MENDED_REFERENCE)
    bases = [figures(first.study, second).basis for figures in (RunsFigures, MeasuresFigures)]

    withdrawn_runs.bring_back(run=run, reason="yes", by=alice)
    params = {"dataset": second.pk}
    execution.run(
        jobs.start(study=first.study, kind="carry_over", key=str(second), params=params, by=alice)
    )

    assert second.runs.filter(name="alder").exists()
    for figures, before in zip((RunsFigures, MeasuresFigures), bases, strict=True):
        assert figures(first.study, second).basis.since(before)


@pytest.fixture
def page(alice, study):
    client = client_of(alice)
    return lambda name, *args: client.get(reverse(name, args=[study.slug, *args]), follow=True).text


@pytest.mark.parametrize(
    "name", ["scores", "results_of_study", "run_import", "release_new", "pool_new"]
)
def test_pages_begin_with_the_new_version_which_has_the_work(faithful, mended_version, page, name):
    text = page(name)

    first = text.index("touch@2")
    assert first < text.index("touch@1")
    assert "has no runs" not in text
    assert "Nobody has judged" not in text
    if name in ("scores", "results_of_study", "release_new"):
        assert "what was decided there counts on the 2 turns that are the same" in text
    assert str(mended_version.pk) in text


@pytest.mark.parametrize("name", ["scores", "results_of_study", "run_import", "release_new"])
def test_pages_begin_with_the_version_that_has_runs_where_the_new_one_has_none(
    pool, mended_version, page, name
):
    run_pks = list(mended_version.runs.exclude(kind="reference").values_list("pk", flat=True))
    Answer.objects.filter(run__in=run_pks).delete()
    mended_version.runs.filter(pk__in=run_pks).delete()

    text = page(name)

    assert text.index("touch@1") < text.index("touch@2")


def test_the_home_of_the_study_counts_one_data_set_in_two_versions(pool, mended_version, page):
    text = " ".join(page("study").split())

    assert "1 data set in 2 versions</a> with 3 turns" in text
    assert "6 runs</a> with 18 answers" in text


def test_the_page_of_the_version_names_what_changed_and_offers_what_is_left(
    pool, mended_version, page, tmp_path
):
    text = page("dataset", "touch", 2)
    assert "1_1: reference" in text
    assert "Take the work on" not in text
    create_run(pool.dataset, tmp_path, [answer(1, "Late.")], name="late")
    assert "Take the work on" in page("dataset", "touch", 2)


def test_the_page_takes_the_batches_of_the_version_before(faithful, mended_version, page):
    text = page("release_new")

    assert "on another data set" not in text
    assert (
        len(re.findall(r"<td[^>]*>\s*yes\s*</td>", text))
        == len(Choice(mended_version).batches())
        == 2
    )


def test_a_run_renamed_in_the_new_version_has_that_name_in_all_tables(
    faithful, new_version, alice, tmp_path
):
    second = new_version(MENDED_REFERENCE)
    release(faithful, tmp_path / "before")
    names = {run.name: f"new {run.name}" for run in second.runs.exclude(kind="reference")}
    wanted = {run.pk: {"name": names[run.name]} for run in second.runs.filter(name__in=names)}
    run_descriptions.describe(dataset=second, wanted=wanted, by=alice)

    released(second, tmp_path / "after")

    def renamed(listed):
        return "|".join(sorted(names[run] for run in filter(None, listed.split("|"))))

    before = {row["item_id"]: row for row in rows(tmp_path / "before", "items")}
    columns = ("runs", "quoted_by", "cited_by")
    for row in rows(tmp_path / "after", "items"):
        expected = [renamed(before[row["item_id"]][column]) for column in columns]
        assert [row[column] for column in columns] == expected
    judged = {row["runs"] for row in rows(tmp_path / "after", "judgements")}
    assert judged == {row["runs"] for row in rows(tmp_path / "after", "items")}
    own = {
        (names[row["run"]], row["turn_id"]): row["own_evidence"]
        for row in rows(tmp_path / "before", "answers")
        if row["turn_id"] != "1_1"
    }
    found = rows(tmp_path / "after", "answers")
    assert own == {
        (row["run"], row["turn_id"]): row["own_evidence"]
        for row in found
        if row["turn_id"] != "1_1"
    }


def test_answers_to_a_changed_turn_that_were_decided_differently_are_not_named(
    pool, new_version, bob, dora, page
):
    for name in ("plausibility", "again"):
        batch = launched(pool, name=name)
        for person in (bob, dora):
            while held := claims.claim(batch=batch, by=person, now=NOW):
                is_unlike = name == "again" and held[0].item.turn.key == "1_1"
                submit(held[0], "implausible" if is_unlike else "plausible")
        settle_batch(close_batch(batch))
    assert "Answers decided differently" in page("release_changes")

    new_version(MENDED_REFERENCE)

    assert "Answers decided differently" not in page("release_changes")


WITHOUT_STANDING = replace(RULE, leaves_out_standing=True)


def scores_of(dataset):
    """The scores of the version before, and .9 for a run that came since."""
    later = {"gale": [("1_2", 0.9)]} if dataset.runs.filter(name="gale").exists() else {}
    return later | {
        name: [(f"1_{n}", score) for n, (_, score) in enumerate(given, start=1) if score]
        for name, given in ANSWERS.items()
    }


def test_a_pool_on_the_new_version_has_only_what_nobody_was_asked_about(
    plausibility, mended_version, tmp_path
):
    import_scores(mended_version, tmp_path, scores_of(mended_version))

    again = draw_pool(mended_version, name="again")
    drawn = draw_pool(mended_version, WITHOUT_STANDING, name="drawn")

    turns = {
        name: {str(each.turn.key) for each in candidates_of(pool)}
        for name, pool in (("again", again), ("drawn", drawn))
    }
    assert turns == {"again": {"1_1", "1_2"}, "drawn": {"1_1"}}
    stands = drawn.fates.filter(state="stands")
    assert {each.candidate.pool for each in stands} == {plausibility.pool}
    assert drawn.counts["n_answers"]["stands"] == stands.count() > 0
    assert sum(drawn.counts["n_answers"].values()) == drawn.fates.count()


def test_a_run_that_came_later_is_credited_with_an_answer_that_stands(
    plausibility, bob, dora, mended_version, tmp_path
):
    create_run(mended_version, tmp_path, [answer(2, "Black.")], name="gale")
    import_scores(mended_version, tmp_path, scores_of(mended_version))

    drawn = draw_pool(mended_version, WITHOUT_STANDING, name="drawn")
    judge_and_settle(launched(drawn, name="second"), bob, dora)
    released(mended_version, tmp_path / "after")

    [row] = [row for row in rows(tmp_path / "after", "answers") if row["run"] == "gale"]
    assert (row["sampled"], row["plausibility"]) == ("drawn", "plausible")
    [item] = [row for row in rows(tmp_path / "after", "items") if row["answer"] == "Black."]
    assert "gale" in item["runs"].split("|")
    assert item["batch"] == plausibility.name


def test_what_stands_changes_no_row_of_the_answers_that_were_drawn_before(
    plausibility, bob, dora, mended_version, tmp_path
):
    released(mended_version, tmp_path / "before")
    import_scores(mended_version, tmp_path, scores_of(mended_version))

    judge_and_settle(
        launched(draw_pool(mended_version, WITHOUT_STANDING, name="drawn"), name="second"),
        bob,
        dora,
    )
    released(mended_version, tmp_path / "after")

    def of_second_turn(name):
        kept = [row for row in rows(tmp_path / name, "answers") if row["turn_id"] == "1_2"]
        return [
            (row["run"], row["answer_id"], row["plausibility"]) for row in kept if row["answer_id"]
        ]

    assert of_second_turn("after") == of_second_turn("before") != []


def test_the_pages_of_the_pool_say_what_stands_and_where(
    plausibility, mended_version, tmp_path, alice
):
    import_scores(mended_version, tmp_path, scores_of(mended_version))
    client = client_of(alice)
    rule = {
        "dataset": mended_version.pk,
        "threshold": "0.8",
        "min_candidates": "1",
        "bag": "default",
        "seed": "1",
    }

    desk = client.get(reverse("pool_new", args=[mended_version.study.slug]), rule).text
    reply = client.post(
        reverse("pool_new", args=[mended_version.study.slug]),
        rule | {"name": "drawn", "scorer": Scorer.objects.get().pk},
        follow=True,
    )
    left_out = client.get(reply.redirect_chain[-1][0] + "?list=left-out&state=stands").text

    assert "asks_again=on" in desk
    assert "left out: people are or were asked" in " ".join(desk.split())
    assert "stand in an earlier version of the data set" in reply.text
    assert f"/pools/{plausibility.pool_id}/" in left_out


def test_the_results_of_the_new_version_lead_to_the_audits_and_comparisons_of_the_earlier_one(
    faithful, new_version, alice
):
    before = faithful.pool.dataset
    PrecisionAudit.objects.create(
        study=before.study,
        dataset=before,
        number=1,
        is_rehearsal=False,
        seed=1,
        n_gold=1,
        n_silver=1,
        drawn_by=alice,
    )
    after = new_version(MENDED_REFERENCE)
    page = client_of(alice).get(reverse("results", args=[after.study.slug, after.pk])).text

    link = reverse("results", args=[before.study.slug, before.pk])
    assert f'<a href="{link}#precision">1 precision audit</a>' in page
    assert "No sample of this version was drawn yet." in page
    assert "Of earlier versions" not in client_of(alice).get(link).text


def test_what_a_draw_missed_counts_what_stands_as_drawn(
    plausibility, bob, dora, mended_version, tmp_path
):
    import_scores(mended_version, tmp_path, scores_of(mended_version))
    whole = draw_pool(mended_version, name="whole")
    drawn = draw_pool(mended_version, WITHOUT_STANDING, name="drawn")
    audits = [
        audit_samples.draw(
            pool=pool,
            name=f"audit of {pool}",
            rule=AuditRule(pool.name, dict.fromkeys(REASONS, 9)),
            by=pool.created_by,
        )
        for pool in (whole, drawn)
    ]

    n_drawn = [audit_strata(audit).drawn.judged for audit in audits]

    assert [each.n_units for each in n_drawn] == [whole.candidates.count()] * 2
    assert (
        n_drawn[1].n_settled
        == drawn.fates.filter(state="stands").values("candidate").distinct().count()
    )


def test_what_a_draw_missed_is_out_of_date_when_a_batch_on_what_stands_changes(
    plausibility, bob, mended_version, tmp_path
):
    import_scores(mended_version, tmp_path, scores_of(mended_version))
    drawn = draw_pool(mended_version, WITHOUT_STANDING, name="drawn")
    rule = AuditRule(drawn.name, dict.fromkeys(REASONS, 9))
    audit = audit_samples.draw(pool=drawn, name="audit", rule=rule, by=drawn.created_by)

    def basis():
        return MissedFigures(drawn.study, audit).basis

    before = basis()
    withdrawn_batches.withdraw(batch=plausibility, reason="r", by=plausibility.created_by)

    assert plausibility.name in before.batches
    assert basis().since(before)
