"""What many tests of exports begin with; tests.parts says how it is made."""

from pathlib import Path

from accounts.models import Role, Study, User
from annotation.models import Batch
from sampling.models import Pool
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports import comparing
from tests.exports.judging import asked_for_evidence, judged_and_settled
from tests.parts import part
from tests.sampling.stones import draw, with_answers


@part
def pool(study: Study, folder: Path) -> Pool:
    """Three answers to two turns, of six runs."""
    return draw(with_answers(study, folder))


@part
def plausibility(pool: Pool, bob: User, dora: User) -> Batch:
    """Closed and settled: everything is plausible."""
    return judged_and_settled(launched(pool), bob, dora)


@part
def faithfulness(plausibility: Batch, bob: User, dora: User) -> Batch:
    """Closed and settled: everything that is plausible is unfaithful."""
    batch = launched(asked_for_evidence(plausibility), scheme="faithfulness")
    return judged_and_settled(batch, bob, dora, label="unfaithful")


@part
def three(study: Study, alice: User, bob: User, dora: User) -> list[User]:
    """Who compare runs."""
    return [bob, dora, member(study, "erin", Role.ANNOTATOR, by=alice)]


@part
def gold(study: Study, folder: Path) -> Pool:
    """A comparison of three runs on three questions: tests.exports.comparing."""
    return comparing.pool_of(comparing.dataset_of(study, folder))


@part
def rated(gold: Pool, three: list[User]) -> Batch:
    return comparing.judged(comparing.opened(gold, "rating"), three, comparing.rates)


@part
def preferred(gold: Pool, three: list[User]) -> Batch:
    return comparing.judged(comparing.opened(gold, "preference"), three, comparing.prefers)


@part
def retrieved(gold: Pool, three: list[User]) -> Batch:
    """Rated with two passages a question, where two are cited."""
    pool = comparing.pool_of(gold.dataset, "retrieved")
    return comparing.judged(comparing.opened(pool, "rating"), three, comparing.rates)
