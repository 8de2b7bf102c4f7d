"""Intervals of agreement for other annotators from the same population: people and conversations drawn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Optional

from exports.verification.coefficients import krippendorffs_alpha, ordinal_alpha
from exports.verification.draws import Generator
from exports.verification.findings import WORDS
from exports.verification.intervals import Bootstrap, interval
from exports.verification.judged_items import Item, people_of, profiles_of

FEWEST_PEOPLE = 5
Values = tuple[Optional[float], Optional[float], Optional[float]]


def other_people(
    items: Sequence[Item], n_labels: int, bootstrap: Bootstrap, *, is_scale: bool
) -> dict[str, Any]:
    people = people_of(items)
    conversations = sorted({item.conversation for item in items})
    of_chance = ordinal_alpha if is_scale else krippendorffs_alpha
    is_defined = len(people) >= FEWEST_PEOPLE and len(conversations) > 1
    is_defined = is_defined and of_chance(profiles_of(items)) is not None
    values = []
    generator = Generator(bootstrap.seed)
    for _ in range(bootstrap.replicates if is_defined and bootstrap.is_drawn else 0):
        weight = _drawn(people, generator)
        times = _drawn(conversations, generator)
        values.append(_of_draw(items, weight, times, n_labels, is_scale=is_scale))
    intervals = {
        key: interval(
            [each[at] for each in values], len(conversations), bootstrap, is_defined=is_defined
        )
        for at, key in enumerate(("raw", "alpha", "ac1"))
    }
    return {"estimand": WORDS, "n_annotators": len(people), **intervals}


def _drawn(names: Sequence[str], generator: Generator) -> dict[str, int]:
    drawn = Counter(generator.integers(len(names), size=len(names)))
    return {name: drawn[at] for at, name in enumerate(names)}


def _of_draw(
    items: Sequence[Item],
    weight: Mapping[str, int],
    times: Mapping[str, int],
    n_labels: int,
    *,
    is_scale: bool,
) -> Values:
    """Raw agreement, alpha and AC1 of one draw, person by person."""
    n_paired = n_items = agreement = 0.0
    shares, given = [0.0] * n_labels, [0.0] * n_labels
    unlike: dict[tuple[int, int], float] = defaultdict(float)
    for item in items:
        t = times[item.conversation]
        drawn = [(label, weight[name]) for name, label in item.labels.items() if weight[name]]
        if not drawn or not t:
            continue
        s = sum(w for _, w in drawn)
        n_items += t
        for label, w in drawn:
            shares[label] += t * w / s
        if len(drawn) < 2:
            continue
        compared = s * s - sum(w * w for _, w in drawn)
        n_paired += t
        for (one, w), (other, v) in permutations(drawn, 2):
            if one == other:
                agreement += t * w * v / compared
            else:
                unlike[one, other] += t * s * w * v / compared
        for label, w in drawn:
            given[label] += t * w
    if not n_paired:
        return None, None, None
    return _values(agreement / n_paired, [n / n_items for n in shares], given, unlike, is_scale)


def _values(
    raw: float,
    shares: Sequence[float],
    given: Sequence[float],
    unlike: Mapping[tuple[int, int], float],
    is_scale: bool,
) -> Values:
    n = sum(given)
    rank = [sum(given[:at]) + each / 2 for at, each in enumerate(given)]

    def apart(i: int, j: int) -> float:
        return (rank[i] - rank[j]) ** 2 if is_scale else 1.0

    expected = sum(given[i] * given[j] * apart(i, j) for i, j in permutations(range(len(given)), 2))
    observed = sum(each * apart(i, j) for (i, j), each in unlike.items())
    alpha = 1 - (n - 1) * observed / expected if expected else None
    chance = sum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return raw, alpha, (raw - chance) / (1 - chance)
