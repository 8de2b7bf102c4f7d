"""crowd-kit's Dawid-Skene on our arrays. It warns of what pandas will drop, which is no matter here."""

import warnings
from typing import Any

import numpy as np
import pandas as pd

from stats.aggregation.dawid_skene import Judgements
from tests.late_imports import ImportedLate

crowdkit = ImportedLate("crowdkit.aggregation.classification.dawid_skene")


def fitted(judgements: Judgements, *, one_coin: bool, most_iterations: int) -> tuple[Any, ...]:
    """Posterior, confusion (worker, true, said) and shares after so many iterations.

    What a worker never said has no confusion there: it is 0 here.

    crowd-kit stops by a bound into which the shares go once a judgement, not once an item, so a tolerance
    means another thing there: it is kept from stopping.
    """
    rows = {name: getattr(judgements, name) for name in ("task", "worker", "label")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = crowdkit.OneCoinDawidSkene if one_coin else crowdkit.DawidSkene
        found = model(n_iter=most_iterations, tol=-np.inf).fit(pd.DataFrame(rows))
    labels = range(judgements.n_labels)
    posterior = found.probas_.sort_index().reindex(columns=labels, fill_value=0).to_numpy()
    confusion = np.zeros((judgements.n_workers, judgements.n_labels, judgements.n_labels))
    for (worker, said), of_true in found.errors_.iterrows():
        confusion[worker, of_true.index.astype(int), said] = of_true.to_numpy()
    return posterior, confusion, found.priors_.reindex(labels, fill_value=0).to_numpy()
