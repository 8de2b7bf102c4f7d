"""Rows that simulated people leave of their work in a batch, written in bulk: those that real people leave.

With the desk's actions a thousand items would take most of a minute, in which nobody else could write on SQLite.
tests/annotation/actions/test_rehearsals.py does the same work with those actions and asserts that the rows are equal.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from accounts.models import User
from annotation import schemes
from annotation.design import answer_order
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Cursor,
    Item,
    ItemAnswer,
    Judgement,
)
from annotation.rehearsal import annotators
from annotation.rehearsal.annotators import Work
from annotation.rehearsal.crowds import Crowd
from annotation.schemes import Scheme
from annotation.schemes.base import Response
from annotation.schemes.choice import ChoiceScheme

ROWS_AT_ONCE = 500

# The response of a judgement to its item, in the order of the answers on the screen.
Respond = Callable[[Item, Sequence[int], Work], Response]


@dataclass(frozen=True)
class Desk:
    """A batch that is rehearsed, its items in their order, and how its people respond."""

    batch: Batch
    items: list[Item]
    respond: Respond

    @property
    def scheme(self) -> Scheme:
        return schemes.get(self.batch.scheme)


def by_accuracy(scheme: Scheme, *, seed: int, accuracy: float) -> Respond:
    """Return how people respond who are all right so often."""

    def respond(item: Item, order: Sequence[int], work: Work) -> Response:
        return scheme.simulated_response(
            item.payload,
            order,
            seed=seed,
            annotator=work.annotator,
            item=item.public_id,
            accuracy=accuracy,
        )

    return respond


def by_habits(scheme: ChoiceScheme, crowd: Crowd) -> Respond:
    """Return how the people of a file respond to items of a batch whose truth is simulated."""

    def respond(item: Item, order: Sequence[int], work: Work) -> Response:
        truth = scheme.true_label(item.payload, order, seed=crowd.seed)
        return scheme.response(crowd.label(work, item.public_id, truth))

    return respond


def set_reproducible_ids(batch: Batch, items: list[Item], seed: int) -> None:
    """Set each item's id (not saved) from the seed, the study, the batch and what the item shows.

    Possible because nobody has seen an item yet. The study is part of it because an id is unique in a database, and
    the batch by its first name because a later one may become another batch's.
    """
    # One query, not a prefetch: SQLite refuses the long expression of a prefetch of a thousand items.
    answers = ItemAnswer.objects.filter(item__batch=batch).order_by("item_id", "number")
    texts: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for answer in answers.select_related("candidate__turn__conversation"):
        candidate = answer.candidate
        texts[answer.item_id].append((candidate.turn.key, candidate.text_sha256))
    if len(texts) < len(items):  # items without answers are known by their question
        bare = Item.objects.filter(batch=batch, answers=None).select_related("turn__conversation")
        texts |= {item.pk: [(item.turn.key, "")] for item in bare}
    for item in items:
        names = (batch.study.slug, batch.lot_name)
        item.public_id = annotators.identifier("item", seed, *names, texts[item.pk])


def write(desk: Desk, crowd: Sequence[User], works: Sequence[Work]) -> None:
    """Write the judgements with all that belongs to them. `crowd` are the people by their number from 1."""
    assignments = [_assignment(desk, crowd, work) for work in works]
    judgements = [
        _judgement(desk, assignment, work)
        for assignment, work in zip(assignments, works, strict=True)
    ]
    for assignment, judgement in zip(assignments, judgements, strict=True):
        assignment.first_part = desk.scheme.first_part(judgement.response, assignment.item.payload)
    Assignment.objects.bulk_create(assignments, batch_size=ROWS_AT_ONCE)
    Judgement.objects.bulk_create(judgements, batch_size=ROWS_AT_ONCE)
    _store_items(desk.items, works)
    of_person: dict[int, list[Work]] = defaultdict(list)
    for work in works:
        of_person[work.annotator].append(work)
    Cursor.objects.bulk_create(
        _cursor(desk, person, of_person[number]) for number, person in enumerate(crowd, start=1)
    )


def _assignment(desk: Desk, crowd: Sequence[User], work: Work) -> Assignment:
    item = desk.items[work.index]
    return Assignment(
        item=item,
        annotator=crowd[work.annotator - 1],
        public_id=annotators.identifier("assignment", item.public_id, work.annotator),
        state=AssignmentState.SUBMITTED,
        submitted_at=work.done_at,
        claimed_at=work.began_at,
        expires_at=work.began_at + timedelta(seconds=desk.batch.claim_seconds),
    )


def _judgement(desk: Desk, assignment: Assignment, work: Work) -> Judgement:
    item = assignment.item
    order = answer_order.screen_order(
        desk.scheme.shows,
        item.payload,
        seed=desk.batch.seed,
        batch=desk.batch.lot_name,
        item=item.payload_sha256,
        annotator=work.annotator,
    )
    return Judgement(
        assignment=assignment,
        number=1,
        client_id=str(assignment.public_id),
        response=desk.respond(item, order, work),
        order=order,
        shown_at=work.began_at,
        submitted_at=work.done_at,
        active_seconds=work.active_seconds,
        guideline_sha256=desk.batch.guideline.sha256,
        payload_sha256=item.payload_sha256,
    )


def _store_items(items: list[Item], works: Sequence[Work]) -> None:
    n_judged = Counter(work.index for work in works)
    for index, n_judgements in n_judged.items():
        if items[index].n_wanted is not None:  # a keyed item has no places
            items[index].n_open -= n_judgements
            items[index].n_counted += n_judgements
    changed = ["public_id", "n_open", "n_counted"]
    Item.objects.bulk_update(items, changed, batch_size=ROWS_AT_ONCE)


def _cursor(desk: Desk, person: User, works: Sequence[Work]) -> Cursor:
    is_keyed = desk.batch.is_training  # its cursor counts, and stays where it is
    positions = (
        [0] if is_keyed or not works else [desk.items[each.index].position for each in works]
    )
    return Cursor(
        batch=desk.batch,
        annotator=person,
        position=positions[-1],
        round=works[-1].round if works else 0,
        furthest=max(positions),
        n_taken=len(works),
        n_controls=len(works) if is_keyed else 0,
    )
