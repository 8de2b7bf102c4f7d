"""What a paid batch has cost so far, and what an hour of it pays."""

from dataclasses import dataclass

from annotation.models import Batch, Judgement
from sampling import pay


@dataclass(frozen=True)
class Spending:
    """Of one batch.

    n_payable       judgements that stand and that no review refused to pay; late ones too
    spent           as many times the reward
    all_asked       what it comes to when every judgement that is asked for is there
    median_seconds  of active time of the judgements that stand; None where there is none
    wage            what an hour at that median pays
    """

    n_payable: int
    spent: pay.Money
    all_asked: pay.Money
    median_seconds: float | None
    wage: pay.Wage


def of(batch: Batch, n_wanted: int) -> Spending | None:
    """None of an unpaid batch. `n_wanted` judgements are asked for in all."""
    price = batch.price
    if price is None:
        return None
    standing = Judgement.objects.filter(assignment__item__batch=batch)
    n_payable = standing.payable().count()
    seconds = median_seconds(batch)
    return Spending(
        n_payable=n_payable,
        spent=price.times(n_payable),
        all_asked=price.times(n_wanted),
        median_seconds=seconds,
        wage=pay.wage(price, seconds),
    )


def median_seconds(batch: Batch) -> float | None:
    """The median active time of the batch's standing judgements, which the database sorts."""
    standing = Judgement.objects.standing().filter(assignment__item__batch=batch)
    n = standing.count()
    if not n:
        return None
    times = standing.order_by("active_seconds").values_list("active_seconds", flat=True)
    middle = list(times[(n - 1) // 2 : n // 2 + 1])
    return sum(middle) / len(middle) if middle else None
