"""Comparisons of runs: what is drawn, shown and left out, from the database to the pool."""

import pytest
from django.core.exceptions import ValidationError

from accounts.actions import studies
from accounts.permissions import NotAllowedError
from audit.models import Event
from corpus.models import RunKind, Turn
from jobs.actions import execution
from sampling.actions import comparisons, question_selection
from sampling.actions.pools import PoolError
from sampling.comparisons.questions import STRATA
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Candidate, Fate, PoolPassage, Purpose
from scoring import queries as scoring_tables
from tests import real_data
from tests.corpus.imports import answer, create_run, passage_table, turn
from tests.corpus.imports import create_dataset as shared_task
from tests.corpus.test_clapnq import clapnq
from tests.factories import RunFactory, UserFactory
from tests.parts import part
from tests.sampling.comparison_dataset import (
    RULE,
    add_run,
    create_comparison_dataset,
    draw_comparison,
)

pytestmark = pytest.mark.django_db
RETRIEVED = ComparisonRule(setup="retrieved", top=2)


@part
def dataset(study, folder):
    return create_comparison_dataset(study, folder)


def texts(pool) -> dict[str, set[str]]:
    """By question the texts that the pool asks about."""
    found: dict[str, set[str]] = {}
    for each in Candidate.objects.filter(pool=pool).select_related("turn__conversation"):
        found.setdefault(each.turn.key, set()).add(each.text)
    return found


def fates(pool) -> dict[tuple[str, str], tuple[str, str | None]]:
    """By run and question what became of an answer, and the text that it is credited with."""
    rows = Fate.objects.filter(pool=pool).select_related(
        "answer__run", "answer__turn__conversation", "candidate"
    )
    return {
        (each.answer.run.name, each.answer.turn.key): (
            each.state,
            each.candidate.text if each.candidate else None,
        )
        for each in rows
    }


def passages_by_question(pool) -> dict[str, list[str]]:
    """By question the passages, in their order."""
    found: dict[str, list[str]] = {}
    rows = PoolPassage.objects.filter(pool=pool).select_related("turn__conversation", "passage")
    for each in rows.order_by("turn", "position"):
        found.setdefault(each.turn.key, []).append(each.passage.docid)
    return found


# Whose answers


def test_each_distinct_text_is_one_candidate_and_every_run_that_gave_it_is_credited(dataset):
    pool = draw_comparison(dataset)

    assert (pool.purpose, pool.scorer, pool.built_at is None) == (Purpose.COMPARISON, None, False)
    assert texts(pool) == {
        "1_1": {"One.", "Another one."},
        "2_1": {"Two.", "Both."},
        "3_1": {"Three."},
        "4_1": {"Four!", "Four."},
        "5_1": {"Five."},
        "6_1": {"I do not know."},
    }
    found = fates(pool)
    assert found["alder", "1_1"] == found["reference", "1_1"] == ("drawn", "One.")
    assert found["birch", "4_1"] == found["reference", "4_1"] == ("drawn", "Four.")
    assert found["alder", "6_1"] == found["birch", "6_1"] == ("drawn", "I do not know.")
    assert found["birch", "5_1"] == found["alder", "5_1"] == ("empty", None)
    assert pool.counts["n_answers"] == {"drawn": 13, "empty": 3}
    assert set(Candidate.objects.values_list("score", "inclusion_probability")) == {(None, 1.0)}


def test_a_pool_without_references_holds_none_and_the_runs_that_are_named_only(dataset):
    rule = ComparisonRule(setup="gold", runs=("birch",), references=False)

    pool = draw_comparison(dataset, rule)

    assert {name for name, _ in fates(pool)} == {"birch"}
    assert pool.rule["runs"] == ["birch"]
    # Of the others its answer says nothing.
    assert texts(pool).keys() == {"1_1", "2_1", "4_1", "6_1"}
    assert pool.counts["left_out"] == {"missed": 0, "silent": 2, "no_passage": 0}


def test_of_many_reference_answers_the_first_alone_can_be_shown(dataset):
    RunFactory(dataset=dataset, name="reference 2", kind=RunKind.REFERENCE)

    first = question_selection.runs_of(dataset, ComparisonRule(setup="gold", references="first"))
    every = question_selection.runs_of(dataset, ComparisonRule(setup="gold"))

    assert [run.name for run in first] == ["alder", "birch", "reference"]
    assert [run.name for run in every] == ["alder", "birch", "reference", "reference 2"]


def test_a_single_reference_run_can_be_named(dataset, tmp_path):
    rule = ComparisonRule(setup="gold", runs=("birch", "reference"), references=False)

    assert {name for name, _ in fates(draw_comparison(dataset, rule))} == {"birch", "reference"}


def test_the_candidates_order_says_nothing_of_the_runs(dataset):
    pool = draw_comparison(dataset)

    rows = Candidate.objects.filter(pool=pool).order_by("pk").values_list("turn", "text_sha256")
    assert list(rows) == sorted(rows)


# Which questions


def test_a_question_that_a_run_has_no_answer_to_is_left_out_counted_and_said(dataset, tmp_path):
    add_run(dataset, tmp_path, "cedar", {"1": ("One", []), "6": ("", [])})

    pool = draw_comparison(dataset)

    assert texts(pool).keys() == {"1_1", "6_1"}
    assert pool.counts["left_out"]["missed"] == 4
    assert pool.counts["n_missed"] == {"alder": 0, "birch": 0, "cedar": 4}
    assert pool.counts["warnings"] == [
        "4 questions are left out: some chosen run has no answer to it, or too few say something"
    ]


def test_questions_that_two_runs_answered_can_be_drawn_though_another_missed_them(
    dataset, tmp_path
):
    add_run(dataset, tmp_path, "cedar", {"1": ("One", []), "3": ("Tree.", []), "5": ("", [])})

    pool = draw_comparison(dataset, ComparisonRule(setup="gold", answered_by="two"))

    assert texts(pool).keys() == {"1_1", "2_1", "3_1", "4_1", "6_1"}
    assert pool.counts["left_out"]["missed"] == 1


def test_the_quotas_and_strata_draw_from_each_split(dataset):
    quotas = {"answerable": 2, "unanswerable": 2}
    rule = ComparisonRule(setup="gold", quotas=quotas, strata=("part",), allocation="equal")

    pool = draw_comparison(dataset, rule)

    strata = [(each["name"], each["n_eligible"], each["n_drawn"]) for each in pool.counts["strata"]]
    assert strata == [
        ("answerable, dev.jsonl", 2, 1),
        ("answerable, test.jsonl", 2, 1),
        ("unanswerable, dev.jsonl", 1, 1),
        ("unanswerable, test.jsonl", 1, 1),
    ]
    chances = dict(Candidate.objects.filter(pool=pool).values_list("turn", "inclusion_probability"))
    assert sorted(chances.values()) == [0.5, 0.5, 1.0, 1.0]
    assert pool.rule["quotas"] == quotas
    assert pool.rule["n_questions"] == 4
    assert not pool.counts["warnings"]


def test_a_question_is_answerable_when_some_reference_says_something(dataset):
    pool = draw_comparison(dataset, ComparisonRule(setup="gold", quotas={"unanswerable": 9}))

    assert texts(pool).keys() == {"3_1", "6_1"}
    assert pool.counts["warnings"] == [
        "9 unanswerable questions are asked for: 2 are eligible, and drawn"
    ]


@pytest.mark.parametrize("strata", [(), ("part",), STRATA])
def test_the_order_of_files_and_runs_changes_nothing(study, dataset, tmp_path, strata):
    other = create_comparison_dataset(_another(study), tmp_path, reverse=True)
    rule = ComparisonRule(
        setup="retrieved", top=2, n_questions=3, strata=strata, answered_by="two", seed=3
    )

    one, two = draw_comparison(dataset, rule), draw_comparison(other, rule)

    assert texts(one) == texts(two)
    assert passages_by_question(one) == passages_by_question(two)
    assert one.counts == two.counts
    assert one.rule == two.rule


def _another(study):
    return studies.create_study(slug="another", title="Another", requester=study.created_by)


def test_a_stored_rule_draws_the_same_pool_again(dataset):
    rule = ComparisonRule(
        setup="retrieved",
        top=1,
        quotas={"answerable": 2},
        strata=("length", "first_word"),
        answered_by="two",
        keeps_without_passages=True,
        seed=8,
    )
    pool = draw_comparison(dataset, rule)

    again = draw_comparison(dataset, ComparisonRule.from_dict(pool.rule), name="again")

    assert (texts(again), passages_by_question(again), fates(again)) == (
        texts(pool),
        passages_by_question(pool),
        fates(pool),
    )
    assert (again.rule, again.counts) == (pool.rule, pool.counts)


# Which passages


def test_gold_passages_are_those_of_the_truth_or_else_those_offered(dataset):
    found = passages_by_question(draw_comparison(dataset))

    assert found["1_1"] == ["1-1"]  # the truth names it
    assert found["3_1"] == ["3-1"]  # it names none, and this one is offered


def test_gold_passages_are_the_truths_in_its_order_and_not_the_others_that_are_offered(
    study, tmp_path
):
    named = [turn(1, "Up.", passages=["b", "x", "a"]), turn(2, "Down.", passages=["x"])]
    offered = passage_table(
        *(("1_1", docid, f"Text {docid}.") for docid in "abc"), ("1_2", "d", "Text d.")
    )
    dataset = shared_task(study, tmp_path, named, passages=offered)
    create_run(dataset, tmp_path, [answer(1, "So."), answer(2, "Not so.")])

    pool = draw_comparison(dataset)

    assert passages_by_question(pool) == {"1_1": ["b", "a"]}
    # Of the second question nothing that the truth names has a text.
    assert pool.counts["left_out"]["no_passage"] == 1
    assert pool.counts["n_passages_without_text"] == 1


def test_retrieved_passages_come_by_their_best_rank_then_by_docid_up_to_the_top(dataset):
    pool = draw_comparison(dataset, RETRIEVED)

    # Of the first question alder ranks w2, w1 and birch w3, w1: 1, 1 and 2.
    assert passages_by_question(pool) == {
        "1_1": ["w2", "w3"],
        "2_1": ["w2", "w3"],
        "4_1": ["w1", "w2"],
        "6_1": ["w1"],
    }
    assert pool.counts["n_passages"] == 7


def test_a_question_without_a_passage_is_left_out_and_said_or_kept_by_choice(dataset):
    out = draw_comparison(dataset, RETRIEVED)
    kept = draw_comparison(
        dataset,
        ComparisonRule(setup="retrieved", top=2, keeps_without_passages=True),
        name="kept",
    )

    # w9, which alder cites for the third, has no text; nobody cites anything for the fifth.
    assert out.counts["left_out"]["no_passage"] == 2
    assert out.counts["warnings"] == [
        "2 questions are left out: the setup has no passage with text for it"
    ]
    assert texts(kept).keys() - texts(out).keys() == {"3_1", "5_1"}
    assert kept.counts["n_turns_without_passages"] == 2
    assert kept.counts["n_passages_without_text"] == 1


def test_only_the_chosen_runs_retrieve(dataset):
    rule = ComparisonRule(setup="retrieved", top=9, runs=("birch",))

    assert passages_by_question(draw_comparison(dataset, rule))["1_1"] == ["w3", "w1"]


# What is refused, recorded and done later


def test_a_comparison_is_one_event(dataset):
    draw_comparison(dataset)

    (event,) = Event.objects.filter(verb="drew")
    assert (event.target, event.details["n_turns"]) == ("pool gold", 6)


def test_what_cannot_be_compared_is_refused_in_words(study, dataset, tmp_path):
    def refused(**settings) -> str:
        with pytest.raises(PoolError) as caught:
            draw_comparison(settings.pop("of", dataset), ComparisonRule(setup="gold", **settings))
        return str(caught.value)

    empty = shared_task(study, tmp_path, [turn(1, "Up.")], name="empty")
    silent = shared_task(study, tmp_path, [turn(1, "Up.")], name="silent")
    create_run(silent, tmp_path, [answer(1, "")])

    assert "has no runs to compare" in refused(of=empty)
    assert "has no run oak" in refused(runs=("oak", "alder"))
    assert "only references are chosen" in refused(runs=("reference",))
    assert "can be answered by two" in refused(runs=("alder",), answered_by="two")
    assert "1 question is left out: no chosen run says anything" in refused(
        of=silent, references=False
    )

    assert not study.pools.exists()

    draw_comparison(dataset)
    with pytest.raises(PoolError, match="there is a pool gold already"):
        draw_comparison(dataset)
    with pytest.raises(ValidationError):
        draw_comparison(dataset, name="")


def test_a_kind_of_question_that_is_not_there_is_no_pool(study, tmp_path):
    dataset = shared_task(
        study, tmp_path, [turn(1, "Up.")], passages=passage_table(("1_1", "a", "A."))
    )
    create_run(dataset, tmp_path, [answer(1, "So.")])

    with pytest.raises(PoolError, match="of the kinds that are asked for none is eligible"):
        draw_comparison(dataset, ComparisonRule(setup="gold", quotas={"unanswerable": 1}))


def test_only_requesters_draw(dataset, bob):
    asked = {"study": dataset.study, "dataset": dataset, "name": "gold", "rule": RULE, "by": bob}

    for act in (comparisons.draw_comparison, comparisons.begin):
        with pytest.raises(NotAllowedError):
            act(**asked)
    with pytest.raises(NotAllowedError):
        comparisons.outlook(study=dataset.study, dataset=dataset, rule=RULE, by=UserFactory())


def test_a_job_draws_the_same(dataset, monkeypatch):
    at_once = draw_comparison(dataset, RETRIEVED)
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 5)
    assert not comparisons.is_at_once(dataset, RETRIEVED)

    asked = {"study": dataset.study, "dataset": dataset, "name": "by a job", "rule": RETRIEVED}
    job = execution.run(comparisons.begin(**asked, by=dataset.created_by))

    pool = dataset.study.pools.get(pk=job.result["pool_id"])
    assert (texts(pool), passages_by_question(pool), pool.counts) == (
        texts(at_once),
        passages_by_question(at_once),
        at_once.counts,
    )
    assert job.result["n_candidates"] == at_once.counts["n_candidates"]


def test_an_outlook_counts_what_a_pool_does_and_keeps_nothing(dataset):
    found = comparisons.outlook(
        study=dataset.study, dataset=dataset, rule=RULE, by=dataset.created_by
    )

    assert not dataset.study.pools.exists()
    assert found.counts.items() <= draw_comparison(dataset).counts.items()


@pytest.mark.real_data
def test_on_the_real_files_the_papers_quotas_are_drawn(study, tmp_path):
    files = sorted((real_data.folder() / "clapnq").glob("*.jsonl"))
    dataset = clapnq(study, *files)
    keys = [each.conversation.key for each in Turn.objects.of(dataset)]
    for name in ("alder", "birch"):
        add_run(dataset, tmp_path, name, {key: (f"{name} on {key}", []) for key in keys})
    rule = ComparisonRule(
        setup="gold",
        quotas={"answerable": 40, "unanswerable": 10},
        strata=("part",),
        allocation="equal",
    )

    pool = draw_comparison(dataset, rule)

    drawn = {each["name"]: each["n_drawn"] for each in pool.counts["strata"]}
    assert drawn == {
        "answerable, dev_answerable.jsonl": 40,
        "unanswerable, dev_unanswerable.jsonl": 10,
    }
    assert pool.counts["n_eligible"] == len(keys)
    assert pool.counts["n_turns_without_passages"] == 0
    assert dataset.runs.filter(kind=RunKind.REFERENCE).exists()
