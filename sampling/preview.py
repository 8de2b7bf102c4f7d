"""A turn as a rule would draw it, for people to look at: each text once, with the runs that gave it."""

from collections.abc import Iterable
from dataclasses import dataclass

from sampling.selection import Drawn, State, TurnAnswers


@dataclass(frozen=True)
class SeenAnswer:
    """A text with the runs that gave it and what becomes of it; `stands_for_it` where it is represented."""

    text: str
    state: State
    score: float | None
    runs: tuple[str, ...]
    stands_for_it: str | None


@dataclass(frozen=True)
class SeenTurn:
    """`asked` are the answers that are shown first, `others` the rest of the turn's."""

    turn: str
    question: str
    references: tuple[str, ...]
    asked: tuple[SeenAnswer, ...]
    others: tuple[SeenAnswer, ...]


def seen(turns: Iterable[TurnAnswers], drawn: Drawn, state: State) -> list[SeenTurn]:
    """The turns in their order; shown first are the answers with that fate, the highest score first."""
    fates = {(fate.turn, fate.run): fate for fate in drawn.fates}
    found = []
    for turn in turns:
        runs: dict[tuple[str, State, str | None], list[str]] = {}
        scores: dict[str, float] = {}
        for answer in turn.answers:
            text = answer.text.strip()
            fate = fates.get((turn.turn, answer.run))
            if fate is None:  # of a run that is not drawn from
                continue
            runs.setdefault((text, fate.state, fate.candidate_text), []).append(answer.run)
            if answer.score is not None:
                scores[text] = max(answer.score, scores.get(text, answer.score))
        answers = sorted(
            (
                SeenAnswer(text, fate, scores.get(text), tuple(sorted(names)), stands)
                for (text, fate, stands), names in runs.items()
            ),
            key=lambda each: (each.score is None, -(each.score or 0), each.text),
        )
        found.append(
            SeenTurn(
                turn.turn,
                turn.questions[-1] if turn.questions else "",
                tuple(text for text in turn.references if text.strip()),
                tuple(each for each in answers if each.state == state),
                tuple(each for each in answers if each.state != state),
            )
        )
    return found
