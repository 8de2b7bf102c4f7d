"""Outcomes of consensus rules for simulated crowds of known truth.

    python -m bench.crowds

For 2, 3 and 5 judgements an item, and crowds with and without people who do not look: the share of
items that each rule settles, and the share of wrong ones among them. Labels are as rare as in the
published data (.9, .05, .05); four answers belong to a question. Twenty seeds; in brackets the 95 %
interval of the mean over them.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stats.aggregation.consensus import RULES
from stats.aggregation.rule_simulation import SimulatedShares, simulated_shares
from stats.aggregation.simulated_crowd import (
    Crowd,
    Design,
    SimulatedLabels,
    mixed_crowd,
    random_design,
    simulate,
)

LABELS = ("plausible", "implausible", "malformed")
SHARES = (0.9, 0.05, 0.05)
N_ITEMS, N_EACH_QUESTION, N_WORKERS = 600, 4, 12
SEEDS = range(20)


@dataclass(frozen=True)
class Setting:
    """A crowd of twelve people.

    `hard` is the share of questions that mislead everybody who looks.
    """

    name: str
    n_hasty: int = 0
    n_spammers: int = 0
    accuracy: float = 0.9
    hard: float = 0.0


SETTINGS = (
    Setting("all skilled (.9)"),
    Setting("all skilled (.8)", accuracy=0.8),
    Setting("3 in haste", n_hasty=3),
    Setting("3 spammers", n_spammers=3),
    Setting("2 in haste, 2 spammers", n_hasty=2, n_spammers=2),
    Setting("all skilled (.9), 1 question in 20 misleads", hard=0.05),
)


def crowd_of(setting: Setting, rng: np.random.Generator) -> Crowd:
    return mixed_crowd(
        rng,
        shares=SHARES,
        n_skilled=N_WORKERS - setting.n_hasty - setting.n_spammers,
        n_hasty=setting.n_hasty,
        n_spammers=setting.n_spammers,
        accuracy=setting.accuracy,
    )


def judged(design: Design, drawn: SimulatedLabels) -> dict[int, dict[str, str]]:
    votes: dict[int, dict[str, str]] = {item: {} for item in range(len(drawn.truth))}
    for task, worker, label in zip(design.task, design.worker, drawn.label, strict=True):
        votes[int(task)][f"w{worker}"] = LABELS[label]
    return votes


def measured(setting: Setting, each: int) -> Iterator[SimulatedShares]:
    counts: dict[str, list[tuple[int, int]]] = {rule: [] for rule in RULES}
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        crowd = crowd_of(setting, rng)
        design = random_design(
            rng, n_items=N_ITEMS, each=each, n_workers=N_WORKERS, n_each_question=N_EACH_QUESTION
        )
        drawn = simulate(rng, crowd, design, hard=setting.hard)
        votes = judged(design, drawn)
        for name, rule in RULES.items():
            ended = {item: o.label for item, o in rule(votes, labels=LABELS).items() if o.label}
            wrong = sum(label != LABELS[drawn.truth[item]] for item, label in ended.items())
            counts[name].append((len(ended), wrong))
    for name, said in counts.items():
        yield simulated_shares(name, np.array(said), N_ITEMS)


def row_text(found: SimulatedShares) -> str:
    if found.wrong_share is None:
        return f"{100 * found.settled_share:.1f} %, nothing"
    low, high = found.low or 0.0, found.high or 0.0
    return (
        f"{100 * found.settled_share:.1f} %, {100 * found.wrong_share:.2f} %"
        f" ({100 * low:.2f} to {100 * high:.2f})"
    )


def main() -> None:
    began = time.perf_counter()
    print(f"| crowd of {N_WORKERS} | judgements | {' | '.join(RULES)} |")
    print("| --- " * (len(RULES) + 2) + "|")
    for setting in SETTINGS:
        for each in (2, 3, 5):
            cells = " | ".join(map(row_text, measured(setting, each)))
            print(f"| {setting.name} | {each} | {cells} |", flush=True)
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
