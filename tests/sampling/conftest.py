from pathlib import Path

import pytest

from tests.scoring import tiny_models


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cross-encoder small enough for a unit test."""
    return tiny_models.cross_encoder(tmp_path_factory.mktemp("models") / "tiny")
