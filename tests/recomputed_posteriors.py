"""Soft labels, and how items ended by their rule, computed anew from docs/report.md: one item at a time.

Written with nothing of Touchstone's, and without arrays.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, prod
from pathlib import Path
from typing import Any

from tests.recomputed_tables import Rows, table

SCHEMES = {
    "plausibility": ("plausible", "implausible", "malformed"),
    "faithfulness": ("faithful", "unfaithful", "irrelevant"),
}
RIGHT, WRONG = 4, 1
Votes = Mapping[str, Mapping[str, str]]
Chances = dict[str, float]


def posteriors(votes: Votes, labels: Sequence[str], *, one_coin: bool) -> dict[str, Chances]:
    """Return the posteriors of items that all have a judgement."""
    n_judgements = sum(len(by) for by in votes.values())
    workers = sorted({worker for by in votes.values() for worker in by})
    q = {item: _shares(list(by.values()), labels) for item, by in votes.items()}
    last: float | None = None
    for _ in range(1000):
        p = {k: (1 + sum(each[k] for each in q.values())) / (len(labels) + len(q)) for k in labels}
        c = {w: _confusion(_said_by(w, votes), q, labels, one_coin=one_coin) for w in workers}
        joint = {
            item: {k: p[k] * prod(c[w][k][said] for w, said in by.items()) for k in labels}
            for item, by in votes.items()
        }
        q = {item: _normalised(each) for item, each in joint.items()}
        gained = sum(log(sum(each.values())) for each in joint.values())
        gained += sum(log(p[k]) for k in labels) + sum(
            _log_prior(c[w], labels, one_coin=one_coin) for w in workers
        )
        if last is not None and gained - last < 1e-8 * n_judgements:
            break
        last = gained
    return q


def _shares(said: Sequence[str], labels: Sequence[str]) -> Chances:
    return {k: said.count(k) / len(said) for k in labels}


def _said_by(worker: str, votes: Votes) -> list[tuple[str, str]]:
    return [(item, by[worker]) for item, by in votes.items() if worker in by]


def _normalised(each: Chances) -> Chances:
    return {k: value / sum(each.values()) for k, value in each.items()}


def _confusion(
    said: Sequence[tuple[str, str]],
    q: Mapping[str, Chances],
    labels: Sequence[str],
    *,
    one_coin: bool,
) -> dict[str, Chances]:
    others = max(len(labels) - 1, 1)
    if one_coin:
        right = sum(q[item][label] for item, label in said)
        r = (RIGHT + right) / (RIGHT + WRONG + len(said))
        return {k: {v: r if k == v else (1 - r) / others for v in labels} for k in labels}
    n = {k: dict.fromkeys(labels, 0.0) for k in labels}
    for item, label in said:
        for k in labels:
            n[k][label] += q[item][k]
    return {
        k: _normalised({v: n[k][v] + (RIGHT if k == v else WRONG / others) for v in labels})
        for k in labels
    }


def _log_prior(c: Mapping[str, Chances], labels: Sequence[str], *, one_coin: bool) -> float:
    others = max(len(labels) - 1, 1)
    return sum(
        log(c[k][v]) * (RIGHT if k == v else WRONG / others)
        for k in (labels[:1] if one_coin else labels)
        for v in labels
    )


def recomputed_soft_labels(folder: Path) -> list[dict[str, Any]]:
    """The rows of `soft_labels.csv` in the folder, numbers as numbers and nothing as None."""
    rows = []
    for batch, real, votes, labels in _batches(folder):
        kept = {
            item["item_id"]: votes[item["item_id"]]
            for item in real
            if item["is_excluded"] == "false" and item["item_id"] in votes
        }
        by_model = {
            model: posteriors(kept, labels, one_coin=model == "one_coin")
            for model in ("confusions", "one_coin")
        }
        for item in real:
            said = list(votes.get(item["item_id"], {}).values())
            model = "confusions" if len(said) > 2 else "one_coin" if len(said) == 2 else ""
            model = model if item["is_excluded"] == "false" else ""
            reason = "" if model else "too few judgements"
            rows += [
                {
                    "batch": batch,
                    "item_id": item["item_id"],
                    "label": label,
                    "n_votes": said.count(label),
                    "vote_share": said.count(label) / len(said) if said else None,
                    "posterior": by_model[model][item["item_id"]][label] if model else None,
                    "model": model,
                    "reason": "excluded" if item["is_excluded"] == "true" else reason,
                }
                for label in labels
            ]
    return rows


def _batches(folder: Path) -> list[tuple[str, Rows, dict[str, dict[str, str]], list[str]]]:
    """By name: the items that are no controls, what was counted of them, and their labels."""
    judgements, items = table(folder, "judgements"), table(folder, "items")
    found = []
    for batch in sorted({row["batch"] for row in items if row["is_control"] == "false"}):
        of_batch = {
            row["item_id"]: row
            for row in items
            if row["batch"] == batch and row["is_control"] == "false"
        }
        real = [of_batch[item_id] for item_id in sorted(of_batch)]
        votes: dict[str, dict[str, str]] = {}
        for row in judgements:
            is_asked = row["question"] == row["scheme"] and row["label"] != ""
            if row["counted"] == "true" and is_asked and row["item_id"] in of_batch:
                votes.setdefault(row["item_id"], {})[row["annotator"]] = row["label"]
        said = {label for by in votes.values() for label in by.values()}
        found.append((batch, real, votes, sorted({*SCHEMES[real[0]["scheme"]], *said})))
    return found


def ended_by_rule(folder: Path) -> dict[str, tuple[str, str]]:
    """State and label, as items.csv says them, of every item that ended by its rule."""
    return {
        row["item_id"]: (row["state"], row["verdict"])
        for row in table(folder, "items")
        if row["source"] == "consensus" and row["is_excluded"] == "false"
    }


def recomputed_verdicts(folder: Path) -> dict[str, tuple[str, str]]:
    """The same from judgements.csv; items.csv says only which items there are, and the rule."""
    likely: dict[str, Chances] = {}
    for row in recomputed_soft_labels(folder):
        if row["posterior"] is not None:
            likely.setdefault(row["item_id"], {})[row["label"]] = round(row["posterior"], 6)
    ended = {}
    for _, real, votes, _ in _batches(folder):
        for item in real:
            if item["source"] == "consensus" and item["is_excluded"] == "false":
                said = list(votes.get(item["item_id"], {}).values())
                ended[item["item_id"]] = ended_by(
                    item["rule"], said, likely.get(item["item_id"], {})
                )
    return ended


def ended_by(rule: str, said: Sequence[str], likely: Chances) -> tuple[str, str]:
    if len(said) < 2:
        return "set aside", ""
    label, most = Counter(said).most_common(1)[0]
    settles = {"unanimous": most == len(said), "majority": 2 * most > len(said)}
    if rule == "posterior":
        label = max(sorted(likely), key=likely.__getitem__)
        differ = len(said) == 2 and most == 1
        settles[rule] = likely[label] >= 0.95 and label in said and not differ
    return ("decided", label) if settles[rule] else ("disputed", "")
