"""The rule of a pool as a form; its numbers are looked at before anything is drawn."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from corpus.models import plain_name
from sampling.audit import MOST as MOST_OF_A_STRATUM
from sampling.audit import REASONS, USUAL, AuditError, AuditRule
from sampling.duplicates import BAG_KINDS, BagKind
from sampling.near import NEAR
from sampling.rule import Rule, RuleError
from sampling.selection import State
from scoring.models import Scorer
from scoring.thresholds import selection_threshold

BAGS = {
    "default": "their words are the same; negations and words of number count",
    "paper": "their words are the same, as in the paper: negations do not count",
}
# Further down nearly everything about one thing is near (docs/adr/0007-near-duplicates.md).
LEAST_NEAR = 0.5
MOST = 1_000_000
GREATEST_SEED = 2**31 - 1


class RuleForm(forms.Form):
    """Its `rule` is there once it was cleaned, unless a field of it is wrong.

    `scorer` is what the rule calls its scorer.
    """

    rule: Rule | None = None

    threshold = forms.FloatField(
        label="Threshold",
        help_text="Answers with a higher score are drawn.",
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )
    min_candidates = forms.IntegerField(
        min_value=1,
        max_value=MOST,
        label="Fewest per question",
        help_text="Questions with fewer candidates give none.",
    )
    cap_per_turn = forms.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        label="Most per question",
        help_text="Of more candidates, so many by lot.",
    )
    bag = forms.ChoiceField(
        choices=[(kind, BAGS[kind]) for kind in BAG_KINDS],
        label="Two answers are the same when",
    )
    near = forms.FloatField(
        min_value=LEAST_NEAR,
        max_value=1,
        required=False,
        label="Also when nearly the same, from",
        help_text=f"Empty: no. Of texts with so large a share of their letters in common, and the same"
        f" numbers and negations, the best one is asked about. {NEAR} is where to begin.",
        widget=forms.NumberInput(attrs={"step": "0.01", "placeholder": "off"}),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=GREATEST_SEED,
        label="Seed",
        help_text="The same seed, the same lots.",
    )
    runs = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Draw from these runs only",
        help_text="None chosen: from all.",
    )

    def __init__(self, *args: Any, scorer: str, runs: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.scorer = scorer
        cast(forms.MultipleChoiceField, self.fields["runs"]).choices = [(run, run) for run in runs]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors.keys() & RuleForm.base_fields.keys():
            try:
                self.rule = self._rule(given)
            except RuleError as error:
                raise ValidationError(str(error)) from error
        return given

    def _rule(self, given: dict[str, Any]) -> Rule:
        return Rule(
            scorer=self.scorer,
            threshold=given["threshold"],
            min_candidates=given["min_candidates"],
            bag=cast(BagKind, given["bag"]),
            cap_per_turn=given["cap_per_turn"],
            runs=frozenset(given["runs"]) or None,
            seed=given["seed"],
            near=given["near"],
        )


class DrawForm(RuleForm):
    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        label="Name of the pool",
        error_messages={"required": "Give the pool a name."},
    )


LEFT_OUT_AS = {
    State.BELOW_THRESHOLD: "Below the threshold",
    State.TOO_FEW_IN_TURN: "Too few in their question",
    State.REPRESENTED: "Represented by a candidate",
    State.CAPPED: "Capped",
}


class AuditForm(forms.Form):
    """How many to draw of what a pool left out, by reason; its `rule` is there once it was cleaned.

    Asked about are the reasons for which there are answers.
    """

    rule: AuditRule | None = None

    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        label="Name of the sample",
        error_messages={"required": "Give the sample a name."},
    )

    def __init__(self, *args: Any, pool: str, n_answers: Mapping[str, int], **options: Any) -> None:
        super().__init__(*args, **options)
        self.pool = pool
        self.reasons = [reason for reason in REASONS if n_answers[reason.value]]
        for reason in self.reasons:
            n = n_answers[reason.value]
            self.fields[reason.value] = forms.IntegerField(
                min_value=0,
                max_value=MOST_OF_A_STRATUM,
                initial=min(USUAL, n),
                label=LEFT_OUT_AS[reason],
                help_text=f"Of {n:,} {'answer' if n == 1 else 'answers'}; equal ones count once.",
            )
        self.fields["seed"] = forms.IntegerField(
            min_value=0,
            max_value=GREATEST_SEED,
            initial=1,
            label="Seed",
            help_text="The same seed, the same lots.",
        )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors:
            sizes = {reason: given[reason.value] for reason in self.reasons}
            try:
                self.rule = AuditRule(self.pool, sizes, given["seed"])
            except AuditError as error:
                raise ValidationError(f"Nothing is drawn: {error}.") from error
        return given


def beginning(scorer: Scorer) -> dict[str, str]:
    """The rule that the desk begins with."""
    own = scorer.threshold
    return {
        "threshold": str(selection_threshold(scorer.name) if own is None else own),
        "min_candidates": "3",
        "bag": "default",
        "seed": "1",
    }
