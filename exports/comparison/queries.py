"""The batches that compare runs, and their rows that figures are computed from."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet

from accounts.models import Study
from annotation.models import Batch, BatchState, Item, Judgement
from annotation.schemes import SchemeRole, get, with_role
from annotation.schemes.preference import SCHEME as PREFERENCE
from annotation.schemes.rating import SCHEME as RATING
from corpus import queries as corpus_queries
from corpus.models import Answer, RunKind, Turn, turn_key
from exports.comparison.columns import AnswerRow, BatchRow
from exports.comparison.measures import measure_values
from exports.comparison.records_from_rows import Rows
from exports.rows.columns import JudgementRow
from exports.rows.ids import answer_id
from exports.rows.judgements import judgement_rows
from jobs.basis import Decisions
from sampling.models import Candidate, Pool, PoolPassage
from sampling.pools.selection import State
from scoring import queries as scoring_tables
from scoring.registry import MEASURES
from scoring.text_hashes import stripped, text_sha256

SCHEMES = [each.name for each in with_role(SchemeRole.COMPARISON)]
PASSAGE_SCHEMES = [name for name in SCHEMES if get(name).judges_passages]
RELATED_ROWS = ("study", "pool__dataset", "guideline")


def launched_batches(study: Study) -> QuerySet[Batch]:
    """The batches that compare runs, without drafts, in the order of their creation."""
    rows = study.batches.counting().filter(scheme__in=SCHEMES).exclude(state=BatchState.DRAFT)
    return rows.select_related(*RELATED_ROWS).order_by("created_at", "pk")


def only_compares(study: Study) -> bool:
    """Whether the study compares runs and no batch asks anything else, so that no answer is accepted."""
    others = study.batches.counting().exclude(scheme__in=SCHEMES)
    return launched_batches(study).exists() and not others.exists()


def counted_batches(study: Study) -> list[Batch]:
    """The launched batches that count: the real ones or, if there is none, the rehearsed ones."""
    found = list(launched_batches(study))
    return [batch for batch in found if not batch.is_rehearsal] or found


def left_out_of(
    primary: Mapping[str, Any] | None, study: Study, batches: Collection[Batch]
) -> list[str]:
    """The names of the batches that count for the primary comparison and are not among these."""
    if primary is None:
        return []
    scheme = PREFERENCE.name if primary["measure"] == "preference" else RATING.name
    return [
        batch.name
        for batch in counted_batches(study)
        if (batch.pool.name, batch.scheme) == (primary["pool"], scheme) and batch not in batches
    ]


def n_counted(batches: Sequence[Batch]) -> int:
    """The number of judgements that figures computed now would rest on."""
    counted = Judgement.objects.counted().filter(
        assignment__item__batch__in=batches,
        assignment__item__n_wanted__isnull=False,
        assignment__item__is_excluded=False,
    )
    return counted.count()


def run_decisions(batches: Sequence[Batch]) -> Decisions:
    """How often a run of the batches' data sets was withdrawn, restored, renamed or described anew."""
    return corpus_queries.run_decisions({batch.pool.dataset_id for batch in batches})


def rows(batches: Sequence[Batch]) -> Rows:
    return Rows(batch_rows(batches), judgements(batches), answers(batches))


def batch_rows(batches: Sequence[Batch]) -> list[BatchRow]:
    asked = Count("items", filter=Q(items__n_wanted__isnull=False))
    excluded = Count("items", filter=Q(items__n_wanted__isnull=False, items__is_excluded=True))
    counts = Batch.objects.filter(pk__in=[batch.pk for batch in batches]).annotate(
        n_items=asked, n_excluded=excluded
    )
    of_batch = {
        pk: (n, n_out) for pk, n, n_out in counts.values_list("pk", "n_items", "n_excluded")
    }
    return [
        BatchRow(
            study=batch.study.slug,
            batch=batch.name,
            scheme=batch.scheme,
            pool=batch.pool.name,
            setup=setup_of(batch.pool),
            dataset=str(batch.pool.dataset),
            state=BatchState(batch.state).value,
            is_rehearsal=batch.is_rehearsal,
            n_items=of_batch[batch.pk][0],
            n_excluded=of_batch[batch.pk][1],
        )
        for batch in sorted(batches, key=lambda batch: batch.name)
    ]


def setup_of(pool: Pool) -> str:
    return str(pool.rule.get("setup", ""))


def judgements(batches: Sequence[Batch]) -> list[JudgementRow]:
    """The rows of judgements, without those of excluded items."""
    items = Item.objects.filter(batch__in=batches, is_excluded=True)
    excluded = {str(public_id) for public_id in items.values_list("public_id", flat=True)}
    return [row for row in judgement_rows(batches) if row.item_id not in excluded]


def answers(batches: Sequence[Batch]) -> list[AnswerRow]:
    """The runs' answers to the questions of the batches' pools, sorted by pool, run and turn."""
    pools = {batch.pool.name: batch.pool for batch in batches}
    return [row for name in sorted(pools) for row in _answers_in(pools[name])]


def _answers_in(pool: Pool) -> list[AnswerRow]:
    candidates = Candidate.objects.filter(pool=pool).order_by()
    turns = {turn.pk: turn for turn in _turns(pool)}
    references = scoring_tables.references(pool.dataset, turns)
    passages = _passages(pool)
    found = Answer.objects.filter(
        fates__pool=pool,
        fates__state__in=[State.DRAWN, State.EMPTY],
        turn__in=candidates.values("turn"),
        run__is_withdrawn=False,
    )
    rows = [
        _answer_row(pool, answer, turns[answer.turn_id], references, passages)
        for answer in found.select_related("run")
    ]
    return sorted(rows, key=lambda row: (row.run, row.turn_id))


# Table -> the function that reads its rows.
READERS: dict[str, Callable[[Sequence[Batch]], list[Any]]] = {
    "batches.csv": batch_rows,
    "judgements.csv": judgements,
    "answers.csv": answers,
}


def passage_items(
    batches: Sequence[Batch], questions: Collection[str]
) -> dict[str, tuple[uuid.UUID, str]]:
    """Return by turn the newest item that asks about its passages: its public id, and the
    question it shows.
    """
    if not questions:
        return {}
    items = Item.objects.filter(
        batch__in=batches, batch__scheme__in=PASSAGE_SCHEMES, n_wanted__isnull=False
    )
    asked = (
        items.annotate(key_of_turn=turn_key("turn__"))
        .filter(key_of_turn__in=questions)
        .order_by("-pk")
    )
    return {
        item.turn.key: (item.public_id, item.payload["question"])
        for item in asked.select_related("turn__conversation")
    }


def _turns(pool: Pool) -> QuerySet[Turn]:
    asked = Candidate.objects.filter(pool=pool).order_by()
    turns = Turn.objects.filter(pk__in=asked.values("turn")).select_related("conversation")
    return turns.only("conversation__key", "number", "question", "rewrite")


def _passages(pool: Pool) -> Mapping[int, list[str]]:
    """The texts of the pool's passages by turn, in their order on the screen."""
    found: dict[int, list[str]] = defaultdict(list)
    shown = PoolPassage.objects.filter(pool=pool).order_by("turn", "position")
    for turn, text in shown.values_list("turn_id", "passage__text"):
        found[turn].append(text or "")
    return found


def _answer_row(
    pool: Pool,
    answer: Answer,
    turn: Turn,
    references: Mapping[int, Sequence[str]],
    passages: Mapping[int, Sequence[str]],
) -> AnswerRow:
    text = stripped(answer.text)
    is_reference = answer.run.kind == RunKind.REFERENCE
    compared_with = () if is_reference else references.get(turn.pk, ())
    return AnswerRow(
        study=pool.study.slug,
        pool=pool.name,
        setup=setup_of(pool),
        turn_id=turn.key,
        question=turn.standalone,
        run=answer.run.name,
        kind=answer.run.kind,
        answer_id=answer_id(turn.key, text_sha256(text)) if text else "",
        text=text,
        is_answerable=turn.pk in references,
        length=len(text),
        says_unanswerable=bool(MEASURES["unanswerable"].value(text, ())),
        **measure_values(text, references=compared_with, passages=passages.get(turn.pk, ())),
    )
