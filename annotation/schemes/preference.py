from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.schemes import payloads
from annotation.schemes.base import Option, Payload, Response, Row, SchemeRole, Shows
from annotation.schemes.choice import ChoiceScheme
from stats.lots import fraction

LEFT, RIGHT, TIE = "left", "right", "tie"
# In a rehearsal, texts whose quality (0 to 1) differs by less than this are a tie.
TIE_MARGIN = 0.05


@dataclass(frozen=True, kw_only=True)
class _Preference(ChoiceScheme):
    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        """A row for each of the two answers by number, labelled `preferred`, `other` or `tie`."""
        choice = self.label(response)
        labels = {LEFT: ("preferred", "other"), RIGHT: ("other", "preferred")}
        by_position = labels.get(choice, (TIE, TIE))
        return sorted(
            (
                Row(question=self.name, label=label, answer_number=number, position=position)
                for position, (number, label) in enumerate(
                    zip(order, by_position, strict=True), start=1
                )
            ),
            key=lambda row: row.answer_number or 0,
        )

    def response_lines(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        choice = self.label(response)
        if choice == TIE:
            return [f"{letters[1]} and {letters[2]}: neither is better"]
        return [f"{letters[order[0] if choice == LEFT else order[1]]} is better"]

    def true_label(self, payload: Payload, order: Sequence[int], *, seed: int) -> str:
        """The better text in a rehearsal, where each text has a random quality; a tie within TIE_MARGIN."""
        quality = {
            answer["number"]: fraction("quality", seed, payloads.text_sha256(answer["text"]))
            for answer in payload["answers"]
        }
        left, right = (quality[number] for number in order)
        return TIE if abs(left - right) < TIE_MARGIN else LEFT if left > right else RIGHT


SCHEME = _Preference(
    name="preference",
    role=SchemeRole.COMPARISON,
    asks="Which answer is better overall?",
    options=(
        Option(LEFT, "1", "A is better", "ArrowLeft", "←"),
        Option(RIGHT, "2", "B is better", "ArrowRight", "→"),
        Option(TIE, "0", "Tie: only if you cannot decide"),
    ),
    prevalence={LEFT: 0.45, RIGHT: 0.45, TIE: 0.1},
    shows=Shows.PAIR,
    shows_passages=True,
    expected_seconds=90,
)
