"""Reviews of many judgements in one act: planned first, then written as planned, and undone as a whole.

    decisions = {judgement.pk: Decision(False, "random answers", "", False, "random answer", "")}
    planned = bulk_reviews.plan(batch=batch, decisions=decisions, by=alice)   # changes nothing
    bulk_reviews.decide(batch=batch, decisions=decisions, by=alice, seal=planned.seal)

The act does what the plan says: it makes the plan again from the rows that it has locked, and writes nothing
if the two differ.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from accounts import permissions
from accounts.models import Role, User
from annotation import review_reasons
from annotation.actions import batches, item_places, locks
from annotation.models import Assignment, Batch, BatchState, Item, Judgement, Review, ReviewAct
from annotation.queries import adjudication_access, batch_clock
from annotation.queries.review_effects import Plan, Step
from annotation.review_decisions import Decision, ReviewError
from audit import events
from jobs.transactions import PIECE_SIZE, atomic_where_rows_are_locked, locks_rows, write_in_pieces

Decisions = Mapping[int, Decision]

OWN_ITEM = "you were handed the item yourself"
SETTLE_FIRST = adjudication_access.SETTLE_FIRST
TAKEN_BACK = "it was taken back"
NO_PLACE = "another judgement took its place: ask for one more first"
NOT_ASKED = "it counts no more already: ask for one more judgement on the page of its item"
SURPLUS = "it came when the item had its judgements: it cannot count"
MEANWHILE = "something was decided meanwhile: look at it once more"


class BrokenOffError(ReviewError):
    """The act failed after some of it was written; the message says how much."""


def plan(
    *,
    batch: Batch,
    decisions: Decisions,
    by: User,
    ask_again: bool = False,
    undoes: ReviewAct | None = None,
) -> Plan:
    """What these decisions would do now, without changing anything. Ignores judgements of other batches.

    `undoes` is the act that the decisions undo (see undoing_decisions): only then may their code be `undone`.

    Raises ReviewError if a reason does not fit its decision, NotAllowedError if the role is missing.
    """
    roles = (Role.REQUESTER,) if ask_again else (Role.ADJUDICATOR, Role.REQUESTER)
    permissions.require(by, batch.study, *roles)
    cleaned = {
        pk: decision.cleaned(is_undoing=undoes is not None) for pk, decision in decisions.items()
    }
    return _plan_of_cleaned(batch, cleaned, by, ask_again)


def _plan_of_cleaned(batch: Batch, decisions: Decisions, by: User, ask_again: bool) -> Plan:
    batch = Batch.objects.select_related("study").get(pk=batch.pk)  # its state may have changed
    own_items = set(
        Assignment.objects.filter(item__batch=batch, annotator=by).values_list("item_id", flat=True)
    )
    undisclosed = set(
        adjudication_access.items_hidden_from(by, batch.study).values_list("pk", flat=True)
    )
    by_kind: dict[str, list[Step]] = defaultdict(list)
    n_reopened: dict[int, int] = {}
    for item, steps in _by_item(_steps(batch, decisions)):
        n_closed = 0
        for step in steps:
            why_not = (
                OWN_ITEM if item.pk in own_items else SETTLE_FIRST if item.pk in undisclosed else ""
            )
            if ask_again and item.n_wanted is not None and step.asks_in_vain:
                why_not = why_not or NOT_ASKED
            result = _with_places_moved(step, item, why_not)
            kind = "refused" if result.why_not else "same" if result.is_same else "done"
            by_kind[kind].append(result)
            n_closed += kind == "done" and step.was_counted and not step.decision.is_counted
        if ask_again and n_closed and item.n_wanted is not None and not item.is_excluded:
            n_reopened[item.pk] = n_closed
    done, same, refused = (tuple(by_kind[kind]) for kind in ("done", "same", "refused"))
    return Plan(batch, done, same, refused, n_reopened)


def _steps(batch: Batch, decisions: Decisions) -> list[Step]:
    rows: list[Judgement] = []
    for chunk in _chunks(sorted(decisions)):
        of_batch = Judgement.objects.filter(pk__in=chunk, assignment__item__batch=batch)
        related = of_batch.select_related("assignment__item", "withdrawal")
        rows += related.defer("assignment__item__payload")
    current: dict[int, Review] = {}
    for chunk in _chunks([row.pk for row in rows]):
        reviews = Review.objects.filter(judgement__in=chunk, replaced_by=None).select_related("act")
        current |= {review.judgement_id: review for review in reviews}
    return [Step(row, current.get(row.pk), decisions[row.pk]) for row in rows]


def _chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """The keys in chunks below SQLite's limit of parameters in a query."""
    for start in range(0, len(keys), PIECE_SIZE):
        yield keys[start : start + PIECE_SIZE]


def _by_item(steps: Sequence[Step]) -> list[tuple[Item, list[Step]]]:
    """The steps by item, in the order of items. Steps on one item share one object, so that its places add up."""
    items: dict[int, tuple[Item, list[Step]]] = {}
    for step in sorted(steps, key=lambda step: step.judgement.pk):
        item = step.judgement.assignment.item
        items.setdefault(item.pk, (item, []))[1].append(step)
    return sorted(items.values(), key=lambda pair: pair[0].position)


def _with_places_moved(step: Step, item: Item, why_not: str) -> Step:
    """The step after the item's places were changed (not saved) for it; or the step refused with a reason."""
    why_not = why_not or (TAKEN_BACK if hasattr(step.judgement, "withdrawal") else "")
    if why_not:
        return _refused(step, why_not)
    if step.judgement.is_surplus:
        before = step.before.is_counted if step.before else True
        return _refused(step, SURPLUS) if step.decision.is_counted and not before else step
    if step.decision.is_counted and not step.was_counted:
        change = item_places.change_to_count_again(item)
        if change is None:
            return _refused(step, NO_PLACE)
    elif step.was_counted and not step.decision.is_counted:
        change = item_places.change_to_stop_counting(item)
    else:
        change = {}
    item_places.apply_unsaved(item, change)
    return step


def _refused(step: Step, why: str) -> Step:
    return Step(step.judgement, step.before, step.decision, why)


def decide(
    *,
    batch: Batch,
    decisions: Decisions,
    by: User,
    ask_again: bool = False,
    seal: str | None = None,
    undoes: ReviewAct | None = None,
) -> ReviewAct:
    """Write what plan() says: a review for every step in `done`, in one act.

    A decision that is current already is not written again. `seal` is that of the plan which the person has
    seen; None for any plan. Raises ReviewError if the plan is another one by now, or has nothing to do.

    It is one transaction, all or nothing. Only where a transaction locks the whole database (SQLite), more
    than PIECE_SIZE decisions are written in pieces: after a failure the pieces already written stay, with an
    event; BrokenOffError says how many, and calling again with the same decisions writes the rest.
    """
    planned = plan(batch=batch, decisions=decisions, by=by, ask_again=ask_again, undoes=undoes)
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
        for chunk in _chunks(sorted({step.judgement.assignment.item_id for step in steps})):
            rows = Item.objects.filter(pk__in=chunk).order_by("pk").select_for_update()
            list(rows.values_list("pk"))
        return batch

    def write(self, piece: list[Step]) -> None:
        locked = self.lock(piece)
        decisions = {step.judgement.pk: step.decision for step in piece}
        now = _plan_of_cleaned(self.planned.batch, decisions, self.by, self.ask_again)
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
        items = [item for item, _ in _by_item(now.done)]
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
        raise ReviewError("nothing of it stands any more: it was undone, or decided anew")
    return decide(batch=act.batch, decisions=decisions, by=by, seal=seal, undoes=act)
