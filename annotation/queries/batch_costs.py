"""The costs of a paid batch so far, and its hourly wage."""

from dataclasses import dataclass

from annotation.models import Batch, Judgement
from annotation.queries.medians import Median
from sampling import pay

# With fewer judgements their median time says too little of those to come.
LEAST_JUDGEMENTS = 10


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
    """The median active time of the batch's current judgements."""
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    found: float | None = judgements.aggregate(median=Median("active_seconds"))["median"]
    return found


def measured_seconds(batch: Batch) -> float | None:
    """The median active time of the batch's judgements; None until there are enough to go by."""
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    enough = judgements.order_by()[:LEAST_JUDGEMENTS].count() == LEAST_JUDGEMENTS
    return median_seconds(batch) if enough else None


def seconds_of_judgement(batch: Batch) -> float:
    """The median active time of a judgement, or the expected one until there are enough."""
    return measured_seconds(batch) or batch.expected_seconds
