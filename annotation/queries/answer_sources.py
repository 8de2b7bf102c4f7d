"""Runs, scores and references of the answers of a batch: who may see them, and when.

Whoever knows how a run writes no longer decides blind. So they are hidden while anything on the questions of the
batch is undecided, in any batch of the study, and while work waits that is done blind: docs/adr/0041.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.module_loading import import_string

from accounts import permissions
from accounts.models import Role, User
from annotation import schemes
from annotation.models import (
    Batch,
    BatchState,
    Item,
    ItemAnswer,
    SourcesShown,
    Verdict,
    VerdictState,
)
from annotation.queries import adjudication_access
from annotation.schemes import Shows
from corpus.models import Answer
from sampling.models import Fate
from sampling.pools.selection import State


class Access(StrEnum):
    """Whether somebody sees where an answer came from."""

    NONE = "none"  # there is nothing to see: a control item, or an item with several answers
    HIDDEN = "hidden"
    OFFERED = "offered"  # an adjudicator may ask for it, and is on record then
    SHOWN = "shown"


@dataclass(frozen=True)
class AnswerSource:
    """The origin of an answer, which nobody who decides may know beforehand."""

    runs: tuple[str, ...]
    score: float | None
    scorer: str
    references: tuple[str, ...]


def access(item: Item, reader: User) -> Access:
    """Whether the reader sees the origin of the item's answer now."""
    if item.n_wanted is None or schemes.get(item.batch.scheme).shows != Shows.ANSWER:
        return Access.NONE
    if is_something_left(item.batch, reader):
        return Access.HIDDEN
    if Role.ADJUDICATOR not in permissions.roles(reader, item.batch.study):
        return Access.SHOWN
    is_shown = SourcesShown.objects.filter(batch=item.batch_id, shown_to=reader).exists()
    return Access.SHOWN if is_shown else Access.OFFERED


def is_something_left(batch: Batch, reader: User) -> bool:
    """Whether anything on the batch's questions is undecided, or waits to be done blind."""
    questions = Item.objects.filter(batch=batch).order_by().values("turn")
    if any(items.exists() for items in _undecided(batch)):
        return True
    second_looks = adjudication_access.open_requests(
        first__item__turn__in=questions, first__item__batch__study=batch.study_id
    )
    if second_looks.exists():
        return True
    return any(import_string(waits)(batch, reader) for waits in settings.BLIND_WORK)


def _undecided(batch: Batch) -> Iterator[QuerySet[Item]]:
    """Yield the undecided items on the batch's questions in the batches of the study: of batches at work, then of all.

    An item is decided if its batch is closed and it has a verdict that is not a dispute, or its scheme has no
    verdicts. Rehearsals and work of people say nothing of each other.
    """
    batches = Batch.objects.counting().filter(study=batch.study_id, is_rehearsal=batch.is_rehearsal)
    # Asked of each item by itself, so that none is read after the first that is undecided.
    same_question = Item.objects.filter(batch=batch, turn=OuterRef("turn"))
    items = Item.objects.real().filter(Exists(same_question)).order_by()
    yield items.filter(batch__in=batches.exclude(state=BatchState.CLOSED))
    with_verdict = [name for name in schemes.names() if schemes.get(name).has_verdict]
    # Of all states: a batch may be opened again after the query above.
    others = batches.filter(scheme__in=with_verdict)
    ended = Verdict.objects.current().exclude(state=VerdictState.DISPUTED)
    yield items.filter(~Exists(ended.filter(item=OuterRef("pk"))), batch__in=others)


def was_shown(item: Item, person: User) -> bool:
    """Whether the person was shown the runs of a batch that asks the item's question."""
    rows = SourcesShown.objects.filter(shown_to=person, batch__study=item.batch.study_id)
    return rows.filter(batch__items__turn=item.turn_id).exists()


def source_of(item: Item) -> AnswerSource:
    """The origin of the item's answer, for whom `access` says that it is shown."""
    answers = ItemAnswer.objects.filter(item=item).select_related("candidate__pool__scorer")
    candidate = answers.select_related("candidate__source__pool__scorer").get().candidate
    source = candidate.source or candidate
    fates = Fate.objects.filter(candidate=source, state=State.DRAWN)
    references = Answer.objects.references(source.pool.dataset).filter(turn=item.turn_id)
    return AnswerSource(
        runs=tuple(sorted(set(fates.values_list("answer__run__name", flat=True)))),
        score=source.score,
        scorer=source.pool.scorer.name if source.pool.scorer else "",
        references=tuple(sorted(set(references.values_list("text", flat=True)))),
    )
