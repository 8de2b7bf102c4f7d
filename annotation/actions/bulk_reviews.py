"""Reviews of many judgements in one act: planned first, then written as planned, and undone as a whole.

    decisions = {judgement.pk: Decision(False, "random answers", "", False, "random answer", "")}
    planned = review_plans.plan(batch=batch, decisions=decisions, by=alice)   # changes nothing
    bulk_reviews.decide(batch=batch, decisions=decisions, by=alice, seal=planned.seal)

The act does what the plan says: it makes the plan again from the rows that it has locked, and writes nothing
if the two differ.
"""

from collections.abc import Sequence
from dataclasses import asdict

from accounts import permissions
from accounts.models import Role, User
from annotation import review_reasons
from annotation.actions import batches, item_places, locks, review_plans
from annotation.actions.review_plans import Decisions
from annotation.models import Batch, BatchState, Item, Review, ReviewAct
from annotation.queries import batch_clock
from annotation.queries.review_effects import Plan, Step
from annotation.review_decisions import Decision, ReviewError
from audit import events
from jobs.transactions import atomic_where_rows_are_locked, locks_rows, write_in_pieces

MEANWHILE = "something was decided meanwhile: check it again"


class BrokenOffError(ReviewError):
    """The act failed after some of it was written; the message says how much."""


def decide(
    *,
    batch: Batch,
    decisions: Decisions,
    by: User,
    ask_again: bool = False,
    seal: str | None = None,
    undoes: ReviewAct | None = None,
) -> ReviewAct:
    """Write what review_plans.plan() says: a review for every step in `done`, in one act.

    A decision that is current already is not written again. `seal` is that of the plan which the person has
    seen; None for any plan. Raises ReviewError if the plan is another one by now, or has nothing to do.

    It is one transaction, all or nothing. Only where a transaction locks the whole database (SQLite), more
    than PIECE_SIZE decisions are written in pieces: after a failure the pieces already written stay, with an
    event; BrokenOffError says how many, and calling again with the same decisions writes the rest.
    """
    planned = review_plans.plan(
        batch=batch, decisions=decisions, by=by, ask_again=ask_again, undoes=undoes
    )
    if seal not in (None, planned.seal):
        raise ReviewError(MEANWHILE)
    if not planned.done:
        raise ReviewError(_nothing_to_do_message(planned))
    writing = _Writing(planned, by, ask_again, undoes)
    with atomic_where_rows_are_locked():
        if locks_rows():
            writing.lock(planned.done)  # all in one order, so that no two acts wait for each other
        try:
            write_in_pieces(planned.done, writing.write)
        except Exception as error:
            writing.break_off(error)
            raise
    return writing.act


def _nothing_to_do_message(planned: Plan) -> str:
    if planned.refused:
        return f"nothing can be decided: {planned.refused[0].why_not}"
    return "nothing is left to decide: it was decided so already"


def _judgement_and_review(step: Step) -> tuple[int, int]:
    return step.judgement.pk, step.before.pk if step.before else 0


class _Writing:
    """Writes an act piece by piece, in the order of items. The act is created with the first piece."""

    def __init__(self, planned: Plan, by: User, ask_again: bool, undoes: ReviewAct | None) -> None:
        self.act = ReviewAct(
            batch=planned.batch, asks_again=ask_again, undoes=undoes, reviewed_by=by
        )
        self.planned, self.by, self.ask_again = planned, by, ask_again
        self.n_written = 0

    def lock(self, steps: Sequence[Step]) -> Batch | None:
        """Lock the items of the steps. If the batch may have to be reopened, lock it first and return it."""
        batch = locks.locked_batch(self.planned.batch.pk) if self.ask_again else None
        for chunk in review_plans.key_chunks(
            sorted({step.judgement.assignment.item_id for step in steps})
        ):
            rows = Item.objects.filter(pk__in=chunk).order_by("pk").locked()
            list(rows.values_list("pk"))
        return batch

    def write(self, piece: list[Step]) -> None:
        locked = self.lock(piece)
        decisions = {step.judgement.pk: step.decision for step in piece}
        now = review_plans.plan_of_cleaned(self.planned.batch, decisions, self.by, self.ask_again)
        if [_judgement_and_review(step) for step in now.done] != [
            _judgement_and_review(step) for step in piece
        ]:
            raise ReviewError(MEANWHILE)
        if not self.act.pk:
            self.act.reviewed_at = batch_clock.now(self.planned.batch)
            self.act.save()
        self._write_reviews(piece)
        self._move_places(now)
        if locked is not None and now.opened and locked.state == BatchState.CLOSED:
            batches.reopen(batch=locked, by=self.by)
        n_written = self.n_written + len(piece)
        if n_written == len(self.planned.done):
            self._record(n_written)
        self.n_written = n_written

    def break_off(self, error: Exception) -> None:
        """Record, and raise as BrokenOffError, what stays written. In one transaction nothing does."""
        if not self.n_written or locks_rows():
            return
        self._record(self.n_written)
        if isinstance(error, ReviewError):
            raise BrokenOffError(
                f"{self.n_written} of {len(self.planned.done)} were written, then it was broken off:"
                f" {error}. Doing it again does the rest"
            ) from error

    def _write_reviews(self, piece: list[Step]) -> None:
        Review.objects.bulk_create(
            Review(
                judgement=step.judgement,
                act=self.act,
                replaces=step.before,
                reviewed_at=self.act.reviewed_at,
                reviewed_by=self.by,
                **asdict(step.decision),
            )
            for step in piece
        )

    def _move_places(self, now: Plan) -> None:
        """Save the places of the items; the plan has changed them as its steps need."""
        items = [item for item, _ in review_plans.steps_by_item(now.done)]
        for item in items:
            for _ in range(now.opened.get(item.pk, 0)):
                item_places.apply_unsaved(item, item_places.change_to_ask_again(item))
        item_places.save_all(items)

    def _record(self, n_written: int) -> None:
        done = self.planned.done[:n_written]
        is_one = all(step.decision == done[0].decision for step in done)
        events.record(
            study=self.planned.batch.study,
            by=self.by,
            verb="undid reviews" if self.act.undoes else "reviewed in bulk",
            target=self.planned.batch,
            act=str(self.act),
            n_judgements=len(done),
            n_left=len(self.planned.done) - len(done),
            n_refused=len(self.planned.refused),
            **(asdict(done[0].decision) if is_one else {}),
        )


def undoing_decisions(act: ReviewAct) -> dict[int, Decision]:
    """The decisions that undo the act: for each of its current reviews, the decision that it replaced."""
    current = act.reviews.filter(replaced_by=None).select_related("replaces")
    return {review.judgement_id: _decision_before(review.replaces) for review in current}


def _decision_before(review: Review | None) -> Decision:
    """A judgement without a review is paid and counted."""
    if review is None:
        return Decision(True, review_reasons.UNDONE, "", True, review_reasons.UNDONE, "")
    return Decision(
        review.is_paid,
        review.paid_code,
        review.paid_reason,
        review.is_counted,
        review.counted_code,
        review.counted_reason,
    )


def undo(*, act: ReviewAct, by: User, seal: str | None = None) -> ReviewAct:
    """Undo an act by reviews that replace its own. Left as they are: judgements that were reviewed again since,
    and those that cannot count again because another one took their place (the plan names these).
    """
    permissions.require(by, act.batch.study, Role.ADJUDICATOR, Role.REQUESTER)
    decisions = undoing_decisions(act)
    if not decisions:
        raise ReviewError(
            "nothing of the decision is left: it was undone, or replaced by later decisions"
        )
    return decide(batch=act.batch, decisions=decisions, by=by, seal=seal, undoes=act)
