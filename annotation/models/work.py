"""What annotators do: claims on items, and judgements, which are only ever added."""

import uuid
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from annotation import review_reasons
from annotation.models.batch import Batch, Guideline
from annotation.models.items import Item
from annotation.models.limits import LONGEST_REASON, LONGEST_SKIP_REASON


class Cursor(models.Model):
    """How far a person has come in a batch. The row is the lock under which one person claims."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="cursors", db_index=False)
    annotator = models.ForeignKey(User, models.PROTECT, related_name="cursors")
    # Items up to here were looked at for this person; the next is searched behind it, then from the start.
    position = models.PositiveIntegerField(default=0)
    # The round of the last of them, where items are handed out in rounds.
    round = models.PositiveSmallIntegerField(default=0)
    # Nothing behind this one was ever handed to the person: what may come from there is counted as it stands.
    furthest = models.PositiveIntegerField(default=0)
    n_taken = models.PositiveIntegerField(default=0)
    # Of these, control items and repeats.
    n_controls = models.PositiveIntegerField(default=0)
    # The question of the last one, by its key, which is only compared; and the number of the claim (from 1) that
    # began with it. Where items of one question come in a row, no control item or repeat stands among them.
    last_turn = models.BigIntegerField(null=True)
    run_from = models.PositiveIntegerField(default=0)
    # Of the person's reservations, those not handed out yet, and all that stand: kept here so that a claim without any
    # asks for none.
    n_waiting = models.PositiveIntegerField(default=0)
    n_part = models.PositiveIntegerField(default=0)
    # What the person's latest Pause says, kept here so that a claim sees it on the row that it locks.
    is_paused = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "annotator"], name="annotation_cursor_once_per_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}:{self.annotator_id}@{self.position}"


class GuidelineReading(models.Model):
    """Somebody said that they read a guideline: it is shown in full before their first item.

    Once, but again where a batch takes it up anew after another one.
    """

    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="readings")
    read_at = models.DateTimeField(default=timezone.now)
    read_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["guideline", "read_by"], name="annotation_guideline_read"),
        ]

    def __str__(self) -> str:
        return f"{self.guideline_id} read by {self.read_by_id}"


class AssignmentState(models.TextChoices):
    CLAIMED = "claimed"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def claimed(self) -> "AssignmentQuerySet":
        return self.filter(state=AssignmentState.CLAIMED)

    def lapsed(self, now: datetime, latest: datetime) -> "AssignmentQuerySet":
        """Return the claims past their time, which still hold a place.

        One that would last past `latest` was made while a clock was ahead, and is past its time too.
        """
        return self.claimed().filter(Q(expires_at__lt=now) | Q(expires_at__gt=latest))

    def with_room(self) -> "AssignmentQuerySet":
        """Return the expired claims that their owner may be handed again."""
        expired = self.filter(state=AssignmentState.EXPIRED, item__is_excluded=False)
        return expired.filter(Q(item__n_open__gt=0) | Q(item__n_wanted=None) | Q(is_reserved=True))


class Assignment(models.Model):
    """One person's claim on an item. Nobody is handed an item twice: the pair is unique."""

    # Without an index of their own: constraint and index below begin with them. A second one costs each
    # claim, and invites PostgreSQL to read all that a person ever did.
    item = models.ForeignKey(Item, models.PROTECT, related_name="assignments", db_index=False)
    annotator = models.ForeignKey(User, models.PROTECT, related_name="assignments", db_index=False)
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    state = models.CharField(
        max_length=10, choices=AssignmentState, default=AssignmentState.CLAIMED
    )
    claimed_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    # When the judgement that stands was submitted: with it a person's latest work is found by index.
    submitted_at = models.DateTimeField(null=True, blank=True)
    # The batch's reason that was chosen, and words of one's own; one of them may be empty.
    skip_choice = models.CharField(max_length=LONGEST_SKIP_REASON, blank=True)
    skip_reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    # Its place is kept for the person: while it is not judged, it goes back to them and not to everybody.
    is_reserved = models.BooleanField(default=False)
    # What was said before the item showed its passages, where its scheme asks for that; it stays as it is.
    first_part = models.JSONField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item", "annotator"], name="annotation_assignment_once_per_person"
            ),
            models.CheckConstraint(
                condition=Q(state__in=AssignmentState.values),
                name="annotation_assignment_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(skip_reason="") | Q(state=AssignmentState.SKIPPED),
                name="annotation_assignment_skip_reason_when_skipped",
            ),
            models.CheckConstraint(
                condition=Q(skip_choice="") | Q(state=AssignmentState.SKIPPED),
                name="annotation_assignment_skip_choice_when_skipped",
            ),
            models.CheckConstraint(
                condition=Q(state=AssignmentState.SUBMITTED, submitted_at__isnull=False)
                | (~Q(state=AssignmentState.SUBMITTED) & Q(submitted_at=None)),
                name="annotation_assignment_submitted_at_when_submitted",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["expires_at"],
                condition=Q(state=AssignmentState.CLAIMED),
                name="annotation_assignment_claimed",
            ),
            # What a person holds, has lost and did last, however much they have done.
            models.Index(
                fields=["annotator", "state", "submitted_at"], name="annotation_assignment_own"
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def skip_because(self) -> str:
        """Why it was skipped: the reason chosen, and the words; "" if it was not skipped."""
        return ": ".join(each for each in (self.skip_choice, self.skip_reason) if each)


class JudgementQuerySet(models.QuerySet["Judgement"]):
    def not_withdrawn(self) -> "JudgementQuerySet":
        """Return the newest judgement of each assignment, unless it is withdrawn."""
        return self.filter(withdrawal=None)

    def counted(self) -> "JudgementQuerySet":
        """Return what verdicts and agreement rest on: not withdrawn, not surplus, not reviewed as not counted."""
        refused = Review.objects.filter(
            judgement=OuterRef("pk"), is_counted=False, replaced_by=None
        )
        return self.not_withdrawn().filter(~Exists(refused), is_surplus=False)

    def payable(self) -> "JudgementQuerySet":
        """Return what is neither withdrawn nor reviewed as not paid: surplus or not counted work is work too."""
        unpaid = Review.objects.filter(judgement=OuterRef("pk"), is_paid=False, replaced_by=None)
        return self.not_withdrawn().filter(~Exists(unpaid))


class Judgement(models.Model):
    """What one person said of one item: one submission. Rows are added, never changed.

    `response` maps the scheme's questions to what was answered. `order` is how the answers stood on
    the screen. `client_id` is made by who submits: the same id again is the same submission.
    """

    assignment = models.ForeignKey(
        Assignment, models.PROTECT, related_name="judgements", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    client_id = models.CharField(max_length=64)
    response = models.JSONField()
    comment = models.TextField(blank=True)
    order = models.JSONField(default=list)
    shown_at = models.DateTimeField()
    submitted_at = models.DateTimeField()
    active_seconds = models.FloatField()
    # It came after the claim had expired and the item had no place left: saved, payable, not counted.
    is_surplus = models.BooleanField(default=False)
    guideline_sha256 = models.CharField(max_length=64)
    payload_sha256 = models.CharField(max_length=64)

    objects = JudgementQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["assignment_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["assignment", "client_id"], name="annotation_judgement_once_per_client_id"
            ),
            models.UniqueConstraint(
                fields=["assignment", "number"], name="annotation_judgement_number_is_unique"
            ),
            models.CheckConstraint(
                condition=~Q(client_id=""), name="annotation_judgement_client_id_is_said"
            ),
            models.CheckConstraint(
                condition=Q(active_seconds__gte=0),
                name="annotation_judgement_active_seconds_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}#{self.number}"


class Withdrawal(models.Model):
    """The person took the judgement back; the assignment is claimed again."""

    judgement = models.OneToOneField(Judgement, models.PROTECT, related_name="withdrawal")
    withdrawn_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"withdrawal of {self.judgement_id}"


class ReviewAct(models.Model):
    """One act of reviewing: the reviews, one or many, that one person wrote at once.

    `undoes` names the act whose reviews this one takes back, by reviews that replace them.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="review_acts")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    undoes = models.ForeignKey("self", models.PROTECT, null=True, related_name="undone")
    asks_again = models.BooleanField(default=False)
    reviewed_at = models.DateTimeField(default=timezone.now)
    reviewed_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return str(self.public_id)


class Review(models.Model):
    """Two decisions on one judgement's work: whether it is paid and whether it is counted.

    Rows are added, never changed. A later decision names the earlier one in `replaces`; each can be
    replaced once and a judgement has one first review, so the end of the line is what stands. A reason
    is a code of annotation.review_reasons and words, which may be empty unless the code is `other`.
    """

    judgement = models.ForeignKey(Judgement, models.PROTECT, related_name="reviews")
    act = models.ForeignKey(ReviewAct, models.PROTECT, related_name="reviews")
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    is_paid = models.BooleanField()
    paid_code = models.CharField(
        max_length=20,
        choices=[(code, code) for code in review_reasons.PAID.codes],
        default=review_reasons.OTHER,
    )
    paid_reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    is_counted = models.BooleanField()
    counted_code = models.CharField(
        max_length=20,
        choices=[(code, code) for code in review_reasons.COUNTED.codes],
        default=review_reasons.OTHER,
    )
    counted_reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    reviewed_at = models.DateTimeField(default=timezone.now)
    reviewed_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["judgement"],
                condition=Q(replaces=None),
                name="annotation_review_one_first_per_judgement",
            ),
            models.CheckConstraint(
                condition=Q(paid_code__in=review_reasons.PAID.codes),
                name="annotation_review_paid_code_is_known",
            ),
            models.CheckConstraint(
                condition=Q(counted_code__in=review_reasons.COUNTED.codes),
                name="annotation_review_counted_code_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(paid_code=review_reasons.OTHER) | ~Q(paid_reason=""),
                name="annotation_review_other_pay_has_words",
            ),
            models.CheckConstraint(
                condition=~Q(counted_code=review_reasons.OTHER) | ~Q(counted_reason=""),
                name="annotation_review_other_count_has_words",
            ),
        ]

    def __str__(self) -> str:
        return f"review of {self.judgement_id}"

    @property
    def paid_because(self) -> str:
        return review_reasons.in_words(self.paid_code, self.paid_reason)

    @property
    def counted_because(self) -> str:
        return review_reasons.in_words(self.counted_code, self.counted_reason)
