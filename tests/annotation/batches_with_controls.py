"""A settled batch with labels beyond doubt, and an open batch that hands out control items made of it."""

from accounts.models import Study, User
from annotation.actions import batches, claims, controls, settlement
from annotation.models import Assignment, Batch, Item, Key
from corpus.models import Dataset
from sampling.models import Pool
from tests.annotation.desk import NOW, after, submit
from tests.factories import (
    BatchFactory,
    CandidateFactory,
    ConversationFactory,
    DatasetFactory,
    ItemFactory,
    PoolFactory,
    TurnFactory,
)

# Of the settled items, by their number from 1: mostly plausible, as such answers are.
LABELS = ["plausible", "plausible", "implausible", "plausible", "malformed"]


def settled_batch(
    study: Study, people: list[User], by: User, *, n: int = 30, dataset: Dataset | None = None
) -> Batch:
    """A closed batch, settled unanimously: `n` questions with an answer each, labelled by LABELS in turn."""
    dataset = dataset or DatasetFactory(study=study)
    pool = PoolFactory(dataset=dataset, name="pilot pool")
    conversation = ConversationFactory(dataset=dataset, key="pilot")
    batch = BatchFactory(pool=pool, name="pilot", judgements_per_item=2)
    for number in range(1, n + 1):
        turn = TurnFactory(
            conversation=conversation, number=number, rewrite=f"Who kept lighthouse {number:02}?"
        )
        item = ItemFactory(batch=batch, turn=turn, position=number)
        for person in people:
            assignment = Assignment.objects.create(
                item=item, annotator=person, claimed_at=NOW, expires_at=after(600)
            )
            Item.objects.filter(pk=item.pk).update(n_open=0, n_claimed=1)
            submit(assignment, LABELS[number % len(LABELS)])
        Item.objects.filter(pk=item.pk).update(n_open=0, n_claimed=0, n_counted=len(people))
    batch = batches.close(batch=batch, by=by)
    settlement.settle(batch=batch, rule="unanimous", by=by)
    return Batch.objects.get(pk=batch.pk)


def full_pool(study: Study, *, dataset: Dataset | None = None, n: int = 30, each: int = 1) -> Pool:
    """A pool of `n` other questions with `each` answers."""
    pool = PoolFactory(
        dataset=dataset or DatasetFactory(study=study), name=f"full pool {Pool.objects.count()}"
    )
    conversation = ConversationFactory(dataset=pool.dataset, key="full")
    for number in range(1, n + 1):
        turn = TurnFactory(
            conversation=conversation, number=number, rewrite=f"Who built lighthouse {number:02}?"
        )
        for k in range(each):
            CandidateFactory(pool=pool, turn=turn, text=f"Mason {number:02} {chr(97 + k)}.")
    return pool


def draft(pool: Pool, by: User, **settings: object) -> Batch:
    settings = {
        "name": "full",
        "control_every": 3,
        "grouping": "none",
        "judgements_per_item": 2,
        **settings,
    }
    return batches.create(study=pool.study, scheme="plausibility", pool=pool, by=by, **settings)


def open_batch(
    pool: Pool, by: User, source: Batch | None, *, n: int = 20, **settings: object
) -> Batch:
    """An open batch on the pool with control items of the settled batch, if there is one."""
    batch = batches.launch(batch=draft(pool, by, **settings), by=by)
    if source is not None:
        controls.add_from_batch(batch=batch, source=source, n=n, seed=1, by=by)
    return Batch.objects.get(pk=batch.pk)


def work(batch: Batch, by: User, most: int = 1000, label: str | None = None) -> list[Assignment]:
    """Judge what the person is handed, at most so many items, each rightly or by this label; in their order."""
    judged: list[Assignment] = []
    while len(judged) < most:
        now = after(10 * len(judged))
        claimed = claims.claim(batch=batch, by=by, n=1, now=now)
        if not claimed:
            break
        (assignment,) = claimed
        key = Key.objects.filter(item=assignment.item_id).first()
        submit(assignment, label or (key.label if key else "plausible"), now=now)
        judged.append(assignment)
    return judged


def are_controls(assignments: list[Assignment]) -> list[bool]:
    return [each.item.n_wanted is None for each in assignments]
