"""The rule of a comparison of runs as a form, with the counts of eligible questions."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from corpus.models import plain_name
from sampling.comparisons.questions import QUOTAS, STRATA, Stratum
from sampling.comparisons.rule import AnsweredBy, ComparisonRule, References, Setup
from sampling.forms.rules import GREATEST_SEED, MOST
from sampling.pools.rule import RuleError
from sampling.pools.turns import Allocation

STRATA_IN_WORDS: dict[Stratum, str] = {
    "answerable": "answerable or not",
    "part": "file of their split",
    "first_word": "first word: what, who, how \u2026",
    "length": "length in words, in thirds",
}
REFERENCES: dict[str, References] = {"on": True, "first": "first", "": False}
# CLAP-NQ's design, with which the form begins.
INITIAL = {
    "setup": "gold",
    "top": "3",
    "references": "on",
    "answerable": "40",
    "unanswerable": "10",
    "strata": ["part"],
    "allocation": "equal",
    "answered_by": "all",
    "seed": "1",
}


def _number(label: str, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        min_value=0, max_value=MOST, required=False, label=label, help_text=help_text
    )


class ComparisonForm(forms.Form):
    """The form. `rule` is set by `clean`, unless a field of the rule has an error."""

    rule: ComparisonRule | None = None

    setup = forms.ChoiceField(
        choices=[
            ("gold", "gold: what the truth names, or else what is offered"),
            ("retrieved", "retrieved: what the runs cite, best rank first"),
        ],
        label="Passages",
    )
    top = forms.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        label="Maximum",
        help_text="Of retrieved passages. Gold ones are all shown.",
    )
    answerable = _number("Answerable questions")
    unanswerable = _number("Unanswerable questions")
    n_questions = _number(
        "Or questions in all", "Instead of both, answerable or not. All three empty: all questions."
    )
    strata = forms.MultipleChoiceField(
        required=False,
        choices=list(STRATA_IN_WORDS.items()),
        widget=forms.CheckboxSelectMultiple,
        label="Stratify the questions by their",
        help_text="None chosen: no strata.",
    )
    allocation = forms.ChoiceField(
        choices=[
            ("proportional", "proportional to the size of the stratum"),
            ("equal", "equally many of each stratum"),
        ],
        label="Allocation",
    )
    answered_by = forms.ChoiceField(
        choices=[
            ("all", "all chosen runs have an answer to"),
            ("two", "at least two chosen runs say something to"),
        ],
        label="Drawn from questions that",
    )
    keeps_without_passages = forms.BooleanField(
        required=False, label="Also questions for which there is no passage with text"
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=GREATEST_SEED,
        label="Seed",
        help_text="The same seed draws the same sample.",
    )
    references = forms.ChoiceField(
        required=False,
        choices=[
            ("on", "all are shown among the runs\u2019"),
            ("first", "the first of a question is shown"),
            ("", "none is shown"),
        ],
        label="Reference answers",
    )
    runs = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Compare these runs only",
        help_text="None chosen: all.",
        error_messages={"invalid_choice": "The data set has no run %(value)s."},
    )

    def __init__(self, *args: Any, runs: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        cast(forms.MultipleChoiceField, self.fields["runs"]).choices = [(run, run) for run in runs]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors.keys() & ComparisonForm.base_fields.keys():
            try:
                self.rule = self._rule(cleaned)
            except RuleError as error:
                raise ValidationError(str(error)) from error
        return cleaned

    def _rule(self, cleaned: dict[str, Any]) -> ComparisonRule:
        quotas = {quota: cleaned[quota] for quota in QUOTAS if cleaned[quota] is not None}
        return ComparisonRule(
            setup=cast(Setup, cleaned["setup"]),
            top=cleaned["top"] if cleaned["setup"] == "retrieved" else None,
            runs=tuple(sorted(cleaned["runs"])) or None,
            references=REFERENCES[cleaned["references"]],
            n_questions=cleaned["n_questions"],
            quotas=quotas or None,
            # In the order of the rule, whatever that of the address.
            strata=tuple(each for each in STRATA if each in cleaned["strata"]),
            allocation=cast(Allocation, cleaned["allocation"]),
            answered_by=cast(AnsweredBy, cleaned["answered_by"]),
            keeps_without_passages=cleaned["keeps_without_passages"],
            seed=cleaned["seed"],
        )


class DrawComparisonForm(ComparisonForm):
    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        label="Name of the pool",
        error_messages={"required": "Give the pool a name."},
    )
