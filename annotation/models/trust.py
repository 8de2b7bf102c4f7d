"""Who may work on a batch: qualifications, and what is decided of each person."""

from typing import ClassVar

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from accounts.models import Study, User
from annotation.models.limits import LONGEST_REASON
from corpus.models import plain_name


class Qualification(models.Model):
    """What a person has to hold to work on the batches that ask for it.

    `rule` says when answers are good enough (stats.qualification). Without one ({}) it is a named
    group, which people join by a decision only.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="qualifications")
    name = models.CharField(max_length=100, validators=[plain_name])
    rule = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["study_id", "name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "name"], name="annotation_qualification_name_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_group(self) -> bool:
        return not self.rule


class StandingState(models.TextChoices):
    GRANTED = "granted"
    REVOKED = "revoked"
    FAILED = "failed"


class StandingQuerySet(models.QuerySet["Standing"]):
    def current(self) -> "StandingQuerySet":
        """Return the newest row of each person in each qualification."""
        newest = Standing.objects.filter(
            qualification=OuterRef("qualification"), user=OuterRef("user")
        ).order_by("-pk")
        return self.alias(newest=Subquery(newest.values("pk")[:1])).filter(pk=F("newest"))

    def granted(self) -> "StandingQuerySet":
        """Return the newest rows of the people who hold the qualification."""
        return self.current().filter(state=StandingState.GRANTED)


class Standing(models.Model):
    """What was decided of one person. Rows are only added: the newest says whether they hold the qualification.

    `by` is None where the rule decided. `evidence` is what the rule says of their answers at that time, in the
    form of queries.standings.Line.evidence; {} if they were not looked at.
    """

    qualification = models.ForeignKey(
        Qualification, models.PROTECT, related_name="standings", db_index=False
    )
    user = models.ForeignKey(User, models.PROTECT, related_name="standings")
    state = models.CharField(max_length=10, choices=StandingState)
    reason = models.CharField(max_length=LONGEST_REASON)
    evidence = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    objects = StandingQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state__in=StandingState.values),
                name="annotation_standing_state_is_known",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="annotation_standing_says_why"),
        ]
        indexes: ClassVar = [
            # Whether somebody holds a qualification is asked at each claim: one row of this index.
            models.Index(
                fields=["qualification", "user", "-id"], name="annotation_standing_newest"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.qualification_id}: {self.state}"
