"""Top a pool up: draw, by its rule, what it would have asked about a run that came later."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from audit import events
from corpus.models import Run
from sampling import late_run_queries as late
from sampling import top_up_queries
from sampling.actions.pool_draws import draws_anything, unscored_in_words
from sampling.actions.pools import Keys, PoolError, keys_of, new_pool, pool_counts, write
from sampling.late_run_queries import Text
from sampling.models import Candidate, Pool, Purpose
from sampling.pools import selection
from sampling.pools.rule import Rule
from sampling.pools.selection import Odds, State, TurnAnswers
from scoring.models import Scorer


def draw(*, pool: Pool, run: Run, name: str, by: User) -> Pool:
    """Draw a pool of the late run's answers that are new, or have only the words of a candidate.

    By the pool's rule, scorer and threshold, on the turns that the pool asks about. A turn has enough candidates
    already, so one answer is enough. The run's answers that a candidate has already stand in the new pool as that
    candidate. Raises PoolError if there is nothing to draw, and ValidationError if the name is invalid.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    scorer = _require_drawable(pool, run)
    before = set(late.pools_of_answers(pool.dataset).values_list("pk", flat=True))
    top_up = top_up_queries.top_up(pool, run, scorer)
    asking = ", ".join(sorted(set(late.topped_up_answers(pool, run).values())))
    if not any(turn.answers for turn in top_up.turns):
        raise PoolError(
            f"there is nothing to ask about the run {run} on the turns of the pool {pool}: each of its answers is"
            f" empty, the reference, nearly a candidate, or asked about already{f' in {asking}' if asking else ''}"
        )
    _require_scores(top_up.turns, run, scorer)
    result = top_up.draw()
    n_answers = pool_counts(top_up.rule, result)["n_answers"]
    if not draws_anything(n_answers):
        raise PoolError(_why_nothing_drawn(pool, run, asking, n_answers))
    result = top_up.with_known(result, run.name)
    turns = {fate.turn for fate in result.fates}
    keys = keys_of(pool.dataset, top_up_queries.primary_keys(pool, turns))
    keys = replace(keys, standing={**keys.standing, **top_up.known})
    return _record(pool, run, result, keys, name=name, rule=top_up.rule, before=before, by=by)


def _why_nothing_drawn(pool: Pool, run: Run, asking: str, n_answers: Mapping[str, int]) -> str:
    """Return why the rule of the pool draws none of so many answers by state; `asking` are the top-ups there are."""
    so_far = f"the pool {asking} asks about its answers already, and no other" if asking else "no"
    why = (
        f"there is nothing {'left ' if asking else ''}to ask about the run {run}: {so_far} answer is above the"
        f" threshold {Rule.from_dict(pool.rule).threshold:g} of the pool {pool} and differs from the reference and the"
        " question"
    )
    n_unscored = n_answers.get(State.NO_SCORE, 0)
    return f"{why}. {unscored_in_words(n_unscored)}" if n_unscored else why


@transaction.atomic
def _record(
    pool: Pool,
    run: Run,
    result: selection.DrawResult,
    keys: Keys,
    *,
    name: str,
    rule: Rule,
    before: set[int],
    by: User,
) -> Pool:
    lock_study(pool.study)
    _require_not_asked_since(pool, {(each.turn, each.text) for each in result.candidates}, before)
    odds = _odds(pool, {fate.turn for fate in result.fates})
    counts: dict[str, Any] = pool_counts(rule, result)
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
            f"the run {run} is not late: only runs of {pool.dataset} without references, that the pool {pool}"
            " was not drawn from, and that are not withdrawn, are"
        )
    return pool.scorer


def _require_still_there(pool: Pool) -> None:
    """Raise PoolError if the pool was withdrawn or deleted by now; the caller has the lock of the study."""
    if not Pool.objects.usable().filter(pk=pool.pk).exists():
        raise PoolError(f"the pool {pool} was withdrawn or deleted in this moment")


def _require_not_asked_since(pool: Pool, texts: set[Text], before: set[int]) -> None:
    """Raise PoolError if a pool that is not one of those `before` asks about one of these texts.

    The caller has the lock of the study, so of two top-ups of the same run at the same moment the second sees the
    first.
    """
    since = late.pools_of_answers(pool.dataset).exclude(pk__in=before).order_by("pk")
    for other in since:
        rows = Candidate.objects.filter(pool=other).select_related("turn__conversation")
        n = sum((each.turn.key, each.text) in texts for each in rows)
        if n:
            raise PoolError(
                f"the pool {other} was drawn in this moment, and asks about {n} of the {len(texts)} answers of this"
                " top-up: look at the late runs again"
            )


def _scores(turns: Iterable[TurnAnswers]) -> list[float]:
    return [answer.score for turn in turns for answer in turn.answers if answer.score is not None]


def _require_scores(turns: Iterable[TurnAnswers], run: Run, scorer: Scorer) -> None:
    if not _scores(turns):
        raise PoolError(
            f"no answer of the run {run} was scored by {scorer.short}: compute scores first, or import them"
        )


def _odds(pool: Pool, turns: Iterable[str]) -> dict[str, Odds]:
    """Return the odds of these turns where the pool drew some turns only: those that it had there."""
    by_turn: Mapping[str, list[float]] = pool.odds if "n_turns" in pool.rule else {}
    return {turn: Odds(by_turn[turn][0], 1.0) for turn in turns if turn in by_turn}


def _with_odds(result: selection.DrawResult, odds: Mapping[str, Odds]) -> selection.DrawResult:
    candidates = tuple(
        each._replace(inclusion_probability=odds[each.turn].turn) if each.turn in odds else each
        for each in result.candidates
    )
    return replace(result, candidates=candidates)
