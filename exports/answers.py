"""What became of every answer of every run: the third table of a release.

Beside exports.tables, because it puts together what corpus, sampling and the items' rows say.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.models import Batch, SetAside, VerdictState
from corpus.models import Answer, Dataset
from exports.merge import tier
from exports.rows import AnswerRow, ItemRow
from exports.tables import answer_id
from sampling.models import Fate, Pool, Purpose
from sampling.selection import State
from scoring import tables as scoring_tables

NOT_IN_POOL = "not_in_pool"
NOT_ASKED = "not_asked"
UNJUDGED = "unjudged"
ENDINGS = {
    SetAside.DISAGREEMENT: "disputed",
    SetAside.EXCLUDED: "excluded",
    SetAside.NO_EVIDENCE: "no_evidence",
    SetAside.TOO_FEW: "too_few_judgements",
    SetAside.SKIPPED_BY_ALL: "skipped_by_all",
}


@dataclass(frozen=True)
class _Sampled:
    state: str = NOT_IN_POOL
    candidate_id: str = ""
    score: float | None = None


def answer_rows(
    dataset: Dataset, batches: Sequence[Batch], items: Iterable[ItemRow]
) -> list[AnswerRow]:
    """One row for each answer of each system and baseline, sorted by run and turn."""
    endings = _endings(items)
    sampled = _sampled(_pools(batches))
    answers = Answer.objects.of_systems(dataset).select_related("run", "turn__conversation")
    rows = [
        _row(dataset, answer, sampled.get(answer.pk, _Sampled()), endings) for answer in answers
    ]
    return _with_first_credit(sorted(rows, key=lambda row: (row.run, row.turn_id)))


def _pools(batches: Sequence[Batch]) -> list[Pool]:
    """The pools of answers that the batches asked about, oldest first."""
    pools = {batch.pool_id: batch.pool for batch in batches}
    drawn = [pool for pool in pools.values() if pool.purpose == Purpose.ANSWERS]
    return sorted(drawn, key=lambda pool: pool.pk)


def _sampled(pools: Iterable[Pool]) -> dict[int, _Sampled]:
    """The fate of each answer: drawn where any pool drew it, else as the newest pool says."""
    found: dict[int, _Sampled] = {}
    for pool in pools:
        values = scoring_tables.values(pool.dataset, pool.scorer) if pool.scorer else {}
        fates = Fate.objects.filter(pool=pool).select_related("candidate__turn__conversation")
        for fate in fates:
            if found.get(fate.answer_id, _Sampled()).state == State.DRAWN:
                continue
            name = (
                answer_id(fate.candidate.turn.key, fate.candidate.text_sha256)
                if fate.candidate
                else ""
            )
            found[fate.answer_id] = _Sampled(fate.state, name, values.get(fate.answer_id))
    return found


def _endings(items: Iterable[ItemRow]) -> dict[tuple[str, str], str]:
    """How each answer ended under each scheme, by the item that has the say.

    A faithfulness verdict whose plausibility verdict changed since is not accepted: as if not asked.
    """
    return {
        (item.scheme, item.answer_id): ending(item)
        for item in items
        if item.is_newest and item.stands and not item.is_control
    }


def ending(item: ItemRow) -> str:
    """A label, or in one word why there is none."""
    if item.state == VerdictState.DECIDED:
        return item.verdict
    if item.state == VerdictState.DISPUTED:
        return "disputed"
    if item.state == VerdictState.SET_ASIDE:
        return ENDINGS[SetAside(item.set_aside_reason)]
    return UNJUDGED


def _row(
    dataset: Dataset,
    answer: Answer,
    sampled: _Sampled,
    endings: Mapping[tuple[str, str], str],
) -> AnswerRow:
    is_drawn = sampled.state == State.DRAWN
    name = sampled.candidate_id if is_drawn else ""
    plausibility = endings.get(("plausibility", name), UNJUDGED) if is_drawn else ""
    asked = endings.get(("faithfulness", name), NOT_ASKED)
    faithfulness = asked if plausibility == "plausible" else ""
    run = answer.run
    return AnswerRow(
        study=dataset.study.slug,
        dataset=str(dataset),
        run=run.name,
        kind=run.kind,
        team=run.team,
        system=run.system,
        setup=run.setup,
        turn_id=answer.turn.key,
        answer=answer.text,
        sampled=sampled.state,
        score=sampled.score,
        answer_id=name,
        represented_by="" if is_drawn else sampled.candidate_id,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
        first_credit=False,
    )


def _with_first_credit(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    """Each distinct answer credited to one run: the first by name, which no order of files changes."""
    first: dict[str, int] = defaultdict(lambda: -1)
    for index, row in reversed(list(enumerate(rows))):
        if row.answer_id:
            first[row.answer_id] = index
    chosen = set(first.values())
    return [
        replace(row, first_credit=True) if index in chosen else row
        for index, row in enumerate(rows)
    ]
