"""What runs come to under every scorer: at once or by a job, to the same digits; undefined is never 0."""

import pytest

from jobs.actions import execution
from scoring import run_comparison, score_queries
from scoring.actions import run_measures, value_matrix
from scoring.denominators import Denominator
from scoring.models import Scorer
from stats.means import Row, means_by_setup
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.parts import part
from tests.scoring.score_jobs import score

ALL, EVALUATOR = Denominator.ALL_TURNS, Denominator.AS_EVALUATOR

TURNS = [
    turn(1, "black stone", passages=["p1"]),
    turn(2, "gold", passages=["p1"]),
    turn(1, "touch", conversation=2),
    turn(1, conversation=3),
]
RUNS = {
    "alder": [
        answer(1, "black", Model_rewrite="What is it?", Model_passages={"p2": 2.0, "p1": 1.0}),
        answer(1, "touch", conversation=2, Model_rewrite="it"),
        answer(1, "Nobody.", conversation=3),
    ],
    "birch": [answer(1, "Nobody.", conversation=3)],
    "cedar": [
        answer(1, ""),
        answer(2, "gold", Model_rewrite="What is that?"),
        answer(1, "", conversation=2),
    ],
}


@part
def table(study, folder):
    """A small data set whose figures can be counted on paper."""
    table = create_dataset(study, folder, TURNS, name="paper")
    for name, answers in RUNS.items():
        create_run(table, folder, answers, name=name)
    for metric in ("em", "f1", "qr", "length", "mrr"):
        score(table, metric)
    return table


def figures(dataset, denominator=ALL):
    found = run_measures.comparison_now(dataset, score_queries.scorers(dataset), denominator)
    runs = {run.pk: run.name for run in value_matrix.competing_runs(dataset)}
    scorers = {scorer.pk: scorer.metric for scorer in Scorer.objects.all()}
    return {(runs[run], scorers[scorer]): each for (run, scorer), each in found.figures.items()}


# By run and metric: the mean, over how many turns, of which not given. Counted on paper.
ON_PAPER = {
    ALL: {
        ("alder", "em"): ((0 + 0 + 1) / 3, 3, 1),
        ("alder", "f1"): ((2 / 3 + 0 + 1) / 3, 3, 1),
        ("alder", "qr"): ((1 + 0 + 1 / 3 + 0) / 4, 4, 2),
        ("alder", "mrr"): ((1 / 2 + 0) / 2, 2, 1),
        ("alder", "length"): ((5 + 5 + 7) / 3, 3, 0),
        ("birch", "em"): (None, 0, 0),
        ("birch", "length"): (7, 1, 0),
        ("cedar", "f1"): (1 / 3, 3, 0),
        ("cedar", "qr"): ((0 + 2 / 3 + 0 + 0) / 4, 4, 3),
        ("cedar", "mrr"): (None, 0, 0),
    },
    EVALUATOR: {
        ("alder", "em"): (1 / 3, 3, 1),
        ("alder", "qr"): (0, 1, 1),
        ("alder", "mrr"): (1 / 2, 1, 0),
        ("cedar", "qr"): (2 / 3, 1, 0),
        ("cedar", "mrr"): (None, 0, 0),
    },
}


@pytest.mark.parametrize("denominator", Denominator)
def test_the_means_are_those_counted_on_paper(table, denominator):
    found = figures(table, denominator)

    for place, (mean, n_turns, n_not_given) in ON_PAPER[denominator].items():
        figure = found[place]
        assert figure.value == (None if mean is None else pytest.approx(mean)), place
        assert (figure.n_turns, figure.n_not_given) == (n_turns, n_not_given), place
        assert figure.n_not_scored == 0


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (("birch", "em"), "no answer on a turn with a reference"),
        (("birch", "qr"), "no rewrite on a turn whose truth has one"),
        (("cedar", "mrr"), "no ranking on a turn with a relevant passage"),
    ],
)
def test_what_a_run_did_not_take_part_in_is_undefined_with_the_reason(table, place, reason):
    figure = figures(table)[place]

    assert (figure.value, figure.reason) == (None, reason)
    assert (figure.low, figure.interval_reason) == (None, "no replicate has a value")


def test_the_intervals_are_those_of_scoring_means(table):
    given = {"1_1": 2 / 3, "1_2": 0.0, "2_1": 1.0, "3_1": None}
    rows = [Row("alder", "", turn, turn[0], {"f1": value}) for turn, value in given.items()]
    expected = means_by_setup(rows, measures=["f1"], seed=run_comparison.SEED)[""].figure(
        "alder", "f1"
    )

    figure = figures(table)["alder", "f1"]

    assert (figure.low, figure.high) == (expected.interval.low, expected.interval.high)
    assert figure.low < figure.value < figure.high
    assert figure.n_undefined == expected.interval.n_undefined > 0


def test_an_answer_that_has_no_score_yet_is_left_out_and_counted(table, tmp_path):
    create_run(table, tmp_path, [answer(1, "slate"), answer(2, "gold")], name="dogwood")

    one, other = (figures(table)["dogwood", metric] for metric in ("f1", "mrr"))

    # "gold" on turn 1_2 is known from cedar; turn 2_1 is missing.
    assert (one.value, one.n_turns, one.n_not_given, one.n_not_scored) == (0.5, 2, 1, 1)
    assert (other.value, other.n_not_scored) == (None, 0)


def test_a_run_without_any_score_is_undefined_and_not_0(table, tmp_path):
    create_run(table, tmp_path, [answer(1, "slate")], name="dogwood")

    figure = figures(table)["dogwood", "f1"]

    assert (figure.value, figure.reason, figure.n_not_scored) == (None, "no score yet", 1)


def test_an_empty_answer_is_worth_what_the_measure_says_of_it(study, tmp_path):
    made = create_dataset(
        study, tmp_path, [turn(1, "The"), turn(2, "gold")]
    )  # no token in the first
    create_run(made, tmp_path, [answer(2, "gold")])
    score(made, "em")

    figure = figures(made)["alder", "em"]

    assert (figure.value, figure.n_not_given) == (1.0, 1)


def test_a_metric_from_elsewhere_is_over_what_it_was_given_for(table, tmp_path):
    scorer = Scorer.objects.create(
        metric="kpqa", name="theirs", version="imported", study=table.study
    )
    answers = table.runs.get(name="alder").answers.order_by("turn__conversation__position")
    scorer.imported_scores.create(answer=answers[0], value=3.0)

    figure = figures(table)["alder", "kpqa"]

    assert (figure.value, figure.n_turns, figure.n_not_given, figure.n_not_scored) == (3.0, 1, 0, 2)


def test_original_and_rewritten_questions_are_paired_by_system(study, tmp_path):
    made = create_dataset(study, tmp_path, TURNS)
    about = [
        ("a1", "rare", "x", "original"),
        ("a2", "rare", "x", "rewritten"),
        ("b1", "rare", "y", "original"),  # no run on rewritten questions
        ("c1", "", "x", "original"),  # another team's, and two of them
        ("c2", "", "x", "rewritten"),
        ("c3", "", "x", "rewritten"),
        ("d1", "", "", "original"),  # nobody knows whose
        ("d2", "", "", "rewritten"),
        ("e1", "rare", "", "rewritten"),
        ("e2", "rare", "", "original"),
    ]
    for name, team, system, setup in about:
        create_run(made, tmp_path, RUNS["alder"], name=name, team=team, system=system, setup=setup)
    runs = value_matrix.competing_runs(made)

    pairs = value_matrix.layout(runs).pairs

    assert {(runs[one].name, runs[other].name) for one, other in pairs} == {
        ("a1", "a2"),
        ("e2", "e1"),
    }


def test_a_job_counts_what_a_page_counts(table, alice):
    job = execution.run(run_measures.begin(dataset=table, by=alice))

    assert run_measures.newest_job(table) == job
    for denominator in Denominator:
        kept = run_measures.comparison_of(job, denominator)
        assert kept == run_measures.comparison_now(table, run_measures.scorers(table), denominator)
        assert kept.correlations


@pytest.mark.parametrize("size", [1, 2])
def test_how_many_turns_are_held_at_once_changes_nothing(table, monkeypatch, size):
    expected = figures(table)
    monkeypatch.setattr(value_matrix, "TURNS_AT_ONCE", size)

    assert figures(table) == expected


def test_a_run_that_comes_while_a_job_counts_is_not_in_its_table(table, tmp_path, alice):
    job = run_measures.begin(dataset=table, by=alice)
    create_run(table, tmp_path, RUNS["alder"], name="dogwood")

    found = run_measures.comparison_of(execution.run(job), ALL)

    assert len({run for run, _ in found.figures}) == 3
