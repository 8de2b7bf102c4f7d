"""An audit sample and the pool that it is of, as the strata that stats.stratified_estimate estimates from."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from annotation.schemes import ACCEPTANCE
from exports.rows import outcomes
from sampling.audit_samples.rule import REASONS
from sampling.models import Candidate, Fate, Pool
from sampling.pools.selection import State
from stats.stratified_estimate import Judged, Stratum


@dataclass(frozen=True)
class Audited:
    """`left_out` has a stratum for each reason; `outside` counts the answers that are in none."""

    drawn: Stratum
    left_out: tuple[Stratum, ...]
    outside: Mapping[State, int]
    is_rehearsal: bool


def audited(audit: Pool, beat: Callable[[], None] = lambda: None) -> Audited:
    """Reads all that both pools asked about: for a job."""
    pool = audit.audit_of
    if pool is None:
        raise ValueError(f"the pool {audit.name} is no audit sample")
    pools = (pool, audit)
    is_rehearsal = outcomes.is_rehearsed(pools)
    ended = outcomes.of_plausibility(pool.dataset, is_rehearsal=is_rehearsal, pools=pools)
    beat()
    states = _states(pool, audit)
    beat()
    of_runs = audit.counts["by_run"]
    own = _Counting(_ended(pool, ended), _runs(pool))
    beat()
    drawn = list(own.ended)
    sampled = _Counting(_ended(audit, ended), _runs(audit))
    by_reason: dict[State, list[int]] = {reason: [] for reason in REASONS}
    for candidate, state in states.items():
        by_reason[state].append(candidate)
    strata = audit.counts["strata"]
    return Audited(
        drawn=Stratum(
            State.DRAWN, own.judged(drawn, len(drawn)), own.by_run(drawn, _n(of_runs, State.DRAWN))
        ),
        left_out=tuple(
            Stratum(
                reason,
                sampled.judged(by_reason[reason], strata[reason]["n"]),
                sampled.by_run(by_reason[reason], _n(of_runs, reason)),
            )
            for reason in REASONS
        ),
        outside={
            state: n
            for state in State
            if state not in (State.DRAWN, *REASONS)
            and (n := pool.counts["n_answers"].get(state, 0))
        },
        is_rehearsal=is_rehearsal,
    )


@dataclass(frozen=True)
class _Counting:
    """How each candidate of a pool ended, and which runs gave it."""

    ended: Mapping[int, str]
    runs: Mapping[int, list[str]]

    def judged(self, candidates: Iterable[int], n_units: int) -> Judged:
        found = [self.ended[each] for each in candidates]
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


def _n(of_runs: Mapping[str, Mapping[str, int]], state: State) -> dict[str, int]:
    """How many answers of each run had this fate: each is a text of its own in its turn."""
    return {run: states[state] for run, states in of_runs.items() if state in states}


def _ended(pool: Pool, ended: Mapping[outcomes.Distinct, str]) -> dict[int, str]:
    rows = Candidate.objects.filter(pool=pool).values_list("pk", "turn_id", "text_sha256")
    return {pk: ended.get((turn, sha256), outcomes.UNJUDGED) for pk, turn, sha256 in rows}


def _runs(pool: Pool) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    drawn = Fate.objects.filter(pool=pool, state=State.DRAWN, candidate__isnull=False)
    for candidate, run in drawn.values_list("candidate_id", "answer__run__name"):
        found.setdefault(candidate or 0, []).append(run)
    return found


def _states(pool: Pool, audit: Pool) -> dict[int, State]:
    """Why the audited pool left out each candidate of its sample."""
    answers = Fate.objects.filter(pool=audit).values_list("answer_id", "candidate_id")
    candidates = dict(answers)
    left_out = Fate.objects.filter(pool=pool, answer__fates__pool=audit)
    return {
        candidates[answer] or 0: State(state)
        for answer, state in left_out.values_list("answer_id", "state")
    }
