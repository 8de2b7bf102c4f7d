"""The answers of made releases, before anybody has judged them."""

import hashlib
from collections.abc import Iterator

from exports.rows.columns import EXTRACTED, AnswerRow
from exports.rows.ids import answer_id
from tests.exports.verification.made_releases.source import Source

NOT_DRAWN = ("below_threshold", "represented", "empty", "same_as_question", "not_in_pool")


def answers(source: Source) -> list[AnswerRow]:
    return [
        row
        for number in range(source.size.n_turns)
        for row in _answers_to(source, _turn(source, number))
    ]


def _turn(source: Source, number: int) -> str:
    return f"{number // source.size.turns_each + 1}_{number % source.size.turns_each + 1}"


def _answers_to(source: Source, turn: str) -> Iterator[AnswerRow]:
    for run in range(1, source.size.n_runs + 1):
        is_drawn = source.random.random() < 0.9
        # Some answers are of several runs; some hold what a table must quote.
        text = f"Answer {source.random.randint(1, 2 * source.size.n_runs)}, “so”\nto {turn}"
        key = answer_id(turn, hashlib.sha256(text.encode()).hexdigest()) if is_drawn else ""
        yield AnswerRow(
            study="made",
            dataset="data@1",
            run=f"run {run}",
            kind=_kind(source, run),
            team=f"team {run % 2}",
            system=f"system {run}",
            setup="original",
            turn_id=turn,
            answer=f" {text}" if run == 2 else text,
            sampled="drawn" if is_drawn else source.random.choice(NOT_DRAWN),
            score=0.5 if is_drawn else None,
            answer_id=key,
            represented_by="",
            plausibility="",
            faithfulness="",
            tier="",
            first_credit=False,
            own_evidence="",
            passage_id="p1" if _kind(source, run) == EXTRACTED else "",
        )


def _kind(source: Source, run: int) -> str:
    if source.size.has_sentences and run == source.size.n_runs:
        return EXTRACTED
    return "system" if run > 1 else "baseline"
