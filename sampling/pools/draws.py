"""The draw over all turns, as sampling.pools.selection defines it: which turns, and what of each."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from jobs.garbage_collection import garbage_collection_off
from sampling.pools import turns as of_turns
from sampling.pools.rule import Rule, is_finite
from sampling.pools.selection import (
    AnswersError,
    DrawResult,
    Fate,
    GivenAnswer,
    Merge,
    Odds,
    State,
    TurnAnswers,
)
from sampling.pools.turn_selection import draw_turn
from text.bags import Bag, BagKind, bag

# Of an answer whose bag is a would-be candidate's, in a turn that has candidates.
_WOULD_BE_STATES = (State.DRAWN, State.REPRESENTED, State.CAPPED)


def draw(
    rule: Rule, turns: Iterable[TurnAnswers], chosen: Mapping[str, float] | None = None
) -> DrawResult:
    """Return the candidates of all turns and the fate of every answer, as the module defines them.

    `chosen` are the turns that the rule draws, with their probabilities (Survey.chosen), needed if
    `turns` are only a part. Raises AnswersError before anything is drawn.
    """
    all_turns = list(turns)
    with garbage_collection_off():
        parts = [draw_turn(rule, turn) for turn in _turns_of_runs(rule, all_turns)]
    odds: dict[str, Odds] = {}
    if rule.turns is not None:
        if chosen is None:
            eligible = _eligible(rule, all_turns, parts)
            chosen = of_turns.choose(rule.turns, eligible)
            odds = _odds(of_turns.chances(rule.turns, eligible), parts)
        parts = [_part_if_drawn(part, chosen) for part in parts]
    if rule.leaves_out_standing:
        if rule.turns is None:
            odds = _odds_where_something_stands(all_turns, parts)
        parts = [
            _part_without(part, turn.standing) for part, turn in zip(parts, all_turns, strict=True)
        ]
    return DrawResult(
        candidates=tuple(chain.from_iterable(part.candidates for part in parts)),
        fates=tuple(chain.from_iterable(part.fates for part in parts)),
        conflicts=tuple(chain.from_iterable(part.conflicts for part in parts)),
        merges=tuple(chain.from_iterable(part.merges for part in parts)),
        odds=odds,
    )


def _odds(chances: Mapping[str, float], parts: Iterable[DrawResult]) -> dict[str, Odds]:
    """Return the odds by turn. `parts` are the results before turns are drawn."""
    candidates = [part.candidates[0] for part in parts if part.candidates]
    return {
        each.turn: Odds(chances[each.turn], each.inclusion_probability)
        for each in candidates
        if each.turn in chances
    }


def _odds_where_something_stands(
    turns: Iterable[TurnAnswers], parts: Iterable[DrawResult]
) -> dict[str, Odds]:
    """Return the odds of the turns of which a candidate stands that the cap might have left out."""
    return {
        turn.turn: Odds(1.0, part.candidates[0].inclusion_probability)
        for turn, part in zip(turns, parts, strict=True)
        if any(each.text in turn.standing for each in part.candidates)
        and part.candidates[0].inclusion_probability < 1
    }


def _eligible(
    rule: Rule, turns: Sequence[TurnAnswers], parts: Sequence[DrawResult]
) -> list[of_turns.Eligible]:
    """Return the turns with candidates.

    Their likeness is over the answers of all runs, not only the rule's.
    """
    prefers = rule.prefer == of_turns.DISAGREEMENT
    return [
        of_turns.Eligible(
            turn.turn,
            of_turns.stratum(rule.strata, turn.turn, question_text(turn), len(part.candidates)),
            likeness(turn, rule.bag) if prefers else None,
        )
        for turn, part in zip(turns, parts, strict=True)
        if part.candidates
    ]


def question_text(turn: TurnAnswers) -> str:
    """Return the question in the wording that stands alone, without the conversation."""
    return turn.questions[-1] if turn.questions else ""


def likeness(turn: TurnAnswers, kind: BagKind) -> float | None:
    """Return the likeness of a turn's distinct answers (sampling.pools.turns).

    Answers with the words of reference or question are left out.
    """
    closed = {bag(text, kind) for text in (*turn.references, *turn.questions)}
    texts = {answer.text.strip() for answer in turn.answers} - {""}
    return likeness_of({bag(text, kind) for text in texts} - closed)


def likeness_of(bags: Collection[Bag]) -> float | None:
    """Return the likeness of these bags. A text without words counts as one word of its own."""
    return of_turns.likeness([each.stems or (f"\0{each.text}",) for each in bags])


def _part_if_drawn(part: DrawResult, chosen: Mapping[str, float]) -> DrawResult:
    """Return the result of one turn, with its candidates only if the turn is in `chosen`."""
    if not part.candidates:
        return part
    probability = chosen.get(part.candidates[0].turn)
    if probability is None:
        fates = tuple(
            Fate(fate.turn, fate.run, State.TURN_NOT_DRAWN, None)
            if fate.state in _WOULD_BE_STATES
            else fate
            for fate in part.fates
        )
        return replace(part, candidates=(), fates=fates)
    candidates = tuple(
        each._replace(inclusion_probability=probability * each.inclusion_probability)
        for each in part.candidates
    )
    return replace(part, candidates=candidates)


def _part_without(part: DrawResult, standing: Collection[str]) -> DrawResult:
    """Return the result of one turn without its candidates that stand in an earlier version."""
    if not standing:
        return part
    fates = tuple(
        fate._replace(state=State.STANDS)
        if fate.state is State.DRAWN and fate.candidate_text in standing
        else fate
        for fate in part.fates
    )
    candidates = tuple(each for each in part.candidates if each.text not in standing)
    return replace(part, candidates=candidates, fates=fates)


def merges(rule: Rule, turns: Iterable[TurnAnswers]) -> tuple[Merge, ...]:
    """Return the merges of `near`, also in turns with too few candidates, for a preview.

    In the order of the turns, then of the texts kept, then of the merged texts. Empty if the rule
    has no `near`. Raises AnswersError.
    """
    return draw(rule, turns).merges


def _turns_of_runs(rule: Rule, turns: Iterable[TurnAnswers]) -> list[TurnAnswers]:
    """Return the turns with the answers of the rule's runs only, stripped and sorted by run."""
    selected: dict[str, TurnAnswers] = {}
    for turn in turns:
        if turn.turn in selected:
            raise AnswersError(f"turn {turn.turn} is given twice")
        answers = _answers_of_runs(rule, turn)
        selected[turn.turn] = replace(turn, answers=tuple(answers[run] for run in sorted(answers)))
    return list(selected.values())


def _answers_of_runs(rule: Rule, turn: TurnAnswers) -> dict[str, GivenAnswer]:
    answers: dict[str, GivenAnswer] = {}
    for answer in turn.answers:
        if rule.runs is not None and answer.run not in rule.runs:
            continue
        if answer.run in answers:
            raise AnswersError(f"turn {turn.turn}: run {answer.run} answers twice")
        if answer.score is not None and not is_finite(answer.score):
            raise AnswersError(f"turn {turn.turn}, run {answer.run}: score {answer.score!r}")
        text = answer.text.strip()
        is_bare = text == answer.text
        answers[answer.run] = answer if is_bare else GivenAnswer(answer.run, text, answer.score)
    return answers
