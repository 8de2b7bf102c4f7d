"""The tables of a plan: what may be added, and the figures by number of questions and of people.

Imports no Django.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.planning.measures import Measure, items_per_question
from sampling import pay
from stats import precision_plan
from stats.power import TOO_LARGE
from stats.precision_plan import Design, Precision
from stats.variance_components import LEAST_PEOPLE, Components, Estimate

QUESTIONS = (50, 100, 200, 400)
PEOPLE = (3, 4, 6, 8, 12)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned.

    items_per_question   how many judgements a person makes of a question
    difference, one_run  variances of judged differences of two runs, and of the judgements of one
    pilot_...            what a pilot says of these, if there is one
    """

    measure: Measure
    design: Design
    n_runs: int
    items_per_question: int
    difference: Components
    one_run: Components
    price: pay.Money | None = None
    pilot_difference: Estimate | None = None
    pilot_one_run: Estimate | None = None

    def design_of_pair(self, design: Design) -> Design:
        """The design of the difference of two runs.

        Of preferences with fewer items than pairs of runs, as with a maximum of opponents an answer, each pair is
        compared on as large a part of the questions.
        """
        all_items = items_per_question(self.measure, self.n_runs)
        if self.measure.scheme != PREFERENCE.name or self.items_per_question >= all_items:
            return design
        n_questions = round(design.n_questions * self.items_per_question / all_items)
        return replace(design, n_questions=max(2, n_questions))


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One design, with its figures in the unit of the measure; half-widths are of 95 % intervals.

    Those that are None have `reason`, and those of one run `run_reason`.
    """

    design: str  # what it has more than the plan; empty in the table by number
    n_questions: int
    n_people: int
    per_question: int
    half_width: float | None
    these_people: float | None
    detectable: float | None
    detectable_of_pairs: float | None
    run_half_width: float | None
    run_these_people: float | None
    n_judgements: int
    cost: Decimal | None
    currency: str
    reason: str
    pairs_reason: str
    run_reason: str


def options(plan: Plan) -> list[PlanRow]:
    """The plan, and with one more annotator, one more judgement, or more questions."""
    return [_row(plan, each.design, each.name) for each in precision_plan.options(plan.design)]


def grid(plan: Plan) -> list[list[PlanRow]]:
    """A list for each number of questions, with a row for each number of people, as many judging
    each question as planned. Numbers of people that are too few for that are left out.
    """
    k = plan.design.per_question
    least = max(k, LEAST_PEOPLE)
    people = sorted({plan.design.n_people, *(n for n in PEOPLE if n >= least)})
    questions = sorted({plan.design.n_questions, *QUESTIONS})
    return [[_row(plan, Design(n, a, k)) for a in people] for n in questions]


def _row(plan: Plan, design: Design, name: str = "") -> PlanRow:
    found = precision_plan.precision(
        plan.difference, plan.design_of_pair(design), n_runs=plan.n_runs
    )
    run = precision_plan.precision(plan.one_run, design)
    n_judgements = design.n_questions * design.per_question * plan.items_per_question
    cost = plan.price.times(n_judgements) if plan.price else None
    detectable, reason = _possible(plan, found, found.detectable)
    of_pairs, pairs_reason = _possible(plan, found, found.detectable_of_pairs)
    return PlanRow(
        design=name,
        n_questions=design.n_questions,
        n_people=design.n_people,
        per_question=design.per_question,
        half_width=found.half_width,
        these_people=found.these_people,
        detectable=detectable,
        detectable_of_pairs=of_pairs,
        run_half_width=run.half_width,
        run_these_people=run.these_people,
        n_judgements=n_judgements,
        cost=cost.amount if cost else None,
        currency=cost.currency if cost else "",
        reason=reason,
        pairs_reason=pairs_reason,
        run_reason=run.reason or "",
    )


def _possible(plan: Plan, of: Precision, difference: float | None) -> tuple[float | None, str]:
    """The difference, or None with the reason; also if it is larger than any can be."""
    if difference is None:
        return None, of.reason or ""
    return (difference, "") if difference <= plan.measure.largest else (None, TOO_LARGE)
