"""The values: golden data and properties."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stats.agreement.cohen_kappa import cohen_kappa, pairwise_kappa
from stats.agreement.judgement_table import Judgements, cluster_sums
from stats.agreement.krippendorff_alpha import alpha_values, krippendorff_alpha
from stats.agreement.nominal import fleiss_kappa, gwet_ac1, prevalence, raw_agreement
from stats.agreement.result import Agreement
from stats.proportion_intervals import wilson
from tests.late_imports import ImportedLate
from tests.stats.agreement.codings import (
    FLEISS_10_14_5,
    FLEISS_1971,
    cohen_example,
    from_counts,
    krippendorff_example,
    of_rows,
    table,
)

sklearn = ImportedLate("sklearn.metrics")
NUMBERS = {str(n): float(n) for n in range(1, 6)}
LEVELS = ("nominal", "ordinal", "interval", "ratio")
CORRECTED = [fleiss_kappa, krippendorff_alpha, gwet_ac1]
items = st.lists(
    st.lists(st.sampled_from(["1", "2", "3", None]), min_size=4, max_size=4),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_meets_krippendorffs_published_values(level, published):
    figure = krippendorff_alpha(krippendorff_example(), level=level, values=NUMBERS)

    assert figure.value == pytest.approx(published, abs=0.0005)
    assert (figure.basis.n_items, figure.basis.n_judgements) == (11, 40)
    assert (figure.basis.n_workers, figure.basis.categories) == (4, tuple("12345"))


def test_alpha_takes_the_order_of_labels_from_their_numbers():
    names = {"1": "very low", "2": "low", "3": "mid", "4": "high", "5": "very high"}
    example = krippendorff_example()
    named = of_rows(
        [
            (example.tasks[t], example.workers[w], names[example.labels[v]], f"q{t}")
            for t, w, v in zip(example.task, example.worker, example.label, strict=True)
        ]
    )

    figure = krippendorff_alpha(
        named, level="ordinal", values={name: NUMBERS[digit] for digit, name in names.items()}
    )

    assert figure.value == pytest.approx(0.815, abs=0.0005)


@pytest.mark.parametrize(
    ("judgements", "published"),
    [(from_counts(FLEISS_10_14_5), 0.210), (table(FLEISS_1971), 0.4302445)],
)
def test_fleiss_kappa_meets_the_published_values(judgements, published):
    digits = 0.0005 if published == 0.210 else 5e-8

    assert fleiss_kappa(judgements).value == pytest.approx(published, abs=digits)


def test_cohens_kappa_meets_the_published_value():
    figure = cohen_kappa(cohen_example(), ("worker 0", "worker 1"))

    assert figure.value == pytest.approx(0.4, abs=1e-12)
    assert (figure.basis.n_items, figure.basis.n_judgements) == (50, 100)


def test_cohens_kappa_of_hundreds_of_tables_is_that_of_scikit_learn():
    rng = Random(1)
    for _ in range(300):
        labels = "abcd"[: rng.randint(2, 4)]
        weights = [rng.random() ** 2 for _ in labels]
        first, second = (rng.choices(labels, weights, k=rng.randint(3, 40)) for _ in range(2))
        both = list(zip(first, second, strict=False))
        if len({label for pair in both for label in pair}) < 2:
            continue  # undefined, which has a test of its own

        figure = cohen_kappa(table(both), ("worker 0", "worker 1"))

        assert figure.value == pytest.approx(
            sklearn.cohen_kappa_score(*zip(*both, strict=True)), abs=1e-12
        )


def test_ac1_meets_the_value_of_irrcac_with_missing_data():
    # gwet.ac1.raw(cac.raw4raters) of the R package irrCAC prints 0.77544
    assert gwet_ac1(krippendorff_example()).value == pytest.approx(0.77544, abs=0.000005)


def test_wilson_meets_newcombes_published_interval():
    # Newcombe (1998), Statistics in Medicine 17: 81 of 263, method 3
    interval = wilson(81, 263)

    assert (interval.low, interval.high) == pytest.approx((0.2553, 0.3662), abs=0.00005)


def test_wilson_stays_within_nought_and_one_at_the_ends():
    assert wilson(0, 20).low == 0.0
    assert wilson(20, 20).high == 1.0
    assert wilson(0, 0).reason == "no items"


def test_raw_agreement_is_the_mean_over_items_of_the_agreeing_pairs():
    # a a b: 1 of 3 pairs; a a: 1 of 1; b alone is not compared
    figure = raw_agreement(table(["aab", "aa", "b"]))

    assert figure.value == pytest.approx((1 / 3 + 1) / 2)
    assert (figure.basis.n_items, figure.basis.n_judgements) == (2, 5)


def test_prevalence_is_the_mean_share_of_each_label():
    assert prevalence(table(["ab", "aa"])) == {"a": 0.75, "b": 0.25}
    assert prevalence(table([])) == {}


def test_two_accurate_people_on_skewed_labels_have_high_raw_agreement_and_middling_alpha():
    # methods.md, 7: prevalence 90/5/5, each right 94 times in 100, errors even over the others
    rng = np.random.default_rng(5)
    truth = rng.choice(3, p=(0.9, 0.05, 0.05), size=30_000)
    wrong = (truth + rng.integers(1, 3, size=(2, 30_000))) % 3
    judged = np.where(rng.random((2, 30_000)) < 0.94, truth, wrong)

    judgements = table(judged.T.tolist())

    assert raw_agreement(judgements).value == pytest.approx(0.885, abs=0.006)
    assert krippendorff_alpha(judgements).value == pytest.approx(0.57, abs=0.015)
    assert gwet_ac1(judgements).value == pytest.approx(0.87, abs=0.01)


def every_figure(judgements: Judgements) -> list[Agreement]:
    return [
        raw_agreement(judgements),
        fleiss_kappa(judgements),
        gwet_ac1(judgements),
        *(krippendorff_alpha(judgements, level=level, values=NUMBERS) for level in LEVELS),
        *pairwise_kappa(judgements).values(),
    ]


@given(items)
def test_a_figure_has_a_value_or_a_reason_and_never_both(judged):
    for figure in every_figure(table(judged)):
        assert (figure.value is None) == (figure.reason is not None)
        assert figure.value is None or np.isfinite(figure.value)
        assert figure.value is None or figure.value <= 1
        assert (figure.interval.low is None) == (figure.interval.reason is not None)


# in this one the package's sum differs in the last bit if the items come in another order
@example([["1"] * 4] * 4 + [["1", "1", "2", "2"], ["1", "1", "2", None]], Random(0))
@given(items, st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_people_items_and_questions_change_nothing(judged, random):
    judgements = table(judged)
    rows = [
        (f"z{9999 - t}", f"y{99 - w}", judgements.labels[v], f"x{9999 - judgements.question[t]}")
        for t, w, v in zip(judgements.task, judgements.worker, judgements.label, strict=True)
    ]
    random.shuffle(rows)

    assert by_count(of_rows(rows)) == by_count(judgements)


def by_count(judgements: Judgements) -> list[Agreement]:
    return [raw_agreement(judgements), krippendorff_alpha(judgements), gwet_ac1(judgements)]


@given(items)
@pytest.mark.parametrize("level", LEVELS)
def test_our_alpha_of_the_totals_is_the_packages(level, judged):
    judgements = table(judged)
    figure = krippendorff_alpha(judgements, level=level, values=NUMBERS)
    if figure.value is None:
        return

    sums = cluster_sums(judgements, at_least=2)
    numbers = np.array([NUMBERS[label] for label in judgements.labels])
    totals = sums.matrix.sum(axis=0, keepdims=True).astype(float)

    assert alpha_values(sums, level, numbers, totals)[0] == pytest.approx(figure.value, abs=1e-12)


@given(st.lists(st.sampled_from(["aaa", "bbb", "ccc"]), min_size=2, max_size=12))
def test_perfect_agreement_on_several_labels_is_one(judged):
    judgements = table(judged)
    coefficients: list[Callable[[Judgements], Agreement]] = [raw_agreement, *CORRECTED]

    values = {coefficient(judgements).value for coefficient in coefficients}

    assert values <= ({1.0} if len(set(judged)) > 1 else {1.0, None})


@given(items)
def test_items_judged_once_change_neither_raw_agreement_nor_alpha(judged):
    more = table([*judged, [None, "1", None, None]])
    enough = sum(any(item[w] for item in judged) for w in range(4)) > 1

    if enough:
        assert same(raw_agreement(more).value, raw_agreement(table(judged)).value)
        assert same(krippendorff_alpha(more).value, krippendorff_alpha(table(judged)).value)


def same(a: float | None, b: float | None) -> bool:
    return a == b if a is None or b is None else a == pytest.approx(b, abs=1e-12)
