"""Further judgements that were asked for of items that did not settle. Rows are added, never changed."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.batch import Batch
from annotation.models.items import Item
from sampling import pay


class ExtraRound(models.Model):
    """One more judgement was asked of items of a batch that the rule did not settle.

    `cap` is how many judgements more an item may be asked for by rounds in all. What was expected is kept as
    it was shown: how many of the items settle by this judgement, and by the cap, of `n_unsettled` in all.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="extra_rounds")
    rule = models.CharField(max_length=20)
    cap = models.PositiveSmallIntegerField()
    n_unsettled = models.PositiveIntegerField()
    expected_by_next = models.FloatField()
    expected_by_cap = models.FloatField()
    # What one judgement paid then; None where it was unpaid.
    reward = models.DecimalField(max_digits=9, decimal_places=pay.PLACES, null=True)
    currency = models.CharField(max_length=3, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    asked_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["batch_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(cap__gte=1), name="annotation_extraround_asks_at_least_once"
            ),
        ]

    def __str__(self) -> str:
        return f"one more of {self.batch_id} by {self.rule}"

    @property
    def price(self) -> pay.Money | None:
        """The payment for one judgement; None where it was unpaid."""
        return pay.price(self.reward, self.currency)


class ExtraAsked(models.Model):
    """An item of which a round asked one judgement more."""

    round = models.ForeignKey(ExtraRound, models.PROTECT, related_name="asked")
    item = models.ForeignKey(Item, models.PROTECT, related_name="extra_asked")

    class Meta:
        ordering: ClassVar = ["round_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "item"], name="annotation_extraasked_once_a_round"
            ),
        ]

    def __str__(self) -> str:
        return f"one more of {self.item_id}"
