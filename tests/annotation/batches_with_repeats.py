"""A batch that hands out repeats, and people who judged enough of it to get some."""

from accounts.models import Study, User
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item, Judgement
from tests.annotation.batches_with_controls import full_pool, open_batch
from tests.annotation.desk import after

LABELS = ("plausible", "implausible", "malformed")


def repeating_batch(study: Study, by: User, *, n: int = 90, **settings: object) -> Batch:
    """An open batch of `n` questions with an answer each, in which every second item is a repeat, on average."""
    settings = {"control_every": None, "repeat_every": 2, "prefetch_depth": 5, **settings}
    return open_batch(full_pool(study, n=n), by, None, **settings)


def label_of(number: int) -> str:
    return LABELS[number % len(LABELS)]


def worked(batch: Batch, person: User, n: int = 60) -> list[Item]:
    """The first `n` items, which the person has judged one every ten seconds, with label_of their number from 0."""
    items = list(Item.objects.real().filter(batch=batch).order_by("position")[:n])
    assignments = Assignment.objects.bulk_create(
        Assignment(
            item=item,
            annotator=person,
            state=AssignmentState.SUBMITTED,
            claimed_at=after(10 * k),
            expires_at=after(10 * k + batch.claim_seconds),
            submitted_at=after(10 * k + 5),
        )
        for k, item in enumerate(items)
    )
    Judgement.objects.bulk_create(
        Judgement(
            assignment=each,
            number=1,
            client_id=f"worked-{k}",
            response={batch.scheme: label_of(k)},
            order=[1],
            shown_at=each.claimed_at,
            submitted_at=each.submitted_at,
            active_seconds=5,
            guideline_sha256=batch.guideline.sha256,
            payload_sha256=each.item.payload_sha256,
        )
        for k, each in enumerate(assignments)
    )
    for item in items:
        item.n_open, item.n_counted = item.n_open - 1, item.n_counted + 1
    Item.objects.bulk_update(items, ["n_open", "n_counted"])
    last = items[-1].position
    Cursor.objects.create(
        batch=batch, annotator=person, position=last, furthest=last, n_taken=n, run_from=n
    )
    return items
