"""The rule of a pool of curation as a form."""

from sampling.curation.rule import CurationRule
from sampling.forms.writing import WritingForm


class CurationForm(WritingForm):
    """The data set, the parts of it and how many of its questions people curate."""

    min_sentences = None  # type: ignore[assignment]  # Django leaves the field out: passages need not be split into sentences

    def rule(self) -> CurationRule:  # type: ignore[override]
        """The rule of the valid form."""
        cleaned = self.cleaned_data
        return CurationRule(
            parts=tuple(cleaned.get("parts", ())),
            n_questions=cleaned["n_questions"],
            seed=cleaned["seed"],
        )
