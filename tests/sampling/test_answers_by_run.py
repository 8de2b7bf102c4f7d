"""How many answers of each run have each fate in a pool: sampling/queries.py."""

import pytest

from corpus.models import Answer, Dataset
from sampling import queries
from sampling.actions import top_ups
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Fate, Pool
from tests.parts import part
from tests.sampling.comparison_dataset import (
    ANSWERS,
    add_run,
    create_comparison_dataset,
    draw_comparison,
)
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import draw_pool


@part
def pool(dataset) -> Pool:
    return draw_pool(dataset)


@part
def waves(study, folder) -> Dataset:
    """The runs alder, which answers questions 1 to 6, and cedar, which answers 2 to 5."""
    dataset = create_comparison_dataset(study, folder)
    answers = {key: said for key, said in ANSWERS["alder"].items() if key in "2345"}
    add_run(dataset, folder, "cedar", answers)
    return dataset


def counted(pool):
    """By run and state, from each fate."""
    found = {}
    for run, state in Fate.objects.filter(pool=pool).values_list("answer__run__name", "state"):
        found[run, state] = found.get((run, state), 0) + 1
    return found


def told(pool):
    by_run = queries.n_answers_by_run(pool)
    return {(run, state): n for run, states in by_run.items() for state, n in states.items() if n}


@pytest.mark.database
def test_they_are_those_of_the_fates_also_where_a_run_came_later_or_was_withdrawn(pool, tmp_path):
    create_late_run(pool.dataset, tmp_path, "gale")
    pool.dataset.runs.filter(name="fir").update(is_withdrawn=True)

    assert told(pool) == counted(pool)
    assert {"fir"} <= {run for run, _ in told(pool)}
    assert len({state for _, state in told(pool)}) > 2


@pytest.mark.database
def test_of_a_top_up_they_are_those_of_the_answers_that_it_drew_from(pool, tmp_path):
    gale = create_late_run(pool.dataset, tmp_path, "gale")
    drawn = top_ups.draw(pool=pool, run=gale, name="top-up", by=pool.created_by)

    assert told(drawn) == counted(drawn)
    assert sum(told(drawn).values()) < Answer.objects.filter(run=gale).count()


def test_counts_that_do_not_add_up_are_read_from_the_fates(pool):
    pool.counts = {"n_answers": {state: n + 1 for state, n in pool.counts["n_answers"].items()}}
    pool.save()

    assert told(pool) == counted(pool)


@pytest.mark.parametrize("seed", range(6))
def test_of_a_comparison_they_are_those_of_the_answers_to_its_questions(waves, seed):
    two = ComparisonRule(
        setup="gold", runs=("alder", "cedar"), references=False, n_questions=2, seed=seed
    )
    pool = draw_comparison(waves, two)

    assert told(pool) == counted(pool)
