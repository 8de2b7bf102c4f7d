"""Batches that count nowhere any more, because somebody decided so."""

from django.db import models

from accounts.withdrawable import WithdrawalRow, row_constraints
from annotation.models.batch import Batch


class BatchWithdrawal(WithdrawalRow):
    """A batch was withdrawn, or (`is_withdrawn` false) brought back. Batch.is_withdrawn says the same."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("batch", "annotation_batchwithdrawal")
