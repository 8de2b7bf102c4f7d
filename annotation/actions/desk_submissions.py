"""Submissions of the desk's data request: each is stored, or its result says why not."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from accounts.models import User
from annotation import schemes
from annotation.actions import judgements
from annotation.actions.judgements import AlreadySubmittedError, NotClaimedError, Submission
from annotation.models import Assignment, Batch, BatchState, Judgement
from annotation.schemes import ResponseError
from performance.compiled_queries import Compiled

NAMED_ASSIGNMENTS = Compiled(
    lambda *, names, batch: (
        Assignment.objects.filter(public_id__in=names, item__batch=batch)
        .select_related("item")
        .select_for_update(of=("self", "item"), no_key=True)
        .order_by("item__position")
    )
)
JUDGEMENTS = Compiled(
    lambda *, assignments: (
        Judgement.objects.filter(assignment__pk__in=assignments)
        .select_related("withdrawal")
        .order_by("number")
    )
)
CLOSED_BATCH = Compiled(
    lambda *, pk: Batch.objects.filter(pk=pk, state=BatchState.CLOSED).values_list("pk")
)


class Outcome(StrEnum):
    SAVED = "saved"
    LATE = "late"  # saved as surplus
    ALREADY = "already"  # another judgement of the person stands
    SKIPPED = "skipped"
    TAKEN_BACK = "taken_back"  # stored once, and taken back since
    REFUSED = "refused"


@dataclass(frozen=True)
class SentJudgement:
    """A judgement as the browser sends it."""

    assignment: UUID
    submission: Submission


@dataclass(frozen=True)
class JudgementResult:
    """The outcome of one submission.

    judgement   the current one, if any
    is_same     it equals what was sent
    is_new      it was stored by this request: a count made before does not include it
    """

    sent: SentJudgement
    outcome: Outcome
    judgement: Judgement | None = None
    why: str = ""
    is_same: bool = False
    is_new: bool = False


def store(
    batch: Batch, annotator: User, sent: Sequence[SentJudgement], now: datetime
) -> list[JudgementResult]:
    """Store the submissions in their order; a result for each.

    Locks the assignments and their items. Expects a transaction.
    """
    if not sent:
        return []
    names = list({each.assignment for each in sent})
    # Filtered by person here: in the query, PostgreSQL may read all assignments of the person.
    named = NAMED_ASSIGNMENTS.all(names=names, batch=batch.pk)
    own = [each for each in named if each.annotator_id == annotator.pk]
    by_name = {each.public_id: each for each in own}
    # Read after the items are locked: settling locks them too, so a submission it did not wait for comes after it.
    is_closed = bool(CLOSED_BATCH.all(pk=batch.pk))
    known: dict[int, list[Judgement]] = {each.pk: [] for each in own}
    for judgement in JUDGEMENTS.all(assignments=list(known)) if known else ():
        known[judgement.assignment_id].append(judgement)
    added: dict[int, list[Judgement]] = defaultdict(list)
    results = []
    for each in sent:
        assignment = by_name.get(each.assignment)
        if assignment is None:
            results.append(
                JudgementResult(each, Outcome.REFUSED, why="the item is not assigned to you")
            )
            continue
        so_far = known[assignment.pk] + added[assignment.pk]
        result = _store_one(each, assignment, batch, so_far, now, is_closed)
        if result.judgement is not None and result.judgement not in so_far:
            added[assignment.pk].append(result.judgement)
        results.append(result)
    return results


def _store_one(
    sent: SentJudgement,
    assignment: Assignment,
    batch: Batch,
    known: Sequence[Judgement],
    now: datetime,
    is_closed: bool,
) -> JudgementResult:
    """The result of one submission; `known` are the judgements of its assignment so far."""
    submission = judgements.with_plausible_times(sent.submission, assignment, now)
    stored = next((each for each in known if each.client_id == submission.client_id), None)
    if stored is not None:
        return _result_of_repetition(sent, stored, assignment, batch)
    try:
        judgements.require_submittable(assignment, known)
        judgement = judgements.new_judgement(
            assignment, submission, batch, len(known) + 1, now, is_closed
        )
    except AlreadySubmittedError as error:
        current = error.judgement
        is_same = _is_same_response(current, sent, assignment, batch)
        return JudgementResult(sent, Outcome.ALREADY, current, is_same=is_same)
    except NotClaimedError:
        return JudgementResult(sent, Outcome.SKIPPED)
    except ResponseError as error:
        return JudgementResult(sent, Outcome.REFUSED, why=str(error))
    judgement.save(force_insert=True)
    judgements.count_when_committed(batch)
    return replace(_saved_result(sent, judgement), is_new=True)


def _result_of_repetition(
    sent: SentJudgement, stored: Judgement, assignment: Assignment, batch: Batch
) -> JudgementResult:
    """The result of a client id that was stored before: the same each time it is sent."""
    if hasattr(stored, "withdrawal"):
        return JudgementResult(sent, Outcome.TAKEN_BACK, stored)
    if not _is_same_response(stored, sent, assignment, batch):
        return JudgementResult(sent, Outcome.ALREADY, stored)
    return _saved_result(sent, stored)


def _saved_result(sent: SentJudgement, stored: Judgement) -> JudgementResult:
    outcome = Outcome.LATE if stored.is_surplus else Outcome.SAVED
    return JudgementResult(sent, outcome, stored, is_same=True)


def _is_same_response(
    stored: Judgement, sent: SentJudgement, assignment: Assignment, batch: Batch
) -> bool:
    """Whether the stored response equals the one sent, once the scheme has cleaned it."""
    try:
        response = schemes.get(batch.scheme).clean(
            sent.submission.response, assignment.item.payload
        )
    except ResponseError:
        return False
    return bool(stored.response == response)
