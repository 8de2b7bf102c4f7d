"""Top a pool up: draw, by its rule, what it would have asked about a run that came later."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from audit import events
from corpus.models import Run
from corpus.queries import turn_ids
from sampling import late_run_queries as late
from sampling import queries as sampling_queries
from sampling.actions.pool_draws import draws_anything, why_nothing_drawn
from sampling.actions.pools import Keys, PoolError, keys_of, new_pool, pool_counts, write
from sampling.models import Pool, Purpose
from sampling.pools import draws, selection
from sampling.pools.late_answers import TOPPED_UP
from sampling.pools.rule import Rule
from sampling.pools.selection import Odds, TurnAnswers
from scoring.models import Scorer
from scoring.queries import MOST_KEYS_PER_QUERY


def draw(*, pool: Pool, run: Run, name: str, by: User) -> Pool:
    """Draw a pool of the late run's answers that are new, or have only the words of a candidate.

    By the pool's rule, scorer and threshold, on the turns that the pool asks about. A turn has enough candidates
    already, so one answer is enough. Raises PoolError if there is nothing to draw, and ValidationError if the name is
    invalid.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    scorer = _require_drawable(pool, run)
    rule = _rule(pool, run)
    turns = list(_turns(pool, run, scorer))
    if not any(turn.answers for turn in turns):
        raise PoolError(
            f"there is nothing to ask about the run {run} on the turns of the pool {pool}: each of its answers is"
            " empty, the reference, nearly a candidate, or asked about already"
        )
    _require_scores(turns, run, scorer)
    result = draws.draw(rule, turns)
    counts = pool_counts(rule, result)
    if not draws_anything(counts["n_answers"]):
        raise PoolError(why_nothing_drawn(rule, counts["n_answers"], _scores(turns)))
    keys = keys_of(pool.dataset, _primary_keys(pool, {turn.turn for turn in turns}))
    return _record(pool, run, result, keys, name=name, rule=rule, counts=counts, by=by)


@transaction.atomic
def _record(
    pool: Pool,
    run: Run,
    result: selection.DrawResult,
    keys: Keys,
    *,
    name: str,
    rule: Rule,
    counts: Mapping[str, Any],
    by: User,
) -> Pool:
    odds = _odds(pool, result.candidates)
    drawn = new_pool(
        study=pool.study,
        dataset=pool.dataset,
        name=name,
        purpose=Purpose.ANSWERS,
        rule=rule.to_dict(),
        scorer=pool.scorer,
        counts={**counts, late.LIKE: pool.pk},
        odds=odds,
        built_at=timezone.now(),
        created_by=by,
    )
    _require_still_there(pool)
    write(drawn, _with_odds(result, odds), keys)
    about = {"rule": drawn.rule, "late": run.name, "like": pool.name}
    events.record(study=pool.study, by=by, verb="drew", target=drawn, **about, **counts)
    return drawn


def _require_drawable(pool: Pool, run: Run) -> Scorer:
    """Raise PoolError unless the pool can be topped up with the run; return the pool's scorer."""
    if pool.withdrawn_objection:
        raise PoolError(pool.withdrawn_objection)
    if pool.built_at is None:
        raise PoolError(f"the pool {pool} is still being built: wait for its job")
    if pool.purpose != Purpose.ANSWERS or pool.audit_of_id is not None or pool.scorer is None:
        raise PoolError(f"the pool {pool} was not drawn from runs by a rule: name the one that was")
    if late.LIKE in pool.counts:
        raise PoolError(f"the pool {pool} is a top-up itself: name the pool whose rule it follows")
    if not late.late_runs(pool).filter(pk=run.pk).exists():
        raise PoolError(
            f"the run {run} is not late: only runs of {pool.dataset}, without references, that were imported after the"
            f" pool {pool} was drawn, and are not withdrawn, are"
        )
    return pool.scorer


def _require_still_there(pool: Pool) -> None:
    """Raise PoolError if the pool was withdrawn or deleted by now; the caller has the lock of the study."""
    if not Pool.objects.usable().filter(pk=pool.pk).exists():
        raise PoolError(f"the pool {pool} was withdrawn or deleted in this moment")


def _rule(pool: Pool, run: Run) -> Rule:
    """Return the pool's rule for one answer a turn, on turns that are chosen already."""
    return replace(
        Rule.from_dict(pool.rule),
        runs=frozenset([run.name]),
        min_candidates=1,
        cap_per_turn=None,
        n_turns=None,
        strata=None,
        allocation="proportional",
        prefer=None,
        leaves_out_standing=False,
    )


def _turns(pool: Pool, run: Run, scorer: Scorer) -> Iterator[TurnAnswers]:
    """Yield the turns that the pool asks about, with the run's answer where it is to be asked about."""
    asked = {name: turn for name, turn in late.asked_turns(pool).items() if turn.candidates}
    elsewhere = late.texts_asked_elsewhere(pool)
    wanted = {
        answer.turn
        for answer in late.late_answers(pool, run, asked)
        if answer.standing in TOPPED_UP and (answer.turn, answer.text) not in elsewhere
    }
    keys = _primary_keys(pool, wanted)
    for turn in sampling_queries.turn_answers(pool.dataset, scorer, keys):
        if turn.turn in wanted:
            own = tuple(each for each in turn.answers if each.run == run.name)
            yield replace(turn, answers=own, standing=frozenset())


def _primary_keys(pool: Pool, turns: Collection[str]) -> list[int] | None:
    """Return the primary keys of these turns; None, for all turns, if they are too many to name."""
    if len(turns) > MOST_KEYS_PER_QUERY:
        return None
    keys = turn_ids(pool.dataset)
    return [keys[turn] for turn in turns]


def _scores(turns: Iterable[TurnAnswers]) -> list[float]:
    return [answer.score for turn in turns for answer in turn.answers if answer.score is not None]


def _require_scores(turns: Collection[TurnAnswers], run: Run, scorer: Scorer) -> None:
    if not _scores(turns):
        raise PoolError(
            f"no answer of the run {run} was scored by {scorer.short}: compute scores first, or import them"
        )


def _odds(pool: Pool, candidates: Iterable[selection.DrawnCandidate]) -> dict[str, Odds]:
    """Return the odds of each candidate's turn where the pool drew some turns only: those that it had there."""
    by_turn: Mapping[str, list[float]] = pool.odds if "n_turns" in pool.rule else {}
    return {
        each.turn: Odds(by_turn[each.turn][0], 1.0) for each in candidates if each.turn in by_turn
    }


def _with_odds(result: selection.DrawResult, odds: Mapping[str, Odds]) -> selection.DrawResult:
    candidates = tuple(
        each._replace(inclusion_probability=odds[each.turn].turn) if each.turn in odds else each
        for each in result.candidates
    )
    return replace(result, candidates=candidates)
