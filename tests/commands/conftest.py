"""What many tests of commands begin with; tests.parts says how it is made."""

from pathlib import Path

import pytest

from accounts.models import Study, User
from annotation.models import Batch
from sampling.models import Pool
from tests.commands.calling import Desk, open_batch
from tests.parts import part
from tests.sampling.stones import demo_pool, draw, with_answers
from tests.scoring import tiny_models


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cross-encoder small enough for a unit test."""
    return tiny_models.cross_encoder(tmp_path_factory.mktemp("models") / "tiny")


@part
def desk(study: Study) -> Desk:
    return Desk(study.slug)


@part
def pool(study: Study, folder: Path) -> Pool:
    """Three answers to two turns."""
    return draw(with_answers(study, folder))


@part
def settled(desk: Desk, study: Study, folder: Path, carol: User) -> Batch:
    """Some twenty answers, judged by simulated people and settled; some are in dispute."""
    open_batch(desk, demo_pool(study, folder, n_turns=6))
    desk.do("rehearse", "--batch", "plausible", "--accuracy", "0.6")
    desk.do("close_batch", "--batch", "plausible")
    desk.do("settle", "--batch", "plausible", "--rule", "unanimous")
    return Batch.objects.get(name="plausible")
