"""The table of judgements, and each cluster's addend to a coefficient."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements as integers; the names that the integers stand for are sorted by code point.

    (Labels with numbers can be sorted by these: `relabelled`.) `task`, `worker` and `label` have
    one entry a judgement, `question` and `cluster` one entry a task. Questions of a cluster are
    alike (the turns of a conversation), so intervals draw clusters; each question is one of its own
    if none are given.

    `from_columns` raises ValueError if the columns differ in length, if a worker judged a task
    twice, or if a task belongs to two questions or clusters.
    """

    tasks: tuple[str, ...]
    workers: tuple[str, ...]
    labels: tuple[str, ...]
    task: Ints
    worker: Ints
    label: Ints
    question: Ints
    cluster: Ints

    @classmethod
    def from_columns(
        cls,
        *,
        task: Sequence[str],
        worker: Sequence[str],
        label: Sequence[str],
        question: Sequence[str],
        cluster: Sequence[str] | None = None,
    ) -> Self:
        clusters = question if cluster is None else cluster
        lengths = [len(column) for column in (task, worker, label, question, clusters)]
        if len(set(lengths)) != 1:
            raise ValueError(f"task, worker, label, question, cluster differ in length: {lengths}")
        tasks, task_codes = _coded(task)
        workers, worker_codes = _coded(worker)
        labels, label_codes = _coded(label)
        _refuse_twice(task_codes * len(workers) + worker_codes, task, worker)
        return cls(
            tasks=tasks,
            workers=workers,
            labels=labels,
            task=task_codes,
            worker=worker_codes,
            label=label_codes,
            question=_of_task("questions", tasks, task_codes, question),
            cluster=_of_task("clusters", tasks, task_codes, clusters),
        )

    def relabelled(self, order: Ints) -> Self:
        """Return the same judgements with the labels in another order."""
        place = np.argsort(order)
        labels = tuple(self.labels[code] for code in order)
        return replace(self, labels=labels, label=place[self.label])

    def only(self, tasks: Ints) -> Self:
        """Return the judgements of these tasks; other people and labels are left out.

        The labels stay in their order.
        """
        rows = np.flatnonzero(np.isin(self.task, tasks))
        part = type(self).from_columns(
            task=[self.tasks[code] for code in self.task[rows]],
            worker=[self.workers[code] for code in self.worker[rows]],
            label=[self.labels[code] for code in self.label[rows]],
            question=[f"{code:012}" for code in self.question[self.task[rows]]],
            cluster=[f"{code:012}" for code in self.cluster[self.task[rows]]],
        )
        return part.relabelled(np.argsort([self.labels.index(label) for label in part.labels]))

    @cached_property
    def counts(self) -> Ints:
        """Return how often each task (row) was given each label (column)."""
        shape = (len(self.tasks), len(self.labels))
        cells = self.task * shape[1] + self.label
        return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def sizes(self) -> Ints:
        """Return the number of judgements of each task."""
        return np.bincount(self.task, minlength=len(self.tasks))


@dataclass(frozen=True, eq=False)
class Sums:
    """Each cluster's addends to a coefficient, in whole numbers.

    A row of `matrix` is one cluster (`Judgements.cluster`) that has a task with at least the required number of
    judgements; it has, for each number m of judgements of a task that occurs (`sizes`, ascending),
    first for each label i how often it was given, Σ c_i, then for each pair of labels i < j (0,1;
    0,2; …; 1,2; …) the unlike pairs of judgements, Σ c_i·c_j; the sums are over the cluster's
    tasks with m judgements, and c are the counts of one task. For m judgements and V labels these
    are V·(V+1)/2 columns.

    Right: a cluster with two tasks, judged a a b and b b b → sizes [3], row [2, 4, 2].
    """

    sizes: Ints
    n_labels: int
    matrix: Ints

    def split(self, totals: Floats) -> tuple[Floats, Floats]:
        """Split column totals, (R, columns), into (R, sizes, labels) and (R, sizes, pairs)."""
        blocks = totals.reshape(len(totals), len(self.sizes), -1)
        return blocks[:, :, : self.n_labels], blocks[:, :, self.n_labels :]


def cluster_sums(judgements: Judgements, *, at_least: int) -> Sums:
    selected = judgements.sizes >= at_least
    counts = np.compress(selected, judgements.counts, axis=0)
    _, cluster = _dense(np.compress(selected, judgements.cluster))
    present, size = _dense(np.compress(selected, judgements.sizes))
    first, second = label_pairs(counts.shape[1])
    by_label = counts.T
    columns = np.vstack([by_label, by_label[first] * by_label[second]])
    n_clusters = int(cluster.max()) + 1
    shape = (len(present), len(columns), n_clusters)
    cell = size * n_clusters + cluster
    matrix = np.empty(shape, np.int64)
    for place, column in enumerate(columns):
        # bincount sums in float64, which is exact for whole numbers below 2**53
        summed = np.bincount(cell, column, shape[0] * shape[2])
        matrix[:, place] = summed.reshape(shape[0], shape[2])
    return Sums(sizes=present, n_labels=counts.shape[1], matrix=matrix.reshape(-1, n_clusters).T)


def label_pairs(n_labels: int) -> tuple[Ints, Ints]:
    first, second = np.triu_indices(n_labels, k=1)
    return first.astype(np.int64), second.astype(np.int64)


def _dense(codes: Ints) -> tuple[Ints, Ints]:
    """Return the distinct codes, ascending, and each code's place among them, without a sort."""
    occurs = np.bincount(codes) > 0
    return np.flatnonzero(occurs), (occurs.cumsum() - 1)[codes]


def n_distinct(codes: Ints) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


def _coded(column: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    names = tuple(sorted(set(column)))
    code = {name: number for number, name in enumerate(names)}
    return names, np.fromiter(map(code.__getitem__, column), np.int64, len(column))


def _refuse_twice(keys: Ints, task: Sequence[str], worker: Sequence[str]) -> None:
    distinct, first = np.unique(keys, return_index=True)
    if len(distinct) == len(keys):
        return
    row = int(np.setdiff1d(np.arange(len(keys)), first)[0])
    raise ValueError(f"worker {worker[row]!r} judged task {task[row]!r} twice")


def _of_task(what: str, tasks: Sequence[str], task: Ints, column: Sequence[str]) -> Ints:
    """Return the code of each task's question or cluster, from that of each judgement."""
    _, codes = _coded(column)
    of_task = np.zeros(len(tasks), np.int64)
    of_task[task] = codes
    strange = np.flatnonzero(of_task[task] != codes)
    if len(strange):
        raise ValueError(f"task {tasks[task[strange[0]]]!r} belongs to two {what}")
    return of_task
