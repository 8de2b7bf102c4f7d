"""The figures of agreement, computed anew from docs/report.md: exactly, with fractions.

A *profile* is how often each label was given in one item, the labels sorted: (2, 0, 1). Every
coefficient, also that of a bootstrap replicate, is computed from how many items have each profile.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from tests.recomputed_tables import Rows

Profile = tuple[int, ...]
Profiles = Mapping[Profile, int]
Coefficient = Callable[[Profiles], Fraction | None]


class Words:
    """Stands for any text: words are part of a report, but no number."""

    def __repr__(self) -> str:
        return "some words"


WORDS: Final = Words()


@dataclass(frozen=True)
class Item:
    """What was judged, and how."""

    turn: str
    profile: Profile
    annotators: frozenset[str]

    @property
    def n(self) -> int:
        return sum(self.profile)


def figures(rows: Rows, *, seed: int, replicates: int) -> dict[str, Any]:
    labels = sorted({row["label"] for row in rows})
    items = _items(rows, labels)
    paired = [item for item in items if item.n >= 2]
    bootstrap = {"seed": seed, "replicates": replicates}
    raw = _figure(raw_agreement, paired, labels, **bootstrap)
    return {
        "raw": {**raw, "wilson": _wilson(paired)},
        "alpha": _figure(krippendorffs_alpha, paired, labels, **bootstrap),
        "ac1": _figure(gwets_ac1, items, labels, **bootstrap),
        "prevalence": dict(zip(labels, map(float, _shares(_profiles(items))), strict=True)),
    }


def _items(rows: Rows, labels: Sequence[str]) -> list[Item]:
    of_item = defaultdict(list)
    for row in rows:
        of_item[row["turn_id"], row["item_id"], row["answer_id"]].append(row)
    return [
        Item(
            turn=turn,
            profile=tuple(sum(row["label"] == label for row in given) for label in labels),
            annotators=frozenset(row["annotator"] for row in given),
        )
        for (turn, _, _), given in of_item.items()
    ]


def _profiles(items: Iterable[Item]) -> Counter[Profile]:
    return Counter(item.profile for item in items)


# --- the coefficients


def raw_agreement(profiles: Profiles) -> Fraction | None:
    n_items, agreement = 0, Fraction()
    for profile, n in profiles.items():
        m = sum(profile)
        if m >= 2:
            n_items += n
            agreement += n * Fraction(sum(c * (c - 1) for c in profile), m * (m - 1))
    return agreement / n_items if n_items else None


def krippendorffs_alpha(profiles: Profiles) -> Fraction | None:
    """By the matrix of coincidences o: 1 less (n less 1) Σ o_ij / Σ n_i n_j, for all i ≠ j."""
    unlike, totals = Fraction(), Counter[int]()
    for profile, n in profiles.items():
        m = sum(profile)
        if m >= 2:
            unlike += n * Fraction(sum(c * d for c, d in permutations(profile, 2)), m - 1)
            totals.update({label: n * c for label, c in enumerate(profile)})
    expected = sum(n_i * n_j for n_i, n_j in permutations(totals.values(), 2))
    return 1 - (totals.total() - 1) * unlike / expected if expected else None


def gwets_ac1(profiles: Profiles) -> Fraction | None:
    agreement, shares = raw_agreement(profiles), _shares(profiles)
    if agreement is None or len(shares) < 2:
        return None
    chance = sum((share * (1 - share) for share in shares), Fraction()) / (len(shares) - 1)
    return (agreement - chance) / (1 - chance)


def _shares(profiles: Profiles) -> list[Fraction]:
    n_items = sum(profiles.values())
    by_item = [[Fraction(n * c, sum(profile)) for c in profile] for profile, n in profiles.items()]
    return [sum(column, Fraction()) / n_items for column in zip(*by_item, strict=True)]


# --- how far they can be trusted


def _figure(
    coefficient: Coefficient,
    items: Sequence[Item],
    labels: Sequence[str],
    *,
    seed: int,
    replicates: int,
) -> dict[str, Any]:
    value = coefficient(_profiles(items))
    occurring = [each for at, each in enumerate(labels) if any(item.profile[at] for item in items)]
    n_replicates = 0 if value is None else replicates
    values = _bootstrap(coefficient, items, seed=seed, replicates=n_replicates)
    defined = [each for each in values if each is not None]
    n_questions = len({item.turn for item in items})
    has_interval = n_questions > 1 and len(set(defined)) > 1
    low, high = _percentiles(defined) if has_interval else (None, None)
    return {
        "name": WORDS,
        "estimand": WORDS,
        "value": None if value is None else float(value),
        "reason": WORDS if value is None else None,
        "n_items": len(items),
        "n_judgements": sum(item.n for item in items),
        "n_annotators": len(frozenset().union(*(item.annotators for item in items))),
        "n_questions": n_questions,
        "labels": occurring,
        "interval": {
            "low": low,
            "high": high,
            "reason": None if has_interval else WORDS,
            "n_questions": n_questions,
            "n_replicates": n_replicates,
            "n_undefined": len(values) - len(defined),
            "seed": seed,
        },
    }


def _bootstrap(
    coefficient: Coefficient, items: Sequence[Item], *, seed: int, replicates: int
) -> list[Fraction | None]:
    """The coefficient of every replicate: turns drawn with replacement, by their patterns."""
    if not replicates:
        return []
    sizes = sorted({item.n for item in items})
    of_turn = defaultdict(list)
    for item in items:
        of_turn[item.turn].append(item)
    of_pattern = defaultdict(list)
    for turn in of_turn.values():
        of_pattern[_pattern(turn, sizes)].append(turn)
    ordered = [of_pattern[pattern] for pattern in sorted(of_pattern)]
    shares = [len(turns) / len(of_turn) for turns in ordered]
    draws = np.random.default_rng(seed).multinomial(len(of_turn), shares, size=replicates)
    values = []
    for draw in draws.tolist():
        profiles = Counter[Profile]()
        for turns, n in zip(ordered, draw, strict=True):
            for item in turns[0]:
                profiles[item.profile] += n
        values.append(coefficient({profile: n for profile, n in profiles.items() if n}))
    return values


def _pattern(turn: Sequence[Item], sizes: Sequence[int]) -> tuple[int, ...]:
    numbers: list[int] = []
    for size in sizes:
        profiles = [item.profile for item in turn if item.n == size]
        n_labels = len(turn[0].profile)
        numbers += [sum(profile[i] for profile in profiles) for i in range(n_labels)]
        pairs = combinations(range(n_labels), 2)
        numbers += [sum(profile[i] * profile[j] for profile in profiles) for i, j in pairs]
    return tuple(numbers)


def _percentiles(values: Sequence[Fraction]) -> tuple[float, float]:
    low, high = np.percentile([float(value) for value in values], [2.5, 97.5]).tolist()
    return low, high


def _wilson(paired: Sequence[Item]) -> dict[str, Any]:
    turns = [item.turn for item in paired]
    if not paired or any(item.n != 2 for item in paired) or len(set(turns)) < len(turns):
        return {"low": None, "high": None, "reason": WORDS}
    n, z = len(paired), NormalDist().inv_cdf(0.975)
    share = sum(2 in item.profile for item in paired) / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return {"low": middle - half, "high": middle + half, "reason": None}
