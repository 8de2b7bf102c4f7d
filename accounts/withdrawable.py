"""What can be withdrawn with a reason, and brought back: by rows that are only added."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from performance.constraints import CheckedTogether

# Characters of a reason: a few sentences.
LONGEST_REASON = 1_000


class WithdrawalRow(models.Model):
    """Something was withdrawn, or (`is_withdrawn` false) brought back.

    Rows are added, never changed: each names the one before it in `replaces`, and the end of the line
    is what stands. A concrete class has a foreign key with the related name `withdrawals`.
    """

    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    is_withdrawn = models.BooleanField()
    reason = models.CharField(max_length=LONGEST_REASON)
    withdrawn_at = models.DateTimeField(default=timezone.now)
    withdrawn_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        abstract = True
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{'withdrawal' if self.is_withdrawn else 'return'} {self.pk}"


def row_constraints(thing: str, prefix: str) -> list[models.BaseConstraint]:
    """Return the constraints of a WithdrawalRow whose foreign key is the field `thing`."""
    return [
        models.UniqueConstraint(
            fields=[thing], condition=Q(replaces=None), name=f"{prefix}_one_first_per_{thing}"
        ),
        models.CheckConstraint(condition=~Q(reason=""), name=f"{prefix}_says_why"),
    ]


class Withdrawable(CheckedTogether):
    """A thing of a study that can be withdrawn.

    `is_withdrawn` repeats what the end of its rows says, so that queries need no join.
    """

    is_withdrawn = models.BooleanField(default=False)

    withdrawals: Any  # the manager of its rows, by the foreign key of the concrete class

    class Meta:
        abstract = True

    @property
    def withdrawal(self) -> WithdrawalRow | None:
        """The row by which it is withdrawn now; None where it is not. One query where it is."""
        if not self.is_withdrawn:
            return None
        rows = self.withdrawals.filter(replaced_by=None)
        row: WithdrawalRow = rows.select_related("withdrawn_by").get()
        return row
