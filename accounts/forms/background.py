"""The form with which a person answers background questions."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from accounts.background_questions import LONGEST_ANSWER
from accounts.models import BackgroundQuestion

# The keys of the questions that the page showed: one that was added since is not taken as skipped.
SHOWN = "shown"
SKIPPED = "I would rather not say"


class BackgroundForm(forms.Form):
    """One field a question, each of which can be left empty. `said` are earlier answers by the question's key."""

    def __init__(
        self,
        questions: Iterable[BackgroundQuestion],
        data: QueryDict | None = None,
        *,
        said: Mapping[int, str] | None = None,
    ) -> None:
        super().__init__(data)
        shown = None if data is None else set(data.getlist(SHOWN))
        self.questions = [each for each in questions if shown is None or str(each.pk) in shown]
        for each in self.questions:
            self.fields[_name(each)] = _field(each, (said or {}).get(each.pk, ""))

    def lines(self) -> list[tuple[BackgroundQuestion, forms.BoundField]]:
        """Return the questions with their fields, in their order."""
        return [(each, self[_name(each)]) for each in self.questions]

    def answers(self) -> dict[int, str]:
        """Return what was said by the question's key, "" for a skipped one. Read after is_valid()."""
        return {each.pk: self.cleaned_data[_name(each)] for each in self.questions}


class _WordsField(forms.CharField):
    """A line break is one character, as a browser counts it, which sends two."""

    def to_python(self, value: Any) -> Any:
        words = super().to_python(value)
        return words.replace("\r\n", "\n") if isinstance(words, str) else words


def _name(question: BackgroundQuestion) -> str:
    return f"question-{question.pk}"


def _field(question: BackgroundQuestion, said: str) -> forms.Field:
    common: dict[str, Any] = {"label": question.text, "required": False, "initial": said}
    if question.choices:
        choices = [*((each, each) for each in question.choices), ("", SKIPPED)]
        return forms.ChoiceField(
            choices=choices,
            error_messages={"invalid_choice": "Choose one of the choices."},
            **common,
        )
    return _WordsField(
        max_length=LONGEST_ANSWER,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"In words, at most {LONGEST_ANSWER} characters.",
        **common,
    )
