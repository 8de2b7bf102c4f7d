"""The example of Dawid and Skene (1979), table 1: 45 patients before an operation, fitness from 1 to 4.

Five anaesthetists; the first judged each patient three times, weeks apart. The same numbers are in the R
package rater (`anesthesia`) and in Dallas Card's dawid_skene.py, and agree with the text of the paper.
"""

import numpy as np

from stats.aggregation.dawid_skene import Judgements

# One word a patient: the three of the first observer, then one each of the second to the fifth.
TABLE = [
    "1111111",
    "3334334",
    "1122122",
    "2223121",
    "2223222",
    "2223322",
    "1222111",
    "3333433",
    "2222223",
    "2322223",
    "4444444",
    "2223343",
    "1111111",
    "2223212",
    "1211111",
    "1112111",
    "1111111",
    "1111111",
    "2222221",
    "2221322",
    "2222222",
    "2222221",
    "2223222",
    "2212222",
    "1111111",
    "1111111",
    "2322222",
    "1111111",
    "1111111",
    "1121121",
    "1111111",
    "3333233",
    "1111111",
    "2222222",
    "2223232",
    "4334343",
    "2212232",
    "2323233",
    "3333432",
    "1111111",
    "1111111",
    "1212111",
    "2322222",
    "1211111",
    "2222222",
]
OBSERVERS = (0, 0, 0, 1, 2, 3, 4)


def judgements() -> Judgements:
    rows = [
        (patient, observer, int(said) - 1)
        for patient, word in enumerate(TABLE)
        for observer, said in zip(OBSERVERS, word, strict=True)
    ]
    task, worker, label = np.array(rows, dtype=np.int64).T
    return Judgements(task, worker, label, n_items=45, n_workers=5, n_labels=4)
