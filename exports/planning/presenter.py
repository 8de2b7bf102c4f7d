"""The figures of a plan as a page or a command shows them. Imports no Django."""

from dataclasses import dataclass

from exports.planning.figures import Plan
from exports.planning.measures import Measure, Spread
from stats.variance_components import Components, Estimate

DESIGN_FIELDS = (
    *("measure", "questions", "people", "per_question", "runs", "items", "price", "currency"),
)


@dataclass(frozen=True, slots=True)
class SpreadLine:
    """The standard deviations that a plan rests on, beside those of the pilot, or why it has none."""

    of: str
    spread: Spread
    assumed: Spread
    estimate: Estimate | None
    estimated: Spread | None


def spreads(plan: Plan) -> list[SpreadLine]:
    """The lines of a difference and of one run, with the estimates of the pilot, if there is one."""
    of, assumed = plan, plan.measure
    return [
        _line("difference of two runs", of.difference, assumed.difference, of.pilot_difference),
        _line("one run", of.one_run, assumed.one_run, of.pilot_one_run),
    ]


def _line(of: str, used: Components, assumed: Spread, estimate: Estimate | None) -> SpreadLine:
    found = estimate.components if estimate else None
    return SpreadLine(of, Spread.of(used), assumed, estimate, Spread.of(found) if found else None)


def in_words(value: float, measure: Measure) -> str:
    """A number in the unit of the measure: 0.24 of a scale, 15.3 points of a share."""
    return f"{value:.2f}" if measure.unit == "rating" else f"{100 * value:.1f} points"
