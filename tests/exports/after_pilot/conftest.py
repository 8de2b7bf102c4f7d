from decimal import Decimal

import pytest

from accounts.models import Role, Study, User
from annotation.actions import reviews
from annotation.models import Batch, Judgement
from sampling.models import Pool
from tests.annotation.desk_pages import client_of
from tests.annotation.trust import settled_batch
from tests.conftest import member
from tests.factories import CandidateFactory, PoolFactory, TurnFactory
from tests.parts import part


@pytest.fixture
def requester(alice):
    return client_of(alice)


@part
def fay(study: Study, alice: User) -> User:
    return member(study, "fay", Role.ANNOTATOR, by=alice)


@part
def pilot(study: Study, alice: User, bob: User, dora: User, carol: User, fay: User) -> Batch:
    """Twelve items at $0.06 and 30 s. Bob and dora differ from fay; carol decided for them, but for the last item."""
    batch = settled_batch(study, {bob: "p" * 12, dora: "p" * 12, fay: "i" * 12})
    for item in batch.items.order_by("position")[:11]:
        reviews.adjudicate(item=item, label="plausible", reason="it is", by=carol)
    Batch.objects.filter(pk=batch.pk).update(reward=Decimal("0.06"), currency="USD")
    Judgement.objects.update(active_seconds=30)
    batch.refresh_from_db()
    return batch


@part
def pool(pilot: Batch) -> Pool:
    """Five answers for the full batch."""
    made = PoolFactory(dataset=pilot.pool.dataset, name="the rest")
    for _ in range(5):
        CandidateFactory(pool=made, turn=TurnFactory(conversation__dataset=made.dataset))
    return made
