"""Judged items, and figures of them: a value, what it was computed from, and its interval."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from exports.verification.coefficients import Coefficient, Profile
from exports.verification.findings import WORDS
from exports.verification.intervals import Bootstrap, Draw, draws, interval
from exports.verification.tables import Rows, conversation_of


@dataclass(frozen=True)
class Item:
    """What was judged, and how; `ended` is when its last judgement was submitted."""

    key: str
    turn: str
    labels: Mapping[str, int]  # by annotator, the place of the label among the labels
    profile: Profile
    ended: str
    conversation: str
    n: int


def judged_items(rows: Rows, labels: Sequence[str], *, is_scale: bool) -> list[Item]:
    of_item = defaultdict(list)
    for row in rows:
        of_item[row["turn_id"], row["item_id"], row["answer_id"]].append(row)
    places = {label: place for place, label in enumerate(labels)}
    return [_item(key, of, places, is_scale=is_scale) for key, of in of_item.items()]


def label_of(row: Mapping[str, str], *, is_scale: bool) -> str:
    return f"{float(row['value']):g}" if is_scale else row["label"]


def sorted_labels(rows: Rows, *, is_scale: bool) -> list[str]:
    if is_scale:
        return [f"{value:g}" for value in sorted({float(row["value"]) for row in rows})]
    return sorted({row["label"] for row in rows})


def _item(
    key: tuple[str, str, str], rows: Rows, places: Mapping[str, int], *, is_scale: bool
) -> Item:
    by_annotator = {row["annotator"]: places[label_of(row, is_scale=is_scale)] for row in rows}
    turn, item_id, answer_id = key
    profile = [0] * len(places)
    for place in by_annotator.values():
        profile[place] += 1
    ended = max(row["submitted_at"] for row in rows)
    n = len(by_annotator)
    key_of_item = f"{item_id} {answer_id}"
    return Item(key_of_item, turn, by_annotator, tuple(profile), ended, conversation_of(turn), n)


def profiles_of(items: Iterable[Item]) -> Counter[Profile]:
    return Counter(item.profile for item in items)


def people_of(items: Iterable[Item]) -> list[str]:
    return sorted({name for item in items for name in item.labels})


def named_figure(
    coefficient: Coefficient, items: Sequence[Item], labels: Sequence[str], bootstrap: Bootstrap
) -> dict[str, Any]:
    return {"name": WORDS, "estimand": WORDS, **figure(coefficient, items, labels, bootstrap)}


def figure(
    coefficient: Coefficient, items: Sequence[Item], labels: Sequence[str], bootstrap: Bootstrap
) -> dict[str, Any]:
    """The figures of a coefficient of profiles.

    A conversation's row is its pattern, and any conversation of it stands for it.
    """
    sizes = sorted({item.n for item in items})
    of_conversation = defaultdict(list)
    for item in items:
        of_conversation[item.conversation].append(item)
    rows: dict[str, tuple[int, ...]] = {}
    if bootstrap.is_drawn:
        rows = {name: _pattern(own, sizes) for name, own in of_conversation.items()}
    stands_for = {row: profiles_of(of_conversation[name]) for name, row in rows.items()}
    value = coefficient(profiles_of(items))

    @cache  # of few turns the same are drawn again and again
    def of_draw(draw: Draw) -> Fraction | None:
        drawn: Counter[Profile] = Counter()
        for row, times in draw:
            for profile, n in stands_for[row].items():
                drawn[profile] += n * times
        return coefficient({profile: n for profile, n in drawn.items() if n})

    is_defined = value is not None
    values = [of_draw(draw) for draw in draws(rows, bootstrap, is_defined=is_defined)]
    return {
        "value": None if value is None else float(value),
        "reason": None if is_defined else WORDS,
        "n_items": len(items),
        "n_judgements": sum(item.n for item in items),
        "n_annotators": len(people_of(items)),
        "labels": [each for at, each in enumerate(labels) if any(i.profile[at] for i in items)],
        "n_questions": len({item.turn for item in items}),
        "n_conversations": len(of_conversation),
        "interval": interval(values, len(of_conversation), bootstrap, is_defined=is_defined),
    }


def figure_of_rows(
    coefficient: Callable[[Sequence[int]], Fraction | None],
    rows: Mapping[str, Sequence[int]],
    basis: Mapping[str, Any],
    bootstrap: Bootstrap,
) -> dict[str, Any]:
    """The figures of a coefficient of the totals of the conversations' rows."""
    value = coefficient([sum(column) for column in zip(*rows.values())]) if rows else None

    @cache
    def of_draw(draw: Draw) -> Fraction | None:
        patterns, counts = zip(*draw)
        return coefficient(
            [sum(n * times for n, times in zip(column, counts)) for column in zip(*patterns)]
        )

    as_tuples = {name: tuple(row) for name, row in rows.items()}
    is_defined = value is not None
    values = [of_draw(draw) for draw in draws(as_tuples, bootstrap, is_defined=is_defined)]
    return {
        "value": None if value is None else float(value),
        "reason": None if is_defined else WORDS,
        "n_conversations": len(rows),
        "interval": interval(values, len(rows), bootstrap, is_defined=is_defined),
        **basis,
    }


def _pattern(conversation: Sequence[Item], sizes: Sequence[int]) -> tuple[int, ...]:
    numbers: list[int] = []
    for size in sizes:
        profiles = [item.profile for item in conversation if item.n == size]
        n_labels = len(conversation[0].profile)
        numbers += [sum(profile[i] for profile in profiles) for i in range(n_labels)]
        pairs = combinations(range(n_labels), 2)
        numbers += [sum(profile[i] * profile[j] for profile in profiles) for i, j in pairs]
    return tuple(numbers)
