"""Selection within one turn, as sampling.pools.selection defines it."""

import hashlib
import json
import random
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from sampling.pools.rule import Rule
from sampling.pools.selection import (
    DrawnCandidate,
    DrawResult,
    Fate,
    Merge,
    ScoreConflict,
    State,
    TurnAnswers,
    WhyKept,
)
from text import near_duplicates
from text.bags import Key, bag, distinguishing_keys

T = TypeVar("T", str, int)
# What becomes of an answer, and the candidate that stands for it.
_Outcome = tuple[State, str | None]


def nearness(rule: Rule, text: str, candidate: str) -> float | None:
    """Return the nearness of a represented text to its candidate; None if their bags are equal.

    It may be below `rule.near` if the text has the bag of one that is near enough.
    """
    if bag(text, rule.bag) == bag(candidate, rule.bag):
        return None
    return near_duplicates.nearness(text, candidate)


def draw_turn(rule: Rule, turn: TurnAnswers) -> DrawResult:
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
