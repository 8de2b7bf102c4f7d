"""What one more judgement of disputed items makes of agreement.

    python -m bench.extra_judgements

20,000 items with labels of known shares, each judged by people who are right that often, wrong
labels being any of the others. Raw agreement, alpha and AC1 over the first two judgements of each
item, over three of all, and over all where only items that the first two dispute have a third.
"""

import time

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import gwet_ac1, raw_agreement

N_ITEMS, REPLICATES = 20_000, 1_000
LABELS = ("plausible", "implausible", "malformed")
TRUTHS = (
    ("90/5/5, right in .9", (0.9, 0.05, 0.05), 0.9),
    ("75/18/7, right in .85", (0.75, 0.18, 0.07), 0.85),
    ("50/30/20, right in .85", (0.5, 0.3, 0.2), 0.85),
)

Labels = NDArray[np.int64]
Cells = NDArray[np.bool_]


def labels(rng: Generator, shares: tuple[float, ...], accuracy: float, n_items: int) -> Labels:
    """Return the labels of three people (columns) for each item."""
    truth = rng.choice(len(shares), size=(n_items, 1), p=shares)
    is_right = rng.random((n_items, 3)) < accuracy
    return np.where(is_right, truth, (truth + rng.integers(1, 3, (n_items, 3))) % len(shares))


def judgements(said: Labels, is_asked: Cells) -> Judgements:
    item, person = np.nonzero(is_asked)
    names = [f"i{each:06}" for each in item]
    return Judgements.from_columns(
        task=names,
        worker=[f"p{each}" for each in person],
        label=[LABELS[each] for each in said[item, person]],
        question=names,
    )


def designs(said: Labels) -> dict[str, Judgements]:
    two = np.ones(said.shape, bool)
    two[:, 2] = False
    disputed = two.copy()
    disputed[:, 2] = said[:, 0] != said[:, 1]
    asked = {
        "first two": two,
        "three of all": np.ones(said.shape, bool),
        "a third of the disputed": disputed,
    }
    return {name: judgements(said, which) for name, which in asked.items()}


def figures(table: Judgements) -> list[float | None]:
    drawn = {"replicates": REPLICATES, "seed": 0}
    found = (raw_agreement, krippendorff_alpha, gwet_ac1)
    return [each(table, **drawn).value for each in found]


def main() -> None:
    began = time.process_time()
    print("| truth | judgements | raw agreement | alpha | AC1 |\n| --- | --- | --- | --- | --- |")
    for name, shares, accuracy in TRUTHS:
        said = labels(np.random.default_rng(0), shares, accuracy, N_ITEMS)
        for design, table in designs(said).items():
            cells = " | ".join("none" if each is None else f"{each:.3f}" for each in figures(table))
            print(f"| {name} | {design} | {cells} |", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
