"""The figures of agreement, computed anew from docs/report.md: exactly, with fractions.

A *profile* is how often each label was given in one item, the labels sorted: (2, 0, 1). Every
coefficient, also that of a bootstrap replicate, is computed from how many items have each profile.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from tests.recomputed_tables import Rows, conversation_of

Profile = tuple[int, ...]
Profiles = Mapping[Profile, int]
Draw = tuple[tuple[tuple[int, ...], int], ...]  # how often each pattern of a conversation is drawn
Coefficient = Callable[[Profiles], Fraction | None]


class Words:
    """Stands for any text: words are part of a report, but no number."""

    def __repr__(self) -> str:
        return "some words"


WORDS: Final = Words()


@dataclass(frozen=True)
class Item:
    """What was judged, and how; `ended` is when its last judgement was submitted."""

    key: str
    turn: str
    said: Mapping[str, int]  # by annotator, the place of the label among the labels
    profile: Profile
    ended: str

    @property
    def conversation(self) -> str:
        return conversation_of(self.turn)

    @property
    def annotators(self) -> frozenset[str]:
        return frozenset(self.said)

    @property
    def n(self) -> int:
        return sum(self.profile)


def figures(rows: Rows, *, seed: int, replicates: int) -> dict[str, Any]:
    is_scale = bool(rows) and all(row["value"] for row in rows)
    if not is_scale:
        rows = [row for row in rows if row["label"]]
    extra = _extra(rows, is_scale=is_scale, seed=seed, replicates=replicates)
    rows = [row for row in rows if row["round"] == "1"]
    found = {(float(row["value"]) if is_scale else row["label"]) for row in rows}
    labels = [f"{label:g}" if is_scale else str(label) for label in sorted(found)]
    items = _items(rows, labels, is_scale=is_scale)
    paired = [item for item in items if item.n >= 2]
    bootstrap = {"seed": seed, "replicates": replicates}
    raw = _named(raw_agreement, paired, labels, **bootstrap)
    wilson = _wilson(paired)
    level = ordinal_alpha if is_scale else krippendorffs_alpha
    alpha = _named(level, paired, labels, **bootstrap)
    ac1 = _named(gwets_ac1, items, labels, **bootstrap)
    prevalence = dict(zip(labels, map(float, _shares(_profiles(items))), strict=True))
    pairs = _pairs(items, labels, **bootstrap)
    people = sorted(frozenset().union(*(item.annotators for item in items)))
    cohen = {}
    if len(people) == 2:
        kappa = _kappa(items, (people[0], people[1]), labels, **bootstrap)
        cohen = {"cohen": {"name": WORDS, "estimand": WORDS, **kappa}}
    return {
        "level": "ordinal" if is_scale else "nominal",
        "quote": _quote(raw, wilson, alpha, ac1, prevalence, items, labels, is_scale, bootstrap),
        "raw": {**raw, "wilson": wilson},
        "alpha": alpha,
        "fleiss": _named(fleiss_of(items), paired, labels, **bootstrap),
        **cohen,
        "ac1": ac1,
        **({"ac2": _named(gwets_ac2, items, labels, **bootstrap)} if is_scale else {}),
        "prevalence": prevalence,
        "by_label": _by_label(items, labels, **bootstrap),
        "by_annotator": _by_annotator(items, labels, **bootstrap),
        "pairs": pairs,
        "confusion": {"labels": labels, "counts": _confusion(items, len(labels))},
        "over_time": _over_time(paired, labels, level, **bootstrap),
        "people": _people(items, len(labels), is_scale=is_scale, **bootstrap),
        "extra": extra,
    }


def _extra(rows: Rows, *, is_scale: bool, **bootstrap: int) -> dict[str, Any]:
    """Items with judgements beyond the first ones: their agreement among all of their judgements."""

    def key(row: Mapping[str, str]) -> tuple[str, str]:
        return row["item_id"], row["answer_id"]

    beyond = [row for row in rows if row["round"] != "1"]
    keys = {key(row) for row in beyond}
    rows = [row for row in rows if key(row) in keys]
    found = {(float(row["value"]) if is_scale else row["label"]) for row in rows}
    labels = [f"{label:g}" if is_scale else str(label) for label in sorted(found)]
    paired = [item for item in _items(rows, labels, is_scale=is_scale) if item.n >= 2]
    raw = _named(raw_agreement, paired, labels, **bootstrap)
    return {"n_items": len(keys), "n_judgements": len(beyond), "raw": raw}


def _items(rows: Rows, labels: Sequence[str], *, is_scale: bool) -> list[Item]:
    of_item = defaultdict(list)
    for row in rows:
        of_item[row["turn_id"], row["item_id"], row["answer_id"]].append(row)
    return [_item(key, given, labels, is_scale=is_scale) for key, given in of_item.items()]


def _item(key: tuple[str, ...], rows: Rows, labels: Sequence[str], *, is_scale: bool) -> Item:
    said = {
        row["annotator"]: labels.index(f"{float(row['value']):g}" if is_scale else row["label"])
        for row in rows
    }
    turn, item_id, answer_id = key
    profile = tuple(list(said.values()).count(place) for place in range(len(labels)))
    ended = max(row["submitted_at"] for row in rows)
    return Item(f"{item_id} {answer_id}", turn, said, profile, ended)


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


def fleiss_of(items: Sequence[Item]) -> Coefficient:
    """Fleiss' kappa, which every item must have equally many judgements for."""

    def kappa(profiles: Profiles) -> Fraction | None:
        agreement = raw_agreement(profiles)
        if agreement is None or len({item.n for item in items}) != 1:
            return None
        given = [sum(n * p[at] for p, n in profiles.items()) for at in range(len(items[0].profile))]
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
    shares = _shares(profiles)
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
            unlike = sum((1 - weight[i, j]) * profile[i] * profile[j] for i, j in weight)
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
    return lambda profiles: _shares(profiles)[place] if profiles else None


def _shares(profiles: Profiles) -> list[Fraction]:
    n_items = sum(profiles.values())
    by_item = [[Fraction(n * c, sum(profile)) for c in profile] for profile, n in profiles.items()]
    return [sum(column, Fraction()) / n_items for column in zip(*by_item, strict=True)]


# --- the parts


def _quote(
    raw: Any,
    wilson: Any,
    alpha: Any,
    ac1: Any,
    prevalence: Mapping[str, float],
    items: Sequence[Item],
    labels: Sequence[str],
    is_scale: bool,
    bootstrap: Mapping[str, int],
) -> dict[str, Any]:
    people = sorted(frozenset().union(*(item.annotators for item in items)))
    key, beside, figure = "alpha", list[str](), alpha
    if raw["value"] is None:
        return {"figure": None, "beside": [], "sentence": WORDS, "caution": None}
    if alpha["value"] is None:
        key, figure = "raw", raw
    elif not is_scale:
        if len(people) == 2:
            key, figure = "cohen", _kappa(items, (people[0], people[1]), labels, **bootstrap)
        skewed = max(prevalence.values()) > 0.8 and ac1["value"] is not None
        beside = ["raw", "ac1"] if skewed else []
    interval = figure["interval"]
    is_few = interval["low"] is not None and interval["n_questions"] < 100
    of_raw = raw["interval"]
    is_nearly_all = (
        of_raw["low"] is not None and of_raw["n_questions"] >= 30 and raw["value"] >= 0.96
    )
    caution = WORDS if is_few or is_nearly_all else None
    return {"figure": key, "beside": beside, "sentence": WORDS, "caution": caution}


def _by_label(items: Sequence[Item], labels: Sequence[str], **bootstrap: int) -> dict[str, Any]:
    paired = [item for item in items if item.n >= 2]
    told = {"name": WORDS, "estimand": WORDS}
    return {
        "specific": told,
        "prevalence": told,
        "labels": [
            {
                "label": label,
                "n_given": sum(item.profile[at] for item in items),
                "prevalence": _figure(share_of(at), items, labels, **bootstrap),
                "specific": _figure(specific_of(at), paired, labels, **bootstrap),
            }
            for at, label in enumerate(labels)
        ],
    }


def _by_annotator(items: Sequence[Item], labels: Sequence[str], **bootstrap: int) -> dict[str, Any]:
    people = sorted(frozenset().union(*(item.annotators for item in items)))
    return {
        "name": WORDS,
        "estimand": WORDS,
        "annotators": [
            {"annotator": name, **_with_others(items, name, labels, **bootstrap)} for name in people
        ],
    }


def _with_others(
    items: Sequence[Item], name: str, labels: Sequence[str], **bootstrap: int
) -> dict[str, Any]:
    own = [item for item in items if item.n >= 2 and name in item.said]
    sizes = sorted({item.n for item in own})
    rows: dict[str, list[int]] = defaultdict(lambda: [0] * (2 * len(sizes)))
    for item in own:
        at = 2 * sizes.index(item.n)
        rows[item.conversation][at] += 1
        rows[item.conversation][at + 1] += item.profile[item.said[name]] - 1

    def share(totals: Sequence[int]) -> Fraction | None:
        agreeing = sum(
            (Fraction(n, m - 1) for n, m in zip(totals[1::2], sizes, strict=True)), Fraction()
        )
        return agreeing / sum(totals[::2]) if sum(totals[::2]) else None

    said = [item.said[name] for item in own]
    basis = {
        "n_items": len(own),
        "n_judgements": len(own),
        "n_questions": len({item.turn for item in own}),
        "n_annotators": 1,
        "labels": [label for at, label in enumerate(labels) if at in said],
    }
    return _of_rows(share, rows, basis, **bootstrap)


def _pairs(items: Sequence[Item], labels: Sequence[str], **bootstrap: int) -> dict[str, Any]:
    common = Counter(pair for item in items for pair in combinations(sorted(item.said), 2))
    enough = [pair for pair, n in common.items() if n >= 10]
    taken = sorted(enough, key=lambda pair: (-common[pair], pair))[:100]
    return {
        "name": WORDS,
        "estimand": WORDS,
        "at_least": 10,
        "at_most": 100,
        "n_pairs": len(common),
        "n_enough": len(enough),
        "kappas": [
            {
                "annotators": list(pair),
                "counts": _table(items, pair, len(labels)),
                **_kappa(items, pair, labels, **bootstrap),
            }
            for pair in sorted(taken)
        ],
    }


def _table(items: Iterable[Item], pair: tuple[str, str], n_labels: int) -> list[list[int]]:
    counts = [[0] * n_labels for _ in range(n_labels)]
    for item in items:
        if pair[0] in item.said and pair[1] in item.said:
            counts[item.said[pair[0]]][item.said[pair[1]]] += 1
    return counts


def _kappa(
    items: Sequence[Item], pair: tuple[str, str], labels: Sequence[str], **bootstrap: int
) -> dict[str, Any]:
    both = [item for item in items if set(pair) <= item.annotators]
    of_conversation = defaultdict(list)
    for item in both:
        of_conversation[item.conversation].append(item)
    rows = {
        conversation: [n for row in _table(own, pair, len(labels)) for n in row]
        for conversation, own in of_conversation.items()
    }

    def kappa(totals: Sequence[int]) -> Fraction | None:
        n, places = sum(totals), range(len(labels))
        agreed = sum(totals[at * len(labels) + at] for at in places)
        chance = sum(
            sum(totals[at * len(labels) + other] for other in places)
            * sum(totals[other * len(labels) + at] for other in places)
            for at in places
        )
        return Fraction(n * agreed - chance, n * n - chance) if n * n - chance else None

    said = {item.said[name] for item in both for name in pair}
    basis = {
        "n_items": len(both),
        "n_judgements": 2 * len(both),
        "n_questions": len({item.turn for item in both}),
        "n_annotators": 2 if both else 0,
        "labels": [label for at, label in enumerate(labels) if at in said],
    }
    return _of_rows(kappa, rows, basis, **bootstrap)


def _confusion(items: Iterable[Item], n_labels: int) -> list[list[int]]:
    counts = [[0] * n_labels for _ in range(n_labels)]
    for item in items:
        for one, other in permutations(item.said.values(), 2):
            counts[one][other] += 1
    return counts


def _over_time(
    paired: Sequence[Item], labels: Sequence[str], alpha: Coefficient, **bootstrap: int
) -> list[dict[str, Any]]:
    ordered = sorted(paired, key=lambda item: (item.ended, item.key))
    n = len(ordered)
    n_windows = min(10, max(n // 20, 1)) if n else 0
    windows = [
        [item for number, item in enumerate(ordered) if number * n_windows // n == window]
        for window in range(n_windows)
    ]
    return [
        {
            "first": window[0].ended,
            "last": window[-1].ended,
            "raw": _figure(raw_agreement, window, labels, **bootstrap),
            "alpha": _figure(alpha, window, labels, **bootstrap),
        }
        for window in windows
    ]


def _people(
    items: Sequence[Item], n_labels: int, *, is_scale: bool, seed: int, replicates: int
) -> dict[str, Any]:
    people = sorted(frozenset().union(*(item.annotators for item in items)))
    conversations = sorted({item.conversation for item in items})
    alpha = ordinal_alpha if is_scale else krippendorffs_alpha
    is_there = alpha(_profiles(items)) is not None and len(people) >= 5 and len(conversations) > 1
    generator = np.random.default_rng(seed)
    values = []
    for _ in range(replicates if is_there else 0):
        drawn = Counter(generator.integers(len(people), size=len(people)).tolist())
        n = len(conversations)
        asked = Counter(generator.integers(n, size=n).tolist())
        weight = {name: drawn[at] for at, name in enumerate(people)}
        times = {name: asked[at] for at, name in enumerate(conversations)}
        values.append(_of_people(items, weight, times, n_labels, is_scale=is_scale))
    intervals = {
        key: _interval([each[at] for each in values], len(conversations), seed)
        for at, key in enumerate(("raw", "alpha", "ac1"))
    }
    return {"estimand": WORDS, "n_annotators": len(people), **intervals}


def _of_people(
    items: Sequence[Item],
    weight: Mapping[str, int],
    times: Mapping[str, int],
    n_labels: int,
    *,
    is_scale: bool,
) -> tuple[float | None, ...]:
    """Raw agreement, alpha and AC1 of one draw, person by person."""
    n_paired = n_items = agreement = 0.0
    shares, given = np.zeros(n_labels), np.zeros(n_labels)
    unlike = np.zeros((n_labels, n_labels))
    for item in items:
        said = [(label, weight[name]) for name, label in item.said.items() if weight[name]]
        s, t = sum(w for _, w in said), times[item.conversation]
        for label, w in said:
            shares[label] += t * w / s
        n_items += t if said else 0
        if len(said) < 2 or not t:
            continue
        compared = sum(w * v for (_, w), (_, v) in permutations(said, 2))
        n_paired += t
        for (one, w), (other, v) in permutations(said, 2):
            agreement += t * w * v / compared if one == other else 0
            unlike[one, other] += 0 if one == other else t * s * w * v / compared
        for label, w in said:
            given[label] += t * w
    if not n_paired:
        return None, None, None
    raw = agreement / n_paired
    shares = shares / n_items
    chance = (shares * (1 - shares)).sum() / (n_labels - 1)
    rank = np.cumsum(given) - given / 2
    apart = (rank[:, None] - rank) ** 2 if is_scale else 1 - np.eye(n_labels)
    expected = (np.outer(given, given) * apart).sum()
    alpha = 1 - (given.sum() - 1) * (unlike * apart).sum() / expected if expected else None
    return raw, alpha, (raw - chance) / (1 - chance)


# --- how far they can be trusted


def _named(
    coefficient: Coefficient, items: Sequence[Item], labels: Sequence[str], **bootstrap: int
) -> dict[str, Any]:
    return {"name": WORDS, "estimand": WORDS, **_figure(coefficient, items, labels, **bootstrap)}


def _figure(
    coefficient: Coefficient,
    items: Sequence[Item],
    labels: Sequence[str],
    *,
    seed: int,
    replicates: int,
) -> dict[str, Any]:
    """Return the figures of a coefficient of profiles.

    A conversation's row is its pattern, and any conversation of it stands for it.
    """
    sizes = sorted({item.n for item in items})
    of_conversation = defaultdict(list)
    for item in items:
        of_conversation[item.conversation].append(item)
    rows = {name: _pattern(own, sizes) for name, own in of_conversation.items()}
    stands_for = {row: _profiles(of_conversation[name]) for name, row in rows.items()}
    value = coefficient(_profiles(items))
    n_replicates = 0 if value is None else replicates

    @cache  # of few turns the same are drawn again and again
    def of_draw(draw: Draw) -> Fraction | None:
        profiles = Counter[Profile]()
        for row, times in draw:
            for profile, n in stands_for[row].items():
                profiles[profile] += n * times
        return coefficient({profile: n for profile, n in profiles.items() if n})

    values = [of_draw(draw) for draw in _draws(rows, seed=seed, replicates=n_replicates)]
    return {
        "value": None if value is None else float(value),
        "reason": WORDS if value is None else None,
        "n_items": len(items),
        "n_judgements": sum(item.n for item in items),
        "n_annotators": len(frozenset().union(*(item.annotators for item in items))),
        "labels": [each for at, each in enumerate(labels) if any(i.profile[at] for i in items)],
        "n_questions": len({item.turn for item in items}),
        "n_conversations": len(rows),
        "interval": _interval(values, len(rows), seed),
    }


def _of_rows(
    coefficient: Callable[[Sequence[int]], Fraction | None],
    rows: Mapping[str, Sequence[int]],
    basis: Mapping[str, Any],
    *,
    seed: int,
    replicates: int,
) -> dict[str, Any]:
    """Return the figures of a coefficient of the totals of the conversations' rows."""
    totals = [sum(column) for column in zip(*rows.values(), strict=True)]
    value = coefficient(totals) if rows else None
    n_replicates = 0 if value is None else replicates
    as_tuples = {name: tuple(row) for name, row in rows.items()}

    @cache
    def of_draw(draw: Draw) -> Fraction | None:
        patterns, counts = zip(*draw, strict=True)
        return coefficient(
            [
                sum(n * times for n, times in zip(column, counts, strict=True))
                for column in zip(*patterns, strict=True)
            ]
        )

    values = [of_draw(draw) for draw in _draws(as_tuples, seed=seed, replicates=n_replicates)]
    return {
        "value": None if value is None else float(value),
        "reason": WORDS if value is None else None,
        "n_conversations": len(rows),
        "interval": _interval(values, len(rows), seed),
        **basis,
    }


def _draws(rows: Mapping[str, tuple[int, ...]], *, seed: int, replicates: int) -> list[Draw]:
    """Return how often each pattern is drawn, by replicate."""
    if not replicates:
        return []
    patterns = sorted(Counter(rows.values()).items())
    shares = [n / len(rows) for _, n in patterns]
    draws = np.random.default_rng(seed).multinomial(len(rows), shares, size=replicates)
    return [
        tuple((pattern, times) for (pattern, _), times in zip(patterns, draw, strict=True))
        for draw in draws.tolist()
    ]


def _interval(values: Sequence[Any], n_questions: int, seed: int) -> dict[str, Any]:
    defined = [float(each) for each in values if each is not None]
    has_interval = n_questions > 1 and bool(defined) and max(defined) - min(defined) >= 1e-12
    low, high = np.percentile(defined, [2.5, 97.5]).tolist() if has_interval else (None, None)
    return {
        "low": low,
        "high": high,
        "reason": None if has_interval else WORDS,
        "n_questions": n_questions,
        "n_replicates": len(values),
        "n_undefined": len(values) - len(defined),
        "seed": seed,
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


def _wilson(paired: Sequence[Item]) -> dict[str, Any]:
    drawn = {item.conversation for item in paired}
    if not paired or any(item.n != 2 for item in paired) or len(drawn) < len(paired):
        return {"low": None, "high": None, "reason": WORDS}
    n, z = len(paired), NormalDist().inv_cdf(0.975)
    share = sum(2 in item.profile for item in paired) / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return {"low": middle - half, "high": middle + half, "reason": None}
