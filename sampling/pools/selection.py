"""Selection of candidates from answers and scores, with a fate for every answer.

In a turn with at least one reference that is not blank, with `bag` as in text.bags:

    closed     = bags of the references and of the question's texts
    would-be   = of the texts scoring strictly above the threshold, highest first, ties by text (code points):
                 the first text of each bag that is not closed; with `near` (text.near_duplicates), of
                 those the first of each group that are nearly the same
    too few    : fewer would-be than `min_candidates` -> the turn gives none
    candidates = the would-be, or if there are more than `cap_per_turn`, a random draw of that many

Of the turns that have candidates `n_turns` are drawn, if the rule says so (sampling.pools.turns);
the others give none. At last, if the rule leaves out what stands, the candidates whose very text a pool on
an earlier version of the data set has, on a turn that is the same (TurnAnswers.standing): people are asked
about them there. A candidate's inclusion probability is that of its turn times that of its lot
under the cap.

"Its bag is a candidate's" below includes the bag of a text above the threshold that was merged with
that candidate as nearly the same. A text at or below the threshold is compared by its bag only.

A text is an answer stripped of outer white space. Its score is the highest that any run's answer of
that exact text has in the turn; unequal ones are listed as conflicts (no score is not a different
score).

States. The first row that applies is the fate of an answer:

| state             | condition                                                          | candidate_text     |
| ----------------- | ------------------------------------------------------------------ | ------------------ |
| empty             | the text is empty                                                  | None               |
| no_reference      | the turn has no reference, or blank ones only                      | None               |
| same_as_reference | its bag is a reference's, whatever its score                       | None               |
| same_as_question  | its bag is the question's, whatever its score                      | None               |
| too_few_in_turn   | its bag is a would-be candidate's, and the turn has too few        | None               |
| turn_not_drawn    | its bag is a would-be candidate's, of a turn that was not drawn    | None               |
| capped            | its bag is a would-be candidate's that the cap left out            | None               |
| drawn             | it is a candidate's exact text: its run is credited                | the text           |
| stands            | it is the exact text of a candidate that stands in an earlier pool | the text           |
| represented       | its bag is a candidate's, whatever its score; inherits no verdict  | that candidate's   |
| no_score          | its text has no score                                              | None               |
| below_threshold   | otherwise: the score is at or below the threshold                  | None               |

Right: threshold .8, scores .81 .80 -> one would-be candidate: .80 itself is not above. Wrong:
"capped", "turn_not_drawn" and "too_few_in_turn" are not only for high scores: an answer far below
the threshold with the bag of a would-be candidate shares its fate, as it would have been
represented by it.

Order. Turns are returned in the given order; within a turn candidates by score (highest first) then
text, fates by run, conflicts by text. The order of answers and runs changes nothing, that of the
turns only the order of the result: the cap's draw and a turn's lot are seeded from (seed, turn).

Source: the shared task's notebooks (in which the order of files decides whose answer is kept).
"""

import gc
import hashlib
import json
import random
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, TypeVar

from sampling.pools import turns as of_turns
from sampling.pools.rule import Rule, is_finite
from text import near_duplicates
from text.bags import Bag, BagKind, Key, bag, distinguishing_keys


class AnswersError(ValueError):
    """Invalid answers: a turn twice, a run twice in a turn, a score that is not a number."""


class State(StrEnum):
    DRAWN = "drawn"
    STANDS = "stands"
    REPRESENTED = "represented"
    SAME_AS_REFERENCE = "same_as_reference"
    SAME_AS_QUESTION = "same_as_question"
    BELOW_THRESHOLD = "below_threshold"
    TOO_FEW_IN_TURN = "too_few_in_turn"
    TURN_NOT_DRAWN = "turn_not_drawn"
    CAPPED = "capped"
    EMPTY = "empty"
    NO_REFERENCE = "no_reference"
    NO_SCORE = "no_score"


# Of an answer whose bag is a would-be candidate's, in a turn that has candidates.
_WOULD_BE_STATES = (State.DRAWN, State.REPRESENTED, State.CAPPED)

T = TypeVar("T", str, int)
# What becomes of an answer, and the candidate that stands for it.
_Outcome = tuple[State, str | None]


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    run: str
    text: str
    score: float | None


@dataclass(frozen=True, slots=True)
class TurnAnswers:
    """A turn's answers, one a run. A turn whose references are all blank has no truth."""

    turn: str
    questions: tuple[str, ...]  # the question in each wording that counts: original, rewrite
    references: tuple[str, ...]
    answers: tuple[GivenAnswer, ...]
    # The texts that pools on earlier versions of the data set have, where this turn is the same.
    standing: frozenset[str] = frozenset()


class DrawnCandidate(NamedTuple):
    turn: str
    text: str
    score: float
    # Of its turn, times cap / would-be candidates where the cap chose; else 1.0.
    inclusion_probability: float


class Fate(
    NamedTuple
):  # there are as many as answers: a tuple is made faster than a frozen dataclass
    turn: str
    run: str
    state: State
    candidate_text: str | None


@dataclass(frozen=True, slots=True)
class ScoreConflict:
    turn: str
    text: str
    scores: tuple[float, ...]  # the unequal ones, highest (the one that counts) first


class WhyKept(StrEnum):
    HIGHER_SCORE = "higher score"
    FIRST_BY_TEXT = "equal score, first by text"


@dataclass(frozen=True, slots=True)
class Merge:
    """A would-be candidate that is merged with a near-duplicate, and why that one is kept."""

    turn: str
    kept: str
    kept_score: float
    text: str
    score: float
    nearness: float  # of the two, `rule.near` to 1 (text.near_duplicates)
    why: WhyKept


class Odds(NamedTuple):
    """The probability of a turn, drawn or not, and of each would-be candidate under the cap."""

    turn: float
    cap: float


@dataclass(frozen=True, slots=True)
class DrawResult:
    """The result of a draw. Every answer of every run has exactly one fate."""

    candidates: tuple[DrawnCandidate, ...]
    fates: tuple[Fate, ...]
    conflicts: tuple[ScoreConflict, ...]
    merges: tuple[Merge, ...]  # of all turns, those with too few too
    # Where the rule draws some turns, of every turn that might have been drawn (`Odds`).
    odds: Mapping[str, Odds] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counts:
    by_state: dict[State, int]  # by_each_state(); adds up to the answers given
    n_candidates: int
    n_turns: int  # turns with at least one candidate
    n_turns_not_drawn: int = 0  # that would have given one


def draw(
    rule: Rule, turns: Iterable[TurnAnswers], chosen: Mapping[str, float] | None = None
) -> DrawResult:
    """Return the candidates of all turns and the fate of every answer, as the module defines them.

    `chosen` are the turns that the rule draws, with their probabilities (Survey.chosen), needed if
    `turns` are only a part. Raises AnswersError before anything is drawn.
    """
    all_turns = list(turns)
    with _garbage_collection_off():
        parts = [_draw_turn(rule, turn) for turn in _turns_of_runs(rule, all_turns)]
    odds: dict[str, Odds] = {}
    if rule.turns is not None:
        if chosen is None:
            eligible = _eligible(rule, all_turns, parts)
            chosen = of_turns.choose(rule.turns, eligible)
            odds = _odds(of_turns.chances(rule.turns, eligible), parts)
        parts = [_part_if_drawn(part, chosen) for part in parts]
    if rule.leaves_out_standing:
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


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Switch the garbage collector off: it would scan millions of objects that have no cycles.

    If two threads draw, one may switch it on early, which only makes the other slower.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _odds(chances: Mapping[str, float], parts: Iterable[DrawResult]) -> dict[str, Odds]:
    """Return the odds by turn. `parts` are the results before turns are drawn."""
    candidates = [part.candidates[0] for part in parts if part.candidates]
    return {
        each.turn: Odds(chances[each.turn], each.inclusion_probability)
        for each in candidates
        if each.turn in chances
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


def nearness(rule: Rule, text: str, candidate: str) -> float | None:
    """Return the nearness of a represented text to its candidate; None if their bags are equal.

    It may be below `rule.near` if the text has the bag of one that is near enough.
    """
    if bag(text, rule.bag) == bag(candidate, rule.bag):
        return None
    return near_duplicates.nearness(text, candidate)


def counts(result: DrawResult) -> Counts:
    by_state = Counter(map(attrgetter("state"), result.fates))
    return Counts(
        by_state=by_each_state(by_state),
        n_candidates=len(result.candidates),
        n_turns=len({candidate.turn for candidate in result.candidates}),
        n_turns_not_drawn=len(
            {fate.turn for fate in result.fates if fate.state is State.TURN_NOT_DRAWN}
        ),
    )


def by_each_state(numbers: Mapping[State, int]) -> dict[State, int]:
    """Return the numbers by state, 0 where there is none; `stands` only where something does."""
    states = [each for each in State if each is not State.STANDS or numbers.get(each)]
    return {state: numbers.get(state, 0) for state in states}


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


def _draw_turn(rule: Rule, turn: TurnAnswers) -> DrawResult:
    scores = _scores_by_text(turn)
    best = _best_scores(scores)
    keys = _keys(rule, turn, scores)
    outcomes = _closed_bags(turn, keys)
    would_be = _would_be_candidates(rule, best, keys, outcomes)
    groups = _groups(rule, list(would_be.values()))
    stands_for = near_duplicates.kept_texts(groups)
    chosen = candidates_under_cap(rule, turn.turn, [group.kept for group in groups])
    left_out = State.CAPPED if chosen else State.TOO_FEW_IN_TURN
    for key, text in would_be.items():
        kept = stands_for.get(text, text)
        outcomes[key] = (State.REPRESENTED, kept) if kept in chosen else (left_out, None)
    return DrawResult(
        candidates=tuple(
            DrawnCandidate(turn.turn, text, best[text], len(chosen) / len(groups))
            for text in chosen
        ),
        fates=tuple(
            Fate(turn.turn, answer.run, *_outcome(answer.text, best, keys, outcomes))
            for answer in turn.answers
        ),
        conflicts=tuple(
            ScoreConflict(turn.turn, text, tuple(sorted(unequal, reverse=True)))
            for text, unequal in sorted(scores.items())
            if len(unequal) > 1
        ),
        merges=tuple(_merges(turn.turn, groups, best)),
    )


def _merges(
    turn: str, groups: Iterable[near_duplicates.Group], best: Mapping[str, float]
) -> Iterator[Merge]:
    for group in groups:
        kept_score = best[group.kept]
        for merged in group.merged:
            score = best[merged.text]
            why = WhyKept.HIGHER_SCORE if kept_score > score else WhyKept.FIRST_BY_TEXT
            yield Merge(turn, group.kept, kept_score, merged.text, score, merged.nearness, why)


def _scores_by_text(turn: TurnAnswers) -> dict[str, tuple[float, ...]]:
    """Return the distinct scores of each text, nearly always one."""
    scores: dict[str, tuple[float, ...]] = {}
    for answer in turn.answers:
        text, score = answer.text, answer.score
        earlier = scores.get(text)
        if earlier is None:
            scores[text] = () if score is None else (score,)
        elif score is not None and score not in earlier:
            scores[text] = (*earlier, score)
    return scores


def _best_scores(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {
        text: of_text[0] if len(of_text) == 1 else max(of_text)
        for text, of_text in scores.items()
        if of_text
    }


def _keys(rule: Rule, turn: TurnAnswers, texts: Iterable[str]) -> dict[str, Key]:
    """Return the keys of the bags to compare.

    None in a turn without truth (most turns of a full run).
    """
    if not any(reference.strip() for reference in turn.references):
        return {}
    return distinguishing_keys((*texts, *turn.questions, *turn.references), rule.bag)


def _closed_bags(turn: TurnAnswers, keys: Mapping[str, Key]) -> dict[Key, _Outcome]:
    """Return the bags of references and question, which nobody judges, with the fate of each.

    A bag of both counts as the reference's.
    """
    if not keys:
        return {}
    questions = {keys[text]: State.SAME_AS_QUESTION for text in turn.questions}
    references = {keys[text]: State.SAME_AS_REFERENCE for text in turn.references}
    return {key: (state, None) for key, state in (questions | references).items()}


def _would_be_candidates(
    rule: Rule, best: Mapping[str, float], keys: Mapping[str, Key], closed: Container[Key]
) -> dict[Key, str]:
    """Return the text that would represent each bag, highest score first."""
    above = [
        text for text, score in best.items() if score > rule.threshold and text in keys and text
    ]
    above.sort()
    above.sort(key=best.__getitem__, reverse=True)
    by_bag: dict[Key, str] = {}
    for text in above:
        if keys[text] not in closed:
            by_bag.setdefault(keys[text], text)
    return by_bag


def _groups(rule: Rule, texts: Sequence[str]) -> list[near_duplicates.Group]:
    """Return the would-be candidates in their order, each with those that are merged with it."""
    if rule.near is None:
        return [near_duplicates.Group(text, ()) for text in texts]
    return near_duplicates.groups(texts, rule.near)


def candidates_under_cap(rule: Rule, turn: str, would_be: Sequence[T]) -> list[T]:
    """Return the would-be candidates that become candidates: none, all, or `cap_per_turn`."""
    if len(would_be) < rule.min_candidates:
        return []
    if rule.cap_per_turn is None or len(would_be) <= rule.cap_per_turn:
        return list(would_be)
    digest = hashlib.sha256(json.dumps([rule.seed, turn]).encode()).digest()
    chance = random.Random(int.from_bytes(digest))  # noqa: S311 - a repeatable sample, not a secret
    # Of all its methods only random() is promised to give the same sequence in every later Python.
    lots = {text: chance.random() for text in would_be}
    winners = sorted(would_be, key=lots.__getitem__)[: rule.cap_per_turn]
    return [text for text in would_be if text in winners]


def _outcome(
    text: str, best: Container[str], keys: Mapping[str, Key], outcomes: Mapping[Key, _Outcome]
) -> _Outcome:
    if not text:
        return State.EMPTY, None
    if text not in keys:
        return State.NO_REFERENCE, None
    outcome = outcomes.get(keys[text])
    if outcome is None:
        return (State.BELOW_THRESHOLD if text in best else State.NO_SCORE), None
    state, candidate_text = outcome
    return (State.DRAWN if text == candidate_text else state), candidate_text
