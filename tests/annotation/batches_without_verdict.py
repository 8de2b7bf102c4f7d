"""Batches of the schemes without a verdict, in every state, with judgements."""

from accounts.models import User
from annotation import schemes
from annotation.actions import batches, claims, judgements
from annotation.actions.judgements import Submission
from annotation.models import Batch, BatchState, Judgement
from sampling.models import Pool
from tests.annotation import desk
from tests.annotation.desk import NOW

SCHEMES = [name for name in schemes.names() if not schemes.get(name).has_verdict]
STATES = (BatchState.DRAFT, BatchState.OPEN, BatchState.CLOSED)


def create_draft(pool: Pool, scheme: str, **settings: object) -> Batch:
    by = pool.created_by
    name = str(settings.pop("name", scheme))
    return batches.create(study=pool.study, name=name, scheme=scheme, pool=pool, by=by, **settings)


def open_batch(pool: Pool, scheme: str, **settings: object) -> Batch:
    return batches.launch(batch=create_draft(pool, scheme, **settings), by=pool.created_by)


def judge_next_item(batch: Batch, by: User) -> Judgement:
    """Claim the next item and judge it as a rehearsal would."""
    (assignment,) = claims.claim(batch=batch, by=by, now=NOW)
    payload = assignment.item.payload
    response = schemes.get(batch.scheme).simulated_response(
        payload,
        judgements.screen_order(assignment, batch),
        seed=1,
        annotator=by.pk,
        item=assignment.item.position,
        accuracy=1.0,
    )
    submission = Submission(
        client_id=f"{assignment.public_id}", response=response, shown_at=NOW, active_seconds=5
    )
    return desk.submit_with_first_part(assignment=assignment, submission=submission, by=by, now=NOW)


def batch_in_state(pool: Pool, scheme: str, state: BatchState, people: list[User]) -> Batch:
    """A batch in this state, named for its scheme and state; each of the people judged two items."""
    made = create_draft(pool, scheme, name=f"{scheme} {state}")
    if state == BatchState.DRAFT:
        return made
    made = batches.launch(batch=made, by=made.created_by)
    for person in people:
        judge_next_item(made, person)
        judge_next_item(made, person)
    return batches.close(batch=made, by=made.created_by) if state == BatchState.CLOSED else made
