"""Soft labels, and how items end by their rule, from the judgements that are counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exports.verification.posteriors import Chances, posteriors
from exports.verification.tables import Row, Rows

SCHEMES = {
    "plausibility": ("plausible", "implausible", "malformed"),
    "faithfulness": ("faithful", "unfaithful", "irrelevant"),
    "relation": (
        *("same", "shorter", "more_detailed"),
        *("other_aspect", "contradicts", "cannot_say"),
    ),
}
FEWEST = 2  # judgements of an item that a rule decides by
SURE = 0.95
RULES = ("majority", "posterior", "unanimous")
Ballots = dict[str, dict[str, str]]  # the label by item and annotator


def ballots(judgements: Rows) -> Ballots:
    """The labels that count for an item's verdict."""
    found: Ballots = defaultdict(dict)
    for row in judgements:
        if row["counted"] == "true" and row["label"] and row["question"] == row["scheme"]:
            found[row["item_id"]][row["annotator"]] = row["label"]
    return dict(found)


def real_items(items: Rows) -> dict[str, Rows]:
    """By batch the items that are no controls, a row of each, sorted by item."""
    by_id = {row["item_id"]: row for row in items if row["is_control"] == "false"}
    found: dict[str, Rows] = defaultdict(list)
    for item_id in sorted(by_id):
        found[by_id[item_id]["batch"]].append(by_id[item_id])
    return dict(sorted(found.items()))


def soft_labels(
    items: Rows, judgements: Rows, written: Rows, *, with_posteriors: bool = True
) -> list[dict[str, Any]]:
    """The rows of soft_labels.csv, numbers as numbers and nothing as None.

    Which labels a scheme has that this program does not know is as `written` says.
    """
    votes = ballots(judgements)
    rows: list[dict[str, Any]] = []
    for batch, real in real_items(items).items():
        own = {row["item_id"]: votes[row["item_id"]] for row in real if row["item_id"] in votes}
        scheme = real[0]["scheme"]
        known = {row["label"] for row in written if row["batch"] == batch}
        labels = labels_of_votes(scheme, own, known)
        out = {row["item_id"] for row in real if row["is_excluded"] == "true"}
        counted = {i: by for i, by in own.items() if i not in out}
        likely = likely_labels(counted, labels) if with_posteriors else {}
        for item in real:
            given = list(own.get(item["item_id"], {}).values())
            rows += _soft_rows(item, given, labels, likely.get(item["item_id"], {}))
    return rows


def labels_of_votes(scheme: str, votes: Ballots, known: Iterable[str] = ()) -> list[str]:
    """The labels of the scheme, and any other that somebody gave."""
    given = {label for by in votes.values() for label in by.values()}
    return sorted({*(SCHEMES.get(scheme) or known), *given})


def likely_labels(votes: Ballots, labels: Sequence[str]) -> dict[str, Chances]:
    """By confusions for three judgements or more, by one coin for two, none for fewer."""
    models = {item: _model(len(by)) for item, by in votes.items()}
    found: dict[str, Chances] = {}
    for model in {*models.values()} - {""}:
        chances = posteriors(votes, labels, one_coin=model == "one_coin")
        found |= {i: chances[i] for i, of_item in models.items() if of_item == model}
    return found


def _model(n_judgements: int) -> str:
    return "confusions" if n_judgements > 2 else "one_coin" if n_judgements == 2 else ""


def _soft_rows(
    item: Row, given: Sequence[str], labels: Sequence[str], chances: Chances
) -> Iterator[dict[str, Any]]:
    is_excluded = item["is_excluded"] == "true"
    model = "" if is_excluded else _model(len(given))
    reason = "excluded" if is_excluded else "" if model else "too few judgements"
    for label in labels:
        n = given.count(label)
        yield {
            **{key: item[key] for key in ("study", "batch", "scheme", "item_id")},
            "label": label,
            "n_votes": n,
            "vote_share": n / len(given) if given else None,
            "posterior": chances.get(label),
            "model": model,
            "reason": reason,
        }


def by_rule(
    items: Rows, judgements: Rows, likely: Mapping[str, Chances]
) -> dict[str, dict[str, str]]:
    """State and verdict of every item that ends by its rule."""
    votes = ballots(judgements)
    found = {}
    for real in real_items(items).values():
        for item in real:
            if ends_by_rule(item):
                given = list(votes.get(item["item_id"], {}).values())
                state, label = ended_by(item["rule"], given, likely.get(item["item_id"], {}))
                found[item["item_id"]] = {"state": state, "verdict": label}
    return found


def ends_by_rule(item: Row) -> bool:
    return item["source"] == "consensus" and item["is_excluded"] == "false"


def ended_by(rule: str, given: Sequence[str], likely: Chances) -> tuple[str, str]:
    if rule not in RULES:
        raise ValueError(f"{rule!r} is no rule that this program knows")
    if len(given) < FEWEST:
        return "set aside", ""
    label, most = Counter(given).most_common(1)[0]
    settles = most == len(given) if rule == "unanimous" else 2 * most > len(given)
    if rule == "posterior":
        label = max(sorted(likely), key=likely.__getitem__)
        differ = len(given) == FEWEST and most == 1
        settles = likely[label] >= SURE and label in given and not differ
    return ("decided", label) if settles else ("disputed", "")
