"""Beginning a pool of evidence: which answers it takes, and what stands in its way."""

import math

import pytest
from django.core.exceptions import ValidationError

from annotation.actions import batches
from audit.models import Event
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import JobState
from sampling import jobs as evidence_jobs
from sampling.actions import evidence
from sampling.actions.pools import PoolError
from sampling.models import Candidate, EvidenceSpan, Pool, Purpose
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, draw_pool, evidence_rule


@part
def drawn_pool(dataset):
    return draw_pool(dataset)


def taken(name="evidence"):
    candidates = Candidate.objects.filter(pool__name=name)
    return sorted(candidates.values_list("text", flat=True))


def test_the_plausible_answers_are_copied_with_where_they_come_from(drawn_pool):
    begin_evidence(drawn_pool)

    pool = Pool.objects.get(name="evidence")
    assert (pool.purpose, pool.dataset, pool.is_rehearsal) == (
        Purpose.EVIDENCE,
        drawn_pool.dataset,
        False,
    )
    assert pool.rule == {
        "batch": "plausibility",
        "scorer": "none",
        "sas_threshold": None,
        "threshold": 0.3,
        "max_tokens": 100,
        "max_words": 200,
        "sample": None,
        "seed": 1,
        "only_never_asked": False,
    }
    for each in pool.candidates.select_related("source"):
        assert each.source.pool == drawn_pool
        for field in ("turn_id", "text", "text_sha256", "score", "inclusion_probability"):
            assert getattr(each, field) == getattr(each.source, field)
    assert taken() == ["A tablet to test gold.", "Black.", "Green."]


def test_beginning_leaves_an_event(drawn_pool):
    begin_evidence(drawn_pool)

    event = Event.objects.get(target="pool evidence")
    assert (event.verb, event.details["rule"]["batch"]) == ("drew", "plausibility")


def test_a_pool_drawn_from_a_rehearsal_is_one(drawn_pool):
    begin_evidence(drawn_pool, is_rehearsal=True)

    assert Pool.objects.get(name="evidence").is_rehearsal


def test_a_pool_is_not_seen_until_it_is_built(drawn_pool, study, alice):
    job = begin_evidence(drawn_pool)
    pool = Pool.objects.get(name="evidence")

    assert pool.built_at is None
    with pytest.raises(batches.BatchError, match="still being built"):
        batches.create(study=study, name="faith", scheme="faithfulness", pool=pool, by=alice)

    execution.run(job)
    pool.refresh_from_db()
    assert pool.built_at is not None
    batches.create(study=study, name="faith", scheme="faithfulness", pool=pool, by=alice)


# A sample


def test_a_sample_is_that_many_answers_with_their_probability(drawn_pool):
    begin_evidence(drawn_pool, evidence_rule(sample=2))

    candidates = Candidate.objects.filter(pool__name="evidence")
    assert len(taken()) == 2
    assert [each.inclusion_probability for each in candidates] == pytest.approx([2 / 3] * 2)


def test_a_sample_multiplies_the_probability_with_which_an_answer_was_drawn(drawn_pool):
    Candidate.objects.filter(pool=drawn_pool).update(inclusion_probability=0.5)

    begin_evidence(drawn_pool, evidence_rule(sample=2))

    chances = Candidate.objects.filter(pool__name="evidence").values_list(
        "inclusion_probability", flat=True
    )
    assert list(chances) == pytest.approx([1 / 3] * 2)


def test_a_sample_of_more_than_there_is_takes_all(drawn_pool):
    begin_evidence(drawn_pool, evidence_rule(sample=9))

    assert len(taken()) == 3
    assert not Candidate.objects.filter(inclusion_probability__lt=1).exists()


def test_a_sample_follows_from_seed_and_texts_and_not_from_the_order(drawn_pool):
    by_seed = {}
    for seed in range(1, 8):
        rule = evidence_rule(sample=1, seed=seed)
        begin_evidence(drawn_pool, rule, name=f"one {seed}")
        shuffled = list(
            Candidate.objects.filter(pool=drawn_pool).select_related("turn__conversation")
        )
        evidence.begin(
            study=drawn_pool.study,
            dataset=drawn_pool.dataset,
            name=f"other {seed}",
            plausible=shuffled[::-1],
            rule=rule,
            model="none",
            is_rehearsal=False,
            by=drawn_pool.created_by,
        )
        by_seed[seed] = taken(f"one {seed}")
        assert taken(f"other {seed}") == by_seed[seed]

    assert len({tuple(texts) for texts in by_seed.values()}) > 1


def test_a_sample_leaves_it_to_the_job_which_other_answers_look_for_evidence(drawn_pool):
    job = begin_evidence(drawn_pool, evidence_rule(sample=2, seed=3))

    asked = Candidate.objects.filter(pool__name="evidence")
    left_out = Candidate.objects.filter(pool=drawn_pool).exclude(text__in=taken()).get()
    turns = set(asked.values_list("turn_id", flat=True))
    assert job.params["not_asked"] == (
        {str(left_out.turn_id): [left_out.pk]} if left_out.turn_id in turns else {}
    )
    assert begin_evidence(drawn_pool, name="all").params["not_asked"] == {}


# Going on, and what is refused


def test_asked_again_before_it_is_built_it_is_the_same_job(drawn_pool):
    first = begin_evidence(drawn_pool)

    assert begin_evidence(drawn_pool) == first
    assert Pool.objects.filter(name="evidence").count() == 1
    assert len(taken()) == 3


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_asked_again_after_it_failed_or_was_cancelled_it_goes_on(drawn_pool, alice, end):
    job = begin_evidence(drawn_pool)
    if end == "failed":
        jobs.fail(job=job, message="the disk is full")
    else:
        jobs.cancel(job=job, by=alice)

    again = begin_evidence(drawn_pool)

    again.refresh_from_db()
    assert (again, again.state) == (job, JobState.WAITING)
    assert execution.run(again).state == JobState.DONE


def test_another_rule_under_the_same_name_is_refused(drawn_pool):
    begin_evidence(drawn_pool)

    with pytest.raises(PoolError, match="there is a pool evidence already"):
        begin_evidence(drawn_pool, evidence_rule(max_words=100))


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_after_it_failed_or_was_cancelled_another_rule_may_have_the_name(drawn_pool, alice, end):
    job = begin_evidence(drawn_pool)
    if end == "failed":
        jobs.fail(job=job, message="the model is broken")
    else:
        jobs.cancel(job=job, by=alice)

    other = begin_evidence(drawn_pool, evidence_rule(max_words=100))

    assert other != job
    assert execution.run(other).state == JobState.DONE
    pool = Pool.objects.get(name="evidence")
    assert (pool.rule["max_words"], len(taken())) == (100, 3)
    assert Event.objects.get(verb="discarded").details["rule"]["max_words"] == 200
    with pytest.raises(PoolError, match="there is a pool evidence already"):
        begin_evidence(drawn_pool, evidence_rule(max_words=50))


def test_a_half_built_pool_is_discarded_with_what_was_found(drawn_pool, alice, monkeypatch):
    monkeypatch.setattr(evidence_jobs, "TURNS_A_CHUNK", 1)
    job = begin_evidence(drawn_pool)
    handler = execution.handler_of(job)
    execution.plan(job, handler)
    execution.do_chunk(job, handler, execution.lease(job, "one"))
    assert EvidenceSpan.objects.exists()
    jobs.cancel(job=job, by=alice)

    execution.run(begin_evidence(drawn_pool, evidence_rule(max_words=100)))

    assert set(EvidenceSpan.objects.values_list("pool__name", flat=True)) == {"evidence"}
    assert Pool.objects.filter(name="evidence").count() == 1


def test_the_job_of_a_discarded_pool_cannot_go_on(drawn_pool, alice):
    job = begin_evidence(drawn_pool)
    jobs.cancel(job=job, by=alice)
    execution.run(begin_evidence(drawn_pool, evidence_rule(max_words=100)))

    jobs.resume(job=job, by=alice)
    with pytest.raises(JobFailedError, match="evidence was drawn again by another rule"):
        execution.run(job)


def test_a_model_that_is_not_there_takes_no_name(drawn_pool, tiny):
    with pytest.raises(PoolError, match=r"There is no folder \./nowhere"):
        begin_evidence(drawn_pool, evidence_rule(sas_threshold=0.5), model="./nowhere")

    assert Pool.objects.get() == drawn_pool
    begin_evidence(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=0.5), model=tiny)


def test_answers_that_were_judged_by_evidence_are_asked_for_no_other(drawn_pool):
    execution.run(begin_evidence(drawn_pool))

    with pytest.raises(PoolError, match="were judged by evidence already"):
        begin_evidence(Pool.objects.get(name="evidence"), name="again")

    assert not Pool.objects.filter(name="again").exists()


def test_a_name_that_is_taken_is_refused(drawn_pool):
    execution.run(begin_evidence(drawn_pool))

    for name in ("evidence", drawn_pool.name):
        with pytest.raises(PoolError, match=f"there is a pool {name} already"):
            begin_evidence(drawn_pool, name=name)


def test_without_plausible_answers_there_is_nothing_to_draw(drawn_pool):
    with pytest.raises(PoolError, match="the batch plausibility has no plausible answers: settle"):
        begin_evidence(drawn_pool, texts=())

    assert Pool.objects.get() == drawn_pool


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sample": 0}, "sample is 0, but has to be 1 or more"),
        ({"sample": -1}, "sample is -1, but has to be 1 or more"),
        ({"max_words": 0}, "max_words is 0, but has to be 1 or more"),
        ({"max_tokens": 0}, "max_tokens is 0, but has to be 1 or more"),
        ({"threshold": math.nan}, "threshold is nan, but has to be a finite number"),
        ({"sas_threshold": math.inf}, "sas_threshold is inf, but has to be a finite number"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused_before_the_name_is_taken(
    drawn_pool, change, message
):
    with pytest.raises(PoolError, match=message):
        begin_evidence(drawn_pool, evidence_rule(**change))

    assert Pool.objects.get() == drawn_pool


def test_a_name_that_cannot_be_one_is_refused(drawn_pool):
    with pytest.raises(ValidationError):
        begin_evidence(drawn_pool, name="p" * 101)
