"""Training batches with items of known labels."""

from accounts.models import Study, User
from annotation.actions import training
from annotation.control_keys_csv import KeyRow
from annotation.models import Assignment, Batch, Key, Qualification
from corpus.problems import Report
from sampling.models import Pool
from tests.annotation.desk import NOW, claim_one, submit
from tests.factories import (
    CandidateFactory,
    ConversationFactory,
    DatasetFactory,
    PoolFactory,
    TurnFactory,
)

NAMES = {"p": "plausible", "i": "implausible", "m": "malformed"}


def training_pool(study: Study, *, n: int = 20, name: str = "training pool") -> Pool:
    """A pool of a data set with `n` questions; nobody is asked about its one answer."""
    pool = PoolFactory(dataset=DatasetFactory(study=study), name=name)
    conversation = ConversationFactory(dataset=pool.dataset, key="t")
    for number in range(1, n + 1):
        turn = TurnFactory(
            conversation=conversation, number=number, rewrite=f"Who lit lamp {number:02}?"
        )
    CandidateFactory(pool=pool, turn=turn, text="Nobody is asked about this.")
    return pool


def training_batch(
    study: Study,
    keys: str,
    *,
    asked: Qualification | None = None,
    pool: Pool | None = None,
    name: str = "training",
    first: int = 1,
    **settings: object,
) -> Batch:
    """An open training batch with an item for each letter (p plausible, i implausible, m malformed) in this order."""
    pool = pool or training_pool(study, name=f"pool of {name}")
    rows = [
        KeyRow(number, f"t_{number}", f"Keeper {number}.", NAMES[letter], f"Because of {number}.")
        for number, letter in enumerate(keys, start=first)
    ]
    made = training.create_and_launch(
        study=study,
        name=name,
        scheme="plausibility",
        pool=pool,
        by=study.created_by,
        purpose="training",
        trains_for=asked,
        rows=rows,
        report=Report("keys.csv", "row"),
        **settings,
    )
    return Batch.objects.get(pk=made.pk)


def known_label(assignment: Assignment) -> str:
    return Key.objects.get(item=assignment.item_id).label


def train(batch: Batch, by: User, right: str) -> list[Assignment]:
    """Judge the next items, each rightly (r) or wrongly (w)."""
    judged = []
    for letter in right:
        held = claim_one(batch, by, NOW)
        key = known_label(held)
        wrong = next(label for label in NAMES.values() if label != key)
        submit(held, key if letter == "r" else wrong)
        judged.append(held)
    return judged
