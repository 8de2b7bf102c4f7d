"""Who has which reserved items of a batch, how far they are, and what keeps somebody from judging theirs."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from accounts.models import Membership, User
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Item,
    Reservation,
)
from annotation.models.reservation import state_of_work
from annotation.queries import audience, checks, completion
from performance.compiled_queries import Compiled

PART = Compiled(
    lambda *, batch, annotator: (
        Reservation.objects.standing()
        .filter(batch=batch, annotator=annotator)
        .annotate(state=state_of_work())
        .order_by()
        .values("state")
        .annotate(n=Count("pk"))
        .values_list("state", "n")
    )
)


OWN_WAITING = Compiled(
    lambda n, asks_to_write, *, batch, annotator: (
        Reservation.objects.waiting()
        .unread_by(annotator, asks_to_write=asks_to_write)
        .filter(batch=batch, annotator=annotator, item__is_excluded=False)
        .order_by("pk")
        .values_list("item__turn", "item__n_open")[:n]
    )
)


def of_other_round(batch: Batch, person: User) -> set[int]:
    """Return the items (keys) of written answers that the person was handed in another round; no query elsewhere."""
    if not batch.asks_to_write:
        return set()
    own = Item.objects.filter(batch=batch).from_other_round_of(person.pk)
    return set(own.values_list("pk", flat=True))


@dataclass(frozen=True)
class Waiting:
    """An item that waits for a person, by the key of its question. `has_open_place`: others can be handed it too."""

    turn: int
    has_open_place: bool


@dataclass(frozen=True)
class Part:
    """What is reserved for one person in a batch. The states add up to `n`.

    n_judged   judged by them
    n_skipped  skipped by them: the place is open to others
    n_held     on their desk now
    n_left     neither of these: waiting for them
    """

    n_judged: int = 0
    n_skipped: int = 0
    n_held: int = 0
    n_left: int = 0

    @property
    def n(self) -> int:
        return self.n_judged + self.n_skipped + self.n_held + self.n_left

    @property
    def n_to_judge(self) -> int:
        """All but the skipped ones: what the person is told that their part is."""
        return self.n - self.n_skipped


@dataclass(frozen=True)
class PartOfPerson:
    """The part of one person with how far they are, for organisers.

    last_active_at  when they last claimed or submitted something in the batch; None: never
    obstacle        why they are handed nothing of it now; "" if they are
    """

    user: User
    member: Membership
    part: Part
    last_active_at: datetime | None
    obstacle: str

    @property
    def is_stuck(self) -> bool:
        """Whether something is left of the part that the person is not handed."""
        return bool(self.obstacle and self.part.n_left)


def _part(states: Mapping[str | None, int]) -> Part:
    return Part(
        n_judged=states.get(AssignmentState.SUBMITTED, 0),
        n_skipped=states.get(AssignmentState.SKIPPED, 0) + states.get(AssignmentState.WITHDRAWN, 0),
        n_held=states.get(AssignmentState.CLAIMED, 0),
        n_left=states.get(None, 0) + states.get(AssignmentState.EXPIRED, 0),
    )


def own_part(cursor: Cursor) -> Part | None:
    """Return the part of the person whose cursor it is; None, without a query, if nothing is reserved for them."""
    if not cursor.n_part:
        return None
    return _part(dict(PART.all(batch=cursor.batch_id, annotator=cursor.annotator_id)))


def own_parts(cursors: Iterable[Cursor]) -> dict[int, Part]:
    """Return the parts of one person by batch; no query if nothing is reserved for them in any."""
    own = [cursor for cursor in cursors if cursor.n_part]
    if not own:
        return {}
    rows = Reservation.objects.standing().filter(
        batch__in=[cursor.batch_id for cursor in own], annotator=own[0].annotator_id
    )
    counted = (
        rows.annotate(state=state_of_work())
        .order_by()
        .values("batch", "state")
        .annotate(n=Count("pk"))
    )
    states: dict[int, dict[str | None, int]] = defaultdict(dict)
    for batch, work, n in counted.values_list("batch", "state", "n"):
        states[batch][work] = n
    return {batch: _part(each) for batch, each in states.items()}


def own_waiting(cursor: Cursor, n: int) -> list[Waiting]:
    """Return the first n items that wait for the person whose cursor it is; [], without a query, if none does."""
    if not cursor.n_waiting:
        return []
    whose = {"batch": cursor.batch_id, "annotator": cursor.annotator_id}
    rows = OWN_WAITING.all(n, cursor.batch.asks_to_write, **whose)
    return [Waiting(turn, n_open > 0) for turn, n_open in rows]


def waiting_by_batch(cursors: Iterable[Cursor]) -> dict[int, tuple[int, int]]:
    """Return how many items wait for one person in each batch, and how many of these others can be handed too; no
    query if none waits.
    """
    own = [cursor for cursor in cursors if cursor.n_waiting]
    if not own:
        return {}
    rows = Reservation.objects.waiting().filter(
        batch__in=[cursor.batch_id for cursor in own],
        annotator=own[0].annotator_id,
        item__is_excluded=False,
    )
    counted = (
        rows.order_by()
        .values("batch")
        .annotate(n=Count("pk"), n_open=Count("pk", filter=Q(item__n_open__gt=0)))
    )
    return {row["batch"]: (row["n"], row["n_open"]) for row in counted}


def people_with_parts(batch: Batch) -> QuerySet[User]:
    """Return the people for whom something of the batch is reserved, by name."""
    own = Reservation.objects.standing().filter(batch=batch, annotator=OuterRef("pk"))
    return User.objects.filter(Exists(own)).order_by("username")


def parts(batch: Batch, people: Collection[User] | None = None) -> list[PartOfPerson]:
    """Return the parts of these people, of all who have one if None, by name. The number of queries is constant."""
    found = list(people_with_parts(batch)) if people is None else list(people)
    if not found:
        return []
    keys = [person.pk for person in found]
    rows = Reservation.objects.standing().filter(batch=batch, annotator__in=keys)
    counted = (
        rows.annotate(state=state_of_work())
        .order_by()
        .values("annotator", "state")
        .annotate(n=Count("pk"))
    )
    states: dict[int, dict[str | None, int]] = defaultdict(dict)
    for person, work, n in counted.values_list("annotator", "state", "n"):
        states[person][work] = n
    members = {each.user_id: each for each in batch.study.memberships.filter(user__in=keys)}
    active = _last_active(batch, keys)
    hindered = obstacles(batch, keys)
    return [
        PartOfPerson(
            person,
            members[person.pk],
            _part(states[person.pk]),
            active.get(person.pk),
            hindered.get(person.pk, ""),
        )
        for person in found
    ]


def _last_active(batch: Batch, people: Collection[int]) -> dict[int, datetime]:
    own = Assignment.objects.filter(item__batch=batch, annotator__in=people).order_by()
    rows = own.values("annotator").annotate(claimed=Max("claimed_at"), sent=Max("submitted_at"))
    return {
        row["annotator"]: max(filter(None, (row["claimed"], row["sent"])))  # claimed is always set
        for row in rows
    }


def obstacles(batch: Batch, people: Collection[int]) -> dict[int, str]:
    """Return why each of these people (keys) is handed nothing of the batch, whatever is left; without the others."""
    with_desk = completion.annotators(batch.study)
    held = audience.holders([batch]).get(batch.qualification_id or 0, frozenset())
    paused = set(
        Cursor.objects.filter(batch=batch, annotator__in=people, is_paused=True).values_list(
            "annotator", flat=True
        )
    )
    barred = checks.failed_people(batch, people)
    found = {}
    for person in people:
        if person not in with_desk:
            found[person] = f"does not annotate in the study {batch.study.slug}"
        elif batch.qualification is not None and person not in held:
            found[person] = f"does not hold the qualification {batch.qualification.name}"
        elif person in paused:
            found[person] = "is paused in the batch"
        elif person in barred:
            found[person] = "did not pass the questions on the guideline"
    return found


def people_at_parts(batch: Batch) -> list[int]:
    """Return the keys of the people for whom something of the batch is reserved, by one query of few rows."""
    cursors = Cursor.objects.filter(batch=batch, n_part__gt=0)
    return list(cursors.values_list("annotator", flat=True))


def n_stuck(batch: Batch, people: Collection[int]) -> int:
    """Return how many reserved items wait for those of these people (keys) who are handed nothing of the batch; 0 once
    it is closed. No query if `people` is empty.
    """
    if batch.state not in (BatchState.OPEN, BatchState.PAUSED):
        return 0
    hindered = obstacles(batch, people) if people else {}
    if not hindered:
        return 0
    left = Reservation.objects.left().filter(batch=batch, annotator__in=hindered)
    return left.exclude(Q(work__isnull=False, work=AssignmentState.CLAIMED)).count()


def rows_of(batch: Batch, person: User) -> QuerySet[Reservation]:
    """Return the reservations that a person has in the batch, in the order in which they are handed out."""
    own = Reservation.objects.standing().filter(batch=batch, annotator=person)
    return own.with_work().select_related("item__turn").order_by("pk")


@dataclass(frozen=True)
class Ended:
    """Reservations of one person that ended at once, and why."""

    annotator: str
    n: int
    ended_at: datetime
    ended_by: str
    reason: str


def ended_groups(batch: Batch) -> list[Ended]:
    """Return the reservations of the batch that ended, those of a person that ended at once as one; the newest first."""
    rows = Reservation.objects.filter(batch=batch, ended_at__isnull=False).order_by()
    grouped = rows.values_list(
        "annotator__username", "ended_at", "ended_by__username", "end_reason"
    ).annotate(n=Count("pk"))
    return [
        Ended(name, n, at, by or "", reason)
        for name, at, by, reason, n in grouped.order_by("-ended_at", "annotator__username")
        if at is not None
    ]


def objection(batch: Batch) -> str:
    """Return why no item of the batch can be reserved or reassigned now; "" if some can."""
    if batch.is_rehearsal:
        return "In a rehearsal nobody real works, so nothing is reserved."
    if batch.is_training:
        return "In a training everybody judges all items, so nothing is reserved."
    if batch.state == BatchState.DRAFT:
        return "A draft has no items yet. Pause the batch once it is open, reserve items, and resume it."
    if batch.state == BatchState.CLOSED:
        return "The batch is closed: nothing of it is reserved or reassigned any more."
    return ""
