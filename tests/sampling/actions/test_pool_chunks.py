"""Drawing by a job, some turns at a time: the very pool that is drawn at once, seen when it is built."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from audit.models import Event
from jobs.actions import execution, jobs
from jobs.models import JobState
from sampling import pool_jobs
from sampling.actions import pool_chunks
from sampling.actions.pools import PoolError
from sampling.models import Candidate, Fate, Pool
from scoring import queries as scoring_tables
from scoring.models import Scorer
from tests.corpus.imports import answer, create_dataset, create_demo_dataset, create_run, turn
from tests.sampling.actions.test_pools import content
from tests.sampling.scored_dataset import RULE, draw_pool, import_scores


@pytest.fixture
def begin(dataset, alice):
    def begin(rule=RULE, name="parts", dataset=dataset):
        return pool_chunks.begin(
            study=dataset.study, dataset=dataset, name=name, rule=rule, by=alice
        )

    return begin


@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize(
    "rule",
    [
        RULE,
        replace(RULE, cap_per_turn=1, seed=7),
        replace(RULE, min_candidates=2, runs=frozenset({"alder", "birch", "fir"})),
        replace(RULE, n_turns=1, prefer="disagreement", seed=2),
    ],
    ids=["all", "cap", "runs", "turns"],
)
def test_the_pool_is_the_one_that_is_drawn_at_once(dataset, begin, monkeypatch, size, rule):
    monkeypatch.setattr(pool_jobs, "TURNS_A_CHUNK", size)

    execution.run(begin(rule))

    one, other = (
        content(Pool.objects.get(name="parts")),
        content(draw_pool(dataset, rule, name="at once")),
    )
    assert one["candidates"] == other["candidates"]
    assert sorted(map(str, one["fates"])) == sorted(map(str, other["fates"]))
    assert (one["counts"], one["rule"]) == (other["counts"], other["rule"])


def test_which_turns_are_drawn_is_not_told_before_all_answers_were_looked_at(begin, monkeypatch):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)

    with pytest.raises(PoolError, match="count them at the sampling desk first"):
        begin(replace(RULE, n_turns=1))

    assert not Pool.objects.exists()


def test_a_pool_is_not_built_before_its_job_has_ended(begin):
    job = begin()
    assert Pool.objects.get().built_at is None
    assert not Event.objects.filter(verb="drew").exists()

    execution.run(job)

    assert Pool.objects.get().built_at is not None
    event = Event.objects.get(verb="drew")
    assert (event.actor, event.details["n_candidates"]) == ("alice", 3)
    assert job.study.jobs.get().result["n_turns"] == 2


def test_runs_that_come_while_it_is_drawn_are_not_drawn_from(dataset, begin, tmp_path):
    job = begin()
    create_run(dataset, tmp_path, [answer(1, "A slab to test gold.")], name="gorse")

    execution.run(job)

    assert not Fate.objects.filter(answer__run__name="gorse").exists()


def test_who_asks_again_goes_on_with_the_job(begin, alice):
    job = begin()
    assert begin() == job
    jobs.cancel(job=job, by=alice)

    again = begin()

    assert again == job
    again.refresh_from_db()
    assert again.state == JobState.WAITING
    execution.run(again)
    with pytest.raises(PoolError, match="there is a pool parts already"):
        begin()


def test_a_cancelled_pool_gives_its_name_to_another_rule(begin, alice, monkeypatch):
    monkeypatch.setattr(pool_jobs, "TURNS_A_CHUNK", 1)
    first = begin()
    handler = execution.handler_of(first)
    execution.plan(first, handler)
    execution.do_chunk(first, handler, execution.lease(first, "worker"))
    with pytest.raises(PoolError, match="there is a pool parts already"):
        begin(replace(RULE, threshold=0.9))
    jobs.cancel(job=first, by=alice)
    assert Fate.objects.exists()

    second = begin(replace(RULE, threshold=0.9))

    assert second != first
    assert not Fate.objects.exists()
    assert not Candidate.objects.exists()
    assert Event.objects.filter(verb="discarded").exists()
    execution.run(second)
    assert Pool.objects.get().rule["threshold"] == 0.9
    jobs.resume(job=first, by=alice)
    with pytest.raises(execution.JobFailedError, match="was drawn again by another rule"):
        execution.run(first)


def test_nothing_is_begun_where_nothing_can_be_drawn(begin, study, dataset, tmp_path):
    draw_pool(dataset, name="taken")
    bare = create_dataset(study, tmp_path, [turn(1, "Granite.")], name="granite")
    unscored = create_demo_dataset(study, "alder")

    for asked, message in [
        ({"name": "taken"}, "there is a pool taken already"),
        ({"rule": replace(RULE, scorer="nobody")}, "no answer was scored by nobody"),
        ({"rule": replace(RULE, runs=frozenset({"yew"}))}, "has no run yew"),
        ({"dataset": bare}, "has no runs to draw from"),
        ({"dataset": unscored}, "was scored by paper#imported"),
    ]:
        with pytest.raises(PoolError, match=message):
            begin(**asked)
    with pytest.raises(ValidationError):
        begin(name=" ")
    assert not study.jobs.exists()
    assert study.pools.count() == 1


@pytest.mark.parametrize("kind", ["score", "import_scores"])
def test_it_waits_for_scores_that_are_still_coming(begin, study, dataset, alice, kind):
    job = jobs.start(
        study=study, kind=kind, key="k", params={"dataset": dataset.pk, "metric": "sas"}, by=alice
    )

    with pytest.raises(PoolError, match="scores of the dataset touch@1 are still coming"):
        begin()

    jobs.cancel(job=job, by=alice)
    assert begin().state == JobState.WAITING


def test_scores_of_another_data_set_may_come(begin, study, alice, tmp_path, dataset):
    jobs.start(study=study, kind="score", key="k", params={"dataset": dataset.pk + 1}, by=alice)
    import_scores(dataset, tmp_path, {"fir": [("1_3", 0.1)]})

    assert begin().state == JobState.WAITING


@pytest.fixture
def in_two_stages(dataset):
    """The scorer of the stones as if it were one in two stages about .5."""
    scorer = Scorer.objects.get(name="paper")
    scorer.identity = {"asked": {"dataset": dataset.pk}, "calibration": {"threshold": 0.5}}
    scorer.save()
    return scorer


AT_ITS_OWN = replace(RULE, threshold=0.5)


def a_later_one(scorer, **asked):
    """Another calibration, which bears the same name."""
    identity = {**scorer.identity, "asked": {**scorer.identity["asked"], **asked}}
    return Scorer.objects.create(
        metric="sas", name=scorer.name, version="later", study=scorer.study, identity=identity
    )


def test_a_scorer_in_two_stages_draws_at_its_threshold_only(begin, in_two_stages):
    with pytest.raises(PoolError, match=r"about the threshold 0\.5 only: draw at that"):
        begin(RULE)
    assert begin(AT_ITS_OWN).kind == "draw_pool"


def test_which_calibration_is_meant_is_settled_and_kept_when_the_drawing_begins(
    begin, dataset, in_two_stages
):
    job = begin(AT_ITS_OWN)
    a_later_one(in_two_stages)

    assert begin(AT_ITS_OWN) == job
    execution.run(job)

    pool = Pool.objects.get()
    assert (pool.scorer, pool.rule["scorer"]) == (in_two_stages, in_two_stages.short)
    drawn_at_once = draw_pool(
        dataset, replace(AT_ITS_OWN, scorer=in_two_stages.short), name="at once"
    )
    assert drawn_at_once.rule == pool.rule


def test_a_calibration_on_another_data_set_is_not_meant_by_the_name(dataset, in_two_stages):
    a_later_one(in_two_stages, dataset=dataset.pk + 1)

    assert draw_pool(dataset, AT_ITS_OWN).scorer == in_two_stages


def test_of_a_data_set_without_a_calibration_the_name_means_none(dataset, in_two_stages):
    in_two_stages.identity["asked"]["dataset"] = dataset.pk + 1
    in_two_stages.save()

    with pytest.raises(PoolError, match="no answer was scored by paper; there is no SAS yet"):
        draw_pool(dataset, AT_ITS_OWN)
