"""Items as the rows of items.csv."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet

from annotation import schemes
from annotation.models import Batch, Exclusion, Item, Verdict, VerdictState
from corpus import versions
from corpus.models import Dataset
from exports.rows.columns import ItemRow
from exports.rows.evidence import Evidence, evidence_of
from exports.rows.ids import cell_json, timestamp
from exports.rows.inclusion_probability import joint_probabilities
from exports.rows.pairs import RELATIONS
from exports.rows.precedence import LEAST, Precedence, precedence
from exports.rows.shown_answers import ShownAnswer, asked_pools, shown_answers
from sampling.models import Candidate


def item_rows(
    batches: Sequence[Batch],
    replacements: Mapping[int, Verdict] | None = None,
    *,
    dataset: Dataset | None = None,
) -> list[ItemRow]:
    """The rows of all items of the batches, sorted by batch, turn, answer and item.

    `replacements` are verdicts, by item, that are taken instead of the current ones. `dataset` limits
    the items to turns that stand in this version; their runs are those that any of the batches' pools drew the text
    from. The inclusion probability of an answer is that of being asked
    about by any of the batches.
    """
    asked = asked_pools(batches) if dataset else ()
    answers = [
        (batch, answer)
        for batch in batches
        for answer in shown_answers(batch, dataset=dataset, asked=asked)
    ]
    verdicts = {
        verdict.item_id: verdict for verdict in _current_verdicts(item__batch__in=batches)
    } | dict(replacements or {})
    excluded = _excluded(item__batch__in=batches)
    origins = _origins(led_to__batch__in=batches)
    deciding_items = _deciding_items(answers, verdicts, origins)
    evidence = {batch.pk: evidence_of(batch, dataset=dataset, asked=asked) for batch in batches}
    joint = joint_probabilities(batches, dataset)
    rows = _answer_item_rows(
        answers, verdicts, excluded, origins, evidence, deciding_items, probabilities=joint
    )
    passage_items = _passage_items(batches).filter(versions.stands(dataset, "turn"))
    rows += _passage_item_rows(passage_items, verdicts, excluded)
    return sorted(rows, key=lambda row: (row.batch, row.turn_id, row.answer_id, row.item_id))


def rows_of_items(batch: Batch, items: Sequence[int]) -> list[ItemRow]:
    """The rows of the items of a batch with these primary keys, in the order of the batch.

    Other batches are not looked at: `is_newest` says which item of this batch has the say.
    """
    answers = [(batch, answer) for answer in shown_answers(batch, items=items)]
    verdicts = {verdict.item_id: verdict for verdict in _current_verdicts(item__in=items)}
    turns = {answer.candidate.turn_id for _, answer in answers}
    origins = _origins(led_to__in=items)
    rows = _answer_item_rows(
        answers,
        verdicts,
        _excluded(item__in=items),
        origins,
        {batch.pk: evidence_of(batch, turns)},
        _deciding_items(answers, verdicts, origins),
    )
    passage_items = _passage_items([batch]).filter(pk__in=items)
    return rows + _passage_item_rows(passage_items, verdicts, _excluded(item__in=items))


def _answer_item_rows(
    answers: Sequence[tuple[Batch, ShownAnswer]],
    verdicts: Mapping[int, Verdict],
    excluded: Collection[int],
    origins: Mapping[int, tuple[str, bool]],
    evidence: Mapping[int, Evidence],
    deciding_items: Collection[int],
    probabilities: Mapping[int, float] = MappingProxyType({}),
) -> list[ItemRow]:
    """`probabilities` are those of being asked about by candidate, where they are not its own."""
    return [
        _item_row(
            batch,
            answer.item,
            _answer_columns(answer, probabilities),
            verdicts.get(answer.item.pk),
            is_excluded=answer.item.pk in excluded,
            is_newest=answer.item.pk in deciding_items,
            came_from=origins.get(answer.item.came_from_id or 0, ("", False))[0],
            stands=_stands(answer.item, origins),
            evidence=evidence[batch.pk].paragraph(answer),
        )
        for batch, answer in answers
    ]


def _passage_item_rows(
    found: QuerySet[Item], verdicts: Mapping[int, Verdict], excluded: Collection[int]
) -> list[ItemRow]:
    passage_items = list(found)
    batches = list({item.batch_id: item.batch for item in passage_items}.values())
    probabilities = _question_probabilities(batches)
    return [
        _item_row(
            item.batch,
            item,
            _columns_without_answer(
                item, probabilities.get((item.batch.pool_id, item.turn_id), 1.0)
            ),
            verdicts.get(item.pk),
            is_excluded=item.pk in excluded,
            is_newest=item.n_wanted is not None,
            came_from=str(item.came_from) if item.came_from else "",
            stands=True,
            evidence=(),
        )
        for item in passage_items
    ]


def _current_verdicts(**which: Any) -> QuerySet[Verdict]:
    return Verdict.objects.current().filter(**which).select_related("adjudication")


def _excluded(**which: Any) -> set[int]:
    """The primary keys of the excluded items among those that `which` selects."""
    found = Exclusion.objects.filter(replaced_by=None, is_excluded=True, **which)
    return set(found.values_list("item_id", flat=True))


def _passage_items(batches: Sequence[Batch]) -> QuerySet[Item]:
    """The items that show passages and no answers."""
    items = Item.objects.filter(batch__in=batches, answers=None)
    related = items.select_related("batch__study", "turn__conversation", "came_from")
    return related.defer("came_from__payload").order_by("position")


def _question_probabilities(batches: Sequence[Batch]) -> dict[tuple[int, int], float]:
    """The inclusion probability of each question by pool and turn. Its answers share it."""
    candidates = Candidate.objects.filter(pool__in=[batch.pool_id for batch in batches])
    rows = candidates.order_by().values_list("pool", "turn", "inclusion_probability").distinct()
    return {(pool, turn): probability for pool, turn, probability in rows}


def _answer_columns(answer: ShownAnswer, probabilities: Mapping[int, float]) -> dict[str, Any]:
    own = answer.candidate.inclusion_probability
    return {
        "turn_id": intern(answer.turn_key),
        "answer_id": answer.answer_id,
        "answer": answer.candidate.text,
        "runs": answer.runs,
        "inclusion_probability": probabilities.get(answer.candidate.pk, own),
        "score": answer.candidate.score,
    }


def _columns_without_answer(item: Item, probability: float) -> dict[str, Any]:
    """The answer columns of an item without answers; `probability` is that of its question."""
    return {
        "turn_id": item.turn.key,
        "answer_id": "",
        "answer": "",
        "runs": "",
        "inclusion_probability": probability,
        "score": None,
    }


def _deciding_items(
    answers: Sequence[tuple[Batch, ShownAnswer]],
    verdicts: Mapping[int, Verdict],
    origins: Mapping[int, tuple[str, bool]],
) -> set[int]:
    """The primary keys of the items whose verdict decides their answer, or how their two answers
    relate: one for each scheme and answer or pair. Control items never do.
    """
    pairs = _related_pairs(answers)
    best: dict[tuple[str, str], Precedence] = {}
    for rank, (batch, answer) in enumerate(answers):
        if answer.item.n_wanted is None:
            continue
        verdict = verdicts.get(answer.item.pk)
        found = precedence(
            state=verdict.state if verdict else "",
            source=verdict.source if verdict else "",
            stands=_stands(answer.item, origins),
            batch_rank=rank,
            item=answer.item.pk,
        )
        key = (batch.scheme, pairs.get(answer.item.pk, answer.answer_id))
        best[key] = max(best.get(key, LEAST), found)
    return {item for *_, item in best.values()}


def _related_pairs(answers: Sequence[tuple[Batch, ShownAnswer]]) -> dict[int, str]:
    """The ids of both answers, sorted, of each item that asks how they relate, by primary key."""
    ids: dict[int, list[str]] = defaultdict(list)
    for batch, answer in answers:
        if batch.scheme in RELATIONS:
            ids[answer.item.pk].append(answer.answer_id)
    return {item: " ".join(sorted(both)) for item, both in ids.items()}


def _stands(item: Item, origins: Mapping[int, tuple[str, bool]]) -> bool:
    """Whether the item came of no other, or of one that is still accepted."""
    return item.came_from_id is None or origins[item.came_from_id][1]


def _origins(**which: Any) -> dict[int, tuple[str, bool]]:
    """Return the items that other items came from by primary key: public id, and whether still accepted. Without those
    of a first round of writing, which accept nothing.
    """
    origins = Item.objects.filter(led_to__rewrites=None, **which).distinct()
    decided = Verdict.objects.current().filter(
        item__in=origins, item__batch__in=Batch.objects.counting(), state=VerdictState.DECIDED
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
    came_from: str,
    stands: bool,
    evidence: Sequence[dict[str, Any]],
) -> ItemRow:
    labels = _LabelsInFiles(batch.scheme, item.payload)
    return ItemRow(
        study=batch.study.slug,
        batch=batch.name,
        scheme=batch.scheme,
        # What many rows have is in memory once.
        item_id=intern(str(item.public_id)),
        question=item.payload["question"],
        state=intern(str(verdict.state)) if verdict else "",
        verdict=intern(labels.of(str(verdict.label))) if verdict else "",
        source=intern(str(verdict.source)) if verdict else "",
        rule=intern(str(verdict.rule)) if verdict else "",
        set_aside_reason=intern(str(verdict.set_aside_reason)) if verdict else "",
        votes=intern(cell_json(labels.by_label(verdict.votes))) if verdict else "",
        posterior=cell_json(labels.by_label(verdict.posterior)) if verdict else "",
        n_wanted=item.n_wanted,
        n_counted=item.n_counted,
        is_excluded=is_excluded,
        is_control=item.n_wanted is None,
        is_rehearsal=batch.is_rehearsal,
        is_newest=is_newest,
        came_from=came_from,
        stands=stands,
        **answer,
        evidence=cell_json(evidence) if evidence else "",
        quoted_by=_runs(evidence, "quoted_by"),
        cited_by=_runs(evidence, "cited_by"),
        decided_at=intern(timestamp(verdict.decided_at if verdict else None)),
        after_sources=_is_after_sources(verdict),
    )


@dataclass(frozen=True)
class _LabelsInFiles:
    """The labels of an item as files have them (Scheme.label_in_files)."""

    scheme: str
    payload: Mapping[str, Any]

    def of(self, label: str) -> str:
        """Return the label as files have it; "" of none."""
        return schemes.get(self.scheme).label_in_files(label, self.payload) if label else ""

    def by_label(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {self.of(label): value for label, value in values.items()}


def _is_after_sources(verdict: Verdict | None) -> bool:
    adjudication = verdict.adjudication if verdict else None
    return adjudication is not None and adjudication.after_sources


def _runs(evidence: Sequence[dict[str, Any]], field: str) -> str:
    return "|".join(sorted({run for span in evidence for run in span[field]}))
