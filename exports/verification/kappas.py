"""Cohen's kappa of every two annotators with enough items in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from exports.verification.findings import WORDS
from exports.verification.intervals import Bootstrap
from exports.verification.judged_items import Item, figure_of_rows

AT_LEAST, AT_MOST = 10, 100
Two = tuple[str, str]


def kappas(items: Sequence[Item], labels: Sequence[str], bootstrap: Bootstrap) -> dict[str, Any]:
    common: dict[Two, list[Item]] = defaultdict(list)
    for item in items:
        for pair in combinations(sorted(item.labels), 2):
            common[pair].append(item)
    enough = [pair for pair, both in common.items() if len(both) >= AT_LEAST]
    taken = sorted(enough, key=lambda pair: (-len(common[pair]), pair))[:AT_MOST]
    return {
        "name": WORDS,
        "estimand": WORDS,
        "at_least": AT_LEAST,
        "at_most": AT_MOST,
        "n_pairs": len(common),
        "n_enough": len(enough),
        "kappas": [
            {
                "annotators": list(pair),
                "counts": _cells(common[pair], pair, len(labels)),
                **kappa_of_two(common[pair], pair, labels, bootstrap),
            }
            for pair in sorted(taken)
        ],
    }


def _cells(both: Sequence[Item], pair: Two, n_labels: int) -> list[list[int]]:
    found = Counter((item.labels[pair[0]], item.labels[pair[1]]) for item in both)
    return [[found[row, column] for column in range(n_labels)] for row in range(n_labels)]


def kappa_of_two(
    items: Sequence[Item], pair: Two, labels: Sequence[str], bootstrap: Bootstrap
) -> dict[str, Any]:
    both = [item for item in items if pair[0] in item.labels and pair[1] in item.labels]
    of_conversation = defaultdict(list)
    for item in both:
        of_conversation[item.conversation].append(item)
    rows = {
        conversation: [n for row in _cells(own, pair, len(labels)) for n in row]
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

    given = {item.labels[name] for item in both for name in pair}
    basis = {
        "n_items": len(both),
        "n_judgements": 2 * len(both),
        "n_questions": len({item.turn for item in both}),
        "n_annotators": 2 if both else 0,
        "labels": [label for at, label in enumerate(labels) if at in given],
    }
    return figure_of_rows(kappa, rows, basis, bootstrap)
