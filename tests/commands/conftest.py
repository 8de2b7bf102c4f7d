"""What many tests of commands begin with; tests.parts says how it is made."""

from pathlib import Path

import pytest

from accounts.models import Study, User
from annotation.models import Batch
from sampling.models import Pool
from tests.commands.command_calls import StudyCommands, open_batch
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, demo_pool, draw_pool
from tests.scoring import tiny_models


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cross-encoder small enough for a unit test."""
    return tiny_models.cross_encoder(tmp_path_factory.mktemp("models") / "tiny")


@part
def commands(study: Study) -> StudyCommands:
    return StudyCommands(study.slug)


@part
def pool(study: Study, folder: Path) -> Pool:
    """Three answers to two turns."""
    return draw_pool(create_scored_dataset(study, folder))


@part
def settled(commands: StudyCommands, study: Study, folder: Path, carol: User) -> Batch:
    """Some twenty answers, judged by simulated people and settled; some are in dispute."""
    open_batch(commands, demo_pool(study, folder, n_turns=6))
    commands.run("rehearse", "--batch", "plausible", "--accuracy", "0.6")
    commands.run("close_batch", "--batch", "plausible")
    commands.run("settle", "--batch", "plausible", "--rule", "unanimous")
    return Batch.objects.get(name="plausible")
