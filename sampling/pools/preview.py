"""A turn as a rule would draw it, for people to look at: each text once, with the runs that gave it."""

from collections.abc import Iterable
from dataclasses import dataclass

from sampling.pools.rule import Rule
from sampling.pools.selection import Drawn, Merge, State, TurnAnswers, nearness


@dataclass(frozen=True)
class SeenAnswer:
    """A text with the runs that gave it and what becomes of it.

    `stands_for_it` where it is represented, with `nearness` where their words are not the same.
    """

    text: str
    state: State
    score: float | None
    runs: tuple[str, ...]
    stands_for_it: str | None
    nearness: float | None


@dataclass(frozen=True)
class SeenTurn:
    """`asked` are the answers that are shown first, `others` the rest of the turn's."""

    turn: str
    question: str
    references: tuple[str, ...]
    asked: tuple[SeenAnswer, ...]
    others: tuple[SeenAnswer, ...]


@dataclass(frozen=True)
class SeenMerges:
    """A turn whose texts `merges` takes for one: they come by the text that is kept."""

    question: str
    references: tuple[str, ...]
    merges: tuple[Merge, ...]


def merged(turns: Iterable[TurnAnswers], drawn: Drawn) -> list[SeenMerges]:
    """The turns in their order, each with what is merged in it."""
    return [
        SeenMerges(
            _question(turn),
            _references(turn),
            tuple(each for each in drawn.merges if each.turn == turn.turn),
        )
        for turn in turns
    ]


def seen(rule: Rule, turns: Iterable[TurnAnswers], drawn: Drawn, state: State) -> list[SeenTurn]:
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
                SeenAnswer(
                    text,
                    fate,
                    scores.get(text),
                    tuple(sorted(names)),
                    stands,
                    nearness(rule, text, stands) if stands and rule.near else None,
                )
                for (text, fate, stands), names in runs.items()
            ),
            key=lambda each: (each.score is None, -(each.score or 0), each.text),
        )
        found.append(
            SeenTurn(
                turn.turn,
                _question(turn),
                _references(turn),
                tuple(each for each in answers if each.state == state),
                tuple(each for each in answers if each.state != state),
            )
        )
    return found


def _question(turn: TurnAnswers) -> str:
    return turn.questions[-1] if turn.questions else ""


def _references(turn: TurnAnswers) -> tuple[str, ...]:
    return tuple(text for text in turn.references if text.strip())
