"""An audit sample and its pool as the strata of `stats.stratified_estimate`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.schemes import ACCEPTANCE
from corpus import versions
from corpus.models import RunKind
from exports.rows import outcomes
from sampling.audit_samples.rule import REASONS
from sampling.models import Candidate, Fate, Pool
from sampling.pools.selection import State
from stats.stratified_estimate import Judged, Stratum

DRAWN = (State.DRAWN, State.STANDS)


@dataclass(frozen=True)
class AuditStrata:
    """The strata of an audit sample and its pool.

    drawn     the answers that the pool drew, or would have drawn if they did not stand in an earlier version
    left_out  a stratum for each reason for which the pool left answers out
    outside   by fate, the numbers of answers in no stratum
    """

    drawn: Stratum
    left_out: tuple[Stratum, ...]
    outside: Mapping[State, int]
    is_rehearsal: bool


def audit_strata(audit: Pool, beat: Callable[[], None] = lambda: None) -> AuditStrata:
    """The strata of an audit sample. It reads all answers of both pools, so call it in a job."""
    pool = audit.audit_of
    if pool is None:
        raise ValueError(f"the pool {audit.name} is no audit sample")
    pools = (pool, audit, *Pool.objects.filter(pk__in=standing_candidates(pool).values("pool")))
    is_rehearsal = outcomes.is_rehearsed(pools)
    outcomes_by_answer = outcomes.plausibility_outcomes(
        pool.dataset, is_rehearsal=is_rehearsal, pools=pools
    )
    beat()
    states = _states(pool, audit)
    beat()
    sentences = set(pool.dataset.runs.filter(kind=RunKind.EXTRACTED).values_list("name", flat=True))
    of_runs = {run: n for run, n in audit.counts["by_run"].items() if run not in sentences}
    pool_outcomes = _CandidateOutcomes(_candidate_outcomes(pool, outcomes_by_answer), _runs(pool))
    beat()
    drawn = list(pool_outcomes.outcomes)
    audit_outcomes = _CandidateOutcomes(
        _candidate_outcomes(audit, outcomes_by_answer), _runs(audit)
    )
    by_reason: dict[State, list[int]] = {reason: [] for reason in REASONS}
    for candidate, state in states.items():
        by_reason[state].append(candidate)
    strata = audit.counts["strata"]
    return AuditStrata(
        drawn=Stratum(
            State.DRAWN,
            pool_outcomes.judged(drawn, len(drawn)),
            pool_outcomes.by_run(drawn, _numbers_by_run(of_runs, *DRAWN)),
        ),
        left_out=tuple(
            Stratum(
                reason,
                audit_outcomes.judged(by_reason[reason], strata[reason]["n"]),
                audit_outcomes.by_run(by_reason[reason], _numbers_by_run(of_runs, reason)),
            )
            for reason in REASONS
        ),
        outside={
            state: n
            for state in State
            if state not in (*DRAWN, *REASONS) and (n := pool.counts["n_answers"].get(state, 0))
        },
        is_rehearsal=is_rehearsal,
    )


@dataclass(frozen=True)
class _CandidateOutcomes:
    """The outcome of each candidate of a pool, and the names of its runs, by primary key."""

    outcomes: Mapping[int, str]
    runs: Mapping[int, list[str]]

    def judged(self, candidates: Iterable[int], n_units: int) -> Judged:
        found = [self.outcomes[each] for each in candidates]
        return Judged(
            n_units=n_units,
            n_asked=len(found),
            n_settled=sum(each in ACCEPTANCE.labels for each in found),
            n_plausible=found.count(ACCEPTANCE.accepted),
        )

    def by_run(self, candidates: Iterable[int], n_units: Mapping[str, int]) -> dict[str, Judged]:
        gave: dict[str, list[int]] = {}
        for each in candidates:
            for run in self.runs.get(each, ()):
                gave.setdefault(run, []).append(each)
        return {run: self.judged(gave.get(run, ()), n) for run, n in n_units.items()}


def _numbers_by_run(of_runs: Mapping[str, Mapping[str, int]], *wanted: State) -> dict[str, int]:
    """The number of answers of each run with one of these fates. A run has one answer in a turn."""
    return {
        run: sum(states.get(state, 0) for state in wanted)
        for run, states in of_runs.items()
        if not states.keys().isdisjoint(wanted)
    }


def _candidate_outcomes(
    pool: Pool, outcomes_by_answer: Mapping[outcomes.DistinctAnswer, str]
) -> dict[int, str]:
    rows = Candidate.objects.filter(Q(pool=pool) | Q(pk__in=standing_candidates(pool).values("pk")))
    own = versions.own_turns(pool.dataset)
    return {
        pk: outcomes_by_answer.get((own.get(turn, turn), sha256), outcomes.UNJUDGED)
        for pk, turn, sha256 in rows.values_list("pk", "turn_id", "text_sha256")
    }


def standing_candidates(pool: Pool) -> QuerySet[Candidate]:
    """The candidates of earlier versions for which the pool left answers out: it would have drawn them."""
    fates = Fate.objects.filter(pool=pool, state=State.STANDS)
    return Candidate.objects.filter(pk__in=fates.values("candidate"))


def _runs(pool: Pool) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    drawn = Fate.objects.filter(
        pool=pool,
        state__in=DRAWN,
        candidate__isnull=False,
        answer__run__is_withdrawn=False,
    )
    for candidate, run in drawn.values_list("candidate_id", "answer__run__name"):
        found.setdefault(candidate or 0, []).append(run)
    return found


def _states(pool: Pool, audit: Pool) -> dict[int, State]:
    """The fate, in the pool, of each candidate of its audit sample."""
    answers = Fate.objects.filter(pool=audit).values_list("answer_id", "candidate_id")
    candidates = dict(answers)
    left_out = Fate.objects.filter(pool=pool, answer__fates__pool=audit)
    return {
        candidates[answer] or 0: State(state)
        for answer, state in left_out.values_list("answer_id", "state")
    }
