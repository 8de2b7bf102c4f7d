"""Drawing a pool: every answer has one fate, and the order of imports changes nothing."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from audit.models import Event
from corpus.models import Answer, Turn
from sampling.actions import pool_draws
from sampling.actions.pools import PoolError
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools.rule import Rule
from scoring.models import Scorer
from tests.corpus.imports import answer, create_dataset, create_demo_dataset, create_run, turn
from tests.factories import StudyFactory
from tests.sampling.scored_dataset import (
    ANSWERS,
    RULE,
    create_scored_dataset,
    draw_pool,
    import_scores,
)
from tests.scoring.score_jobs import score

FATES = {
    "alder": ["drawn", "drawn", "no_reference"],
    "birch": ["represented", "drawn", "empty"],
    "cedar": ["drawn", "below_threshold", "no_reference"],
    "dogwood": ["same_as_reference", "empty", "no_reference"],
    "echo": ["same_as_question", "same_as_question", "no_reference"],
    "fir": ["below_threshold", "represented", "no_reference"],
}


def fates(pool):
    rows = Fate.objects.filter(pool=pool).order_by("answer__run__name", "answer__turn__number")
    found = {}
    for name, state in rows.values_list("answer__run__name", "state"):
        found.setdefault(name, []).append(state)
    return found


def content(pool):
    """All that a pool says, without primary keys and times."""
    return {
        "counts": pool.counts,
        "rule": pool.rule,
        "candidates": [
            (each.turn.key, each.text, each.text_sha256, each.score, each.inclusion_probability)
            for each in pool.candidates.select_related("turn__conversation")
        ],
        "fates": [
            (
                each.answer.run.name,
                each.answer.turn.key,
                each.state,
                each.candidate and each.candidate.text,
            )
            for each in pool.fates.select_related(
                "answer__run", "answer__turn__conversation", "candidate"
            )
        ],
    }


def test_every_answer_has_exactly_one_fate(dataset):
    pool = draw_pool(dataset)

    assert fates(pool) == FATES
    assert Fate.objects.count() == Answer.objects.of_systems(dataset).count()


def test_candidates_are_the_distinct_texts_with_the_runs_that_gave_them(dataset):
    pool = draw_pool(dataset)

    credited = {
        each.text: set(each.fates.filter(state="drawn").values_list("answer__run__name", flat=True))
        for each in pool.candidates.all()
    }
    assert credited == {
        "A tablet to test gold.": {"alder", "cedar"},
        "Black.": {"alder"},
        "Green.": {"birch"},
    }


def test_who_is_represented_names_the_candidate_that_stands_for_it(dataset):
    pool = draw_pool(dataset)

    represented = Fate.objects.filter(pool=pool, state="represented")
    named = represented.values_list("answer__run__name", "candidate__text")
    assert set(named) == {("birch", "A tablet to test gold."), ("fir", "Black.")}


def test_a_pool_keeps_its_rule_its_scorer_and_its_counts(dataset):
    pool = draw_pool(dataset)

    assert (pool.purpose, pool.is_rehearsal) == (Purpose.ANSWERS, False)
    assert pool.built_at is not None
    assert Rule.from_dict(pool.rule) == RULE
    assert pool.scorer == Scorer.objects.get(name="paper")
    assert pool.counts["n_candidates"] == 3
    assert pool.counts["n_turns"] == 2
    assert sum(pool.counts["n_answers"].values()) == 18
    assert pool.counts["n_answers"]["same_as_question"] == 2


def test_drawing_leaves_an_event_with_rule_and_counts(dataset):
    draw_pool(dataset)

    event = Event.objects.get(verb="drew")
    assert (event.actor, event.target) == ("alice", "pool pool")
    assert event.details["rule"]["threshold"] == 0.8
    assert event.details["n_candidates"] == 3


@pytest.mark.parametrize(
    "order",
    [
        ["fir", "echo", "dogwood", "cedar", "birch", "alder"],
        ["cedar", "alder", "fir", "birch", "echo", "dogwood"],
        ["echo", "birch", "alder", "dogwood", "fir", "cedar"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "rule",
    [
        RULE,
        replace(RULE, cap_per_turn=1, seed=7),
        replace(RULE, n_turns=1, strata="depth", prefer="disagreement"),
    ],
    ids=["all", "cap", "turns"],
)
def test_the_order_in_which_runs_were_imported_changes_nothing(study, tmp_path, order, rule):
    first = draw_pool(create_scored_dataset(study, tmp_path), rule)
    second = draw_pool(create_scored_dataset(StudyFactory(), tmp_path, order=order), rule)

    one, other = content(first), content(second)
    assert one["candidates"] == other["candidates"]
    assert sorted(map(str, one["fates"])) == sorted(map(str, other["fates"]))
    assert (one["counts"], one["rule"]) == (other["counts"], other["rule"])


def test_the_same_rule_draws_the_same_pool_again(dataset):
    rule = replace(RULE, cap_per_turn=1, seed=3)

    first, second = (
        content(draw_pool(dataset, rule, name="one")),
        content(draw_pool(dataset, rule, name="two")),
    )

    assert first == second


def test_a_cap_leaves_an_inclusion_probability(dataset):
    pool = draw_pool(dataset, replace(RULE, cap_per_turn=1))

    probabilities = pool.candidates.order_by("turn__number").values_list(
        "inclusion_probability", flat=True
    )
    assert list(probabilities) == [1.0, 0.5]
    # Of turn 2 there are two: "Black." of alder (and "Blacks" of fir), and "Green." of birch.
    assert pool.counts["n_answers"]["capped"] in (1, 2)


def test_only_the_runs_named_are_drawn_from_and_have_a_fate(dataset):
    pool = draw_pool(dataset, replace(RULE, runs=frozenset({"birch", "cedar"})))

    assert set(fates(pool)) == {"birch", "cedar"}
    assert fates(pool)["birch"] == ["represented", "drawn", "empty"]


def test_no_pool_is_made_where_nothing_would_be_drawn(dataset):
    with pytest.raises(PoolError, match=r"above 2; the scores go up to 0\.99"):
        draw_pool(dataset, replace(RULE, threshold=2.0))

    assert not Pool.objects.exists()


@pytest.mark.parametrize("threshold", [-1.5, 1.0, 2.0])
def test_a_threshold_outside_of_a_computed_scorers_scores_is_refused(dataset, tiny, threshold):
    score(dataset, "sas", tiny)

    with pytest.raises(PoolError, match="its scores lie between -1 and 1"):
        draw_pool(dataset, replace(RULE, scorer="tiny", threshold=threshold))


def test_answers_without_a_score_are_named_where_nothing_would_be_drawn(study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, "A dark stone.")])
    for name in ("alder", "birch"):
        create_run(dataset, tmp_path, [answer(1, f"A tablet of {name}.")], name=name)
    import_scores(dataset, tmp_path, {"alder": [("1_1", 0.7)]})

    with pytest.raises(PoolError, match="1 answer has no score: compute or import it first"):
        draw_pool(dataset)


def test_turns_with_too_few_candidates_give_none(dataset):
    pool = draw_pool(dataset, replace(RULE, min_candidates=2))

    assert set(pool.candidates.values_list("text", flat=True)) == {"Black.", "Green."}
    assert fates(pool)["alder"][0] == "too_few_in_turn"


def test_equal_texts_with_other_imported_scores_count_by_the_higher_and_are_reported(
    study, tmp_path
):
    dataset = create_dataset(study, tmp_path, [turn(1, "A dark stone.")])
    create_run(dataset, tmp_path, [answer(1, "A tablet.")], name="alder")
    create_run(dataset, tmp_path, [answer(1, " A tablet.")], name="birch")
    import_scores(dataset, tmp_path, {"alder": [("1_1", 0.7)], "birch": [("1_1", 0.9)]})

    pool, warnings = pool_draws.draw(
        study=study, dataset=dataset, name="pool", rule=RULE, by=study.created_by
    )

    assert warnings == [
        "1 text has several scores in their turn; the highest counts",
        "turn 1_1: 0.9, 0.7",
    ]
    assert pool.candidates.get().score == 0.9
    assert pool.counts["n_score_conflicts"] == 1


@pytest.mark.parametrize(("n", "n_lines"), [(20, 21), (23, 22)])
def test_of_many_score_conflicts_the_first_twenty_are_said(study, tmp_path, n, n_lines):
    dataset = create_dataset(
        study, tmp_path, [turn(number, "Slate.") for number in range(1, n + 1)]
    )
    for name in ("alder", "birch"):
        create_run(
            dataset,
            tmp_path,
            [answer(number, "A tablet.") for number in range(1, n + 1)],
            name=name,
        )
    turns = [f"1_{number}" for number in range(1, n + 1)]
    scores = {"alder": [(each, 0.7) for each in turns], "birch": [(each, 0.9) for each in turns]}
    import_scores(dataset, tmp_path, scores)

    pool, warnings = pool_draws.draw(
        study=study, dataset=dataset, name="pool", rule=RULE, by=study.created_by
    )

    assert len(warnings) == n_lines
    assert warnings[0] == f"{n} texts have several scores in their turn; the highest counts"
    assert warnings[1:21] == [f"turn 1_{number}: 0.9, 0.7" for number in range(1, 21)]
    assert warnings[21:] == (["and 3 more"] if n == 23 else [])
    assert pool.counts["n_score_conflicts"] == n


@pytest.mark.parametrize("blank", ["  ", "\n"])
def test_a_blank_rewrite_in_the_database_hides_no_question(dataset, blank):
    Turn.objects.filter(number=1).update(question="What is a touchstone?", rewrite=blank)

    assert fates(draw_pool(dataset))["echo"][0] == "same_as_question"


def test_a_name_that_is_an_imported_and_a_computed_scorers_is_refused_until_it_is_made_clear(
    dataset, tiny
):
    score(dataset, "sas", tiny)
    Scorer.objects.filter(name="paper").update(name="tiny")

    with pytest.raises(PoolError, match=r"tiny is tiny#.* or tiny#imported: say which"):
        draw_pool(dataset, replace(RULE, scorer="tiny"))

    assert draw_pool(dataset, replace(RULE, scorer="tiny#imported")).scorer.study == dataset.study


def test_computed_scores_are_drawn_by_like_imported_ones(dataset, tiny):
    score(dataset, "sas", tiny)

    pool = draw_pool(dataset, replace(RULE, scorer="tiny", threshold=-1.0))

    assert pool.scorer == Scorer.objects.get(name="tiny")
    assert pool.counts["n_candidates"] > 0
    assert pool.counts["n_answers"]["no_score"] == 0


def test_the_demonstration_gives_one_fate_to_each_of_its_answers(study, tmp_path, tiny):
    everyday = create_demo_dataset(study, "alder", "birch", "cedar", "dogwood", "echo")
    score(everyday, "sas", tiny)

    pool = draw_pool(everyday, replace(RULE, scorer="tiny", threshold=0.1, min_candidates=3))

    assert Fate.objects.filter(pool=pool).count() == 5 * 32
    # Two turns have no truth; one of the two empty answers is to one of them, and empty comes first.
    assert (pool.counts["n_answers"]["no_reference"], pool.counts["n_answers"]["empty"]) == (9, 2)
    assert pool.counts["n_answers"]["same_as_question"] >= 28
    assert Candidate.objects.filter(pool=pool).count() == pool.counts["n_candidates"] > 30


# What is refused


def test_a_name_that_is_taken_is_refused(dataset):
    draw_pool(dataset)

    with pytest.raises(PoolError, match="there is a pool pool already in the study lighthouses"):
        draw_pool(dataset, replace(RULE, threshold=0.5))
    assert Pool.objects.count() == 1


def test_an_unknown_scorer_is_refused_with_those_that_are_there(dataset):
    with pytest.raises(PoolError, match="no answer was scored by papers; there is paper: compute"):
        draw_pool(dataset, replace(RULE, scorer="papers"))


def test_without_any_similarity_the_refusal_says_so(study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, "A.")])
    create_run(dataset, tmp_path, [answer(1, "A.")])

    with pytest.raises(PoolError, match="there is no SAS yet"):
        draw_pool(dataset)


def test_a_scorer_that_another_study_imported_is_not_seen(dataset, tmp_path):
    elsewhere = create_dataset(StudyFactory(), tmp_path, [turn(1, "A.")])
    create_run(elsewhere, tmp_path, [answer(1, "A.")])

    with pytest.raises(PoolError, match="no answer was scored by paper"):
        draw_pool(elsewhere)


def test_a_scorer_that_scored_another_data_set_only_is_refused(dataset, study, tmp_path):
    other = create_dataset(study, tmp_path, [turn(1, "A.")], name="other")
    create_run(other, tmp_path, [answer(1, "A.")])

    with pytest.raises(PoolError, match="no answer to the dataset other@1 was scored by paper#"):
        draw_pool(other)
    assert not Pool.objects.exists()


def test_an_unknown_run_is_refused_by_name(dataset):
    with pytest.raises(PoolError, match="the dataset touch@1 has no run elm, oak"):
        draw_pool(dataset, replace(RULE, runs=frozenset({"oak", "alder", "elm"})))


def test_the_references_are_no_run_to_draw_from(dataset):
    with pytest.raises(PoolError, match="has no run reference"):
        draw_pool(dataset, replace(RULE, runs=frozenset({"reference"})))


def test_a_data_set_without_runs_is_refused(study, tmp_path):
    empty = create_dataset(study, tmp_path, [turn(1, "A.")])

    with pytest.raises(PoolError, match="the dataset touch@1 has no runs to draw from"):
        draw_pool(empty)


@pytest.mark.parametrize("name", ["", "p" * 101, "po\nol", " pool", " "])
def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_written(dataset, name):
    with pytest.raises(ValidationError):
        draw_pool(dataset, name=name)

    assert not Pool.objects.exists()


def test_the_data_of_these_tests_have_every_fate_but_those_of_cap_score_and_count():
    states = {state for row in FATES.values() for state in row}

    assert set(FATES) == set(ANSWERS)
    assert len(states) == 7
