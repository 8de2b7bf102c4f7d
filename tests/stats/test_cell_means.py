"""Means of cells with bootstrap intervals over clusters."""

import tracemalloc

import numpy as np
import pytest

from stats.cell_means import cell_means
from stats.means import means

SETTINGS = {"replicates": 1_000, "seed": 0}
CELLS = ["a", "a", "a", "b", "b"]
CLUSTERS = ["x", "x", "y", "y", "z"]
VALUES = [1.0, 0.0, 0.5, 0.25, 0.75]


def test_each_cell_has_its_mean_and_how_many_values_and_clusters_it_is_of():
    found = cell_means(CELLS, CLUSTERS, VALUES, **SETTINGS)

    assert {cell: (mean.value, mean.n, mean.n_clusters) for cell, mean in found.items()} == {
        "a": (0.5, 3, 2),
        "b": (0.5, 2, 2),
    }


def test_the_interval_is_that_of_means_over_the_same_clusters():
    values = [0.1, 0.9, 0.4, 0.7, 0.2, 0.8]
    clusters = ["x", "x", "y", "z", "z", "w"]

    cell = cell_means(["a"] * 6, clusters, values, **SETTINGS)["a"]

    (by_other_means,), _ = means(np.array(values)[:, None], clusters, **SETTINGS)
    assert (cell.interval.low, cell.interval.high) == pytest.approx(
        (by_other_means.interval.low, by_other_means.interval.high)
    )


def test_the_order_of_the_values_changes_no_number():
    turned = [each[::-1] for each in (CELLS, CLUSTERS, VALUES)]

    assert cell_means(*turned, **SETTINGS) == cell_means(CELLS, CLUSTERS, VALUES, **SETTINGS)


def test_one_document_has_no_interval_and_says_why():
    found = cell_means(["a", "a"], ["x", "x"], [0.0, 1.0], cluster="document", **SETTINGS)["a"]

    assert (found.interval.low, found.interval.reason) == (None, "a single document")


def test_replicates_without_a_document_of_the_cell_are_left_out():
    found = cell_means(CELLS, CLUSTERS, VALUES, **SETTINGS)["b"]

    assert 0 < found.interval.n_undefined < 200  # a third drew none: (1/3)**3 of them
    assert found.interval.low is not None


def test_memory_grows_with_the_values_and_not_with_cells_times_clusters():
    cells, clusters = [n % 1_500 for n in range(6_000)], [str(n) for n in range(6_000)]
    tracemalloc.start()

    cell_means(cells, clusters, [0.5] * 6_000, **SETTINGS)

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 130_000_000  # two matrices of cells and clusters are 144 MB
