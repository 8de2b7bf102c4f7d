"""Numbers of a plan in the unit of its figure, and batches that can be planned."""

from django import template

from annotation.models import Batch
from exports.planning import presenter
from exports.planning.figures import PlanRow
from exports.planning.measures import SCHEMES, Measure
from sampling import pay

register = template.Library()


@register.filter
def planned(value: float, measure: Measure) -> str:
    """A number in the unit of the measure: 0.24, or 15.3 points."""
    return presenter.in_words(value, measure)


@register.filter
def can_be_planned(batch: Batch) -> bool:
    """Whether the page Planning has a figure for the batch's judgements."""
    return batch.scheme in SCHEMES


@register.filter
def cost(row: PlanRow) -> str:
    """The price of all judgements of a design: $72.00."""
    return "" if row.cost is None else str(pay.Money(row.cost, row.currency))
