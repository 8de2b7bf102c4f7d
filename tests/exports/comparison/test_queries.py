"""The rows that the figures of a comparison are computed from."""

from corpus.models import RunKind
from exports.comparison import queries
from sampling.comparisons.rule import ComparisonRule
from tests.exports import compared_runs
from tests.factories import BatchFactory
from tests.sampling.comparison_dataset import draw_comparison


def test_a_reference_is_not_measured_against_itself(study, tmp_path):
    dataset = compared_runs.create_compared_dataset(study, tmp_path)
    batch = BatchFactory(
        pool=draw_comparison(dataset, ComparisonRule(setup="gold")), scheme="rating"
    )

    measure_values = {
        (row.kind == RunKind.REFERENCE, row.rouge_l is None, row.recall is None)
        for row in queries.answers([batch])
        if row.is_answerable
    }

    assert measure_values == {(True, True, True), (False, False, False)}
