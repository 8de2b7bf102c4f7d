from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.schemes import payloads
from annotation.schemes.base import Option, Payload, Response, Row, SchemeRole, Shows
from annotation.schemes.choice import ChoiceScheme
from stats.lots import fraction

LEFT, RIGHT, TIE = "left", "right", "tie"
# How near, of 1, texts are nearly as good in a rehearsal.
NEARLY = 0.05


@dataclass(frozen=True, kw_only=True)
class _Preference(ChoiceScheme):
    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        """A row for each of the two answers, first the one with the number 1: preferred, other or tie."""
        said = self.label(response)
        labels = {LEFT: ("preferred", "other"), RIGHT: ("other", "preferred")}
        by_position = labels.get(said, (TIE, TIE))
        return sorted(
            (
                Row(question=self.name, label=label, answer_number=number, position=position)
                for position, (number, label) in enumerate(
                    zip(order, by_position, strict=True), start=1
                )
            ),
            key=lambda row: row.answer_number or 0,
        )

    def in_full(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        said = self.label(response)
        if said == TIE:
            return [f"{letters[1]} and {letters[2]}: neither is better"]
        return [f"{letters[order[0] if said == LEFT else order[1]]} is better"]

    def hidden(self, payload: Payload, order: Sequence[int], *, seed: int) -> str:
        """A rehearsal hides how good each text is: the better one is right, a tie where they are nearly so."""
        quality = {
            answer["number"]: fraction("quality", seed, payloads.text_sha256(answer["text"]))
            for answer in payload["answers"]
        }
        left, right = (quality[number] for number in order)
        return TIE if abs(left - right) < NEARLY else LEFT if left > right else RIGHT


SCHEME = _Preference(
    name="preference",
    role=SchemeRole.COMPARISON,
    asks="Which answer is better: faithful to the passage, appropriate, natural?",
    options=(
        Option(LEFT, "1", "A is better", "ArrowLeft", "←"),
        Option(RIGHT, "2", "B is better", "ArrowRight", "→"),
        Option(TIE, "0", "Neither is better; use this sparingly"),
    ),
    prevalence={LEFT: 0.45, RIGHT: 0.45, TIE: 0.1},
    shows=Shows.PAIR,
    shows_passages=True,
    expected_seconds=90,
)
