"""A share of the adjudicated items, settled a second time by somebody else: how far adjudicators agree.

Neither row is a verdict, and neither replaces one.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.batch import Batch
from annotation.models.decision import Adjudication
from annotation.models.limits import LONGEST_REASON


class SecondDraw(models.Model):
    """A share of a batch's adjudications was drawn to be settled a second time."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="second_draws")
    share = models.FloatField()
    seed = models.BigIntegerField()
    # How many were adjudicated when it was drawn, and not drawn before.
    n_adjudicated = models.PositiveIntegerField()
    drawn_at = models.DateTimeField(default=timezone.now)
    drawn_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["batch_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(share__gt=0, share__lte=1),
                name="annotation_seconddraw_share_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.share} of {self.batch_id}"


class SecondAsked(models.Model):
    """An adjudication that is to be settled a second time, by somebody who has not seen it."""

    draw = models.ForeignKey(SecondDraw, models.PROTECT, related_name="asked")
    first = models.OneToOneField(Adjudication, models.PROTECT, related_name="second_asked")

    class Meta:
        ordering: ClassVar = ["draw_id", "pk"]

    def __str__(self) -> str:
        return f"second look at {self.first_id}"


class SecondAdjudication(models.Model):
    """What another adjudicator says of the item. Its verdict stays as it is."""

    asked = models.OneToOneField(SecondAsked, models.PROTECT, related_name="second")
    label = models.CharField(max_length=40)
    reason = models.CharField(max_length=LONGEST_REASON)
    adjudicated_at = models.DateTimeField(default=timezone.now)
    adjudicated_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.asked_id}: {self.label}"
