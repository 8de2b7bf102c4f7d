"""Reservations: places of items that are kept for one person."""

from typing import ClassVar

from django.db import models
from django.db.models import Expression, OuterRef, Q, Subquery
from django.utils import timezone

from accounts.models import User
from annotation.models.batch import Batch
from annotation.models.items import Item
from annotation.models.limits import LONGEST_REASON
from annotation.models.work import Assignment, AssignmentState

# With these the person is done with the item: it was judged, or given back for good.
DONE_STATES = (AssignmentState.SUBMITTED, AssignmentState.SKIPPED, AssignmentState.WITHDRAWN)


def state_of_work() -> Subquery:
    """Return an expression of reservations: the state of the person's assignment on the item; None without one."""
    own = Assignment.objects.filter(item=OuterRef("item"), annotator=OuterRef("annotator"))
    return Subquery(own.values("state")[:1])


class ReservationQuerySet(models.QuerySet["Reservation"]):
    def standing(self) -> "ReservationQuerySet":
        """Return those that were not ended: what people have now, judged or not."""
        return self.filter(ended_at=None)

    def waiting(self) -> "ReservationQuerySet":
        """Return those not ended that were not handed out yet."""
        return self.standing().filter(handed_at=None)

    def unread_by(
        self, annotator: int | Expression, *, asks_to_write: bool
    ) -> "ReservationQuerySet":
        """Return them without the items that this person was handed in another round since, where people write."""
        if not asks_to_write:
            return self
        return self.exclude(item__in=Item.objects.from_other_round_of(annotator).values("pk"))

    def with_work(self) -> "ReservationQuerySet":
        """Return them with `work`, the state of the person's assignment on the item; None: they never had it."""
        return self.annotate(work=state_of_work())  # type: ignore[no-redef]

    def left(self) -> "ReservationQuerySet":
        """Return those not ended whose item the person has neither judged nor skipped; with `work`."""
        is_done = Q(work__isnull=False, work__in=DONE_STATES)
        return self.standing().with_work().exclude(is_done)


class Reservation(models.Model):
    """A place of an item that is kept for one person: nobody else is handed it.

    It ends once, when the place goes to somebody else or back to everybody; a new one is another row. Judging the
    item does not end it, so that a person's part stays what it was.
    """

    batch = models.ForeignKey(
        Batch, models.PROTECT, related_name="reservations", db_index=False
    )  # that of the item, so that a claim finds a person's own by one index
    item = models.ForeignKey(Item, models.PROTECT, related_name="reservations", db_index=False)
    annotator = models.ForeignKey(User, models.PROTECT, related_name="reservations", db_index=False)
    reserved_at = models.DateTimeField(default=timezone.now)
    reserved_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    # When the person was handed the item; None: it waits for them.
    handed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    end_reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    work: str | None  # of with_work()

    objects = ReservationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item", "annotator"],
                condition=Q(ended_at=None),
                name="annotation_reservation_once_per_person",
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None, end_reason="")
                | (Q(ended_at__isnull=False, ended_by__isnull=False) & ~Q(end_reason="")),
                name="annotation_reservation_end_says_who_and_why",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["batch", "annotator", "id"],
                condition=Q(ended_at=None, handed_at=None),
                name="annotation_reservation_waiting",
            ),
            models.Index(fields=["batch", "annotator"], name="annotation_reservation_own"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} for {self.annotator_id}"
