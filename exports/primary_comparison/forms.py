from typing import Any

from django import forms

from accounts.models import Study
from exports.models import ComparedMeasure
from exports.primary_comparison import queries
from sampling.models import Pool


class NewPrimaryComparison(forms.Form):
    """The measure, the comparison and the pairs of runs that a study decides by."""

    pool = forms.ChoiceField(label="Comparison of runs")
    measure = forms.ChoiceField(choices=ComparedMeasure.choices)
    pairs = forms.MultipleChoiceField(
        required=False,
        help_text="Of the comparison above. Choose none to name all its pairs.",
        error_messages={"invalid_choice": "There is no such pair of runs."},
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.pools = {str(pool.pk): pool for pool in queries.pools(study)}
        self.named_pairs = {
            f"{key}-{one.pk}-{other.pk}": (pool, one.name, other.name)
            for key, pool in self.pools.items()
            for one, other in queries.pairs(pool)
        }
        self._offer("pool", [(key, pool.name) for key, pool in self.pools.items()])
        self._offer("pairs", [(pool.name, self._of(pool)) for pool in self.pools.values()])

    def _offer(self, name: str, choices: list[Any]) -> None:
        field: forms.ChoiceField = self.fields[name]  # type: ignore[assignment]
        field.choices = choices

    def _of(self, pool: Pool) -> list[tuple[str, str]]:
        return [
            (key, f"{one} and {other}")
            for key, (own, one, other) in self.named_pairs.items()
            if own == pool
        ]

    def chosen(self) -> dict[str, Any]:
        """Return the arguments of the action, of a valid form."""
        pairs = [self.named_pairs[key][1:] for key in self.cleaned_data["pairs"]]
        return {
            "pool": self.pools[self.cleaned_data["pool"]],
            "measure": self.cleaned_data["measure"],
            "pairs": pairs,
        }

    def clean(self) -> dict[str, Any]:
        pool = self.pools.get(self.cleaned_data.get("pool", ""))
        pairs = self.cleaned_data.get("pairs", [])
        if pool and any(self.named_pairs[key][0] != pool for key in pairs):
            raise forms.ValidationError(f"Choose pairs of the comparison {pool} only.")
        return self.cleaned_data
