"""The rows that the figures of a comparison are computed from."""

from corpus.models import RunKind
from exports.comparison import queries
from sampling.comparisons.rule import ComparisonRule
from tests.exports import comparing
from tests.factories import BatchFactory
from tests.sampling.compared import compare


def test_a_reference_is_not_measured_against_itself(study, tmp_path):
    dataset = comparing.dataset_of(study, tmp_path)
    batch = BatchFactory(pool=compare(dataset, ComparisonRule(setup="gold")), scheme="rating")

    measured = {
        (row.kind == RunKind.REFERENCE, row.rouge_l is None, row.recall is None)
        for row in queries.answers([batch])
        if row.is_answerable
    }

    assert measured == {(True, True, True), (False, False, False)}
