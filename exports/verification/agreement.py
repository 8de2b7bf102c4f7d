"""The figures of agreement of a batch's question: with pandas, numpy and krippendorff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import krippendorff
import numpy as np
import pandas as pd

from exports.verification.findings import NOT_DRAWN, WORDS, Sign
from exports.verification.intervals import (
    Bootstrap,
    Z,
    figure_of_rows,
    interval,
    plain,
    ratio,
    sums_by,
    wilson,
    without_interval,
)
from exports.verification.tables import Rows, conversation_of

NAMED = {"name": WORDS, "estimand": WORDS}
AT_LEAST, AT_MOST = 10, 100  # items in common of two people, and pairs of people
FEWEST_PEOPLE = 5
DRAWN_AT_ONCE = 50  # replicates of drawn people
ITEM = ["turn_id", "item_id", "answer_id"]


@dataclass(frozen=True)
class Judged:
    """Items that were judged.

    `codes` has a row an item and a column a person: the place of the label that they gave, else -1.
    """

    labels: list[str]
    people: list[str]
    items: pd.DataFrame  # ITEM, and when the last judgement was submitted
    codes: np.ndarray

    def where(self, mask: np.ndarray) -> Judged:
        return replace(self, items=self.items.iloc[mask], codes=self.codes[mask])

    @property
    def counts(self) -> np.ndarray:
        """How often each label was given (column) to each item (row)."""
        columns = [(self.codes == place).sum(axis=1) for place in range(len(self.labels))]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.items), 0), int)

    @property
    def n(self) -> np.ndarray:
        return np.asarray((self.codes >= 0).sum(axis=1))

    @property
    def conversations(self) -> np.ndarray:
        """The place of each item's conversation among them all, by code point."""
        names = list(map(conversation_of, self.items["turn_id"]))
        places = {name: place for place, name in enumerate(sorted(set(names)))}
        return np.array([places[name] for name in names], int)

    @property
    def basis(self) -> dict[str, Any]:
        given = self.counts.sum(axis=0)
        return {
            "n_items": len(self.items),
            "n_judgements": self.n.sum(),
            "n_annotators": (self.codes >= 0).any(axis=0).sum(),
            "labels": [label for label, times in zip(self.labels, given) if times],
            "n_questions": self.items["turn_id"].nunique(),
        }


class Totals(NamedTuple):
    """By number of judgements of an item: how often each label was given, and the unlike pairs of each two labels."""

    sizes: np.ndarray
    given: np.ndarray  # (..., sizes, labels)
    unlike: np.ndarray  # (..., sizes, pairs of labels)

    @property
    def n_labels(self) -> int:
        return int(self.given.shape[-1])

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        first, second = np.triu_indices(self.n_labels, 1)
        return first, second


OfTotals = Callable[[Totals], "np.ndarray"]


def agreement(rows: Rows, bootstrap: Bootstrap) -> dict[str, Any]:
    is_scale = bool(rows) and all(row["value"] for row in rows)
    if not is_scale:
        rows = [row for row in rows if row["label"]]
    items = judged([row for row in rows if row["round"] == "1"], is_scale=is_scale)
    paired = items.where(items.n >= 2)
    raw = NAMED | figure(raw_agreement, paired, bootstrap)
    alpha = NAMED | figure(partial(alpha_of, is_scale=is_scale), paired, bootstrap)
    if alpha["reason"] is None:
        alpha["value"] = krippendorff.alpha(
            value_counts=paired.counts, level_of_measurement="ordinal" if is_scale else "nominal"
        )
    ac1 = NAMED | figure(gwets_ac1, items, bootstrap)
    shares = (items.counts / np.maximum(items.n, 1)[:, None]).sum(axis=0) / max(len(items.n), 1)
    prevalence = dict(zip(items.labels, shares.tolist()))
    cohen = (
        {"cohen": NAMED | kappa_of_two(items, 0, 1, bootstrap)} if len(items.people) == 2 else {}
    )
    found = {
        "level": "ordinal" if is_scale else "nominal",
        "quote": _quote(raw, alpha, ac1, cohen.get("cohen"), prevalence, is_scale=is_scale),
        "raw": {**raw, "wilson": _wilson_of_raw(paired)},
        "alpha": alpha,
        "fleiss": NAMED | figure(partial(fleiss, sizes=set(items.n)), paired, bootstrap),
        **cohen,
        "ac1": ac1,
        **({"ac2": NAMED | figure(gwets_ac2, items, bootstrap)} if is_scale else {}),
        "prevalence": prevalence,
        "by_label": _by_label(items, bootstrap),
        "by_annotator": _by_annotator(items, bootstrap),
        "pairs": _kappas(items, bootstrap),
        "confusion": {"labels": items.labels, "counts": _confusion(items)},
        "over_time": _over_time(paired, bootstrap, is_scale=is_scale),
        "people": _other_people(items, bootstrap, is_scale=is_scale),
        "extra": _extra(rows, bootstrap, is_scale=is_scale),
    }
    return dict(plain(found))


def judged(rows: Rows, *, is_scale: bool) -> Judged:
    frame = pd.DataFrame(rows, columns=[*ITEM, "annotator", "label", "value", "submitted_at"])
    if is_scale:
        frame["label"] = frame["value"].astype(float)
    values, people = sorted(set(frame["label"])), sorted(set(frame["annotator"]))
    of_item = frame.groupby(ITEM)
    items = of_item["submitted_at"].max().rename("ended").reset_index()
    codes = np.full((len(items), len(people)), -1)
    places = [
        np.array(list(map(known.index, frame[name])), int)
        for name, known in (("annotator", people), ("label", values))
    ]
    codes[of_item.ngroup(), places[0]] = places[1]
    return Judged([f"{value:g}" for value in values] if is_scale else values, people, items, codes)


def figure(coefficient: OfTotals, items: Judged, bootstrap: Bootstrap) -> dict[str, Any]:
    sizes, counts = np.unique(items.n), items.counts
    first, second = np.triu_indices(len(items.labels), 1)
    numbers = np.concatenate([counts, counts[:, first] * counts[:, second]], axis=1)
    of_size = [numbers * (items.n == size)[:, None] for size in sizes]
    wide = np.concatenate(of_size, axis=1) if of_size else numbers
    rows = sums_by(wide, items.conversations)

    def of_totals(totals: np.ndarray) -> np.ndarray:
        by_size = totals.reshape(*totals.shape[:-1], len(sizes), numbers.shape[1])
        return coefficient(Totals(sizes, *np.split(by_size, [counts.shape[1]], axis=-1)))

    return figure_of_rows(rows, of_totals, items.basis, bootstrap)


# --- coefficients


def raw_agreement(totals: Totals) -> np.ndarray:
    return _weighted_agreement(totals, np.ones(totals.unlike.shape[-1]))


def _weighted_agreement(totals: Totals, apart: np.ndarray) -> np.ndarray:
    m = totals.sizes
    n_items = (totals.given.sum(axis=-1) / m)[..., m > 1].sum(axis=-1)
    unlike = 2 * (totals.unlike * apart).sum(axis=-1) / np.maximum(m * (m - 1), 1)
    return 1 - ratio(unlike.sum(axis=-1), n_items)


def alpha_of(totals: Totals, *, is_scale: bool) -> np.ndarray:
    """Krippendorff's: 1 less (n less 1) times the unlike pairs by those expected."""
    first, second = totals.pairs
    given = totals.given[..., totals.sizes > 1, :].sum(axis=-2)
    unlike = (totals.unlike / np.maximum(totals.sizes - 1, 1)[:, None]).sum(axis=-2)
    rank = given.cumsum(axis=-1) - given / 2
    apart = (rank[..., second] - rank[..., first]) ** 2 if is_scale else np.ones(len(first))
    expected = (given[..., first] * given[..., second] * apart).sum(axis=-1)
    disagreement = (given.sum(axis=-1) - 1) * ratio((unlike * apart).sum(axis=-1), expected)
    return np.asarray(1 - disagreement)


def fleiss(totals: Totals, *, sizes: set[int]) -> np.ndarray:
    """Undefined unless all items have equally many judgements; `sizes` are how many they have."""
    given = totals.given.sum(axis=-2)
    chance = (ratio(given, given.sum(axis=-1)[..., None]) ** 2).sum(axis=-1)
    kappa = ratio(raw_agreement(totals) - chance, 1 - chance)
    return kappa if len(sizes) == 1 else np.full(kappa.shape, np.nan)


def shares_of(totals: Totals) -> np.ndarray:
    n_items = (totals.given.sum(axis=-1) / totals.sizes).sum(axis=-1)
    return ratio((totals.given / totals.sizes[:, None]).sum(axis=-2), n_items[..., None])


def gwets_ac1(totals: Totals) -> np.ndarray:
    return _gwets(totals, raw_agreement(totals), 1.0)


def gwets_ac2(totals: Totals) -> np.ndarray:
    """With ordinal weights: 1 less d(d + 1) by those of the labels farthest apart."""
    n = max(totals.n_labels, 2)
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    apart = distance * (distance + 1) / (n * (n - 1))
    agreement = _weighted_agreement(totals, apart[totals.pairs])
    return _gwets(totals, agreement, (1 - apart).sum() / n)


def _gwets(totals: Totals, agreement: np.ndarray, weight: float) -> np.ndarray:
    if totals.n_labels < 2:
        return np.full(agreement.shape, np.nan)
    shares = shares_of(totals)
    chance = weight * (shares * (1 - shares)).sum(axis=-1) / (totals.n_labels - 1)
    return np.asarray((agreement - chance) / (1 - chance))


def specific(totals: Totals, *, place: int) -> np.ndarray:
    """Given that one judgement has the label, how often another one has."""
    first, second = totals.pairs
    possible = (totals.given[..., place] * (totals.sizes - 1)).sum(axis=-1)
    unlike = totals.unlike[..., (first == place) | (second == place)].sum(axis=(-2, -1))
    return 1 - ratio(unlike, possible)


# --- which figure to report


def _wilson_of_raw(paired: Judged) -> dict[str, Any]:
    n = len(paired.items)
    if not n or (paired.n != 2).any() or len(set(paired.conversations)) < n:
        return without_interval()
    return wilson((paired.counts == 2).any(axis=1).sum(), n, Z)


def _quote(
    raw: Any, alpha: Any, ac1: Any, cohen: Any, prevalence: Mapping[str, float], *, is_scale: bool
) -> dict[str, Any]:
    key, beside, quoted = "alpha", list[str](), alpha
    if raw["reason"] is not None:
        return {"figure": None, "beside": [], "sentence": WORDS, "caution": None}
    if alpha["reason"] is not None:
        key, quoted = "raw", raw
    elif not is_scale:
        if cohen:
            key, quoted = "cohen", cohen
        is_skewed = max(prevalence.values()) > 0.8 and ac1["reason"] is None
        beside = ["raw", "ac1"] if is_skewed else []
    return {"figure": key, "beside": beside, "sentence": WORDS, "caution": _caution(raw, quoted)}


def _caution(raw: Any, quoted: Any) -> Sign | None:
    """Whether there is one depends on whether there are intervals."""
    ends = quoted["interval"]["low"], raw["interval"]["low"]
    if NOT_DRAWN in ends:
        return NOT_DRAWN
    is_few = ends[0] is not None and quoted["interval"]["n_questions"] < 100
    is_nearly_all = raw["interval"]["n_questions"] >= 30 and raw["value"] >= 0.96
    return WORDS if is_few or (ends[1] is not None and is_nearly_all) else None


# --- parts


def _extra(rows: Rows, bootstrap: Bootstrap, *, is_scale: bool) -> dict[str, Any]:
    """Items with judgements beyond the first ones: their agreement among all of their judgements."""
    beyond = [row for row in rows if row["round"] != "1"]
    keys = {(row["item_id"], row["answer_id"]) for row in beyond}
    items = judged(
        [row for row in rows if (row["item_id"], row["answer_id"]) in keys], is_scale=is_scale
    )
    raw = NAMED | figure(raw_agreement, items.where(items.n >= 2), bootstrap)
    return {"n_items": len(keys), "n_judgements": len(beyond), "raw": raw}


def _by_label(items: Judged, bootstrap: Bootstrap) -> dict[str, Any]:
    paired, given = items.where(items.n >= 2), items.counts.sum(axis=0)

    def share(totals: Totals, *, place: int) -> np.ndarray:
        return shares_of(totals)[..., place]

    return {
        "specific": NAMED,
        "prevalence": NAMED,
        "labels": [
            {
                "label": label,
                "n_given": given[place],
                "prevalence": figure(partial(share, place=place), items, bootstrap),
                "specific": figure(partial(specific, place=place), paired, bootstrap),
            }
            for place, label in enumerate(items.labels)
        ],
    }


def _by_annotator(items: Judged, bootstrap: Bootstrap) -> dict[str, Any]:
    found = []
    for place, name in enumerate(items.people):
        own = items.where((items.n >= 2) & (items.codes[:, place] >= 0))
        labels, sizes = own.codes[:, place], np.unique(own.n)
        agreeing = own.counts[np.arange(len(labels)), labels] - 1
        numbers = [column for m in sizes for column in (own.n == m, (own.n == m) * agreeing)]
        rows = sums_by(
            np.array(numbers, int).T.reshape(len(labels), 2 * len(sizes)), own.conversations
        )

        def share(totals: np.ndarray, sizes: np.ndarray = sizes) -> np.ndarray:
            n, agreeing = totals[..., ::2], totals[..., 1::2]
            return ratio((agreeing / (sizes - 1)).sum(axis=-1), n.sum(axis=-1))

        basis = {
            **own.basis,
            "n_judgements": len(labels),
            "n_annotators": 1,
            "labels": [own.labels[each] for each in np.unique(labels)],
        }
        found.append({"annotator": name, **figure_of_rows(rows, share, basis, bootstrap)})
    return {**NAMED, "annotators": found}


def _kappas(items: Judged, bootstrap: Bootstrap) -> dict[str, Any]:
    has = (items.codes >= 0).astype(int)
    common = np.triu(has.T @ has, 1)
    n_enough = (common >= AT_LEAST).sum()
    # Of equally many items in common the first by name.
    pairs = sorted(zip(*np.nonzero(common >= AT_LEAST)), key=lambda pair: (-common[pair], pair))
    return {
        **NAMED,
        "at_least": AT_LEAST,
        "at_most": AT_MOST,
        "n_pairs": (common > 0).sum(),
        "n_enough": n_enough,
        "kappas": [
            {
                "annotators": [items.people[one], items.people[other]],
                "counts": _rows_of_two(items, one, other)
                .sum(axis=0)
                .reshape(2 * [len(items.labels)]),
                **kappa_of_two(items, one, other, bootstrap),
            }
            for one, other in sorted(pairs[:AT_MOST])
        ],
    }


def _rows_of_two(items: Judged, one: int, other: int) -> np.ndarray:
    """By conversation, the cells of the table of two people's labels."""
    both = items.where((items.codes[:, one] >= 0) & (items.codes[:, other] >= 0))
    k = len(items.labels)
    cells = np.zeros((len(both.items), k * k), int)
    cells[np.arange(len(cells)), both.codes[:, one] * k + both.codes[:, other]] = 1
    return sums_by(cells, both.conversations)


def kappa_of_two(items: Judged, one: int, other: int, bootstrap: Bootstrap) -> dict[str, Any]:
    k = len(items.labels)
    both = items.where((items.codes[:, one] >= 0) & (items.codes[:, other] >= 0))
    both = replace(both, codes=both.codes[:, [one, other]])

    def kappa(totals: np.ndarray) -> np.ndarray:
        table = totals.reshape(*totals.shape[:-1], k, k)
        n, agreed = table.sum(axis=(-2, -1)), np.trace(table, axis1=-2, axis2=-1)
        chance = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1)
        return ratio(n * agreed - chance, n * n - chance)

    return figure_of_rows(_rows_of_two(items, one, other), kappa, both.basis, bootstrap)


def _confusion(items: Judged) -> np.ndarray:
    counts = items.counts
    return np.asarray(counts.T @ counts - np.diag(counts.sum(axis=0)))


def _over_time(paired: Judged, bootstrap: Bootstrap, *, is_scale: bool) -> list[dict[str, Any]]:
    n = len(paired.items)
    keys = paired.items["item_id"] + " " + paired.items["answer_id"]
    order = np.array(sorted(range(n), key=list(zip(paired.items["ended"], keys)).__getitem__), int)
    n_windows = min(10, max(n // 20, 1)) if n else 0
    windows = []
    for number in range(n_windows):
        window = paired.where(order[np.arange(n) * n_windows // n == number])
        windows.append(
            {
                "first": window.items["ended"].iloc[0],
                "last": window.items["ended"].iloc[-1],
                "raw": figure(raw_agreement, window, bootstrap),
                "alpha": figure(partial(alpha_of, is_scale=is_scale), window, bootstrap),
            }
        )
    return windows


# --- other people like them


def _other_people(items: Judged, bootstrap: Bootstrap, *, is_scale: bool) -> dict[str, Any]:
    """Intervals for other annotators from the same population: people and conversations drawn."""
    n_people, conversations = len(items.people), items.conversations
    n_conversations = len(set(conversations.tolist()))
    is_defined = n_people >= FEWEST_PEOPLE and n_conversations > 1
    is_defined = is_defined and bool(((items.counts[items.n >= 2] > 0).any(axis=0)).sum() > 1)
    values = np.zeros((0, 3))
    if is_defined and bootstrap.is_drawn:
        generator, weights, times = np.random.default_rng(bootstrap.seed), [], []
        for _ in range(bootstrap.replicates):
            weights.append(_drawn(generator, n_people))
            times.append(_drawn(generator, n_conversations)[conversations])
        parts = [
            _of_draws(
                items,
                np.array(weights[at : at + DRAWN_AT_ONCE]),
                np.array(times[at : at + DRAWN_AT_ONCE]),
                is_scale,
            )
            for at in range(0, bootstrap.replicates, DRAWN_AT_ONCE)
        ]
        values = np.concatenate(parts)
    intervals = {
        key: interval(values[:, at], n_conversations, bootstrap, is_defined=is_defined)
        for at, key in enumerate(("raw", "alpha", "ac1"))
    }
    return {"estimand": WORDS, "n_annotators": n_people, **intervals}


def _drawn(generator: np.random.Generator, n: int) -> np.ndarray:
    return np.bincount(generator.integers(n, size=n), minlength=n)


def _of_draws(items: Judged, weights: np.ndarray, times: np.ndarray, is_scale: bool) -> np.ndarray:
    """Raw agreement, alpha and AC1 of draws (rows): a person is never compared with their own copy."""
    gave = [(items.codes == place).astype(float).T for place in range(len(items.labels))]
    given = np.stack([weights @ each for each in gave], axis=-1)  # draw, item, label
    squares = np.stack([weights**2 @ each for each in gave], axis=-1)
    s = given.sum(axis=-1)
    compared = s * s - squares.sum(axis=-1)
    is_paired = times * (compared > 0)
    n_paired, n_items = is_paired.sum(axis=-1), (times * (s > 0)).sum(axis=-1)
    like = ratio((given**2 - squares).sum(axis=-1), compared)
    raw = ratio(np.nansum(is_paired * like, axis=-1), n_paired)
    shares = ratio(
        np.nansum(times[..., None] * ratio(given, s[..., None]), axis=1), n_items[:, None]
    )
    chance = (shares * (1 - shares)).sum(axis=-1) / (len(items.labels) - 1)
    # As alpha_of, of items with s judgements each: a pair of labels has its share of s of the coincidences.
    first, second = np.triu_indices(len(items.labels), 1)
    of_item = np.nan_to_num(is_paired * ratio(s, compared))[..., None]
    unlike = (of_item * given[..., first] * given[..., second]).sum(axis=1)
    both = (is_paired[..., None] * given).sum(axis=1)
    alpha = alpha_of(Totals(np.array([2]), both[:, None, :], unlike[:, None, :]), is_scale=is_scale)
    return np.stack([raw, alpha, (raw - chance) / (1 - chance)], axis=-1)
