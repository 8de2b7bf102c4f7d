"""The rule of a pool as a form."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from corpus.models import plain_name
from sampling.pools.rule import Rule, RuleError
from sampling.pools.turns import DISAGREEMENT, Allocation, Strata
from scoring.models import Scorer
from scoring.thresholds import selection_threshold
from text.bags import BAG_KINDS, BagKind
from text.near_duplicates import NEAR

BAGS = {
    "default": "their words are the same; negations and words of number count",
    "paper": "their words are the same, as in the paper: negations do not count",
}
STRATA_IN_WORDS: dict[Strata, str] = {
    "depth": "first or later question of a conversation",
    "question_word": "first word: what, who, how \u2026",
    "n_candidates": "how many candidates it would give",
}
# Further down nearly everything about one thing is near (docs/adr/0010-what-was-not-asked-about.md).
LEAST_NEAR = 0.5
MOST = 1_000_000
GREATEST_SEED = 2**31 - 1


class RuleForm(forms.Form):
    """The form. `rule` is set by `clean`, unless a field of the rule has an error.

    `scorer` is the scorer's name in the rule; `continues` says that the data set continues a version, whose
    candidates are left out unless they are asked for.
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
        help_text="At most this many, sampled at random. Empty: all.",
    )
    bag = forms.ChoiceField(
        choices=[(kind, BAGS[kind]) for kind in BAG_KINDS],
        label="Two answers are the same when",
    )
    near = forms.FloatField(
        min_value=LEAST_NEAR,
        max_value=1,
        required=False,
        label="Merge near-duplicates above similarity",
        help_text="Of texts with at least this share of their letters in common, and the same numbers,"
        f" negations and names, the best one is asked about. {NEAR} is where to begin. Empty: no.",
        widget=forms.NumberInput(attrs={"step": "0.01", "placeholder": "off"}),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=GREATEST_SEED,
        label="Seed",
        help_text="The same seed draws the same sample.",
    )
    n_turns = forms.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        label="Questions to draw",
        help_text="At most this many of those with candidates, sampled at random. Empty: all.",
    )
    strata = forms.ChoiceField(
        required=False,
        choices=[("", "nothing"), *STRATA_IN_WORDS.items()],
        label="Stratify by",
    )
    allocation = forms.ChoiceField(
        required=False,
        choices=[
            ("proportional", "proportional to the size of the stratum"),
            ("equal", "equally many of each stratum"),
        ],
        label="Allocation",
    )
    prefer = forms.ChoiceField(
        required=False,
        choices=[("", "uniform"), (DISAGREEMENT, "higher where the runs disagree")],
        label="Sampling weights",
        help_text="Runs disagree where their answers have few words in common.",
    )
    asks_again = forms.BooleanField(
        required=False,
        label="Draw answers that stand in an earlier version again",
        help_text="Otherwise they are left out: their verdicts count in this version, too.",
    )
    runs = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Draw from these runs only",
        help_text="None chosen: from all.",
        error_messages={"invalid_choice": "The data set has no run %(value)s."},
    )

    def __init__(
        self,
        *args: Any,
        scorer: str,
        runs: Sequence[str],
        continues: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.scorer = scorer
        self.continues = continues
        cast(forms.MultipleChoiceField, self.fields["runs"]).choices = [(run, run) for run in runs]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors.keys() & RuleForm.base_fields.keys():
            try:
                self.rule = self._rule(cleaned)
            except RuleError as error:
                raise ValidationError(str(error)) from error
        return cleaned

    def _rule(self, cleaned: dict[str, Any]) -> Rule:
        return Rule(
            scorer=self.scorer,
            threshold=cleaned["threshold"],
            min_candidates=cleaned["min_candidates"],
            bag=cast(BagKind, cleaned["bag"]),
            cap_per_turn=cleaned["cap_per_turn"],
            runs=frozenset(cleaned["runs"]) or None,
            seed=cleaned["seed"],
            near=cleaned["near"],
            n_turns=cleaned["n_turns"],
            strata=cast(Strata | None, cleaned["strata"] or None),
            allocation=cast(Allocation, cleaned["allocation"] or "proportional"),
            prefer=cleaned["prefer"] or None,
            leaves_out_standing=self.continues and not cleaned["asks_again"],
        )


class DrawForm(RuleForm):
    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        label="Name of the pool",
        error_messages={"required": "Give the pool a name."},
    )


def initial_rule(scorer: Scorer, n_runs: int) -> dict[str, str]:
    """Return the initial values of the desk.

    A question has at most as many candidates as there are runs: more are not asked for.
    """
    own = scorer.threshold
    return {
        "threshold": str(selection_threshold(scorer.name) if own is None else own),
        "min_candidates": str(max(1, min(3, n_runs))),
        "bag": "default",
        "seed": "1",
    }
