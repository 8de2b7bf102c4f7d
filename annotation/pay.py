"""Money, as sampling.pay defines it: the sampling desk, upstream of the batches, speaks of it too."""

from sampling.pay import FLOORS, PLACES, SIGNS, Floor, Money, Wage, hours, price, wage, work_time

__all__ = [
    "FLOORS",
    "PLACES",
    "SIGNS",
    "Floor",
    "Money",
    "Wage",
    "hours",
    "price",
    "wage",
    "work_time",
]
