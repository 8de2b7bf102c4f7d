"""Draw an audit sample: some of the answers that a pool left out, as a pool of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from audit import events
from corpus.queries import turn_ids
from jobs.actions import jobs
from jobs.models import Job
from sampling import queries as sampling_queries
from sampling.actions import surveys
from sampling.actions.pools import PoolError, new_pool
from sampling.audit_samples import rule as audit_sample_rule
from sampling.audit_samples.rule import AuditRule, Stratum, Unit
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools.selection import State
from scoring import queries as scoring_tables
from scoring import score_queries
from scoring.text_hashes import stripped

KIND = "draw_audit"


@dataclass(frozen=True)
class DrawnText:
    """A drawn text with the answers that have it."""

    turn: int
    text: str
    text_sha256: str
    score: float | None
    inclusion_probability: float
    answers: tuple[int, ...]


@dataclass(frozen=True)
class AuditSelection:
    """A drawn sample. `strata` has the number of distinct texts and of drawn ones of each.

    `by_run` counts the audited pool's answers by run and fate; the pool never changes.
    """

    texts: tuple[DrawnText, ...]
    strata: dict[str, dict[str, int]]
    by_run: dict[str, dict[str, int]]


def draw(*, pool: Pool, name: str, rule: AuditRule, by: User) -> Pool:
    """Draw a sample of the pool's left-out answers, as a pool of its own.

    The same rule on the same pool draws the same sample. Raises PoolError if there is nothing to
    draw from, or the name is taken, and ValidationError if the name is invalid.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    _require_drawable(pool, name)
    return record(pool=pool, name=name, rule=rule, selection=choose(pool, rule), by=by)


def is_at_once(pool: Pool) -> bool:
    """Return whether the pool has few enough answers to draw within a request."""
    return surveys.is_at_once(pool.dataset)


def begin(*, pool: Pool, name: str, rule: AuditRule, by: User) -> Job:
    """Start the job that draws the sample.

    Raises the errors of draw() that are known beforehand.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    _require_drawable(pool, name)
    Pool._meta.get_field("name").clean(name, None)
    params = {"pool": pool.pk, **rule.to_dict()}
    return jobs.start(study=pool.study, kind=KIND, key=name, params=params, by=by)


def draws_some_turns(pool: Pool) -> bool:
    """Return whether the pool has only some turns, so that its candidates are not a whole stratum.

    Estimates of what a draw missed need all candidates of a stratum.
    """
    return "n_turns" in pool.rule


def _require_drawable(pool: Pool, name: str) -> None:
    if pool.withdrawn_objection:
        raise PoolError(pool.withdrawn_objection)
    if pool.built_at is None:
        raise PoolError(f"the pool {pool.name} is still being built: wait for its job")
    if pool.purpose != Purpose.ANSWERS:
        raise PoolError(f"the pool {pool.name} left no answers out: audit the one it came from")
    if draws_some_turns(pool):
        raise PoolError(
            f"the pool {pool.name} drew some of its questions only, and what it left out stands for the"
            " others no more than what it drew: draw the pool with all questions, and audit that"
        )
    if pool.audit_of is not None:
        raise PoolError(
            f"the pool {pool.name} is an audit sample itself: draw another one of {pool.audit_of.name}"
        )
    if pool.study.pools.filter(name=name).exists():
        raise PoolError(f"there is a pool {name} already in the study {pool.study.slug}")


def choose(pool: Pool, rule: AuditRule) -> AuditSelection:
    """Return the sample that the rule draws. Reads every left-out answer.

    Raises PoolError if it draws none.
    """
    strata = audit_sample_rule.sample(sampling_queries.left_out_units(pool), rule)
    drawn = {unit: stratum for stratum in strata.values() for unit in stratum.drawn}
    if not drawn:
        raise PoolError(
            f"the pool {pool.name} left out no answer for the reasons that were asked about"
        )
    keys = turn_ids(pool.dataset)
    answers, scores = _left_out_answers(pool, sorted({keys[unit.turn] for unit in drawn}))
    texts = [
        _text(keys[unit.turn], unit, stratum, answers, scores) for unit, stratum in drawn.items()
    ]
    # In an order that tells nothing of the reason.
    texts.sort(key=lambda each: (each.turn, each.text_sha256))
    counts = {
        reason.value: {"n": stratum.n_units, "n_drawn": len(stratum.drawn)}
        for reason, stratum in strata.items()
    }
    by_run = {
        run: {state.value: n for state, n in states.items() if n}
        for run, states in sampling_queries.n_answers_by_run(pool).items()
    }
    return AuditSelection(tuple(texts), counts, by_run)


# By turn and text the answers that say it: primary key and text.
_Answers = dict[tuple[int, str], list[tuple[int, str]]]


def _left_out_answers(pool: Pool, turns: list[int]) -> tuple[_Answers, dict[int, float]]:
    """Return the answers left out in these turns, and the scores of answers to them."""
    answers: _Answers = {}
    scores: dict[int, float] = {}
    for start in range(0, len(turns), scoring_tables.MOST_KEYS_PER_QUERY):
        part = turns[start : start + scoring_tables.MOST_KEYS_PER_QUERY]
        answers |= sampling_queries.answers_left_out(pool, part)
        if pool.scorer is not None:
            scores |= score_queries.values(pool.dataset, pool.scorer, part)
    return answers, scores


def _text(
    turn: int, unit: Unit, stratum: Stratum, answers: _Answers, scores: Mapping[int, float]
) -> DrawnText:
    equal_answers = answers[turn, unit.text_sha256]
    return DrawnText(
        turn=turn,
        text=stripped(equal_answers[0][1]),
        text_sha256=unit.text_sha256,
        score=max((scores[pk] for pk, _ in equal_answers if pk in scores), default=None),
        inclusion_probability=stratum.inclusion_probability,
        answers=tuple(sorted(pk for pk, _ in equal_answers)),
    )


@transaction.atomic
def record(*, pool: Pool, name: str, rule: AuditRule, selection: AuditSelection, by: User) -> Pool:
    """Write the sample. Raises as draw() does if the name is taken or invalid."""
    permissions.require(by, pool.study, Role.REQUESTER)
    counts: dict[str, Any] = {
        "n_candidates": len(selection.texts),
        "n_turns": len({each.turn for each in selection.texts}),
        "strata": selection.strata,
    }
    audit = new_pool(
        study=pool.study,
        dataset=pool.dataset,
        name=name,
        purpose=Purpose.ANSWERS,
        rule=rule.to_dict(),
        scorer=pool.scorer,
        audit_of=pool,
        counts=counts | {"by_run": selection.by_run},
        built_at=timezone.now(),
        created_by=by,
    )
    candidates = Candidate.objects.bulk_create(
        Candidate(
            pool=audit,
            turn_id=each.turn,
            text=each.text,
            text_sha256=each.text_sha256,
            score=each.score,
            inclusion_probability=each.inclusion_probability,
        )
        for each in selection.texts
    )
    Fate.objects.bulk_create(
        Fate(pool=audit, answer_id=answer, state=State.DRAWN.value, candidate=candidate)
        for candidate, each in zip(candidates, selection.texts, strict=True)
        for answer in each.answers
    )
    events.record(study=pool.study, by=by, verb="drew", target=audit, rule=audit.rule, **counts)
    return audit


def summary(audit: Pool) -> dict[str, Any]:
    """The summary of a sample for commands and jobs."""
    return {field: n for field, n in audit.counts.items() if field != "by_run"}
