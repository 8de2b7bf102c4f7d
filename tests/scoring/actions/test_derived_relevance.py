"""Relevance where the truth names no passage: the passages that hold its answer, found once for all runs."""

import pytest
from django.test import Client
from django.urls import reverse

from jobs.actions import execution
from jobs.actions import jobs as jobs_of_work
from jobs.handlers import JobCancelledError
from scoring import jobs, retrieval, score_queries
from scoring.actions import derived_relevance, run_measures, score_jobs, value_matrix
from scoring.denominators import Denominator
from scoring.derived_relevance import span_f1
from scoring.models import Relevance, Score, Scorer
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.parts import part
from tests.scoring.score_jobs import score

TURNS = [
    turn(1, "a dark stone", passages=["p9"]),  # the truth names one, which no run ranks
    turn(2, "it is used to test gold"),
    turn(3, "nobody ever said so"),
    turn(4),
]
PASSAGES = passage_table(
    ("1_1", "p1", "Touchstone is a dark stone."),
    ("1_2", "p2", "It was used to test gold. Slate serves."),
    ("1_2", "p3", "Gold leaves a streak."),
    ("1_3", "p4", "Home. About us."),
    ("1_4", "p5", "It is used to test gold."),
)
ANSWERS = [
    answer(1, "a stone", Model_passages={"p1": 1.0}),
    answer(2, "gold", Model_passages={"p3": 2.0, "p2": 1.0, "unknown": 0.5}),
    answer(3, "", Model_passages={"p4": 1.0}),
    answer(4, "x", Model_passages={"p5": 1.0}),
]


@part
def dataset(study, folder):
    dataset = create_dataset(study, folder, TURNS, passages=PASSAGES)
    create_run(dataset, folder, ANSWERS, name="alder")
    return dataset


def derived(dataset, metric="mrr"):
    return score(dataset, metric, derives_relevance=True)


def relevance(dataset):
    rows = Relevance.objects.filter(turn__conversation__dataset=dataset)
    return {row.turn.number: row.docids for row in rows.select_related("turn")}


def by_turn(dataset, name):
    scorer = Scorer.objects.get(name=name)
    found = score_queries.measurable_values(dataset, scorer)
    answers = dataset.runs.get(name="alder").answers.select_related("turn")
    return {each.turn.number: found[each.pk] for each in answers if each.pk in found}


def test_the_best_span_decides_and_its_border_is_qreccs():
    assert span_f1("It was used to test gold.", "it is used to test gold") == pytest.approx(10 / 12)
    assert span_f1("Gold leaves a streak.", "it is used to test gold") < retrieval.RELEVANT_FROM
    assert span_f1("Home.", "gold") == 0


def test_relevance_is_derived_only_where_the_truth_has_an_answer_and_names_no_passage(dataset):
    job = derived(dataset)

    # p5 says the same for turn 4, which has no truth.
    assert relevance(dataset) == {2: ["p2"], 3: []}
    assert by_turn(dataset, "trec_eval-overlap") == {1: 0.0, 2: 1 / 2}
    assert job.result == {"metric": "mrr", "scorer": "trec_eval-overlap#1", "n_scored": 2}


def test_the_two_ways_are_two_scorers_and_never_one_column(dataset):
    derived(dataset)
    score(dataset, "mrr")

    assert by_turn(dataset, "trec_eval") == {1: 0.0}
    assert [each.name for each in score_queries.scorers(dataset)] == [
        "trec_eval",
        "trec_eval-overlap",
    ]


def test_nothing_is_derived_or_scored_twice(dataset, monkeypatch):
    derived(dataset)
    n_scores = Score.objects.count()
    monkeypatch.setattr(derived_relevance, "span_f1", None)

    assert derived(dataset).result["n_scored"] == 0
    assert derived(dataset, "recall_at_10").result["n_scored"] == 2
    assert Score.objects.count() == n_scores + 2


@pytest.mark.parametrize("size", [1, 3])
def test_how_many_turns_a_worker_takes_changes_nothing(dataset, monkeypatch, size):
    monkeypatch.setattr(jobs, "TURNS_A_CHUNK", size)

    derived(dataset)

    assert by_turn(dataset, "trec_eval-overlap") == {1: 0.0, 2: 1 / 2}


def test_what_another_measure_s_worker_derived_meanwhile_is_not_derived_again(dataset, monkeypatch):
    """Both begin with nothing; while one derives its first turn, the other derives all."""
    turns = [turn.pk for turn in derived_relevance.underived_turns(dataset)]
    real, searched = derived_relevance.relevant_passages, []

    def counting(*given):
        searched.append(given[2])
        if len(searched) == 1:
            derived_relevance.derive(dataset, turns)
        return real(*given)

    monkeypatch.setattr(derived_relevance, "relevant_passages", counting)

    assert derived_relevance.derive(dataset, turns) == 0

    # One turn was begun by both; the other was derived once.
    assert len(searched) == len(turns) + 1 == 3
    assert relevance(dataset) == {2: ["p2"], 3: []}


def test_workers_of_several_measures_begin_at_different_turns(dataset, monkeypatch):
    turns = [turn.pk for turn in derived_relevance.underived_turns(dataset)]
    real, order = derived_relevance.relevant_passages, []

    def noting(named, texts, *rest):
        order.append(sorted(texts))
        return real(named, texts, *rest)

    monkeypatch.setattr(derived_relevance, "relevant_passages", noting)
    derived_relevance.derive(dataset, turns, begin_at=1)

    assert order == [["p4"], ["p2", "p3"]]


def test_who_knew_less_does_not_write_over_who_knew_more(dataset, tmp_path, monkeypatch):
    """While a worker derives from two passages a run that cites a third is imported, and derived from."""
    turns = [turn.pk for turn in derived_relevance.underived_turns(dataset)]
    real, seen = derived_relevance.relevant_passages, []

    def another_comes_first(*given):
        seen.append(sorted(given[1]))
        if len(seen) == 1:
            create_run(dataset, tmp_path, [answer(2, "", Model_passages={"p5": 1.0})], name="birch")
            derived_relevance.derive(dataset, turns)
        return real(*given)

    monkeypatch.setattr(derived_relevance, "relevant_passages", another_comes_first)
    derived_relevance.derive(dataset, turns)

    assert seen[0] == ["p2", "p3"]
    assert relevance(dataset)[2] == ["p2", "p5"]


def test_who_knew_more_derives_again_over_who_was_first_with_less(dataset, tmp_path, monkeypatch):
    """While a worker derives from three passages, one that began before the third came writes."""
    turns = [turn.pk for turn in derived_relevance.underived_turns(dataset)]
    create_run(dataset, tmp_path, [answer(2, "", Model_passages={"p5": 1.0})], name="birch")
    real, seen = derived_relevance.relevant_passages, []

    def another_comes_first(named, texts, *rest):
        seen.append(sorted(texts))
        if len(seen) == 1:
            second = derived_relevance.underived_turns(dataset).get(number=2)
            old = derived_relevance._digest({"p2", "p3"})
            Relevance.objects.create(turn=second, docids=["p2"], known_sha256=old)
        return real(named, texts, *rest)

    monkeypatch.setattr(derived_relevance, "relevant_passages", another_comes_first)
    derived_relevance.derive(dataset, turns)

    assert seen[:2] == [["p2", "p3", "p5"]] * 2
    assert relevance(dataset)[2] == ["p2", "p5"]


def cancelled_after_one_turn(dataset, alice, monkeypatch):
    """A job for MRR that was cancelled while it derived its second turn."""
    (job,) = score_jobs.score(dataset=dataset, metrics=["mrr"], model="m", by=alice)
    real = derived_relevance._write

    def written(*given, **instead_of):
        found = real(*given, **instead_of)
        jobs_of_work.cancel(job=job, by=alice)
        return found

    monkeypatch.setattr(derived_relevance, "_write", written)
    with pytest.raises(JobCancelledError):
        execution.run(job)
    monkeypatch.undo()
    return job


def test_a_cancelled_derivation_keeps_what_it_found_and_says_what_is_missing(
    dataset, alice, monkeypatch
):
    job = cancelled_after_one_turn(dataset, alice, monkeypatch)
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    assert relevance(dataset) == {2: ["p2"]}
    assert derived_relevance.missing_relevance(dataset) == derived_relevance.MissingRelevance(
        1, ("1_3",)
    )
    text = client.get(reverse("job", args=[dataset.study.slug, job.pk])).text
    assert 'not derived yet for 1 question: <span dir="auto">1_3</span>.' in text

    job.refresh_from_db()
    jobs_of_work.resume(job=job, by=alice)
    execution.run(job)
    assert derived_relevance.missing_relevance(dataset) is None
    assert relevance(dataset) == {2: ["p2"], 3: []}


def test_the_page_of_scores_says_on_which_turns_relevance_is_missing(dataset, alice):
    derived(dataset)
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    address = reverse("scores", args=[dataset.study.slug])
    assert "not derived yet" not in client.get(address).text

    Relevance.objects.filter(turn__number=2).delete()

    assert "not derived yet for 1 question" in client.get(address).text


def test_passages_that_another_run_cites_are_known_to_all(dataset, tmp_path):
    derived(dataset, "recall_at_10")
    assert by_turn(dataset, "trec_eval-overlap") == {1: 0.0, 2: 1.0}
    # p5 was offered for another turn.
    create_run(dataset, tmp_path, [answer(2, "", Model_passages={"p5": 1.0})], name="birch")

    derived(dataset, "recall_at_10")

    assert relevance(dataset) == {2: ["p2", "p5"], 3: []}
    assert by_turn(dataset, "trec_eval-overlap") == {1: 0.0, 2: 1 / 2}


def test_a_turn_for_which_a_passage_is_relevant_counts_for_runs_that_rank_none(dataset, tmp_path):
    derived(dataset)
    create_run(dataset, tmp_path, [answer(1, "", Model_passages={"p9": 1.0})], name="birch")
    derived(dataset)
    scorers = run_measures.scorers(dataset)
    birch = dataset.runs.get(name="birch")

    for denominator, mean, n_turns in (
        (Denominator.ALL_TURNS, 1 / 2, 2),
        (Denominator.AS_EVALUATOR, 1.0, 1),
    ):
        found = run_measures.comparison_now(dataset, scorers, denominator)
        figure = found.figures[birch.pk, scorers[0].pk]
        assert (figure.value, figure.n_turns) == (mean, n_turns)


def test_of_a_data_set_whose_truth_names_passages_nothing_is_derived(study, tmp_path, alice):
    made = create_dataset(study, tmp_path, [turn(1, "gold", passages=["p1"]), turn(2)])
    create_run(made, tmp_path, [answer(1, "", Model_passages={"p1": 1.0})])

    (job,) = score_jobs.score(dataset=made, metrics=["mrr"], model="m", by=alice)

    assert "derives_relevance" not in job.params


def test_what_is_not_of_retrieval_has_no_wish_about_relevance(dataset, alice):
    em, mrr = score_jobs.score(dataset=dataset, metrics=["em", "mrr"], model="m", by=alice)

    assert "derives_relevance" not in em.params
    assert mrr.params["derives_relevance"] is True


def test_turns_can_be_left_out_instead(dataset, alice):
    (job,) = score_jobs.score(
        dataset=dataset, metrics=["mrr"], model="m", derive_relevance=False, by=alice
    )

    assert "derives_relevance" not in job.params


def test_the_frame_of_other_scorers_knows_nothing_of_it(dataset):
    derived(dataset)

    turns = value_matrix.frame(dataset).turns.values()

    assert [turn.has_relevant for turn in turns] == [True, False, False, False]


def test_an_imported_scorer_of_such_a_name_derives_nothing(dataset):
    theirs = Scorer(metric="mrr", name="trec_eval-overlap", version="imported", study=dataset.study)

    assert not theirs.derives_relevance
