"""A study whose only batch is settled, in an empty database (tests/faults/process.py)."""

import tempfile
from pathlib import Path

from django.db import transaction

from accounts.actions import studies
from accounts.models import Role
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports.judged_batches import judge_and_settle
from tests.factories import UserFactory
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool

PASSWORD = "only-for-this-test"


@transaction.atomic
def create() -> int:
    """Make the study stones of alice, who can sign in; return the number of its data set."""
    alice = UserFactory(username="alice")
    alice.set_password(PASSWORD)
    alice.save()
    study = studies.create_study(slug="stones", title="Stones", requester=alice)
    judges = [member(study, name, Role.ANNOTATOR, by=alice) for name in ("bob", "dora")]
    with tempfile.TemporaryDirectory() as folder:
        pool = draw_pool(create_scored_dataset(study, Path(folder)))
    judge_and_settle(launched(pool), *judges)
    return pool.dataset_id
