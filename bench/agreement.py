"""Krippendorff's alpha with 1,000 bootstrap replicates, against 1,000 calls of the package.

    python -m bench.agreement

The reference is a plain implementation: draw questions, stack their counts, call
`krippendorff.alpha`. Only its calls are timed (the resamples are made beforehand), and one call is
scaled to 1,000. Ours is timed as a whole, from the same counts. Both are called in turn, twenty
times, in one process, and the fastest call of each counts.
"""

import timeit
import tracemalloc
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from itertools import cycle
from typing import Any

import krippendorff
import numpy as np

from exports.agreement.figures import panel
from exports.rows.columns import JudgementRow
from stats.agreement.judgement_table import Floats, Ints, Judgements, Sums, cluster_sums
from stats.agreement.krippendorff_alpha import alpha_values, krippendorff_alpha
from stats.bootstrap import bootstrap, replicate_totals

N_ITEMS, N_WORKERS, REPLICATES, SEED = 16_000, 3, 1_000, 1
LABELS = ("implausible", "malformed", "plausible")
PREVALENCE = (0.05, 0.05, 0.9)
ACCURACY = 0.94
NUMBERS = np.arange(3.0)  # which number stands for which label does not matter at nominal level
ROUNDS = 20
CHECKED = 10
OURS = (
    "interval, from counts",
    "value by the package and interval, from counts",
    "value and interval, from rows of text",
)


def columns(items_per_question: int) -> dict[str, list[str]]:
    rng = np.random.default_rng(0)
    truth = rng.choice(3, p=PREVALENCE, size=N_ITEMS)
    wrong = (truth + rng.integers(1, 3, size=(N_WORKERS, N_ITEMS))) % 3
    right = rng.random((N_WORKERS, N_ITEMS)) < ACCURACY
    given = np.where(right, truth, wrong)
    items = [item for _ in range(N_WORKERS) for item in range(N_ITEMS)]
    return {
        "task": [f"item-{item}" for item in items],
        "worker": [f"worker-{worker}" for worker in range(N_WORKERS) for _ in range(N_ITEMS)],
        "label": [LABELS[code] for code in given.ravel()],
        "question": [f"question-{item // items_per_question}" for item in items],
    }


def fastest(*works: Callable[[], object]) -> list[float]:
    """Return the seconds of the fastest call of each.

    They are called in turn, so that a busy moment affects all.
    """
    rounds = [[timeit.timeit(work, number=1) for work in works] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def interval_from_counts(judgements: Judgements) -> object:
    sums = cluster_sums(judgements, at_least=2)
    statistic = partial(alpha_values, sums, "nominal", NUMBERS)
    return bootstrap(sums.matrix, statistic, replicates=REPLICATES, seed=SEED)


def resamples(judgements: Judgements, sums: Sums) -> list[Ints]:
    """Return the counts of the first replicates' items, built from rows as in `bootstrap`."""
    order = np.argsort(judgements.question, kind="stable")
    ends = np.flatnonzero(np.diff(judgements.question[order])) + 1
    items = np.split(order, ends)
    patterns, first, n = np.unique(sums.matrix, axis=0, return_index=True, return_counts=True)
    rng = np.random.default_rng(SEED)
    weights = rng.multinomial(len(items), n / len(items), size=REPLICATES)[:CHECKED]
    return [
        judgements.counts[
            np.concatenate([np.tile(items[first[p]], w[p]) for p in range(len(patterns))])
        ]
        for w in weights
    ]


def package(counts: Ints) -> float:
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def package_from_labels(labels: Floats) -> float:
    return float(krippendorff.alpha(reliability_data=labels, level_of_measurement="nominal"))


def as_labels(counts: Ints) -> Floats:
    return np.array([np.repeat(np.arange(len(LABELS)), row) for row in counts], float).T


def compare(items_per_question: int) -> None:
    rows = columns(items_per_question)
    judgements = Judgements.from_columns(**rows)
    sums = cluster_sums(judgements, at_least=2)
    totals = replicate_totals(sums.matrix, replicates=REPLICATES, seed=SEED)
    drawn = resamples(judgements, sums)
    ours = alpha_values(sums, "nominal", NUMBERS, totals)[:CHECKED]
    worst = max(abs(a - package(b)) for a, b in zip(ours, drawn, strict=True))

    labelled = [as_labels(counts) for counts in drawn]
    turns, labelled_turns = cycle(drawn), cycle(labelled)
    on_counts, on_labels, *ours_seconds = fastest(
        lambda: package(next(turns)),
        lambda: package_from_labels(next(labelled_turns)),
        lambda: interval_from_counts(judgements),
        lambda: krippendorff_alpha(judgements, seed=SEED),
        lambda: krippendorff_alpha(Judgements.from_columns(**rows), seed=SEED),
    )
    by_counts, by_labels = on_counts * REPLICATES, on_labels * REPLICATES

    n_patterns = len(np.unique(sums.matrix, axis=0))
    print(f"{N_ITEMS} items by {N_WORKERS}, {items_per_question} a question, {n_patterns} patterns")
    print(f"  package, {REPLICATES} calls (fastest of {ROUNDS}, scaled)")
    print(f"    on counts {by_counts:.2f} s, on labels {by_labels:.2f} s")
    for name, seconds in zip(OURS, ours_seconds, strict=True):
        ratios = [f"{reference / seconds:.0f} x" for reference in (by_counts, by_labels)]
        print(f"  {name}: {seconds * 1_000:.1f} ms, {ratios[0]} on counts, {ratios[1]} on labels")
    print(f"  {CHECKED} replicates against the package: largest difference {worst:.1e}")
    if worst > 1e-12:
        raise SystemExit("the replicates differ from the package's values")


def most_memory() -> None:
    """Compute the worst case of memory: 16,000 questions, no two of which are alike."""
    matrix = np.random.default_rng(0).integers(0, 200, size=(N_ITEMS, 6))
    tracemalloc.start()
    replicate_totals(matrix, replicates=REPLICATES, seed=SEED)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    taken = timeit.timeit(
        lambda: replicate_totals(matrix, replicates=REPLICATES, seed=SEED), number=1
    )
    print(
        f"{len(matrix)} questions, all different: {taken * 1_000:.0f} ms, peak {peak / 1e6:.0f} MB"
    )


def as_rows(columns: dict[str, list[str]]) -> list[JudgementRow]:
    """Return rows of judgements.csv with these columns, each item judged in its own minute."""
    empty: dict[str, Any] = {field.name: "" for field in fields(JudgementRow)}
    blank = JudgementRow(**empty | {"value": None, "question": "plausibility", "round": 1})
    named = zip(*(columns[name] for name in ("task", "worker", "label", "question")), strict=True)
    return [
        replace(
            blank,
            item_id=task,
            annotator=worker,
            label=label,
            turn_id=question,
            submitted_at=f"{int(task.removeprefix('item-')):09}",
        )
        for task, worker, label, question in named
    ]


def many(columns: dict[str, list[str]], n_workers: int) -> dict[str, list[str]]:
    """Return the same judgements by so many people, three of them on each item."""
    rng = np.random.default_rng(2)
    chosen = rng.random((N_ITEMS, n_workers)).argpartition(N_WORKERS, axis=1)[:, :N_WORKERS]
    return columns | {"worker": [f"worker-{worker}" for worker in chosen.T.ravel()]}


def whole_panel(items_per_question: int) -> None:
    """Compute everything that the page of a batch shows, from rows to JSON, as its job does."""
    alone = columns(items_per_question)
    for n_workers in (N_WORKERS, 100):
        rows = as_rows(alone if n_workers == N_WORKERS else many(alone, n_workers))
        taken = min(
            timeit.repeat(
                partial(panel, rows, replicates=REPLICATES, seed=SEED), number=1, repeat=3
            )
        )
        print(
            f"  the whole panel, {n_workers} people, {items_per_question} a question: {taken:.2f} s"
        )


if __name__ == "__main__":
    for items_per_question in (1, 4):
        compare(items_per_question)
        whole_panel(items_per_question)
    most_memory()
