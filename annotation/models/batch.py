"""Batches: what is asked under which conditions, and the guidelines that people judge by."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study, User
from accounts.withdrawable import Withdrawable
from annotation import schemes
from annotation.models import limits
from annotation.models.checks import ComprehensionCheck
from annotation.models.trust import Qualification, StandingState
from annotation.schemes.routing import Routes
from corpus.models import plain_name
from sampling import pay
from sampling.models import Pool


class Guideline(models.Model):
    """A text that annotators judge by. A row never changes: another text is another row."""

    study = models.ForeignKey(Study, models.PROTECT, related_name="guidelines")
    scheme = models.CharField(max_length=40)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "scheme", "sha256"], name="annotation_guideline_text_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scheme}:{self.sha256[:12]}"


class BatchState(models.TextChoices):
    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class Grouping(models.TextChoices):
    QUESTION = "question"  # items of one question in a row
    FEWEST = "fewest"  # the same, and each item once before any is asked again
    NONE = "none"


class BatchPurpose(models.TextChoices):
    WORK = "work"
    PILOT = "pilot"  # a small batch before the work, judged and settled as any other
    TRAINING = (
        "training"  # control items only; after each judgement people are told what was expected
    )


class BatchQuerySet(models.QuerySet["Batch"]):
    def not_withdrawn(self) -> "BatchQuerySet":
        return self.filter(is_withdrawn=False)

    def counting(self) -> "BatchQuerySet":
        """Return the batches that count in what is computed or decided: not withdrawn ones, nor training."""
        return self.not_withdrawn().exclude(purpose=BatchPurpose.TRAINING)


class Batch(Withdrawable):
    """Items of one pool under one scheme, and how they are handed out."""

    study = models.ForeignKey(Study, models.PROTECT, related_name="batches")
    name = models.CharField(max_length=100, validators=[plain_name])
    scheme = models.CharField(max_length=40)
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="batches")
    # The one in force. Earlier ones of an opened batch are its GuidelineVersion rows.
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="batches")
    # Since when, if it was changed after the batch opened; None: it has one version.
    guideline_since = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=BatchState, default=BatchState.DRAFT)
    judgements_per_item = models.PositiveSmallIntegerField(
        default=2, validators=[limits.require_judgements]
    )
    claim_seconds = models.PositiveIntegerField(
        default=30 * 60, validators=[limits.require_claim_seconds]
    )
    # The most items that one person holds: the one on the screen and those fetched ahead of it.
    prefetch_depth = models.PositiveSmallIntegerField(
        default=5, validators=[limits.require_items_ahead]
    )
    # Which annotators choose from when they skip an item.
    skip_reasons = models.JSONField(
        default=limits.default_skip_reasons, blank=True, validators=[limits.require_skip_reasons]
    )
    grouping = models.CharField(max_length=10, choices=Grouping, default=Grouping.QUESTION)
    # The most of the batch's items that one person may take, as a share; None: no limit.
    largest_share = models.FloatField(null=True, blank=True, validators=[limits.require_share])
    # The same as a number of items, set when the items are made.
    most_per_person = models.PositiveIntegerField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    # With how many others of its question each answer is put side by side; None: with all of them.
    opponents_per_answer = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[limits.require_opponents]
    )
    shows_context = models.BooleanField(default=True)
    # Whether the answers are shown as Markdown, or as they were written.
    shows_markdown = models.BooleanField(default=False)
    # What one judgement pays; None: nothing, and there is no currency.
    reward = models.DecimalField(
        max_digits=9,
        decimal_places=pay.PLACES,
        null=True,
        blank=True,
        validators=[limits.require_reward],
    )
    currency = models.CharField(
        max_length=3, blank=True, choices=[(code, code) for code in pay.SIGNS]
    )
    # How long one judgement is expected to take.
    expected_seconds = models.PositiveIntegerField(
        default=30, validators=[limits.require_expected_seconds]
    )
    # Whether annotators see how their labels agree with the verdicts, once it is settled.
    gives_feedback = models.BooleanField(default=False)
    # One item in so many that a person is handed is a control item, as long as there are some; None: none is.
    control_every = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[limits.require_control_every]
    )
    # One item in so many that a person is handed is one of their own again; None: none is.
    repeat_every = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[limits.require_repeat_every]
    )
    # Since when it has a Notice; None: it has none, and its desk asks for none.
    notice_since = models.DateTimeField(null=True, blank=True)
    seed = models.BigIntegerField(default=1)
    # The name under which its orders are drawn, if it was renamed after it opened; "": its name.
    first_name = models.CharField(max_length=100, blank=True)
    is_rehearsal = models.BooleanField(default=False)
    # Who may work on it: those who hold this; None: every annotator of the study. Frozen once it opened.
    qualification = models.ForeignKey(
        Qualification, models.PROTECT, null=True, blank=True, related_name="batches"
    )
    purpose = models.CharField(max_length=10, choices=BatchPurpose, default=BatchPurpose.WORK)
    # Of a second round the batch whose written answers it shows, and which of them; None and "": it is none.
    first_round = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="second_rounds"
    )
    routes = models.CharField(
        max_length=12, blank=True, choices=[(each.value, each.value) for each in Routes]
    )
    # The qualification that the answers of a training batch decide on; None: a training that decides nothing.
    trains_for = models.ForeignKey(
        Qualification, models.PROTECT, null=True, blank=True, related_name="trainings"
    )
    # What people answer before their first item; None: nothing. Frozen once it opened.
    comprehension_check = models.ForeignKey(
        ComprehensionCheck, models.PROTECT, null=True, blank=True, related_name="batches"
    )
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")

    # What was decided of one person, of a batch read by queries.audience.with_standing; None: nothing.
    newest_standing: str | None

    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["study_id", "created_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "name"], name="annotation_batch_name_is_unique"
            ),
            models.CheckConstraint(
                condition=Q(state__in=BatchState.values), name="annotation_batch_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(grouping__in=Grouping.values), name="annotation_batch_grouping_is_known"
            ),
            models.CheckConstraint(
                condition=Q(judgements_per_item__gte=1), name="annotation_batch_asks_at_least_once"
            ),
            models.CheckConstraint(
                condition=Q(largest_share=None) | Q(largest_share__gt=0, largest_share__lte=1),
                name="annotation_batch_largest_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(opponents_per_answer=None) | Q(opponents_per_answer__gte=1),
                name="annotation_batch_opponents_are_some",
            ),
            models.CheckConstraint(
                condition=Q(reward=None, currency="")
                | Q(reward__isnull=False, reward__gt=0, currency__in=list(pay.SIGNS)),
                name="annotation_batch_reward_and_currency_or_none",
                violation_error_message="A paid batch has a reward and its currency, an unpaid one neither.",
            ),
            models.CheckConstraint(
                condition=Q(control_every=None) | Q(control_every__gte=2),
                name="annotation_batch_controls_are_fewer_than_items",
            ),
            models.CheckConstraint(
                condition=Q(repeat_every=None) | Q(repeat_every__gte=2),
                name="annotation_batch_repeats_are_fewer_than_items",
            ),
            models.CheckConstraint(
                condition=Q(expected_seconds__gte=1), name="annotation_batch_expects_some_time"
            ),
            models.CheckConstraint(
                condition=Q(
                    state=BatchState.CLOSED, closed_at__isnull=False, closed_by__isnull=False
                )
                | (~Q(state=BatchState.CLOSED) & Q(closed_at=None, closed_by=None)),
                name="annotation_batch_closed_at_and_by_when_closed",
            ),
            models.CheckConstraint(
                condition=Q(purpose__in=BatchPurpose.values),
                name="annotation_batch_purpose_is_known",
            ),
            models.CheckConstraint(
                condition=Q(
                    purpose=BatchPurpose.TRAINING,
                    control_every=None,
                    repeat_every=None,
                    is_rehearsal=False,
                )
                | (~Q(purpose=BatchPurpose.TRAINING) & Q(trains_for=None)),
                name="annotation_batch_training_fits",
                violation_error_message="Only training decides on a qualification; it hides no control items or repeats, and"
                " it is for people, not for a rehearsal.",
            ),
            models.CheckConstraint(
                condition=Q(first_round=None, routes="")
                | Q(first_round__isnull=False, routes__in=[each.value for each in Routes]),
                name="annotation_batch_second_round_says_which",
            ),
            models.CheckConstraint(
                condition=Q(is_withdrawn=False) | Q(state=BatchState.CLOSED),
                name="annotation_batch_closed_when_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def withdrawn_objection(self) -> str:
        """Why nothing more can be decided in it while it is withdrawn; "" while it is not."""
        return f"the batch {self} is withdrawn: bring it back first" if self.is_withdrawn else ""

    @property
    def is_training(self) -> bool:
        return self.purpose == BatchPurpose.TRAINING

    @property
    def asks_to_write(self) -> bool:
        """Whether people write answers in it, which another round may show to others."""
        return schemes.get(self.scheme).role == schemes.SchemeRole.WRITING

    @property
    def has_repeats(self) -> bool:
        """Whether it hands out repeats. Simulated people get none, as they get no control items."""
        return self.repeat_every is not None and not self.is_rehearsal

    @property
    def has_hidden_items(self) -> bool:
        """Whether control items or repeats come among its items."""
        return self.control_every is not None or self.has_repeats

    @property
    def is_for_everybody(self) -> bool:
        """Whether every annotator is in its audience. Simulated people hold no qualifications."""
        return self.qualification_id is None or self.is_rehearsal

    @property
    def is_admitted(self) -> bool:
        """Whether the person of whom `newest_standing` says what was decided is in its audience."""
        return self.is_for_everybody or self.newest_standing == StandingState.GRANTED

    @property
    def lot_name(self) -> str:
        """The name that random orders are drawn with: renaming the batch changes none of them."""
        return self.first_name or self.name

    @property
    def price(self) -> pay.Money | None:
        """The payment for one judgement; None where it is unpaid."""
        return pay.price(self.reward, self.currency)
