"""Drawing an audit sample: what a pool left out, as a pool of its own, here and by a job."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Event
from jobs.actions import execution
from jobs.handlers import JobFailedError
from sampling.actions import audit_samples
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import REASONS, AuditRule
from sampling.models import Fate, Pool
from sampling.pools.selection import State
from tests.annotation.pools import launched
from tests.corpus.imports import answer, create_run
from tests.factories import PoolFactory
from tests.parts import part
from tests.sampling.scored_dataset import RULE, begin_evidence, draw_pool

ALL = dict.fromkeys(REASONS, 9)


@part
def pool(dataset):
    return draw_pool(dataset)


def audit(pool, sizes=ALL, *, name="audit", seed=1):
    rule = AuditRule(pool.name, sizes, seed)
    return audit_samples.draw(pool=pool, name=name, rule=rule, by=pool.created_by)


def content(made):
    """All that a sample says, without primary keys and times."""
    return {
        "rule": made.rule,
        "counts": made.counts,
        "texts": [
            (each.turn.key, each.text, each.text_sha256, each.score, each.inclusion_probability)
            for each in made.candidates.select_related("turn__conversation")
        ],
        "fates": {
            (each.answer.run.name, each.answer.turn.key, each.state, each.candidate.text)
            for each in made.fates.select_related(
                "answer__run", "answer__turn__conversation", "candidate"
            )
        },
    }


def test_it_holds_what_was_left_out_for_a_reason_and_nothing_else(pool):
    made = audit(pool)

    said = set(made.candidates.values_list("text", "score", "inclusion_probability"))
    assert said == {
        ("gold: a tablet to TEST", 0.85, 1.0),  # represented
        ("Blacks", 0.89, 1.0),
        ("Slate.", 0.8, 1.0),  # below the threshold
        ("A fish.", 0.2, 1.0),
    }
    assert made.counts["strata"]["represented"] == {"n": 2, "n_drawn": 2}
    assert made.counts["strata"]["too_few_in_turn"] == {"n": 0, "n_drawn": 0}
    assert (made.counts["n_candidates"], made.counts["n_turns"]) == (4, 2)


def test_each_has_the_share_of_its_reason_as_its_chance(pool):
    made = audit(pool, {State.BELOW_THRESHOLD: 1, State.REPRESENTED: 2})

    chances = {each.text: each.inclusion_probability for each in made.candidates.all()}
    assert sorted(chances.values()) == [0.5, 1.0, 1.0]
    assert chances["Blacks"] == 1.0


def test_what_the_cap_left_out_is_a_reason_too(dataset):
    made = audit(draw_pool(dataset, replace(RULE, cap_per_turn=1)), {State.CAPPED: 9})

    (text,) = made.candidates.values_list("text", flat=True)
    # The lot fell on one of the second question's two; what the other stands for went with it.
    assert text in {"Black.", "Green.", "Blacks"} or made.counts["strata"]["capped"]["n"] == 2


def test_a_text_that_two_runs_gave_is_drawn_once_and_credited_to_both(dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(1, " A fish. ")], name="gorse")

    made = audit(draw_pool(dataset))

    fish = made.candidates.get(text="A fish.")
    assert made.counts["strata"]["below_threshold"]["n"] == 2
    assert set(fish.fates.values_list("answer__run__name", "state")) == {
        ("fir", "drawn"),
        ("gorse", "drawn"),
    }


def test_runs_that_were_not_drawn_from_are_not_audited(dataset, tmp_path):
    pool = draw_pool(dataset)
    create_run(dataset, tmp_path, [answer(1, "A fish.")], name="gorse")

    made = audit(pool)

    assert not made.fates.filter(answer__run__name="gorse").exists()


def test_it_names_the_pool_and_keeps_rule_scorer_and_event(pool):
    made = audit(pool)

    assert (made.audit_of, made.dataset, made.scorer) == (pool, pool.dataset, pool.scorer)
    assert made.rule == {
        "audit_of": "pool",
        "sizes": {reason.value: 9 for reason in REASONS},
        "seed": 1,
    }
    assert Event.objects.get(target="pool audit").details["rule"] == made.rule


def test_a_batch_is_made_of_it_as_of_any_pool_and_shows_nothing_of_the_reason(pool):
    batch = launched(audit(pool), name="second look")

    payloads = [item.payload for item in batch.items.all()]
    assert len(payloads) == 4
    for word in ("audit", "threshold", "represented", "score", "alder", "birch", "0.2"):
        assert word not in str(payloads).lower()


def test_a_job_draws_the_same_sample(pool):
    rule = AuditRule(pool.name, {State.BELOW_THRESHOLD: 1, State.REPRESENTED: 1}, 3)
    here = audit_samples.draw(pool=pool, name="here", rule=rule, by=pool.created_by)

    job = execution.run(
        audit_samples.begin(pool=pool, name="by a job", rule=rule, by=pool.created_by)
    )

    there = Pool.objects.get(pk=job.result["pool_id"])
    assert there.name == "by a job"
    assert content(there) == content(here)


def test_a_job_whose_name_was_taken_meanwhile_says_so(pool):
    rule = AuditRule(pool.name, ALL)
    job = audit_samples.begin(pool=pool, name="audit", rule=rule, by=pool.created_by)
    audit(pool)

    with pytest.raises(JobFailedError, match="there is a pool audit already"):
        execution.run(job)


def test_a_job_that_finds_nothing_says_so(pool):
    rule = AuditRule(pool.name, {State.CAPPED: 5})

    with pytest.raises(JobFailedError, match="left out no answer for the reasons"):
        execution.run(audit_samples.begin(pool=pool, name="a", rule=rule, by=pool.created_by))


@pytest.mark.parametrize("act", [audit_samples.draw, audit_samples.begin])
@pytest.mark.parametrize(
    ("which", "name", "said"),
    [
        ("unbuilt", "a", "still being built"),
        ("evidence", "a", "left no answers out"),
        ("audit", "a", "an audit sample itself: draw another one of pool"),
        ("pool", "audit", "there is a pool audit already"),
    ],
)
def test_what_cannot_be_audited_is_refused_in_words(pool, act, which, name, said):
    pools = {"pool": pool, "audit": audit(pool)}
    pools["unbuilt"] = PoolFactory(dataset=pool.dataset, built_at=None)
    execution.run(begin_evidence(pool))
    pools["evidence"] = pool.study.pools.get(name="evidence")
    rule = AuditRule(which, ALL)

    with pytest.raises(PoolError, match=said):
        act(pool=pools[which], name=name, rule=rule, by=pool.created_by)


@pytest.mark.parametrize("act", [audit_samples.draw, audit_samples.begin])
def test_a_name_that_is_none_is_refused(pool, act):
    with pytest.raises(ValidationError):
        act(pool=pool, name="a\nb", rule=AuditRule(pool.name, ALL), by=pool.created_by)


def test_nothing_left_out_for_the_reason_is_refused(pool):
    with pytest.raises(PoolError, match="left out no answer"):
        audit(pool, {State.TOO_FEW_IN_TURN: 5})
    assert not Pool.objects.filter(name="audit").exists()


def test_the_fates_of_the_audited_pool_stay_as_they_are(pool):
    before = set(Fate.objects.filter(pool=pool).values_list())

    audit(pool)

    assert set(Fate.objects.filter(pool=pool).values_list()) == before


def test_the_number_of_queries_does_not_grow_with_the_sample(pool):
    audit(pool, {State.REPRESENTED: 1}, name="first")  # numbers that never change are counted once
    with CaptureQueriesContext(connection) as small:
        audit(pool, {State.REPRESENTED: 1}, name="small")
    with CaptureQueriesContext(connection) as large:
        audit(pool, name="large")

    assert len(large) == len(small)
