"""The figures of agreement of a batch's question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from exports.verification.coefficients import (
    Coefficient,
    fleiss_of,
    gwets_ac1,
    gwets_ac2,
    krippendorffs_alpha,
    ordinal_alpha,
    raw_agreement,
    share_of,
    shares_of,
    specific_of,
)
from exports.verification.findings import NOT_DRAWN, WORDS, Sign
from exports.verification.intervals import Bootstrap, Z, wilson, without_interval
from exports.verification.judged_items import (
    Item,
    figure,
    figure_of_rows,
    judged_items,
    named_figure,
    people_of,
    profiles_of,
    sorted_labels,
)
from exports.verification.kappas import kappa_of_two, kappas
from exports.verification.other_people import other_people
from exports.verification.tables import Row, Rows


def agreement(rows: Rows, bootstrap: Bootstrap) -> dict[str, Any]:
    is_scale = bool(rows) and all(row["value"] for row in rows)
    if not is_scale:
        rows = [row for row in rows if row["label"]]
    extra = _extra(rows, bootstrap, is_scale=is_scale)
    rows = [row for row in rows if row["round"] == "1"]
    labels = sorted_labels(rows, is_scale=is_scale)
    items = judged_items(rows, labels, is_scale=is_scale)
    paired = [item for item in items if item.n >= 2]
    of_chance = ordinal_alpha if is_scale else krippendorffs_alpha
    raw = named_figure(raw_agreement, paired, labels, bootstrap)
    alpha = named_figure(of_chance, paired, labels, bootstrap)
    ac1 = named_figure(gwets_ac1, items, labels, bootstrap)
    prevalence = dict(zip(labels, map(float, shares_of(profiles_of(items)))))
    cohen = _cohen(items, labels, bootstrap)
    fleiss = fleiss_of({item.n for item in items})
    return {
        "level": "ordinal" if is_scale else "nominal",
        "quote": _quote(raw, alpha, ac1, cohen, prevalence, is_scale=is_scale),
        "raw": {**raw, "wilson": _wilson_of_raw(paired)},
        "alpha": alpha,
        "fleiss": named_figure(fleiss, paired, labels, bootstrap),
        **({"cohen": cohen} if cohen else {}),
        "ac1": ac1,
        **({"ac2": named_figure(gwets_ac2, items, labels, bootstrap)} if is_scale else {}),
        "prevalence": prevalence,
        "by_label": _by_label(items, labels, bootstrap),
        "by_annotator": _by_annotator(items, labels, bootstrap),
        "pairs": kappas(items, labels, bootstrap),
        "confusion": {"labels": labels, "counts": _confusion(items, len(labels))},
        "over_time": _over_time(paired, labels, of_chance, bootstrap),
        "people": other_people(items, len(labels), bootstrap, is_scale=is_scale),
        "extra": extra,
    }


def _cohen(
    items: Sequence[Item], labels: Sequence[str], bootstrap: Bootstrap
) -> dict[str, Any] | None:
    people = people_of(items)
    if len(people) != 2:
        return None
    kappa = kappa_of_two(items, (people[0], people[1]), labels, bootstrap)
    return {"name": WORDS, "estimand": WORDS, **kappa}


def _extra(rows: Rows, bootstrap: Bootstrap, *, is_scale: bool) -> dict[str, Any]:
    """Items with judgements beyond the first ones: their agreement among all of their judgements."""

    def key(row: Row) -> tuple[str, str]:
        return row["item_id"], row["answer_id"]

    beyond = [row for row in rows if row["round"] != "1"]
    keys = {key(row) for row in beyond}
    rows = [row for row in rows if key(row) in keys]
    labels = sorted_labels(rows, is_scale=is_scale)
    paired = [item for item in judged_items(rows, labels, is_scale=is_scale) if item.n >= 2]
    raw = named_figure(raw_agreement, paired, labels, bootstrap)
    return {"n_items": len(keys), "n_judgements": len(beyond), "raw": raw}


def _wilson_of_raw(paired: Sequence[Item]) -> dict[str, Any]:
    conversations = {item.conversation for item in paired}
    if not paired or any(item.n != 2 for item in paired) or len(conversations) < len(paired):
        return without_interval()
    return wilson(sum(2 in item.profile for item in paired), len(paired), Z)


def _quote(
    raw: Any,
    alpha: Any,
    ac1: Any,
    cohen: Any,
    prevalence: Mapping[str, float],
    *,
    is_scale: bool,
) -> dict[str, Any]:
    key, beside, quoted = "alpha", list[str](), alpha
    if raw["value"] is None:
        return {"figure": None, "beside": [], "sentence": WORDS, "caution": None}
    if alpha["value"] is None:
        key, quoted = "raw", raw
    elif not is_scale:
        if cohen:
            key, quoted = "cohen", cohen
        is_skewed = max(prevalence.values()) > 0.8 and ac1["value"] is not None
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


def _by_label(items: Sequence[Item], labels: Sequence[str], bootstrap: Bootstrap) -> dict[str, Any]:
    paired = [item for item in items if item.n >= 2]
    words = {"name": WORDS, "estimand": WORDS}
    return {
        "specific": words,
        "prevalence": words,
        "labels": [
            {
                "label": label,
                "n_given": sum(item.profile[at] for item in items),
                "prevalence": figure(share_of(at), items, labels, bootstrap),
                "specific": figure(specific_of(at), paired, labels, bootstrap),
            }
            for at, label in enumerate(labels)
        ],
    }


def _by_annotator(
    items: Sequence[Item], labels: Sequence[str], bootstrap: Bootstrap
) -> dict[str, Any]:
    own: dict[str, list[Item]] = {name: [] for name in people_of(items)}
    for item in items:
        for name in item.labels if item.n >= 2 else ():
            own[name].append(item)
    return {
        "name": WORDS,
        "estimand": WORDS,
        "annotators": [
            {"annotator": name, **_with_others(of, name, labels, bootstrap)}
            for name, of in own.items()
        ],
    }


def _with_others(
    own: Sequence[Item], name: str, labels: Sequence[str], bootstrap: Bootstrap
) -> dict[str, Any]:
    sizes = sorted({item.n for item in own})
    rows: dict[str, list[int]] = defaultdict(lambda: [0] * (2 * len(sizes)))
    for item in own:
        at = 2 * sizes.index(item.n)
        rows[item.conversation][at] += 1
        rows[item.conversation][at + 1] += item.profile[item.labels[name]] - 1

    def share(totals: Sequence[int]) -> Fraction | None:
        agreeing = sum((Fraction(n, m - 1) for n, m in zip(totals[1::2], sizes)), Fraction())
        return agreeing / sum(totals[::2]) if sum(totals[::2]) else None

    given = {item.labels[name] for item in own}
    basis = {
        "n_items": len(own),
        "n_judgements": len(own),
        "n_questions": len({item.turn for item in own}),
        "n_annotators": 1,
        "labels": [label for at, label in enumerate(labels) if at in given],
    }
    return figure_of_rows(share, rows, basis, bootstrap)


def _confusion(items: Sequence[Item], n_labels: int) -> list[list[int]]:
    counts = [[0] * n_labels for _ in range(n_labels)]
    for item in items:
        for one, other in permutations(item.labels.values(), 2):
            counts[one][other] += 1
    return counts


def _over_time(
    paired: Sequence[Item], labels: Sequence[str], of_chance: Coefficient, bootstrap: Bootstrap
) -> list[dict[str, Any]]:
    ordered = sorted(paired, key=lambda item: (item.ended, item.key))
    n = len(ordered)
    n_windows = min(10, max(n // 20, 1)) if n else 0
    windows: list[list[Item]] = [[] for _ in range(n_windows)]
    for number, item in enumerate(ordered):
        windows[number * n_windows // n].append(item)
    return [
        {
            "first": window[0].ended,
            "last": window[-1].ended,
            "raw": figure(raw_agreement, window, labels, bootstrap),
            "alpha": figure(of_chance, window, labels, bootstrap),
        }
        for window in windows
    ]
