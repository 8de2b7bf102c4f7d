"""The form of a decision between written answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation import deciding
from annotation.deciding import Version
from annotation.forms.adjudication import AdjudicationForm
from annotation.schemes import payloads
from annotation.schemes.base import Payload, Response
from annotation.schemes.sheet import SheetScheme
from annotation.schemes.sheet_layout import ScreenQuestion, content_with_questions
from annotation.schemes.written_questions import as_stored

# Before the names of a third answer's fields: the form has a reason of its own.
PREFIX = "third."
BEGAN = f"{PREFIX}began"


class WrittenForm(AdjudicationForm):
    """Which answer stands, and why; with the fields of a third one, which begins with the response `begins_with`.

    `payload` is the item's, `is_third` that a third answer is chosen to begin with.
    """

    def __init__(
        self,
        scheme: SheetScheme,
        payload: Payload,
        versions: Sequence[Version],
        data: Any = None,
        *,
        begins_with: Response,
        is_third: bool = False,
        changes: str = "",
    ) -> None:
        super().__init__(scheme, data)
        self.scheme, self.versions = scheme, versions
        self.payload = deciding.own_payload(payload)
        self.begins_with = begins_with
        label = self.fields["label"]
        label.label = "Which answer stands?"
        label.error_messages["required"] = "Choose an answer."
        label.initial = deciding.THIRD if is_third else None
        if isinstance(label, forms.ChoiceField):
            label.choices = [
                *((each.choice, f"{each.number} Answer {each.number}") for each in versions),
                (deciding.THIRD, f"{len(versions) + 1} Another, as written here"),
            ]
        if changes:
            self.ask_to_confirm(changes)

    def ask_to_confirm(self, changes: str) -> None:
        """Ask for a tick before what is decided, `changes`, is changed."""
        self.fields["confirm"] = forms.BooleanField(
            label=f"Change the decision ({changes})",
            error_messages={"required": "Tick this to change the decision."},
        )

    def refuse(self, error: str) -> None:
        """Refuse the form for this alone: what else is wrong is about answers that are not there any more."""
        self.errors.clear()
        self.add_error(None, error)

    @property
    def third(self) -> Response:
        """What is said of a third answer: as it was sent, else what it begins with."""
        if not self.is_bound:
            return self.begins_with
        names = {name for each in self.scheme.questions(self.payload) for name in each.names}
        sent = {name: str(self.data.get(PREFIX + name, "")) for name in names}
        return {name: value for name, value in sent.items() if value}

    @property
    def questions(self) -> list[ScreenQuestion]:
        """The questions of a third answer, without the sentences of the passage, which stand beside it."""
        content = content_with_questions(self.scheme, self.payload, self.third, shows_all=True)
        found: list[ScreenQuestion] = content["questions"]
        return found

    @property
    def began(self) -> str:
        """The hash of the text that the box of a third answer was first shown with; what was sent, if anything was.

        Once an answer was changed meanwhile, nothing else tells what it said from words of one's own.
        """
        sent = str(self.data.get(BEGAN, "")) if self.is_bound else ""
        return sent or _hash(self.begins_with.get("answer", ""))

    @property
    def own_text(self) -> str:
        """The text of a third answer, if it is neither one of the others nor what it began with."""
        text = as_stored(self.third.get("answer", ""))
        known = {each.content.answer for each in self.versions} | {
            self.begins_with.get("answer", "")
        }
        is_own = text.strip() and text not in known and _hash(text) != self.began
        return text if is_own else ""

    def clean(self) -> dict[str, Any]:
        """The label, the reason, and the response that says which version or what third answer."""
        cleaned: Mapping[str, Any] = super().clean()
        choice = cleaned.get("label")
        found = {name: cleaned[name] for name in ("reason",) if name in cleaned}
        if choice == deciding.THIRD:
            response = self._third_as_asked()
            return found | {"label": deciding.THIRD, "response": response}
        if choice and self.own_text:
            self.add_error(
                "label",
                "Something of your own is written for another answer: choose that, or empty its box.",
            )
        chosen = next((each for each in self.versions if each.choice == choice), None)
        if chosen is None:
            return found
        return found | {"label": chosen.label, "response": chosen.response}

    def _third_as_asked(self) -> dict[str, str]:
        """The third answer without what its outcome does not ask for. Words of one's own stay, and are refused."""
        response = self.scheme.without_unasked_answers(self.payload, self.third)
        asked = {each.name for each in self.scheme.asked_questions(self.payload, response)}
        if "answer" not in asked and not self.own_text:
            response.pop("answer", None)
        return response


def _hash(text: str) -> str:
    return payloads.sha256({"answer": as_stored(text)})
