"""The late runs of a data set's pools, with the verdicts on their answers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.models import Dataset, Run
from exports.late_runs.figures import JudgedAnswer, run_figures
from exports.rows.answers import NOT_ASKED
from exports.rows.earlier_releases import earlier_answers
from exports.rows.outcomes import UNJUDGED, Decision, decisions, is_rehearsed
from exports.rows.shown_answers import pools_on, released_batches
from exports.rows.tiers import tier
from sampling import late_run_queries as late
from sampling import top_up_queries
from sampling.late_run_queries import LateAnswer, Text
from sampling.models import Pool, Purpose
from sampling.pools.late_answers import Standing
from sampling.pools.selection import State, counts


@dataclass(frozen=True)
class Verdicts:
    """What became of the answers that people were asked about, by turn and text.

    `earlier` has the tiers of those that the release accepted which the version has read.
    """

    plausibility: Mapping[Text, Decision]
    faithfulness: Mapping[Text, Decision]
    earlier: Mapping[Text, str] = field(default_factory=dict)

    @classmethod
    def read(cls, dataset: Dataset) -> "Verdicts":
        """Return the decisions of the closed batches on the data set's answers."""
        is_rehearsal = is_rehearsed(pools_on(dataset, Purpose.ANSWERS))
        batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
        return cls(
            decisions(batches, ACCEPTANCE.name, dataset=dataset),
            decisions(batches, GROUNDING.name, dataset=dataset),
            {
                (turn, str(each["answer"])): str(each["tier"])
                for turn, records in earlier_answers(dataset, is_rehearsal=is_rehearsal).items()
                for each in records
            },
        )

    def earlier_texts(self) -> dict[str, set[str]]:
        """Return by turn the texts that the earlier release accepted."""
        found: dict[str, set[str]] = {}
        for turn, text in self.earlier:
            found.setdefault(turn, set()).add(text)
        return found

    def is_accepted(self, text: Text) -> bool | None:
        """Return whether the answer is gold or silver, here or in the earlier release; None while that is open.

        What people decided here goes before what the earlier release says.
        """
        decision = self.plausibility.get(text)
        is_decided = decision is not None and decision.outcome in ACCEPTANCE.labels
        if text in self.earlier and not is_decided:
            return True
        plausible = _outcome(self.plausibility.get(text), UNJUDGED)
        faithful = _outcome(self.faithfulness.get(text), NOT_ASKED)
        if tier(plausible, faithful):
            return True
        label, scheme = (
            (faithful, GROUNDING) if plausible == ACCEPTANCE.accepted else (plausible, ACCEPTANCE)
        )
        return False if label in scheme.labels else None

    def is_settled(self, text: Text) -> bool:
        """Return whether it has a label, or was set aside, under the last scheme that asked about it."""
        last = self.faithfulness.get(text) or self.plausibility.get(text)
        return last is not None and last.is_settled


def _outcome(decision: Decision | None, without: str) -> str:
    return without if decision is None else decision.outcome


def late_runs(dataset: Dataset, beat: Callable[[], None]) -> list[dict[str, Any]]:
    """Return the figures of each late run of each pool of the version, newest pool first, then by run.

    It reads all answers of these runs, so call it in a job.
    """
    verdicts = Verdicts.read(dataset)
    found: list[dict[str, Any]] = []
    for pool in late.topped_pools(dataset).order_by("-created_at", "-pk"):
        runs = list(late.late_runs(pool))
        if not runs:
            continue
        turns = late.asked_turns(pool, verdicts.earlier_texts())
        candidates = late.known_candidates(pool)
        for run in runs:
            beat()
            answers = list(late.late_answers(pool, run, turns))
            judged = list(_judged_answers(answers, late.topped_up_answers(pool, run), verdicts))
            about = {"pool": pool.name, "pool_id": pool.pk, "run": run.name, "run_id": run.pk}
            about |= {"team": run.team, "kind": run.kind}
            found.append(about | run_figures(judged) | _to_ask(pool, run, answers, candidates))
    return found


def _to_ask(
    pool: Pool, run: Run, answers: Collection[LateAnswer], candidates: Mapping[Text, int]
) -> dict[str, Any]:
    """Return how many answers a top-up would draw now, and how many it could not judge by a score."""
    if pool.scorer is None:
        return {"n_to_ask": 0, "n_without_score": 0, "scorer": ""}
    by_state = counts(top_up_queries.of_answers(pool, run, pool.scorer, answers, candidates).draw())
    return {
        "n_to_ask": by_state.n_candidates,
        "n_without_score": by_state.by_state[State.NO_SCORE],
        "scorer": pool.scorer.short,
    }


def _judged_answers(
    answers: Iterable[LateAnswer], topped_up: Mapping[int, str], verdicts: Verdicts
) -> Iterator[JudgedAnswer]:
    """Yield the answers with their verdicts; `topped_up` as of late_run_queries.topped_up_answers()."""
    for answer in answers:
        text = (answer.turn, answer.text)
        is_reference = answer.standing == Standing.REFERENCE
        yield JudgedAnswer(
            answer.turn,
            answer.standing,
            answer.is_asked,
            True if is_reference else verdicts.is_accepted(text),
            topped_up.get(answer.pk, ""),
            verdicts.is_settled(text),
        )
