"""Agreement of each annotator with the others."""

import numpy as np

from stats.agreement.judgement_table import Floats, Ints, Judgements, n_distinct
from stats.agreement.result import (
    DEFAULT_REPLICATES,
    Agreement,
    Basis,
    Measure,
    agreement_figure,
    ratio,
    undefined_figure,
)

WITH_OTHERS = Measure(
    "agreement with the others",
    "share of the other judgements of an item that say the same as this person, averaged over the"
    " items that the person judged, for questions like these",
)

ALONE = "nobody else judged an item of theirs"


def agreement_with_others(
    judgements: Judgements, *, replicates: int = DEFAULT_REPLICATES, seed: int = 0
) -> dict[str, Agreement]:
    """Return each worker's mean of (c_v - 1) / (m - 1) over their items with m ≥ 2.

    v is the worker's label of the item and c_v the number who gave it, including the worker: the
    worker is compared with the others and never with themselves. If every item has two judgements
    this is agreement with the one other person, and if two people judged everything it is the same
    figure for both, the raw agreement.

    Right: a a b by x, y, z → x .5, y .5, z 0. Undefined if nobody else judged an item of theirs.

    A row of the bootstrap is a question: for each m that occurs among the worker's items,
    ascending, the number of items with it and of the other judgements of these that agree.
    """
    order = np.argsort(judgements.worker, kind="stable")
    ends = np.cumsum(np.bincount(judgements.worker, minlength=len(judgements.workers))).tolist()
    found = {}
    for name, start, end in zip(judgements.workers, [0, *ends], ends, strict=False):
        rows = order[start:end]
        paired = rows[judgements.sizes[judgements.task[rows]] >= 2]
        found[name] = _with_others(judgements, paired, replicates=replicates, seed=seed)
    return found


def _with_others(judgements: Judgements, rows: Ints, *, replicates: int, seed: int) -> Agreement:
    task, label = judgements.task[rows], judgements.label[rows]
    basis = Basis(
        n_items=len(rows),
        n_judgements=len(rows),
        n_workers=1,
        n_questions=n_distinct(judgements.question[task]) if len(rows) else 0,
        n_clusters=n_distinct(judgements.cluster[task]) if len(rows) else 0,
        categories=tuple(judgements.labels[code] for code in np.unique(label)),
    )
    if not len(rows):
        return undefined_figure(WITH_OTHERS, basis, ALONE, seed=seed)
    sizes, size = np.unique(judgements.sizes[task], return_inverse=True)
    _, cluster = np.unique(judgements.cluster[task], return_inverse=True)
    cell, n_cells = cluster * len(sizes) + size, basis.n_clusters * len(sizes)
    agreeing = judgements.counts[task, label] - 1
    columns = [np.bincount(cell, minlength=n_cells), np.bincount(cell, agreeing, n_cells)]
    sums = np.stack([column.reshape(-1, len(sizes)) for column in columns], axis=2)
    matrix = sums.reshape(basis.n_clusters, -1).astype(np.int64)

    def share(totals: Floats) -> Floats:
        by_size = totals.reshape(len(totals), len(sizes), 2)
        agreed = (by_size[:, :, 1] / (sizes - 1)).sum(axis=1)
        return ratio(agreed, by_size[:, :, 0].sum(axis=1))

    return agreement_figure(WITH_OTHERS, basis, matrix, share, replicates=replicates, seed=seed)
