"""Agreement over time."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import Level, krippendorff_alpha
from stats.agreement.nominal import raw_agreement
from stats.agreement.result import DEFAULT_REPLICATES, Agreement

MOST_WINDOWS = 10
LEAST_ITEMS = 20


@dataclass(frozen=True, slots=True)
class Window:
    """Items that got their last judgement between `first` and `last`, both included."""

    first: str
    last: str
    raw: Agreement
    alpha: Agreement


def over_time(
    judgements: Judgements,
    ended: Mapping[str, str],
    *,
    level: Level = "nominal",
    values: Mapping[str, float] | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> tuple[Window, ...]:
    """Return raw agreement and alpha in windows of equal numbers of items, oldest first.

    `ended` has the time of each task's last judgement, as a text that sorts as time does. The n
    tasks with two judgements or more are sorted by that time and then by name. There are w windows,
    min(10, n // 20) and at least one if n > 0; task number i, from 0, is in window i·w // n, so
    that windows differ by one task at most and none has fewer than 20 unless there is only one.

    Right: 50 tasks → 2 windows of 25. Nothing pairable → none.
    """
    paired = np.flatnonzero(judgements.sizes >= 2)
    by_time = sorted(
        paired.tolist(), key=lambda code: (ended[judgements.tasks[code]], judgements.tasks[code])
    )
    n = len(by_time)
    n_windows = min(MOST_WINDOWS, max(n // LEAST_ITEMS, 1)) if n else 0
    place = np.arange(n) * n_windows // max(n, 1)
    ordered = np.array(by_time, dtype=np.int64)
    found = []
    for number in range(n_windows):
        tasks = ordered[place == number]
        within = judgements.only(tasks)
        drawn = {"replicates": replicates, "seed": seed}
        found.append(
            Window(
                first=ended[judgements.tasks[tasks[0]]],
                last=ended[judgements.tasks[tasks[-1]]],
                raw=raw_agreement(within, **drawn),
                alpha=krippendorff_alpha(within, level=level, values=values, **drawn),
            )
        )
    return tuple(found)
