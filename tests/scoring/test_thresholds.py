"""A threshold belongs to a scorer."""

from typing import get_args

import pytest

from scoring.similarity_models import EMBEDDED, Kind
from scoring.thresholds import (
    DEFAULT_SCORER,
    EMBEDDED_FOR_SAS_70,
    EMBEDDED_FOR_SAS_80,
    EVIDENCE_BY_KIND,
    EVIDENCE_OF_THE_PAPER,
    evidence_threshold,
)


def test_the_default_scorer_is_the_one_that_is_embedded():
    assert DEFAULT_SCORER == EMBEDDED


def test_the_embedded_scorer_has_a_threshold_of_its_own_scale():
    assert EMBEDDED_FOR_SAS_70 < evidence_threshold(EMBEDDED) < EMBEDDED_FOR_SAS_80


@pytest.mark.parametrize("name", ["cross-encoder/stsb-roberta-large", "./a-folder", ""])
def test_any_other_scorer_gets_the_papers_until_told_otherwise(name):
    assert evidence_threshold(name) == EVIDENCE_OF_THE_PAPER == 0.8


def test_each_kind_of_model_has_a_threshold_of_its_own_scale():
    assert set(EVIDENCE_BY_KIND) == set(get_args(Kind))
    assert evidence_threshold("./a-folder", "cross-encoder") == EVIDENCE_OF_THE_PAPER
    assert evidence_threshold("./a-folder", "bi-encoder") == evidence_threshold(EMBEDDED)


def test_a_scorer_that_was_measured_keeps_its_threshold_whatever_its_kind():
    assert evidence_threshold(EMBEDDED, "cross-encoder") == evidence_threshold(EMBEDDED)
