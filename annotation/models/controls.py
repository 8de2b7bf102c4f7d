"""Keys: the known labels of control items."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.decision import Verdict
from annotation.models.items import Item


class Key(models.Model):
    """The known label of a control item. A row never changes: a wrong one is excluded, and another added.

    `from_verdict` is the verdict of another batch that the label was taken from; None: it came from a file.
    """

    item = models.OneToOneField(Item, models.PROTECT, related_name="key")
    label = models.CharField(max_length=40)
    explanation = models.TextField(blank=True)
    from_verdict = models.ForeignKey(Verdict, models.PROTECT, null=True, related_name="keys")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(label=""), name="annotation_key_has_a_label"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.label}"
