"""Coefficients of agreement, exactly, with fractions.

A *profile* is how often each label was given in one item, the labels sorted: (2, 0, 1). Every coefficient,
also that of a bootstrap replicate, is computed from how many items have each profile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from itertools import permutations

Profile = tuple[int, ...]
Profiles = Mapping[Profile, int]
Coefficient = Callable[[Profiles], "Fraction | None"]


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
    return 1 - (sum(totals.values()) - 1) * unlike / expected if expected else None


def gwets_ac1(profiles: Profiles) -> Fraction | None:
    agreement, shares = raw_agreement(profiles), shares_of(profiles)
    if agreement is None or len(shares) < 2:
        return None
    chance = sum((share * (1 - share) for share in shares), Fraction()) / (len(shares) - 1)
    return (agreement - chance) / (1 - chance)


def fleiss_of(sizes: Collection[int]) -> Coefficient:
    """Fleiss' kappa, which every item must have equally many judgements for; `sizes` are how many they have."""

    def kappa(profiles: Profiles) -> Fraction | None:
        agreement = raw_agreement(profiles)
        if agreement is None or len(sizes) != 1:
            return None
        n_labels = len(next(iter(profiles)))
        given = [sum(n * p[at] for p, n in profiles.items()) for at in range(n_labels)]
        chance = sum((Fraction(n, sum(given)) ** 2 for n in given), Fraction())
        return None if chance == 1 else (agreement - chance) / (1 - chance)

    return kappa


def ordinal_alpha(profiles: Profiles) -> Fraction | None:
    """As krippendorffs_alpha, each unlike pair times the judgements ranked between, squared."""
    paired = {profile: n for profile, n in profiles.items() if sum(profile) >= 2}
    n_labels = len(next(iter(profiles), ()))
    given = [sum(n * p[at] for p, n in paired.items()) for at in range(n_labels)]

    def apart(i: int, j: int) -> Fraction:
        low, high = min(i, j), max(i, j)
        return (sum(given[low : high + 1]) - Fraction(given[i] + given[j], 2)) ** 2

    unlike = list(permutations(range(n_labels), 2))
    observed = sum(
        (
            Fraction(n * p[i] * p[j], sum(p) - 1) * apart(i, j)
            for p, n in paired.items()
            for i, j in unlike
            if p[i] and p[j]
        ),
        Fraction(),
    )
    expected = sum((given[i] * given[j] * apart(i, j) for i, j in unlike), Fraction())
    return 1 - (sum(given) - 1) * observed / expected if expected else None


def gwets_ac2(profiles: Profiles) -> Fraction | None:
    """With ordinal weights: 1 less C(distance + 1, 2) / C(labels, 2)."""
    shares = shares_of(profiles)
    n = len(shares)
    if n < 2:
        return None
    weight = {
        (k, m): 1 - Fraction(abs(k - m) * (abs(k - m) + 1), n * (n - 1))
        for k in range(n)
        for m in range(n)
    }
    n_items, agreement = 0, Fraction()
    for profile, times in profiles.items():
        m = sum(profile)
        if m >= 2:
            n_items += times
            each = ((1 - weight[i, j]) * profile[i] * profile[j] for i, j in weight)
            unlike = sum(each, Fraction())
            agreement += times * (1 - unlike / (m * (m - 1)))
    if not n_items:
        return None
    spread = sum((share * (1 - share) for share in shares), Fraction())
    chance = sum(weight.values(), Fraction()) * spread / (n * (n - 1))
    return (agreement / n_items - chance) / (1 - chance)


def specific_of(place: int) -> Coefficient:
    def specific(profiles: Profiles) -> Fraction | None:
        agreeing = sum(n * p[place] * (p[place] - 1) for p, n in profiles.items() if sum(p) > 1)
        possible = sum(n * p[place] * (sum(p) - 1) for p, n in profiles.items())
        return Fraction(agreeing, possible) if possible else None

    return specific


def share_of(place: int) -> Coefficient:
    return lambda profiles: shares_of(profiles)[place] if profiles else None


def shares_of(profiles: Profiles) -> list[Fraction]:
    n_items = sum(profiles.values())
    by_item = [[Fraction(n * c, sum(profile)) for c in profile] for profile, n in profiles.items()]
    return [sum(column, Fraction()) / n_items for column in zip(*by_item)]
