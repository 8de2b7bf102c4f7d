"""Relations of accepted answers: relations.csv from items.csv, and the figures of the report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from exports.verification.findings import Findings
from exports.verification.tables import Row, Rows, n_distinct

RELATION = "relation"
RELATIONS_TABLE = "relations"
SAME_COLUMNS = ("study", "batch", "item_id", "turn_id", "state", "source", "votes")
COUNTED_COLUMNS = ("n_counted", "is_newest")
SHOWN_FIRST = "is_first_shown_first"
NOT_SHOWN = "which answer was the first on the screen, where nobody judged the pair"


def pairs_of_items(items: Rows) -> dict[str, tuple[Row, Row]]:
    """By item that asks how two answers relate its two rows, by answer."""
    found: dict[str, Rows] = defaultdict(list)
    for row in items:
        if row["scheme"] == RELATION:
            found[row["item_id"]].append(row)
    pairs = {}
    for item, rows in found.items():
        if len({row["answer_id"] for row in rows}) != 2 or len(rows) != 2:
            raise ValueError(f"the item {item} has {len(rows)} answers, not two")
        first, second = sorted(rows, key=lambda row: row["answer_id"])
        pairs[item] = (first, second)
    return pairs


def relations(items: Rows, answers: Rows) -> list[dict[str, str]]:
    """The rows of relations.csv without what the screen showed first."""
    tiers = {row["answer_id"]: row["tier"] for row in answers}
    asked = [pair for pair in pairs_of_items(items).values() if pair[0]["is_control"] == "false"]
    cluster_of = _same_clusters(asked)
    rows = [_relation_row(first, second, tiers, cluster_of) for first, second in asked]
    columns = ("turn_id", "first_id", "second_id", "batch", "item_id")
    return sorted(rows, key=lambda row: [row[column] for column in columns])


def _relation_row(
    first: Row, second: Row, tiers: Mapping[str, str], cluster_of: Mapping[str, str]
) -> dict[str, str]:
    clusters = cluster_of[first["answer_id"]], cluster_of[second["answer_id"]]
    says = first["verdict"] if first["is_newest"] == "true" else ""
    breaks = says not in ("", "same", "cannot_say") and clusters[0] == clusters[1]
    return {
        **{column: first[column] for column in (*SAME_COLUMNS, *COUNTED_COLUMNS)},
        "first_id": first["answer_id"],
        "second_id": second["answer_id"],
        "first_answer": first["answer"],
        "second_answer": second["answer"],
        "first_tier": tiers.get(first["answer_id"], ""),
        "second_tier": tiers.get(second["answer_id"], ""),
        "relation": first["verdict"],
        "first_cluster": clusters[0],
        "second_cluster": clusters[1],
        "breaks_transitivity": "true" if breaks else "false",
    }


def _same_clusters(pairs: Iterable[tuple[Row, Row]]) -> dict[str, str]:
    """The first of the answers that can be reached from each answer by pairs that are the same."""
    near: dict[str, set[str]] = {}
    for first, second in pairs:
        ids = first["answer_id"], second["answer_id"]
        is_same = (first["is_newest"], first["verdict"]) == ("true", "same")
        for one, other in (ids, ids[::-1]):
            near.setdefault(one, set()).update([other] if is_same else [])
    found: dict[str, str] = {}
    for start in sorted(near):
        reached = [] if start in found else [start]
        while reached:
            answer = reached.pop()
            if answer not in found:
                found[answer] = start
                reached += near[answer]
    return found


def check_relations(
    items: Rows, answers: Rows, judgements: Rows, written: Rows, findings: Findings
) -> None:
    """That relations.csv says of each pair what the other tables say."""
    computed = relations(items, answers)
    findings.compare(len(computed), len(written), "relations.csv (its length)")
    for number, (mine, theirs) in enumerate(zip(computed, written)):
        path = f"relations.csv[{number}]"
        for column, value in mine.items():
            findings.compare(value, theirs[column], f"{path}.{column}")
    for item, (first, second) in pairs_of_items(items).items():
        for column in ("verdict", "state", "votes", "posterior", "is_newest", "n_counted"):
            findings.compare(first[column], second[column], f"items.csv {item}.{column}")
    _check_screen(judgements, written, findings)


def _check_screen(judgements: Rows, written: Rows, findings: Findings) -> None:
    """That judgements are about the first answer of the pair, at the place that it had."""
    rows = {row["item_id"]: row for row in written}
    judged = set()
    for number, judgement in enumerate(judgements):
        row = rows.get(judgement["item_id"])
        if row is not None:
            judged.add(row["item_id"])
            path = f"judgements.csv[{number}]"
            findings.compare(row["first_id"], judgement["answer_id"], f"{path}.answer_id")
            place = "1" if row[SHOWN_FIRST] == "true" else "2"
            findings.compare(place, judgement["position"], f"{path}.position")
    if rows.keys() - judged:
        findings.leave(f"relations.csv[*].{SHOWN_FIRST}", NOT_SHOWN)


def figures_of_relations(rows: Rows) -> dict[str, Any]:
    """What the report says of relations.csv."""
    pairs = [row for row in rows if row["is_newest"] == "true"]
    decided = [row for row in pairs if row["state"] == "decided"]
    members: dict[str, set[str]] = {}
    for row in pairs:
        members.setdefault(row["first_cluster"], set()).add(row["first_id"])
        members.setdefault(row["second_cluster"], set()).add(row["second_id"])
    sizes = Counter(len(ids) for ids in members.values())
    several = sorted((name, ids) for name, ids in members.items() if len(ids) > 1)
    return {
        "n_pairs": len(pairs),
        "n_decided": len(decided),
        "n_turns": n_distinct(pairs, "turn_id"),
        "n_answers": sum(len(ids) for ids in members.values()),
        "by_relation": dict(Counter(row["relation"] for row in decided)),
        "n_clusters": len(members),
        "by_size": [{"n_answers": n, "n_clusters": m} for n, m in sorted(sizes.items())],
        "clusters": [
            {"turn_id": name.rpartition(":")[0], "answer_ids": sorted(ids)} for name, ids in several
        ],
        "breaks_transitivity": [
            {
                **{key: row[key] for key in ("turn_id", "first_id", "second_id", "relation")},
                "cluster": row["first_cluster"],
            }
            for row in pairs
            if row["breaks_transitivity"] == "true"
        ],
    }
