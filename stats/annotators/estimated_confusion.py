"""Confusion matrices of all annotators, estimated by Dawid and Skene's model."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from stats.aggregation.dawid_skene import Judgements, dawid_skene, one_coin
from stats.annotators.confusion import EstimatedConfusion
from stats.annotators.entries import Entry

Name = TypeVar("Name", str, tuple[str, str, str])

NOTHING_COUNTS = "no judgement counts"
WHOLE = "a whole matrix for each person"
ONE_COIN = "one accuracy for each person, errors spread evenly: no item was judged by three people"


def estimated_confusion(entries: Sequence[Entry]) -> EstimatedConfusion:
    """Return the confusions estimated from the counted entries of one `asked`.

    A whole matrix takes items that three people judged. If there are none it is the one-coin model
    (stats.aggregation.dawid_skene); if that is not identified either there is no matrix, with the
    reason.
    """
    counted = [each for each in entries if each.is_counted]
    if not counted:
        return EstimatedConfusion([], {}, NOTHING_COUNTS)
    tasks = _codes([each.task for each in counted])
    workers = _codes([each.worker for each in counted])
    labels = _codes([each.label for each in counted])
    judgements = Judgements(
        task=np.array([tasks[each.task] for each in counted]),
        worker=np.array([workers[each.worker] for each in counted]),
        label=np.array([labels[each.label] for each in counted]),
        n_items=len(tasks),
        n_workers=len(workers),
        n_labels=len(labels),
    )
    fit, model = dawid_skene(judgements), WHOLE
    if fit.not_identified:
        fit, model = one_coin(judgements), ONE_COIN
    if fit.not_identified:
        return EstimatedConfusion([], {}, "; ".join(fit.not_identified))
    matrices = {name: fit.confusion[code].tolist() for name, code in workers.items()}
    return EstimatedConfusion([str(label) for label in labels], matrices, model=model)


def _codes(names: Iterable[Name]) -> dict[Name, int]:
    return {name: number for number, name in enumerate(sorted(set(names)))}
