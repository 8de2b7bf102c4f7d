from pathlib import Path

import pytest

from accounts.models import Role, Study, User
from annotation.models import Batch
from sampling.models import Pool
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports import comparing
from tests.exports.judging import asked_for_evidence, judged_and_settled
from tests.sampling.stones import draw, with_answers


@pytest.fixture
def pool(study: Study, tmp_path: Path) -> Pool:
    """Three answers to two turns, of six runs."""
    return draw(with_answers(study, tmp_path))


@pytest.fixture
def plausibility(pool: Pool, bob: User, dora: User) -> Batch:
    """Closed and settled: everything is plausible."""
    return judged_and_settled(launched(pool), bob, dora)


@pytest.fixture
def faithfulness(plausibility: Batch, bob: User, dora: User) -> Batch:
    """Closed and settled: everything that is plausible is unfaithful."""
    batch = launched(asked_for_evidence(plausibility), scheme="faithfulness")
    return judged_and_settled(batch, bob, dora, label="unfaithful")


@pytest.fixture
def three(study: Study, alice: User, bob: User, dora: User) -> list[User]:
    """Who compare runs."""
    return [bob, dora, member(study, "erin", Role.ANNOTATOR, by=alice)]


@pytest.fixture
def gold(study: Study, tmp_path: Path) -> Pool:
    """A comparison of three runs on three questions: tests.exports.comparing."""
    return comparing.pool_of(comparing.dataset_of(study, tmp_path))


@pytest.fixture
def rated(gold: Pool, three: list[User]) -> Batch:
    return comparing.judged(comparing.opened(gold, "rating"), three, comparing.rates)


@pytest.fixture
def preferred(gold: Pool, three: list[User]) -> Batch:
    return comparing.judged(comparing.opened(gold, "preference"), three, comparing.prefers)


@pytest.fixture
def retrieved(gold: Pool, three: list[User]) -> Batch:
    """Rated with two passages a question, where two are cited."""
    pool = comparing.pool_of(gold.dataset, "retrieved")
    return comparing.judged(comparing.opened(pool, "rating"), three, comparing.rates)
