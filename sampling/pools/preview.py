"""A turn as a rule would draw it: each text once, with the runs that gave it."""

from collections.abc import Iterable
from dataclasses import dataclass

from sampling.pools.rule import Rule
from sampling.pools.selection import DrawResult, Merge, State, TurnAnswers
from sampling.pools.turn_selection import nearness


@dataclass(frozen=True)
class PreviewAnswer:
    """A text with the runs that gave it and its fate.

    If it is represented, `stands_for_it` is the text that represents it, with `nearness` if their
    words differ.
    """

    text: str
    state: State
    score: float | None
    runs: tuple[str, ...]
    stands_for_it: str | None
    nearness: float | None


@dataclass(frozen=True)
class PreviewTurn:
    """A turn.

    `asked` are the answers with the requested fate, shown first; `others` are the rest.
    """

    turn: str
    question: str
    references: tuple[str, ...]
    asked: tuple[PreviewAnswer, ...]
    others: tuple[PreviewAnswer, ...]


@dataclass(frozen=True)
class TurnMerges:
    """A turn with the merges of its texts, sorted by the text that is kept."""

    question: str
    references: tuple[str, ...]
    merges: tuple[Merge, ...]


def turn_merges(turns: Iterable[TurnAnswers], result: DrawResult) -> list[TurnMerges]:
    """The turns in their order, each with its merges."""
    return [
        TurnMerges(
            _question(turn),
            _references(turn),
            tuple(merge for merge in result.merges if merge.turn == turn.turn),
        )
        for turn in turns
    ]


def preview_turns(
    rule: Rule, turns: Iterable[TurnAnswers], result: DrawResult, state: State
) -> list[PreviewTurn]:
    """The turns in their order. Answers with the fate `state` come first, then by score, highest first."""
    fates = {(fate.turn, fate.run): fate for fate in result.fates}
    preview = []
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
                PreviewAnswer(
                    text,
                    fate,
                    scores.get(text),
                    tuple(sorted(names)),
                    stands,
                    nearness(rule, text, stands) if stands and rule.near else None,
                )
                for (text, fate, stands), names in runs.items()
            ),
            key=lambda preview_answer: (
                preview_answer.score is None,
                -(preview_answer.score or 0),
                preview_answer.text,
            ),
        )
        preview.append(
            PreviewTurn(
                turn.turn,
                _question(turn),
                _references(turn),
                tuple(
                    preview_answer for preview_answer in answers if preview_answer.state == state
                ),
                tuple(
                    preview_answer for preview_answer in answers if preview_answer.state != state
                ),
            )
        )
    return preview


def _question(turn: TurnAnswers) -> str:
    return turn.questions[-1] if turn.questions else ""


def _references(turn: TurnAnswers) -> tuple[str, ...]:
    return tuple(text for text in turn.references if text.strip())
