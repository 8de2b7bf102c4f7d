"""Claims and submissions at the desk, and a check of the stored counts."""

import itertools
from datetime import UTC, datetime, timedelta

from accounts.models import User
from annotation import schemes
from annotation.actions import claims, first_parts, judgements
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item, Judgement

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

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
    return judgements.submit(
        assignment=assignment,
        submission=submission(label, client_id=client_id, scheme=assignment.item.batch.scheme),
        by=assignment.annotator,
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
    for item in batch.items.real():  # a control item has no places
        assignments = Assignment.objects.filter(item=item)
        claimed = assignments.claimed().count()
        counted = Judgement.objects.counted().filter(assignment__item=item)
        assert (item.n_claimed, item.n_counted) == (claimed, counted.count()), item.position
        assert len({judgement.assignment_id for judgement in counted}) == item.n_counted
        assert item.n_asked <= item.n_wanted
    for assignment in Assignment.objects.filter(item__batch=batch):
        n_not_withdrawn = assignment.judgements.not_withdrawn().count()
        assert n_not_withdrawn == (assignment.state == AssignmentState.SUBMITTED), assignment.pk
    for cursor in Cursor.objects.filter(batch=batch):
        taken = Assignment.objects.filter(item__batch=batch, annotator=cursor.annotator_id)
        assert cursor.n_taken == taken.count()
