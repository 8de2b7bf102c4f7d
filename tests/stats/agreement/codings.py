"""Published codings, and tables of judgements made of them."""

from collections.abc import Sequence

from stats.agreement.judgement_table import Judgements

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers,
# twelve units, missing data; also irrCAC's cac.raw4raters. Published: nominal .743, ordinal .815,
# interval .849, ratio .797.
KRIPPENDORFF = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)

# The worked example of Fleiss' kappa in Wikipedia, after Fleiss (1971): ten subjects by five
# categories, fourteen raters. Published: .210.
FLEISS_10_14_5 = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)

# Fleiss (1971), "Measuring nominal scale agreement among many raters", table 1: thirty patients, six
# psychiatrists each, five diagnoses (depression, personality disorder, schizophrenia, neurosis,
# other), as in the data set `diagnoses` of R's irr. Published: .430; irr prints .4302445.
FLEISS_1971 = [
    "444444",
    "222555",
    "233335",
    "555555",
    "222444",
    "113333",
    "333355",
    "113334",
    "114444",
    "555555",
    "144444",
    "124444",
    "222333",
    "144444",
    "224445",
    "333335",
    "111455",
    "111112",
    "224444",
    "133555",
    "555555",
    "244444",
    "224555",
    "114444",
    "144445",
    "222224",
    "111155",
    "224444",
    "133333",
    "555555",
]

# Cohen's kappa, worked example in Wikipedia: fifty grant proposals, two readers. Published: .400.
COHEN = ((20, 5), (10, 15))


def table(
    items: Sequence[Sequence[str | int | None]], questions: Sequence[str] | None = None
) -> Judgements:
    """Judgements of items given as lists: place in the list = worker, None = not judged.

    Each item is a question of its own unless `questions` names one for each.
    """
    rows = [
        (f"item {i:05}", f"worker {w}", str(label), questions[i] if questions else f"q {i:05}")
        for i, labels in enumerate(items)
        for w, label in enumerate(labels)
        if label is not None
    ]
    return of_rows(rows)


def of_rows(rows: Sequence[tuple[str, str, str, str]]) -> Judgements:
    task, worker, label, question = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Judgements.from_columns(task=task, worker=worker, label=label, question=question)


def from_counts(matrix: Sequence[Sequence[int]]) -> Judgements:
    """A subjects by categories matrix: category j given n times becomes n judgements."""
    return table([[j for j, n in enumerate(row) for _ in range(n)] for row in matrix])


def krippendorff_example() -> Judgements:
    return table(list(zip(*KRIPPENDORFF, strict=True)))


def cohen_example() -> Judgements:
    cells = [(i, j) for i, row in enumerate(COHEN) for j, n in enumerate(row) for _ in range(n)]
    return table(cells)
