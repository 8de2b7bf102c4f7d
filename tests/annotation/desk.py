"""Claims and submissions at the desk, and a check of the stored counts."""

import itertools
from collections import Counter
from datetime import UTC, datetime, timedelta

from accounts.models import User
from annotation import schemes
from annotation.actions import claims, first_parts, judgements
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item, Judgement
from performance.compiled_queries import Compiled

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# With the person and the batch, which nearly every test of the desk reads for each of its judgements.
ASSIGNMENT = Compiled(
    lambda *, pk: Assignment.objects.filter(pk=pk).select_related("annotator", "item__batch")
)

_client_ids = (f"client-{number}" for number in itertools.count())


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def submission(
    label: str = "plausible", *, client_id: str = "", scheme: str = "plausibility", **more: object
) -> judgements.Submission:
    return judgements.Submission(
        client_id=client_id or next(_client_ids),
        response=schemes.get(scheme).response(label),
        shown_at=NOW,
        active_seconds=7.5,
        **more,
    )


def claim_one(batch: Batch, by: User, now: datetime = NOW) -> Assignment:
    (assignment,) = claims.claim(batch=batch, by=by, now=now)
    return assignment


def submit_with_first_part(
    *,
    assignment: Assignment,
    submission: judgements.Submission,
    by: User,
    now: datetime | None = None,
) -> Judgement:
    """Submit a judgement, before it the part that the scheme asks before it shows the passages."""
    item = assignment.item
    first = schemes.get(item.batch.scheme).first_part(submission.response, item.payload)
    if first is not None:
        first_parts.show_the_rest(assignment=assignment, response=first, by=by)
    return judgements.submit(assignment=assignment, submission=submission, by=by, now=now)


def submit(
    assignment: Assignment, label: str = "plausible", now: datetime = NOW, client_id: str = ""
) -> Judgement:
    held = ASSIGNMENT.get(pk=assignment.pk)
    return judgements.submit(
        assignment=assignment,
        submission=submission(label, client_id=client_id, scheme=held.item.batch.scheme),
        by=held.annotator,
        now=now,
    )


def judge(batch: Batch, by: User, label: str = "plausible", now: datetime = NOW) -> Judgement:
    """Claim the next item and submit."""
    return submit(claim_one(batch, by, now), label, now)


def places(item: Item) -> tuple[int | None, int, int, int]:
    """How many places the item wants and has: (wanted, open, claimed, counted)."""
    item.refresh_from_db()
    return item.n_wanted, item.n_open, item.n_claimed, item.n_counted


def assert_counts_match(batch: Batch) -> None:
    """Assert that each stored count equals the number of rows that it counts."""
    assignments = list(Assignment.objects.filter(item__batch=batch))
    claimed = Counter(each.item_id for each in assignments if each.state == AssignmentState.CLAIMED)
    of_batch = Judgement.objects.filter(assignment__item__batch=batch)
    rows = of_batch.counted().values_list("assignment__item", "assignment")
    counted = Counter(item for item, _ in rows)
    judged = Counter(item for item, _ in set(rows))
    for item in batch.items.real():  # a control item has no places
        assert (item.n_claimed, item.n_counted) == (claimed[item.pk], counted[item.pk]), (
            item.position
        )
        assert judged[item.pk] == item.n_counted
        assert item.n_asked <= item.n_wanted
    standing = Counter(of_batch.not_withdrawn().values_list("assignment", flat=True))
    for assignment in assignments:
        is_submitted = assignment.state == AssignmentState.SUBMITTED
        assert standing[assignment.pk] == is_submitted, assignment.pk
    taken = Counter(each.annotator_id for each in assignments)
    for cursor in Cursor.objects.filter(batch=batch):
        assert cursor.n_taken == taken[cursor.annotator_id]
