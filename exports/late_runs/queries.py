"""The late runs of a data set's pools, with the verdicts on their answers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.models import Dataset, Run
from exports.late_runs.figures import JudgedAnswer, run_figures
from exports.rows.answers import NOT_ASKED
from exports.rows.outcomes import UNJUDGED, Decision, decisions, is_rehearsed
from exports.rows.shown_answers import pools_on, released_batches
from exports.rows.tiers import tier
from sampling import late_run_queries as late
from sampling.models import Pool, Purpose
from sampling.pools.late_answers import TOPPED_UP, AskedTurn, Standing

# A turn's id and a text.
Text = tuple[str, str]


@dataclass(frozen=True)
class Verdicts:
    """What became of the answers that people were asked about, by turn and text."""

    plausibility: Mapping[Text, Decision]
    faithfulness: Mapping[Text, Decision]

    @classmethod
    def read(cls, dataset: Dataset) -> "Verdicts":
        """Return the decisions of the closed batches on the data set's answers."""
        is_rehearsal = is_rehearsed(pools_on(dataset, Purpose.ANSWERS))
        batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
        return cls(
            decisions(batches, ACCEPTANCE.name, dataset=dataset),
            decisions(batches, GROUNDING.name, dataset=dataset),
        )

    def is_accepted(self, text: Text) -> bool | None:
        """Return whether the answer is gold or silver; None while that is open."""
        plausible = _outcome(self.plausibility.get(text), UNJUDGED)
        faithful = _outcome(self.faithfulness.get(text), NOT_ASKED)
        if tier(plausible, faithful):
            return True
        label, scheme = (
            (faithful, GROUNDING) if plausible == ACCEPTANCE.accepted else (plausible, ACCEPTANCE)
        )
        return False if label in scheme.labels else None


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
        turns, elsewhere = late.asked_turns(pool), late.texts_asked_elsewhere(pool)
        for run in runs:
            beat()
            answers = list(_judged_answers(pool, run, turns, elsewhere, verdicts))
            about = {"pool": pool.name, "pool_id": pool.pk, "run": run.name, "run_id": run.pk}
            found.append({**about, "team": run.team, "kind": run.kind, **run_figures(answers)})
    return found


def _judged_answers(
    pool: Pool,
    run: Run,
    turns: dict[str, AskedTurn],
    elsewhere: Mapping[Text, str],
    verdicts: Verdicts,
) -> Iterator[JudgedAnswer]:
    for answer in late.late_answers(pool, run, turns):
        text = (answer.turn, answer.text)
        is_reference = answer.standing == Standing.REFERENCE
        yield JudgedAnswer(
            answer.turn,
            answer.standing,
            answer.is_asked,
            True if is_reference else verdicts.is_accepted(text),
            elsewhere.get(text, "") if answer.standing in TOPPED_UP else "",
        )
