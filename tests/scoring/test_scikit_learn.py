"""Token F1 and nDCG have the values of scikit-learn, which knows neither words nor rankings of passages."""

import random
from collections import Counter

import numpy as np
import pytest

from scoring.retrieval import ndcg_at, ranked_ids
from tests.late_imports import ImportedLate
from tests.real_data import folder
from tests.scoring.texts import demo_pairs, pairs, rows
from text.overlap import token_f1
from text.tokens import normalise

metrics = ImportedLate("sklearn.metrics")
preprocessing = ImportedLate("sklearn.preprocessing")


def occurrences(text):
    """A multiset of words as a set: each word as often as it comes, told apart by its number."""
    counted = Counter(normalise(text).split())
    return [f"{word} {number}" for word, n in counted.items() for number in range(n)]


def by_package(drawn):
    """Each pair is a label, and each occurrence of a word a sample that may have it."""
    found = [occurrences(prediction) for prediction, _ in drawn]
    wanted = [occurrences(reference) for _, reference in drawn]
    binarizer = preprocessing.MultiLabelBinarizer(sparse_output=True).fit([*found, *wanted])
    true, predicted = (binarizer.transform(each).T.tocsr() for each in (wanted, found))
    return metrics.f1_score(true, predicted, average=None, zero_division=1.0)


def assert_as_by_package(drawn):
    np.testing.assert_allclose([token_f1(*pair) for pair in drawn], by_package(drawn), atol=1e-12)


def test_thousands_of_made_up_pairs_have_its_f1():
    drawn = [*pairs(4_000, seed=1), ("", ""), ("the", "a"), ("cat", "")]

    assert {0.0, 1.0} < set(by_package(drawn))
    assert_as_by_package(drawn)


def test_the_demonstrations_answers_have_its_f1():
    assert_as_by_package(demo_pairs())


@pytest.mark.real_data
def test_four_thousand_real_pairs_have_its_f1():
    path = folder() / "scai-qrecc" / "gpt3-run-full.json"
    texts = [row["Model_answer"] for row in rows(path)][:4_000]

    assert_as_by_package(list(zip(texts, random.Random(1).sample(texts, len(texts)), strict=True)))


def test_two_thousand_rankings_have_its_ndcg():
    rng = random.Random(1)
    for _ in range(2_000):
        docids = [f"p{number}" for number in range(rng.randint(2, 20))]
        scores = rng.sample(
            range(100), len(docids)
        )  # without ties, which the package breaks otherwise
        grades = rng.choices((0, 0, 1, 2, 3), k=len(docids))
        if not any(grades):
            continue
        run = dict(zip(docids, map(float, scores), strict=True))
        k = rng.choice((1, 3, 10))

        found = ndcg_at(k, ranked_ids(run), dict(zip(docids, grades, strict=True)))

        assert found == pytest.approx(metrics.ndcg_score([grades], [scores], k=k), abs=1e-12)
