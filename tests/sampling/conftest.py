from pathlib import Path

import pytest

from sampling.actions import surveys
from tests.scoring import tiny_models


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cross-encoder small enough for a unit test."""
    return tiny_models.cross_encoder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def _no_survey_of_an_earlier_test() -> None:
    """A page reads its answers anew: the rows of a world made once a module stay the same from test to test."""
    surveys._made.cache_clear()
    surveys._kept.cache_clear()
