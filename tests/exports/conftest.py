from pathlib import Path

import pytest

from accounts.models import Study, User
from annotation.models import Batch
from sampling.models import Pool
from tests.annotation.pools import launched
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
