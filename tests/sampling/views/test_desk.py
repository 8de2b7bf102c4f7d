"""The sampling desk: its numbers are those of the pool that a press on the button draws."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from sampling.forms.rules import initial_rule
from sampling.models import Pool
from sampling.pools.rule import Rule
from scoring import queries as scoring_tables
from scoring.actions import score_imports
from scoring.models import Scorer
from tests.annotation.pools import launched
from tests.cases import all_cases
from tests.corpus.imports import answer, create_dataset, create_run, save_dataset, turn
from tests.corpus.uploads import run_newest_job
from tests.factories import StudyFactory
from tests.markup import one_line
from tests.sampling import scored_dataset
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool, import_scores
from tests.scoring.score_jobs import score

HOSTILE = '<img src=x onerror="alert(1)">'
RULE = {"threshold": "0.8", "min_candidates": "1", "bag": "default", "seed": "1"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def desk(client, study, headers=None, **query):
    reply = client.get(reverse("pool_new", args=[study.slug]), {**RULE, **query}, headers=headers)
    assert reply.status_code == 200
    return one_line(reply.content.decode())


def press(client, study, **changes):
    data = {**RULE, "name": "pool", **changes}
    return client.post(reverse("pool_new", args=[study.slug]), data)


def figures(text):
    """The large numbers: questions, candidates, candidates a question, judgements."""
    return all_figures(text)[:4]


def all_figures(text):
    """The same, and the hours and the price of judging."""
    return re.findall(r'<dd class="figure">([^<]*)<', text)


def fates(text):
    """How many answers have each fate, by its name on the page."""
    rows = re.findall(
        r'<th scope="row">(?:<a [^>]*>)?([^<]*)(?:</a>)?</th>\s*<td class="number">(\d+)', text
    )
    return {name: int(n) for name, n in rows}


def answers_by_question(text):
    """What is shown of the answers, question by question."""
    return [
        re.findall(r'<p class="text as-written" dir="auto">([^<]*)</p>', article)
        for article in text.split('<article class="seen">')[1:]
    ]


def test_every_step_that_is_missing_leads_to_where_it_is_done(client, study, tmp_path):
    assert reverse("dataset_import", args=[study.slug]) in desk(client, study)

    dataset = create_dataset(study, tmp_path, [turn(1, "A stone.")])
    assert reverse("run_import", args=[study.slug]) in desk(client, study)

    create_run(dataset, tmp_path, [answer(1, "Slate.")])
    score(dataset, "em")
    text = desk(client, study)
    assert "have none yet" in text
    assert reverse("score_start", args=[study.slug]) in text


def test_a_data_set_without_runs_is_no_default_and_another_can_be_chosen(
    client, dataset, study, tmp_path
):
    bare = create_dataset(study, tmp_path, [turn(1, "A stone.")], name="other")

    assert f'<option value="{dataset.pk}" selected>' in desk(client, study)
    text = desk(client, study, dataset=bare.pk)
    assert "The data set other@1 has no runs to draw from." in text
    assert f'<option value="{dataset.pk}">touch@1</option>' in text
    assert f'<option value="{bare.pk}" selected>other@1</option>' in text
    assert f"{reverse('run_import', args=[study.slug])}?dataset={bare.pk}" in text


def test_a_data_set_without_scores_leaves_the_choice_of_another(client, dataset, study, tmp_path):
    unscored = create_dataset(study, tmp_path, [turn(1, "A stone.")], name="other")
    create_run(unscored, tmp_path, [answer(1, "Slate.")])

    text = desk(client, study)
    assert "those to other@1 have none yet" in text
    assert f'<option value="{dataset.pk}">touch@1</option>' in text
    assert f"{reverse('score_start', args=[study.slug])}?dataset={unscored.pk}" in text


def test_the_numbers_are_those_of_the_pool(client, dataset, study):
    text = desk(client, study)
    press(client, study)

    pool = Pool.objects.get()
    assert figures(text) == ["2", "3", "1.5", "6"]
    assert (pool.counts["n_turns"], pool.counts["n_candidates"]) == (2, 3)
    assert fates(text)["Drawn"] == pool.counts["n_answers"]["drawn"] == 4
    assert fates(text)["Same as the question"] == pool.counts["n_answers"]["same_as_question"]
    assert fates(text)["All answers"] == 18


def test_it_says_what_a_lower_threshold_would_add(client, dataset, study):
    assert "it would draw <strong>1 candidate</strong> more" in desk(client, study)
    assert "it would draw nothing more" in desk(client, study, threshold="0.3")
    assert "above 0.75" in desk(client, study)


def test_a_rule_that_draws_nothing_says_so_and_cannot_be_drawn(client, dataset, study):
    text = desk(client, study, threshold="0.99")

    assert "Nothing would be drawn" in text
    assert re.search(r'<button[^>]*id="draw" disabled', text)


def test_what_cuts_the_pool_most_is_advised_first(client, dataset, study):
    text = desk(client, study, threshold="0.75", min_candidates="3")
    by_fewest = text.index("With 1 instead of 3 as the fewest per question it would draw")
    assert "<strong>1 candidate</strong> more and reach 1 question more" in text[by_fewest:]
    assert text.index("0.05 lower, above 0.7, it would draw nothing more") > by_fewest

    text = desk(client, study, min_candidates="3")
    assert "Nothing would be drawn: no question has 3 distinct answers above 0.8." in text
    assert "With 1 instead of 3 as the fewest per question it would draw" in text
    assert "<strong>3 candidates</strong> and reach 2 questions:" in text

    assert "as the fewest per question it would" not in desk(client, study)


def test_answers_without_a_score_are_named_with_the_way_to_scores(client, study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, "A dark stone.")])
    for name in ("alder", "birch"):
        create_run(dataset, tmp_path, [answer(1, f"A tablet of {name}.")], name=name)
    import_scores(dataset, tmp_path, {"alder": [("1_1", 0.7)]})

    text = desk(client, study, threshold="0.6")
    assert "1 answer has no score by" in text
    assert f"{reverse('scores', args=[study.slug])}?dataset={dataset.pk}" in text
    import_scores(dataset, tmp_path, {"birch": [("1_1", 0.6)]})
    assert "no score by" not in desk(client, study)


def test_a_later_version_with_answers_without_scores_does_not_say_that_all_stands(
    client, dataset, study, tmp_path
):
    launched(draw_pool(dataset))
    *same, last = scored_dataset.TURNS
    mended, passages = [*same, {**last, "Truth_answer": "Nobody."}], scored_dataset.PASSAGES
    save_dataset(study, tmp_path, mended, passages=passages, as_new_version=True)
    second = study.datasets.by_name("touch")
    standing = "Nothing would be drawn: all that the rule draws stands in an earlier version."
    create_run(second, tmp_path, [answer(2, "Grey.")], name="gorse")

    text = desk(client, study, dataset=second.pk)
    assert "have no score by" in text
    assert standing not in text
    assert "Nothing would be drawn: all that the rule draws of the scored answers stands" in text


def test_no_time_of_judging_is_shown_where_there_is_nothing_to_judge(client, dataset, study):
    text = desk(client, study, threshold="0.99")
    assert "less than a minute" not in text
    assert all_figures(text)[3:5] == ["0", "\N{EN DASH}"]


def test_the_share_of_each_run_counts_its_own_candidates(client, dataset, study):
    text = desk(client, study)

    shares = text[text.index('class="shares"') :]
    rows = re.findall(r'dir="auto">(\w+)</th>\s*<td class="number">(\d+)</td>', shares)
    assert dict(rows) == {
        "alder": "2",
        "birch": "1",
        "cedar": "1",
        "dogwood": "0",
        "echo": "0",
        "fir": "0",
    }
    assert "67 %" in shares


def test_the_histogram_has_a_mark_and_its_numbers_as_a_table(client, dataset, study):
    text = desk(client, study)

    assert '<line class="mark" x1="800.0" x2="800.0"' in text
    assert "with the threshold at 0.8" in text
    table = text[text.index('id="histogram-table"') :]
    assert re.search(r'0.94 to 0.96</th><td class="number">2</td><td class="number">1<', table)


def test_the_preview_shows_candidates_next_to_the_threshold_first(client, dataset, study):
    assert answers_by_question(desk(client, study))[0][:2] == ["Black.", "Green."]
    assert answers_by_question(desk(client, study))[1][0] == "A tablet to test gold."


@pytest.mark.parametrize(
    ("fate", "first"),
    [
        ("below_threshold", "Slate."),
        ("same_as_reference", "A dark stone is a touchstone!"),
        ("same_as_question", "What is a touchstone?"),
        ("represented", "gold: a tablet to TEST"),
        ("no_reference", "A fish."),
    ],
)
def test_answers_of_any_fate_can_be_looked_at(client, dataset, study, fate, first):
    assert answers_by_question(desk(client, study, show=fate))[0][0] == first


def test_a_fate_that_nothing_has_is_said(client, dataset, study):
    text = desk(client, study, show="capped", page="7")

    assert "No answer has this outcome." in text
    assert answers_by_question(text) == []


def test_the_preview_goes_on_page_by_page(client, study, tmp_path):
    turns = [turn(n, f"Stone {n}.", rewrite=f"Which {n}?") for n in range(1, 13)]
    dataset = create_dataset(study, tmp_path, turns)
    create_run(dataset, tmp_path, [answer(n, f"Slate {n}.") for n in range(1, 13)])
    import_scores(dataset, tmp_path, {"alder": [(f"1_{n}", 0.9) for n in range(1, 13)]})

    first, last = desk(client, study), desk(client, study, page="3")

    assert [len(answers_by_question(text)) for text in (first, last)] == [5, 2]
    assert "5 of 12 questions" in first
    assert "page=2#looked-at" in first
    assert not {shown[0] for shown in answers_by_question(first)} & {
        shown[0] for shown in answers_by_question(last)
    }


def test_htmx_gets_what_follows_from_the_rule_and_nothing_else(client, dataset, study):
    text = desk(client, study, headers=HTMX, threshold="0.85")

    assert "<html" not in text
    assert figures(text) == ["2", "2", "1.0", "4"]
    for part in ("histogram", "histogram-key", "preview", "rule-drawn", "desk-status"):
        assert re.search(rf'id="{part}"[^>]* hx-swap-oob=', text), part
    assert 'name="threshold" value="0.85"' in text  # what a press on the button would draw
    assert "data-can-draw" in text


def test_the_page_and_its_part_are_kept_apart_by_caches(client, dataset, study):
    assert "HX-Request" in client.get(reverse("pool_new", args=[study.slug])).headers["Vary"]


@all_cases(
    ("changes", "said"),
    [
        ({"threshold": "high"}, "Enter a number."),
        ({"threshold": "nan"}, "Enter a number."),
        ({"threshold": ""}, "This field is required."),
        ({"min_candidates": "0"}, "greater than or equal to 1"),
        ({"cap_per_turn": "-1"}, "greater than or equal to 1"),
        ({"bag": "sack"}, "sack is not one of the available choices"),
        ({"runs": ["yew"]}, "The data set has no run yew"),
        ({"seed": "1e9"}, "Enter a whole number."),
    ],
)
def test_a_rule_that_cannot_be_meant_is_said_at_its_field(client, dataset, study, changes, said):
    for headers in (None, HTMX):
        text = desk(client, study, headers=headers, **changes)
        assert said in text
        assert figures(text) == []
    assert said in press(client, study, **changes).content.decode()
    assert not Pool.objects.exists()


@pytest.mark.parametrize(
    "query",
    [
        {"dataset": "0", "scorer": "x"},
        {"dataset": "99999999999999999999"},
        {"show": "<b>", "page": "-1"},
        {"dataset": "\0"},
    ],
)
def test_nonsense_in_the_address_is_the_desk_as_it_begins(client, dataset, study, query):
    assert figures(desk(client, study, **query)) == ["2", "3", "1.5", "6"]


def test_the_desk_begins_at_the_scorer_s_own_threshold(client, dataset, study):
    text = client.get(reverse("pool_new", args=[study.slug])).content.decode()

    assert 'name="threshold" value="0.7"' in text
    assert 'name="min_candidates" value="3"' in text


@pytest.mark.parametrize(("n_runs", "fewest"), [(1, "1"), (2, "2"), (3, "3"), (20, "3")])
def test_the_desk_asks_for_no_more_candidates_a_question_than_there_are_runs(n_runs, fewest):
    assert initial_rule(Scorer(name="own"), n_runs)["min_candidates"] == fewest


def test_a_press_draws_the_pool_and_leads_to_it(client, dataset, study):
    reply = press(client, study, cap_per_turn="1", seed="7", runs=["alder", "birch"])

    pool = Pool.objects.get()
    assert reply.headers["Location"] == reverse("pool", args=[study.slug, pool.pk])
    assert Rule.from_dict(pool.rule) == Rule(
        scorer="paper",
        threshold=0.8,
        min_candidates=1,
        cap_per_turn=1,
        runs=frozenset({"alder", "birch"}),
        seed=7,
    )
    assert pool.created_by.username == "alice"


TURNS = {"n_turns": "1", "strata": "depth", "allocation": "equal", "prefer": "disagreement"}


def test_some_of_the_questions_are_shown_as_they_are_drawn(client, dataset, study):
    text = desk(client, study, **TURNS)

    assert figures(text)[0] == "1"
    assert "1 question more would give candidates, and is not drawn." in text
    assert fates(text)["Turn not drawn"] > 0
    n_candidates = int(figures(text)[1])
    press(client, study, **TURNS)
    pool = Pool.objects.get()
    assert pool.counts["n_candidates"] == n_candidates
    assert pool.counts["n_answers"]["turn_not_drawn"] == fates(text)["Turn not drawn"]
    assert (pool.rule["n_turns"], pool.rule["strata"], pool.rule["prefer"]) == (
        1,
        "depth",
        "disagreement",
    )


def test_what_is_looked_at_is_of_the_questions_that_are_drawn(client, dataset, study):
    asked = desk(client, study, **TURNS, show="turn_not_drawn")
    drawn = desk(client, study, **TURNS)

    assert len(answers_by_question(asked)) == len(answers_by_question(drawn)) == 1
    assert answers_by_question(asked) != answers_by_question(drawn)
    assert "n_turns=1" in drawn
    assert 'name="n_turns" value="1"' in drawn


def test_a_pool_of_some_questions_says_so_and_is_not_audited(client, dataset, study):
    press(client, study, **TURNS)
    pool = Pool.objects.get()
    where = reverse("pool", args=[study.slug, pool.pk])
    audit = reverse("pool_audit", args=[study.slug, pool.pk])

    text = " ".join(client.get(where).text.split())

    assert "<strong>1</strong> is drawn with the seed 1, more often those on which the runs" in text
    assert "1 that would have given candidates" in text
    assert audit not in text
    assert "cannot be audited" in client.get(audit, follow=True).text


def test_a_pool_from_before_there_were_turns_not_drawn_is_shown(client, dataset, study):
    press(client, study)
    pool = Pool.objects.get()
    del pool.counts["n_answers"]["turn_not_drawn"]
    pool.save()

    text = client.get(reverse("pool", args=[study.slug, pool.pk])).text

    assert fates(text)["Turn not drawn"] == 0


def test_strata_without_a_number_of_questions_are_refused_in_words(client, dataset, study):
    assert "say how many to draw" in desk(client, study, strata="depth")


def test_conflicts_of_scores_are_said_with_the_pool(client, dataset, study, tmp_path):
    create_run(dataset, tmp_path, [answer(2, "Black.")], name="gorse")
    import_scores(dataset, tmp_path, {"gorse": [("1_2", 0.5)]})

    reply = press(client, study)

    text = client.get(reply.headers["Location"]).content.decode()
    assert "1 text has several scores in their turn" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Give the pool a name."),
        ("taken", "There is a pool taken already in the study lighthouses."),
        ("a\u0007b", "holds U+0007"),
        ("x" * 101, "at most 100 characters"),
    ],
)
def test_a_name_that_cannot_be_had_is_said_and_the_numbers_stay(client, dataset, study, name, said):
    draw_pool(dataset, name="taken")

    text = press(client, study, name=name).content.decode()

    assert said in text
    assert figures(text) == ["2", "3", "1.5", "6"]
    assert study.pools.count() == 1


@pytest.mark.parametrize("field", ["dataset", "scorer"])
def test_nothing_is_drawn_from_what_is_not_there(client, dataset, study, field):
    assert press(client, study, **{field: "99999"}).status_code == 404
    assert not study.pools.exists()


def test_the_scorer_is_chosen_where_there_are_several(client, dataset, study, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("id,run,sas\n1_2,alder,0.99\n")
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer="other",
        records=score_imports.read(path, metric="sas"),
        file="other.csv",
        by=study.created_by,
    )
    paper = Scorer.objects.get(name="paper")

    assert figures(desk(client, study)) == ["1", "1", "1.0", "2"]  # the newest
    text = desk(client, study, scorer=paper.pk)
    assert figures(text) == ["2", "3", "1.5", "6"]
    assert f'<option value="{paper.pk}" selected' in text
    looks = re.findall(r'href="([^"]*show=[^"]*)"', text)
    assert looks
    assert all(f"scorer={paper.pk}&amp;" in href for href in looks)


def test_a_name_that_two_scorers_bear_is_said_in_full_in_the_rule(client, dataset, study):
    computed = Scorer.objects.create(metric="sas", name="paper", version="1", study=None)

    press(client, study, scorer=Scorer.objects.get(study=study).pk)

    assert Pool.objects.get().rule["scorer"] == "paper#imported"
    assert Pool.objects.get().scorer != computed


def test_the_scorers_of_another_study_are_not_offered(client, dataset, tmp_path, alice):
    other = StudyFactory(created_by=alice)
    create_scored_dataset(other, tmp_path)

    text = desk(client, other, scorer=Scorer.objects.get(study=dataset.study).pk)

    assert f'name="scorer" value="{Scorer.objects.get(study=other).pk}"' in text


def test_many_answers_are_read_by_a_job_and_the_page_never_waits(
    client, dataset, study, monkeypatch
):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    text = desk(client, study)
    assert "Read the answers" in text
    assert figures(text) == []
    assert 'id="draw-form"' not in text

    reply = client.post(reverse("pool_survey", args=[study.slug]), RULE)
    assert "threshold=0.8" in reply.headers["Location"]
    text = desk(client, study)
    assert "are being read" in text
    assert reverse("job", args=[study.slug, study.jobs.get().pk]) in text
    poll = client.get(reply.headers["Location"], {"poll": "1"}, headers=HTMX)
    assert "HX-Refresh" not in poll.headers

    run_newest_job()
    poll = client.get(reply.headers["Location"] + "&poll=1", headers=HTMX)
    assert poll.headers["HX-Refresh"] == "true"
    assert figures(desk(client, study)) == ["2", "3", "1.5", "6"]
    assert answers_by_question(desk(client, study))[0][:2] == ["Black.", "Green."]


def test_a_survey_that_failed_is_said_and_can_be_tried_again(client, dataset, study, monkeypatch):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    client.post(reverse("pool_survey", args=[study.slug]), RULE)
    study.jobs.update(state="failed", finished_at=dataset.created_at)

    text = desk(client, study)

    assert "The last attempt did not finish" in text
    assert "Read the answers" in text


def test_a_pool_of_many_answers_is_drawn_by_a_job(client, dataset, study, monkeypatch):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)

    reply = press(client, study)

    assert reply.headers["Location"] == reverse("job", args=[study.slug, study.jobs.get().pk])
    text = client.get(reverse("pool", args=[study.slug, Pool.objects.get().pk])).content.decode()
    assert "The pool is being built" in text
    assert f'hx-get="{reply.headers["Location"]}?part=progress"' in text
    job = run_newest_job()
    text = client.get(reverse("job", args=[study.slug, job.pk])).content.decode()
    assert "3 candidates for 2 questions" in text
    assert reverse("pool", args=[study.slug, Pool.objects.get().pk]) in text


def test_the_number_of_queries_does_not_grow_with_turns_and_runs(client, study, tmp_path):
    def make(name, n):
        turns = [turn(k, f"Stone {k}.", rewrite=f"Which {k}?") for k in range(1, n)]
        made = create_dataset(study, tmp_path, turns, name=name)
        for r in range(n):
            create_run(
                made, tmp_path, [answer(k, f"Slate {r} {k}.") for k in range(1, n)], name=f"r{r}"
            )
            import_scores(made, tmp_path, {f"r{r}": [(f"1_{k}", 0.9) for k in range(1, n)]})
        return made

    def n_queries(made):
        with CaptureQueriesContext(connection) as queries:
            assert len(answers_by_question(desk(client, study, dataset=made.pk))) == min(
                5, made.runs.count() - 2
            )
        return len(queries)

    few, many = make("few", 4), make("many", 12)

    assert n_queries(few) == n_queries(many)


def test_what_was_imported_is_shown_as_it_is_and_does_nothing(client, study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, f"R {HOSTILE}", rewrite=f"Q {HOSTILE}")])
    create_run(dataset, tmp_path, [answer(1, f"A {HOSTILE} {'x' * 500}")], name=HOSTILE)
    name = HOSTILE.replace('"', '""')
    path = tmp_path / "s.csv"
    path.write_text(f'id,run,sas\n1_1,"{name}",0.9\n')
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer=HOSTILE,
        records=score_imports.read(path, metric="sas"),
        file="s.csv",
        by=study.created_by,
    )

    text = desk(client, study, runs=[HOSTILE])
    pool = press(client, study, runs=[HOSTILE], name=HOSTILE).headers["Location"]

    for shown in (text, client.get(pool).content.decode()):
        assert "<img" not in shown
        assert shown.count("&lt;img src=x") >= 5


def test_a_rule_without_its_own_threshold_cannot_be_surveyed(client, dataset, study):
    reply = client.post(reverse("pool_survey", args=[study.slug]), {**RULE, "threshold": "x"})

    assert "Enter a number." in reply.content.decode()
    assert not study.jobs.exists()
