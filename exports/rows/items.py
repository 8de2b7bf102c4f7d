"""Items as the rows of items.csv."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from annotation import schemes
from annotation.models import Batch, Exclusion, Item, Source, Verdict, VerdictState
from exports.rows.columns import ItemRow
from exports.rows.evidence import evidence_of
from exports.rows.ids import cell_json, instant
from exports.rows.shown_answers import Shown, shown
from sampling.models import Candidate


def item_rows(
    batches: Sequence[Batch], instead: Mapping[int, Verdict] | None = None
) -> list[ItemRow]:
    """Every item of the batches, and which of several batches has the say on an answer.

    `instead` are verdicts, by item, that stand for the current ones.
    """
    answers = [(batch, each) for batch in batches for each in shown(batch)]
    verdicts = {
        verdict.item_id: verdict
        for verdict in Verdict.objects.current().filter(item__batch__in=batches)
    } | dict(instead or {})
    with_say = _with_say(answers, verdicts)
    excluded = set(
        Exclusion.objects.filter(
            item__batch__in=batches, replaced_by=None, is_excluded=True
        ).values_list("item_id", flat=True)
    )
    standing = _standing(batches)
    evidence = {batch.pk: evidence_of(batch) for batch in batches}
    rows = [
        _item_row(
            batch,
            each.item,
            _of_answer(each),
            verdicts.get(each.item.pk),
            is_excluded=each.item.pk in excluded,
            is_newest=each.item.pk in with_say,
            came_from=standing.get(each.item.came_from_id or 0, ("", False)),
            evidence=evidence[batch.pk].of(each),
        )
        for batch, each in answers
    ]
    bare = list(_without_answers(batches))
    chances = _chances(batches) if bare else {}
    rows += [
        _item_row(
            item.batch,
            item,
            _of_none(item, chances.get((item.batch.pool_id, item.turn_id), 1.0)),
            verdicts.get(item.pk),
            is_excluded=item.pk in excluded,
            is_newest=True,
            came_from=("", False),
            evidence=(),
        )
        for item in bare
    ]
    return sorted(rows, key=lambda row: (row.batch, row.turn_id, row.answer_id, row.item_id))


def _without_answers(batches: Sequence[Batch]) -> QuerySet[Item]:
    """The items that show passages alone."""
    bare = Item.objects.filter(batch__in=batches, answers=None)
    return bare.select_related("batch__study", "turn__conversation").order_by("position")


def _chances(batches: Sequence[Batch]) -> dict[tuple[int, int], float]:
    """Of being drawn, by pool and question: its answers share it."""
    asked = Candidate.objects.filter(pool__in=[batch.pool_id for batch in batches])
    rows = asked.order_by().values_list("pool", "turn", "inclusion_probability").distinct()
    return {(pool, turn): chance for pool, turn, chance in rows}


def _of_answer(each: Shown) -> dict[str, Any]:
    return {
        "turn_id": each.turn,
        "answer_id": each.id,
        "answer": each.candidate.text,
        "runs": each.runs,
        "inclusion_probability": each.candidate.inclusion_probability,
        "score": each.candidate.score,
    }


def _of_none(item: Item, chance: float) -> dict[str, Any]:
    """Of an item that speaks of no answer: the chance is that of its question, which its answers share."""
    return {
        "turn_id": item.turn.key,
        "answer_id": "",
        "answer": "",
        "runs": "",
        "inclusion_probability": chance,
        "score": None,
    }


def _with_say(answers: Sequence[tuple[Batch, Shown]], verdicts: dict[int, Verdict]) -> set[int]:
    """Of the items of one scheme on one answer: the adjudicated one, else that of the newest batch."""
    best: dict[tuple[str, str], tuple[bool, int, int]] = {}
    for rank, (batch, each) in enumerate(answers):
        if each.item.n_wanted is None:
            continue
        verdict = verdicts.get(each.item.pk)
        adjudicated = verdict is not None and verdict.source == Source.ADJUDICATION
        key = (batch.scheme, each.id)
        best[key] = max(best.get(key, (False, -1, 0)), (adjudicated, rank, each.item.pk))
    return {item_id for _, _, item_id in best.values()}


def _standing(batches: Sequence[Batch]) -> dict[int, tuple[str, bool]]:
    """Of the items that others came from: the public id, and whether the verdict is still that."""
    origins = Item.objects.filter(led_to__batch__in=batches)
    decided = Verdict.objects.current().filter(
        item__led_to__batch__in=batches, state=VerdictState.DECIDED
    )
    labels = dict(decided.values_list("item_id", "label"))
    return {
        pk: (str(public_id), labels.get(pk) == schemes.verdict_scheme(scheme).accepted)
        for pk, public_id, scheme in origins.values_list("pk", "public_id", "batch__scheme")
    }


def _item_row(
    batch: Batch,
    item: Item,
    answer: Mapping[str, Any],
    verdict: Verdict | None,
    *,
    is_excluded: bool,
    is_newest: bool,
    came_from: tuple[str, bool],
    evidence: Sequence[dict[str, Any]],
) -> ItemRow:
    return ItemRow(
        study=batch.study.slug,
        batch=batch.name,
        scheme=batch.scheme,
        item_id=str(item.public_id),
        question=item.payload["question"],
        state=verdict.state if verdict else "",
        verdict=verdict.label if verdict else "",
        source=verdict.source if verdict else "",
        rule=verdict.rule if verdict else "",
        set_aside_reason=verdict.set_aside_reason if verdict else "",
        votes=cell_json(verdict.votes) if verdict else "",
        posterior=cell_json(verdict.posterior) if verdict else "",
        n_wanted=item.n_wanted,
        n_counted=item.n_counted,
        is_excluded=is_excluded,
        is_control=item.n_wanted is None,
        is_rehearsal=batch.is_rehearsal,
        is_newest=is_newest,
        came_from=came_from[0],
        stands=came_from[1] if item.came_from_id else True,
        **answer,
        evidence=cell_json(evidence) if evidence else "",
        quoted_by=_runs(evidence, "quoted_by"),
        cited_by=_runs(evidence, "cited_by"),
        decided_at=instant(verdict.decided_at if verdict else None),
    )


def _runs(evidence: Sequence[dict[str, Any]], field: str) -> str:
    return "|".join(sorted({run for span in evidence for run in span[field]}))
