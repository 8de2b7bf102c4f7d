"""The figures of relations between accepted answers in a report. Imports no Django.

docs/report.md has the columns that they are computed from.
"""

from collections import Counter
from collections.abc import Sequence

from exports.rows.derived_columns import RelationRow

Json = dict[str, object]


def relation_figures(rows: Sequence[RelationRow]) -> Json:
    """The counts of the pairs, and the clusters of answers that are the same.

    Of several items about a pair the one with is_newest counts. Clusters of one answer are counted, not listed.
    """
    pairs = [row for row in rows if row.is_newest]
    decided = [row for row in pairs if row.state == "decided"]
    members: dict[str, set[str]] = {}
    turns: dict[str, str] = {}
    for row in pairs:
        for answer, cluster in (
            (row.first_id, row.first_cluster),
            (row.second_id, row.second_cluster),
        ):
            members.setdefault(cluster, set()).add(answer)
            turns[cluster] = row.turn_id
    sizes = Counter(map(len, members.values()))
    return {
        "n_pairs": len(pairs),
        "n_decided": len(decided),
        "n_turns": len({row.turn_id for row in pairs}),
        "n_answers": sum(map(len, members.values())),
        "by_relation": dict(Counter(row.relation for row in decided)),
        "n_clusters": len(members),
        "by_size": [{"n_answers": size, "n_clusters": sizes[size]} for size in sorted(sizes)],
        "clusters": [
            {"turn_id": turns[cluster], "answer_ids": sorted(answers)}
            for cluster, answers in sorted(members.items())
            if len(answers) > 1
        ],
        "breaks_transitivity": [
            {
                "turn_id": row.turn_id,
                "first_id": row.first_id,
                "second_id": row.second_id,
                "relation": row.relation,
                "cluster": row.first_cluster,
            }
            for row in pairs
            if row.breaks_transitivity
        ],
    }
