"""The intervals, recomputed from the rows with nothing but pandas, numpy and the package."""

from functools import partial

import krippendorff
import numpy as np
import pandas as pd
import pytest

from stats import bootstrap as bootstrap_module
from stats.agreement.cohen_kappa import cohen_kappa
from stats.agreement.judgement_table import Judgements, cluster_sums
from stats.agreement.krippendorff_alpha import alpha_values, krippendorff_alpha
from stats.agreement.nominal import fleiss_kappa, gwet_ac1, raw_agreement
from stats.bootstrap import bootstrap, distinct_rows, replicate_totals
from tests.stats.agreement.codings import krippendorff_example, table

LEVELS = ("nominal", "ordinal", "interval", "ratio")
VALUES = {"1": 1.0, "2": 2.0, "3": 4.0}
SEED = 11


def clustered_rows() -> pd.DataFrame:
    """40 questions of 1 to 4 items, 1 to 4 judgements an item, labels alike within a question."""
    rng = np.random.default_rng(3)
    rows = []
    for question in range(40):
        likely = rng.dirichlet([2.0, 0.4, 0.4])
        for item in range(rng.integers(1, 5)):
            for worker in rng.permutation(5)[: rng.integers(1, 5)]:
                label = rng.choice(["1", "2", "3"], p=likely)
                rows.append((f"q{question}i{item}", f"w{worker}", str(label), f"q{question}"))
    return pd.DataFrame(rows, columns=["task", "worker", "label", "question"])


ROWS = clustered_rows()


def judgements_of(rows: pd.DataFrame) -> Judgements:
    return Judgements.from_columns(**{column: rows[column].tolist() for column in rows})


def item_counts(rows: pd.DataFrame) -> pd.DataFrame:
    """Items judged at least twice: their question, and a column of counts for each label."""
    counts = pd.crosstab([rows["question"], rows["task"]], rows["label"])
    return counts[counts.sum(axis=1) >= 2]


def documented_patterns(rows: pd.DataFrame) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """One vector a question as `judgement_table.Sums` has it, from the rows: sorted, and each one's questions."""
    counts = item_counts(rows)
    sizes = counts.sum(axis=1)
    blocks = []
    for size in sorted(sizes.unique()):
        of_size = counts.where(sizes == size, 0)
        blocks += [of_size[label] for label in counts]
        labels = list(counts)
        blocks += [of_size[a] * of_size[b] for i, a in enumerate(labels) for b in labels[i + 1 :]]
    vectors = pd.concat(blocks, axis=1).groupby(level="question").sum().astype(int)
    by_question = {
        question: tuple(row)
        for question, row in zip(vectors.index, vectors.to_numpy().tolist(), strict=True)
    }
    patterns = sorted(set(by_question.values()))
    number = {pattern: i for i, pattern in enumerate(patterns)}
    return patterns, pd.Series({q: number[v] for q, v in by_question.items()})


def documented_weights(rows: pd.DataFrame) -> tuple[pd.Series, np.ndarray]:
    patterns, of_question = documented_patterns(rows)
    n = of_question.value_counts().reindex(range(len(patterns))).to_numpy()
    rng = np.random.default_rng(SEED)
    return of_question, rng.multinomial(n.sum(), n / n.sum(), size=1_000)


def resampled_counts(rows: pd.DataFrame) -> list[np.ndarray]:
    """Return the counts of the items of each replicate: a question of each pattern, as often as drawn."""
    of_question, weights = documented_weights(rows)
    counts = item_counts(rows)
    question_of = counts.index.get_level_values("question")
    examples = of_question.drop_duplicates().sort_values().index
    items = [counts[question_of == question].to_numpy() for question in examples]
    return [
        np.concatenate([np.tile(items[p], (w, 1)) for p, w in enumerate(drawn) if w])
        for drawn in weights
    ]


@pytest.fixture(scope="module")
def resamples() -> list[np.ndarray]:
    return resampled_counts(ROWS)


def raw_of_counts(counts: np.ndarray) -> float:
    n = counts.sum(axis=1)
    return float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())


def test_the_interval_of_raw_agreement_can_be_recomputed_from_the_rows(resamples):
    figure = raw_agreement(judgements_of(ROWS), seed=SEED)

    expected = np.percentile([raw_of_counts(counts) for counts in resamples], [2.5, 97.5])

    assert [figure.interval.low, figure.interval.high] == pytest.approx(expected, abs=1e-12)
    assert figure.interval.low < figure.value < figure.interval.high
    assert figure.interval.n_questions == item_counts(ROWS).index.get_level_values(0).nunique()


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_of_alpha_is_made_of_the_packages_values(level, resamples):
    figure = krippendorff_alpha(judgements_of(ROWS), level=level, values=VALUES, seed=SEED)

    package = partial(krippendorff.alpha, value_domain=[1.0, 2.0, 4.0], level_of_measurement=level)
    values = [package(value_counts=counts) for counts in resamples]

    assert [figure.interval.low, figure.interval.high] == pytest.approx(
        np.percentile(values, [2.5, 97.5]), abs=1e-12
    )


@pytest.mark.parametrize("level", LEVELS)
def test_every_replicate_of_alpha_equals_the_package(level, resamples):
    sums = cluster_sums(judgements_of(ROWS), at_least=2)
    numbers = np.array(list(VALUES.values()))
    totals = replicate_totals(sums.matrix, replicates=1_000, seed=SEED)

    ours = alpha_values(sums, level, numbers, totals)

    for value, counts in zip(ours[:100], resamples, strict=False):
        theirs = krippendorff.alpha(
            value_counts=counts, value_domain=numbers, level_of_measurement=level
        )
        assert value == pytest.approx(theirs, abs=1e-12)


def test_the_interval_of_cohens_kappa_can_be_recomputed_from_the_rows():
    figure = cohen_kappa(judgements_of(ROWS), ("w0", "w1"), seed=SEED)
    wide = ROWS.pivot(index=["question", "task"], columns="worker", values="label")
    both = wide[["w0", "w1"]].dropna()
    cells = both["w0"] + both["w1"]
    names = [a + b for a in "123" for b in "123"]
    tables = pd.crosstab(cells.index.get_level_values("question"), cells.to_numpy())
    vectors = [
        tuple(row) for row in tables.reindex(columns=names, fill_value=0).to_numpy().tolist()
    ]
    patterns = sorted(set(vectors))
    shares = np.array([vectors.count(p) for p in patterns]) / len(vectors)
    weights = np.random.default_rng(SEED).multinomial(len(vectors), shares, size=1_000)

    values = [kappa(np.reshape(w @ np.array(patterns), (3, 3))) for w in weights]

    assert figure.interval.n_undefined == sum(value is None for value in values)
    assert [figure.interval.low, figure.interval.high] == pytest.approx(
        np.percentile([value for value in values if value is not None], [2.5, 97.5]), abs=1e-12
    )


def kappa(cells: np.ndarray) -> float | None:
    p = cells / cells.sum()
    chance = float(p.sum(axis=0) @ p.sum(axis=1))
    return None if chance == 1 else (float(np.trace(p)) - chance) / (1 - chance)


@pytest.mark.parametrize("coefficient", [raw_agreement, krippendorff_alpha, gwet_ac1])
def test_drawing_in_pieces_gives_the_same_interval(coefficient, monkeypatch):
    judgements = judgements_of(ROWS)
    whole = coefficient(judgements, seed=SEED)

    monkeypatch.setattr(bootstrap_module, "WEIGHTS_AT_ONCE", 137)

    assert coefficient(judgements, seed=SEED) == whole


def test_the_seed_decides_the_interval_and_not_the_value():
    judgements = judgements_of(ROWS)

    first, again, other = (krippendorff_alpha(judgements, seed=seed) for seed in (1, 1, 2))

    assert first == again
    assert first.interval != other.interval
    assert first.value == other.value


def test_items_that_are_alike_within_a_question_widen_the_interval():
    judged = ["aa", "ab", "bb", "aa", "ba", "aa"] * 10
    fourfold = [item for item in judged for _ in range(4)]
    alike = [f"q{i // 4}" for i in range(len(fourfold))]

    by_question = krippendorff_alpha(table(fourfold, alike)).interval
    by_item = krippendorff_alpha(table(fourfold)).interval

    # four copies tell no more than one: the width halves only if they are taken for independent
    ratio = (by_question.high - by_question.low) / (by_item.high - by_item.low)
    assert ratio == pytest.approx(2, abs=0.25)


def test_undefined_replicates_are_counted_and_left_out():
    # alpha has a value only where the one question with a b is drawn: 1 - (5/6)**6 = .665
    figure = krippendorff_alpha(table(["aa"] * 5 + ["ab"]), seed=SEED)

    assert figure.interval.n_undefined == pytest.approx(335, abs=60)
    assert figure.interval.n_replicates == 1_000
    assert figure.interval.low < figure.value <= figure.interval.high


def test_a_replicate_without_pairs_is_undefined_for_ac1():
    # items judged once give AC1 its prevalence, so their questions are drawn too
    figure = gwet_ac1(table(["ab", "aa", "a", "b"]), seed=SEED)

    assert figure.interval.n_questions == 4
    assert figure.interval.n_undefined == pytest.approx(1_000 / 16, abs=25)


@pytest.mark.parametrize("coefficient", [raw_agreement, krippendorff_alpha, fleiss_kappa])
def test_a_single_question_has_a_value_but_no_interval(coefficient):
    figure = coefficient(table(["ab", "aa", "bb"], ["q", "q", "q"]))

    assert figure.value is not None
    assert (figure.interval.low, figure.interval.reason) == (None, "a single question")


def test_no_replicate_with_a_value_is_no_interval():
    undefined = bootstrap(
        np.array([[1, 0], [0, 1]]),
        lambda totals: np.full(len(totals), np.nan),
        replicates=1_000,
        seed=0,
    )

    assert (undefined.low, undefined.high) == (None, None)
    assert undefined.reason == "no replicate has a value"
    assert undefined.n_undefined == 1_000


def test_perfect_agreement_has_no_interval_of_no_width():
    figure = krippendorff_alpha(table(["aa"] * 20 + ["bb"] * 20))

    assert figure.value == 1.0
    assert (figure.interval.low, figure.interval.reason) == (None, "all replicates are equal")


def test_fewer_than_a_thousand_replicates_are_refused():
    with pytest.raises(ValueError, match="at least 1000 replicates"):
        krippendorff_alpha(krippendorff_example(), replicates=999)


def test_distinct_rows_are_numpys_also_where_a_rows_key_outgrows_64_bits():
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, [2, 3, 2**30, 2**30, 2**30, 2**30], size=(300, 6))
    matrix = np.vstack([matrix, matrix[:40]])

    rows, n = distinct_rows(matrix)

    expected, expected_n = np.unique(matrix, axis=0, return_counts=True)
    assert rows.tolist() == expected.tolist()
    assert n.tolist() == expected_n.tolist()
