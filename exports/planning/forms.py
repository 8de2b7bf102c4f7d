"""The fields of a plan, for the page and the command."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms

from accounts.models import Study
from annotation.models import Batch
from annotation.models.limits import MOST_JUDGEMENTS
from exports.planning.figures import Plan
from exports.planning.measures import MEASURES, Measure, Spread, items_per_question
from exports.planning.queries import Pilot, pilot, pilots
from sampling import pay
from stats.precision_plan import Design
from stats.variance_components import LEAST_PEOPLE, Components, Estimate

DEFAULTS: Mapping[str, Any] = {
    "measure": next(iter(MEASURES)),
    "questions": 100,
    "people": LEAST_PEOPLE,
    "per_question": LEAST_PEOPLE,
    "runs": 4,
    "currency": next(iter(pay.SIGNS)),
}
# The fields of the spread of differences, and of one run.
DIFFERENCE = ("questions_sd", "people_sd", "rest_sd")
ONE_RUN = ("run_questions_sd", "run_people_sd", "run_rest_sd")
LARGEST_SD = 100
ANY_NUMBER = {"step": "any"}


def _spread(label: str) -> forms.FloatField:
    return forms.FloatField(
        label=label,
        required=False,
        min_value=0,
        max_value=LARGEST_SD,
        widget=forms.NumberInput(attrs=ANY_NUMBER),
    )


class PlanForm(forms.Form):
    """A plan. An empty standard deviation is the pilot's or, without a pilot, the assumed one."""

    measure = forms.ChoiceField(
        label="Figure", choices=[(each.name, each.words) for each in MEASURES.values()]
    )
    questions = forms.IntegerField(label="Questions", min_value=2, max_value=100_000)
    people = forms.IntegerField(label="Annotators", min_value=1, max_value=1_000)
    per_question = forms.IntegerField(
        label="Annotators per question", min_value=1, max_value=MOST_JUDGEMENTS
    )
    runs = forms.IntegerField(label="Runs", min_value=2, max_value=200)
    items = forms.IntegerField(
        label="Items per question",
        required=False,
        min_value=1,
        max_value=100_000,
        help_text="Empty: as many as the runs make, if all answer differently.",
    )
    price = forms.DecimalField(
        label="Price per judgement",
        required=False,
        min_value=Decimal("0.0001"),
        max_value=10_000,
        decimal_places=pay.PLACES,
        widget=forms.NumberInput(attrs=ANY_NUMBER),
    )
    currency = forms.ChoiceField(
        label="Currency", required=False, choices=[(code, code) for code in pay.SIGNS]
    )
    pilot = forms.ChoiceField(
        label="Variance from",
        required=False,
        error_messages={"invalid_choice": "No batch of this study with judgements: %(value)s."},
    )
    questions_sd = _spread("Difference of two runs: between questions")
    people_sd = _spread("Difference of two runs: between annotators")
    rest_sd = _spread("Difference of two runs: rest")
    run_questions_sd = _spread("One run: between questions")
    run_people_sd = _spread("One run: between annotators")
    run_rest_sd = _spread("One run: rest")

    def __init__(self, data: Mapping[str, Any], *, study: Study) -> None:
        """Missing values are DEFAULTS."""
        super().__init__({**DEFAULTS, **data})
        self._pilots = {str(batch.pk): batch for batch in pilots(study)}
        choice: forms.ChoiceField = self.fields["pilot"]  # type: ignore[assignment]
        named = [(key, f"{batch.name} ({_kind(batch)})") for key, batch in self._pilots.items()]
        choice.choices = [("", "assumed values"), *named]

    def clean_pilot(self) -> Batch | None:
        return self._pilots.get(self.cleaned_data["pilot"])

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        people, per_question = data.get("people"), data.get("per_question")
        if people and per_question and per_question > people:
            self.add_error("per_question", "A question is judged by at most all annotators.")
        batch, measure = data.get("pilot"), MEASURES.get(data.get("measure", ""))
        if batch and measure and batch.scheme != measure.scheme:
            self.add_error(
                "pilot",
                f"{batch.name} has judgements of {batch.scheme}, and the figure needs {measure.scheme}.",
            )
        return data

    @property
    def chosen_measure(self) -> Measure:
        """The measure of a valid form."""
        return MEASURES[self.cleaned_data["measure"]]

    def pilot_figures(self) -> Pilot | None:
        """The components of the pilot of a valid form."""
        batch = self.cleaned_data["pilot"]
        return pilot(batch, self.chosen_measure) if batch else None

    def plan(self, found: Pilot | None) -> Plan:
        """The plan of a valid form with this pilot."""
        data, measure = self.cleaned_data, self.chosen_measure
        price = pay.price(data["price"], data["currency"] or DEFAULTS["currency"])
        of_pairs, of_runs = (found.difference, found.one_run) if found else (None, None)
        return Plan(
            measure=measure,
            design=Design(data["questions"], data["people"], data["per_question"]),
            n_runs=data["runs"],
            items_per_question=data["items"] or items_per_question(measure, data["runs"]),
            difference=self._components(DIFFERENCE, measure.difference, of_pairs),
            one_run=self._components(ONE_RUN, measure.one_run, of_runs),
            price=price,
            pilot_difference=of_pairs,
            pilot_one_run=of_runs,
        )

    def _components(
        self, names: tuple[str, ...], assumed: Spread, estimate: Estimate | None
    ) -> Components:
        """What was typed; else what was estimated or, if that is undefined, assumed."""
        estimated = estimate.components if estimate else None
        default = Spread.of(estimated) if estimated else assumed
        values = (default.questions, default.people, default.rest)
        typed = (self.cleaned_data[name] for name in names)
        return Spread(
            *(value if own is None else own for own, value in zip(typed, values, strict=True))
        ).components


def _kind(batch: Batch) -> str:
    return f"{batch.scheme}, rehearsal" if batch.is_rehearsal else batch.scheme
