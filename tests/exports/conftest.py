"""What many tests of exports begin with; tests.parts says how it is made."""

from pathlib import Path

import pytest
from django.test import override_settings

from accounts.models import Role, Study, User
from annotation.models import Batch
from sampling.models import Pool
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports import compared_runs
from tests.exports.judged_batches import find_evidence, judge_and_settle, release
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@part
def pool(study: Study, folder: Path) -> Pool:
    """Three answers to two turns, of six runs."""
    return draw_pool(create_scored_dataset(study, folder))


@part
def plausibility(pool: Pool, bob: User, dora: User) -> Batch:
    """Closed and settled: everything is plausible."""
    return judge_and_settle(launched(pool), bob, dora)


@part
def faithfulness(plausibility: Batch, bob: User, dora: User) -> Batch:
    """Closed and settled: everything that is plausible is unfaithful."""
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    return judge_and_settle(batch, bob, dora, label="unfaithful")


@part
def releases_folder(folder: Path) -> Path:
    """For the setting RELEASES while a part makes a release."""
    return folder / "releases"


@part
def first_release(plausibility: Batch, folder: Path, releases_folder: Path) -> Path:
    """The folder of a release of the plausible answers; for tests that use `releases_of_parts`."""
    with override_settings(RELEASES=releases_folder):
        release(plausibility, folder / "first release")
    return folder / "first release"


@pytest.fixture
def releases_of_parts(settings, releases_folder: Path) -> None:
    """Where parts made releases, tests find them and make others."""
    settings.RELEASES = releases_folder


@part
def annotators(study: Study, alice: User, bob: User, dora: User) -> list[User]:
    """Who compare runs."""
    return [bob, dora, member(study, "erin", Role.ANNOTATOR, by=alice)]


@part
def gold(study: Study, folder: Path) -> Pool:
    """A comparison of three runs on three questions: tests.exports.compared_runs."""
    return compared_runs.draw_comparison_pool(compared_runs.create_compared_dataset(study, folder))


@part
def rated(gold: Pool, annotators: list[User]) -> Batch:
    return compared_runs.judge_batch(
        compared_runs.open_batch(gold, "rating"), annotators, compared_runs.ratings
    )


@part
def preferred(gold: Pool, annotators: list[User]) -> Batch:
    return compared_runs.judge_batch(
        compared_runs.open_batch(gold, "preference"), annotators, compared_runs.preference
    )


@part
def retrieved(gold: Pool, annotators: list[User]) -> Batch:
    """Rated with two passages a question, where two are cited."""
    pool = compared_runs.draw_comparison_pool(gold.dataset, "retrieved")
    return compared_runs.judge_batch(
        compared_runs.open_batch(pool, "rating"), annotators, compared_runs.ratings
    )
