"""The costs of a paid batch so far, and its hourly wage."""

from dataclasses import dataclass

from annotation.models import Batch, Judgement
from sampling import pay


@dataclass(frozen=True)
class Spending:
    """The costs of one batch.

    n_payable       current judgements that no review refused to pay, late ones included
    spent           n_payable times the reward
    all_asked       the cost of all judgements that the batch asks for
    median_seconds  median active time of current judgements; None if there are none
    wage            the pay of an hour at that median
    """

    n_payable: int
    spent: pay.Money
    all_asked: pay.Money
    median_seconds: float | None
    wage: pay.Wage


def spending(batch: Batch, n_wanted: int) -> Spending | None:
    """The costs of the batch, which asks for `n_wanted` judgements in all. None for an unpaid batch."""
    price = batch.price
    if price is None:
        return None
    judgements = Judgement.objects.filter(assignment__item__batch=batch)
    n_payable = judgements.payable().count()
    seconds = median_seconds(batch)
    return Spending(
        n_payable=n_payable,
        spent=price.times(n_payable),
        all_asked=price.times(n_wanted),
        median_seconds=seconds,
        wage=pay.wage(price, seconds),
    )


def median_seconds(batch: Batch) -> float | None:
    """The median active time of the batch's current judgements, sorted by the database."""
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    n = judgements.count()
    if not n:
        return None
    times = judgements.order_by("active_seconds").values_list("active_seconds", flat=True)
    middle = list(times[(n - 1) // 2 : n // 2 + 1])
    return sum(middle) / len(middle) if middle else None


def seconds_of_judgement(batch: Batch) -> float:
    """The median active time of a judgement, or what is expected where there is none."""
    return median_seconds(batch) or batch.expected_seconds
