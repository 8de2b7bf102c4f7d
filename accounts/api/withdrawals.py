"""The field `withdrawn` of what can be withdrawn."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from rest_framework import serializers

from accounts.withdrawable import Withdrawable, WithdrawalRow


class WithdrawalSerializer(serializers.Serializer[WithdrawalRow]):
    at = serializers.DateTimeField(source="withdrawn_at")
    by = serializers.CharField(source="withdrawn_by.username")
    reason = serializers.CharField()


def with_rows(things: QuerySet[Any]) -> QuerySet[Any]:
    """Return the things, each with its withdrawals read at once."""
    rows = things.model._meta.get_field("withdrawals").related_model.objects
    return things.prefetch_related(
        Prefetch("withdrawals", rows.filter(replaced_by=None).select_related("withdrawn_by"))
    )


def withdrawn(thing: Withdrawable) -> dict[str, Any] | None:
    """Return what the API says of a withdrawal; None for a thing that is not withdrawn."""
    if not thing.is_withdrawn:
        return None
    (row,) = (each for each in thing.withdrawals.all() if each.is_withdrawn)
    return WithdrawalSerializer(row).data
