"""A rehearsal: simulated people work through a batch by the same actions as real ones."""

import heapq
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.actions import people
from accounts.models import Role, Study, User
from activity.actions import events, organising
from annotation import schemes, simulation
from annotation.actions import claiming, judging, locks
from annotation.models import Assignment, Batch, BatchState, Item, ItemAnswer


class RehearsalError(Exception):
    """The batch cannot be rehearsed; the message says why."""


@dataclass(frozen=True)
class Rehearsed:
    n_items: int
    n_judgements: int
    n_annotators: int


@transaction.atomic
def rehearse(*, batch: Batch, n_annotators: int, accuracy: float, seed: int, by: User) -> Rehearsed:
    """Have simulated people judge the whole batch, each in their own simulated time.

    Refuses a batch that is not open or has any assignment: rehearsed and real work never mix. Whoever
    is free first judges next, until nobody is handed anything.
    """
    _require_meant(n_annotators, accuracy)
    batch = locks.batch(batch.pk)
    # The items are locked: a claim under way is waited for and seen, a later one is refused.
    items = list(batch.items.select_for_update(of=("self",)))
    _require_fresh(batch)
    batch.is_rehearsal = True
    batch.save(update_fields=["is_rehearsal"])
    _give_reproducible_ids(batch, items, seed)
    crowd = [_simulated(batch.study, number, by) for number in range(1, n_annotators + 1)]
    desk = _Desk(batch, seed, accuracy)
    n_judgements = _work_until_dry(desk, crowd)
    rehearsed = Rehearsed(len(items), n_judgements, n_annotators)
    events.record(
        study=batch.study,
        by=by,
        verb="rehearsed",
        target=batch,
        seed=seed,
        accuracy=accuracy,
        n_annotators=n_annotators,
        n_judgements=n_judgements,
    )
    return rehearsed


def _require_meant(n_annotators: int, accuracy: float) -> None:
    if n_annotators < 1:
        raise RehearsalError(f"{n_annotators} annotators: there must be 1 or more")
    if not 0 <= accuracy <= 1:
        raise RehearsalError(f"the accuracy {accuracy} must lie between 0 and 1")


def _require_fresh(batch: Batch) -> None:
    if batch.state != BatchState.OPEN:
        raise RehearsalError(f"the batch {batch.name} is {batch.state}, not open")
    if Assignment.objects.filter(item__batch=batch).exists():
        raise RehearsalError(
            f"the batch {batch.name} was worked on already: rehearse on a batch of its own"
        )


def _give_reproducible_ids(batch: Batch, items: list[Item], seed: int) -> None:
    """Nobody has seen an item yet: in a rehearsal its id follows from the seed and what it shows.

    The study takes part in it: an id is unique among all studies of a database.
    """
    # One query, not a prefetch: SQLite refuses the expression that it makes for a thousand items.
    answers = ItemAnswer.objects.filter(item__batch=batch).order_by("item_id", "number")
    shown: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for answer in answers.select_related("candidate__turn__conversation"):
        candidate = answer.candidate
        shown[answer.item_id].append((candidate.turn.key, candidate.text_sha256))
    for item in items:
        names = (batch.study.slug, batch.name)
        item.public_id = simulation.identifier("item", seed, *names, shown[item.pk])
    Item.objects.bulk_update(items, ["public_id"], batch_size=500)


def _simulated(study: Study, number: int, by: User) -> User:
    name = f"rehearsal-{study.slug}-{number:02d}"
    user = User.objects.filter(username=name).first()
    if user is None:
        user = people.create_user(name=name, password=None, is_simulated=True)
    if not user.is_simulated:
        raise RehearsalError(f"{name} is a person: a rehearsal needs this name for a simulated one")
    organising.add_member(study=study, user=user, roles=[Role.ANNOTATOR], by=by)
    return user


@dataclass(frozen=True)
class _Desk:
    batch: Batch
    seed: int
    accuracy: float


def _work_until_dry(desk: _Desk, crowd: list[User]) -> int:
    free: list[tuple[datetime, int]] = [
        (simulation.EPOCH, number) for number in range(1, len(crowd) + 1)
    ]
    n_judgements = 0
    while free:
        now, number = heapq.heappop(free)
        held = claiming.claim(batch=desk.batch, by=crowd[number - 1], now=now)
        if held:
            done_at = _judge(desk, held[0], number, crowd[number - 1], now)
            heapq.heappush(free, (done_at, number))
            n_judgements += 1
    return n_judgements


def _judge(desk: _Desk, assignment: Assignment, number: int, by: User, now: datetime) -> datetime:
    scheme = schemes.get(desk.batch.scheme)
    item = assignment.item
    public_id = simulation.identifier("assignment", item.public_id, number)
    Assignment.objects.filter(pk=assignment.pk).update(public_id=public_id)
    label = simulation.said_label(
        seed=desk.seed,
        annotator=number,
        item=item.public_id,
        truth=_hidden_label(desk, item, scheme),
        accuracy=desk.accuracy,
        labels=scheme.labels,
    )
    took = simulation.seconds(seed=desk.seed, annotator=number, item=item.public_id)
    submission = judging.Submission(
        client_id=str(public_id),
        response=scheme.response(label),
        shown_at=now,
        active_seconds=took,
    )
    done_at = simulation.after(now, took)
    judging.submit(assignment=assignment, submission=submission, by=by, now=done_at)
    return done_at


def _hidden_label(desk: _Desk, item: Item, scheme: schemes.ChoiceScheme) -> str:
    text_sha256 = item.answers.select_related("candidate").get().candidate.text_sha256
    return simulation.hidden_label(
        scheme=scheme.name,
        seed=desk.seed,
        text_sha256=text_sha256,
        prevalence=scheme.prevalence,
    )
