from pathlib import Path

import pytest

from accounts.models import Study
from corpus.models import Dataset
from sampling.actions import surveys
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset
from tests.scoring import tiny_models


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cross-encoder small enough for a unit test."""
    return tiny_models.cross_encoder(tmp_path_factory.mktemp("models") / "tiny")


@part
def dataset(study: Study, folder: Path) -> Dataset:
    """Three turns, six runs, and the scores of a scorer "paper"."""
    return create_scored_dataset(study, folder)


@pytest.fixture(autouse=True)
def _no_survey_of_an_earlier_test() -> None:
    """A page reads its answers anew: the keys of parts stay the same from test to test."""
    surveys._computed_survey.cache_clear()
    surveys._stored_survey.cache_clear()
