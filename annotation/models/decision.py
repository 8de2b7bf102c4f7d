"""What is decided about work and items. Every row is added and none is changed.

A row that changes an earlier decision names it in `replaces`. A row can be replaced once, and an item
has one first row: so the rows form a line, and the current one is its end.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.items import Item
from annotation.models.limits import LONGEST_REASON, LONGEST_SECTION


class Exclusion(models.Model):
    """An item is left out of the analysis, or (`is_excluded` false) taken in again."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="exclusions")
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    is_excluded = models.BooleanField()
    reason = models.CharField(max_length=LONGEST_REASON)
    excluded_at = models.DateTimeField(default=timezone.now)
    excluded_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item"],
                condition=Q(replaces=None),
                name="annotation_exclusion_one_first_per_item",
            ),
        ]

    def __str__(self) -> str:
        return f"exclusion of {self.item_id}"


class AdjudicationQuerySet(models.QuerySet["Adjudication"]):
    def not_retracted(self) -> "AdjudicationQuerySet":
        return self.filter(retraction=None)


class Adjudication(models.Model):
    """An adjudicator's label for an item, with the reason.

    `response` has the texts, where a label does not say all: a response of the scheme; else it is empty. An item of a
    second round of written answers has no verdict: the latest adjudication stands there while it is about the answers
    that there are (queries.written_pairs).
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="adjudications")
    label = models.CharField(max_length=40)
    response = models.JSONField(default=dict, blank=True)
    # Of written answers, the hash of those that were decided between (annotation.deciding.sha256).
    between_sha256 = models.CharField(max_length=64, default="", blank=True)
    reason = models.CharField(max_length=LONGEST_REASON)
    # Whether the adjudicator had been shown runs, scores and references before (SourcesShown).
    after_sources = models.BooleanField(default=False)
    adjudicated_at = models.DateTimeField(default=timezone.now)
    adjudicated_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = AdjudicationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["item_id", "pk"]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.label}"


class Retraction(models.Model):
    """An adjudication was taken back; what stood before it stands again, by a verdict of its own."""

    adjudication = models.OneToOneField(Adjudication, models.PROTECT, related_name="retraction")
    retracted_at = models.DateTimeField(default=timezone.now)
    retracted_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"retraction of {self.adjudication_id}"


class UnclearMark(models.Model):
    """Whoever settles an item says that its guideline is unclear here, or (`is_unclear` false) no more.

    `section` is a heading of the batch's guideline, or empty: the whole of it.
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="unclear_marks")
    section = models.CharField(max_length=LONGEST_SECTION, blank=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    is_unclear = models.BooleanField()
    marked_at = models.DateTimeField(default=timezone.now)
    marked_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["item_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item", "section"],
                condition=Q(replaces=None),
                name="annotation_unclearmark_one_first_per_section",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.section or 'the whole guideline'}"


class Note(models.Model):
    """What somebody who looks after the items wrote down about one; it decides nothing."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="notes")
    text = models.CharField(max_length=LONGEST_REASON)
    noted_at = models.DateTimeField(default=timezone.now)
    noted_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["item_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text=""), name="annotation_note_says_something"),
        ]

    def __str__(self) -> str:
        return f"note on {self.item_id}"


class VerdictState(models.TextChoices):
    DECIDED = "decided"
    DISPUTED = "disputed"
    SET_ASIDE = "set aside"


class SetAside(models.TextChoices):
    """Why an item has no verdict."""

    DISAGREEMENT = "disagreement"
    EXCLUDED = "excluded"
    NO_EVIDENCE = "no evidence"
    TOO_FEW = "too few judgements"
    SKIPPED_BY_ALL = "skipped by all"


class Source(models.TextChoices):
    CONSENSUS = "consensus"
    ADJUDICATION = "adjudication"
    DECISION = "decision"  # a person or the opening of the batch set the item aside


class VerdictQuerySet(models.QuerySet["Verdict"]):
    def current(self) -> "VerdictQuerySet":
        """The one that stands for each item: what nothing replaced."""
        return self.filter(replaced_by=None)


class Verdict(models.Model):
    """How an item ended: with a label, in dispute, or set aside with a reason."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="verdicts")
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    state = models.CharField(max_length=10, choices=VerdictState)
    label = models.CharField(max_length=40, blank=True)
    set_aside_reason = models.CharField(max_length=20, blank=True, choices=SetAside)
    source = models.CharField(max_length=12, choices=Source)
    # The consensus rule, and the counted votes {label: n}, that it was made from.
    rule = models.CharField(max_length=40, blank=True)
    votes = models.JSONField(default=dict)
    # By a rule that has one, the probability of every label {label: 0 to 1}; else empty.
    posterior = models.JSONField(default=dict)
    # Several verdicts rest on one adjudication when its item was excluded and readmitted.
    adjudication = models.ForeignKey(
        Adjudication, models.PROTECT, null=True, related_name="verdicts"
    )
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = VerdictQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["item_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item"],
                condition=Q(replaces=None),
                name="annotation_verdict_one_first_per_item",
            ),
            models.CheckConstraint(
                condition=Q(state=VerdictState.DECIDED, set_aside_reason="") & ~Q(label="")
                | Q(state=VerdictState.DISPUTED, set_aside_reason="", label="")
                | Q(state=VerdictState.SET_ASIDE, set_aside_reason__in=SetAside.values, label=""),
                name="annotation_verdict_label_or_reason_as_state_says",
            ),
            models.CheckConstraint(
                condition=Q(source=Source.ADJUDICATION, adjudication__isnull=False)
                | (Q(source__in=[Source.CONSENSUS, Source.DECISION]) & Q(adjudication=None)),
                name="annotation_verdict_adjudication_when_adjudicated",
            ),
        ]
        # Every page of a study asks whether there are any.
        indexes: ClassVar = [
            models.Index(
                fields=["item"],
                condition=Q(state=VerdictState.DISPUTED),
                name="annotation_verdict_disputed",
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.set_aside_reason or self.state
