"""One more judgement of each item that did not settle, asked for in one act.

    planned = extra_judgement_plans.plan(batch=batch, rule="majority", cap=2)     # changes nothing
    extra_judgements.ask_more(batch=batch, rule="majority", cap=2, by=alice, seal=planned.seal)

The batch is reopened, judged, closed and settled again. The next round asks for the items still unsettled, until
an item settles or has had `cap` further judgements.
"""

from collections.abc import Collection, Sequence

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import batches, extra_judgement_plans, item_places, locks
from annotation.models import (
    Batch,
    BatchState,
    ExtraAsked,
    ExtraRound,
    Item,
    Source,
    Verdict,
)
from annotation.queries import batch_clock
from annotation.queries.extra_rounds import Plan, PlannedItem, item_slots
from annotation.review_decisions import ReviewError
from audit import events
from jobs import transactions

MEANWHILE = "something was judged or decided meanwhile: check it again"


def ask_more(
    *,
    batch: Batch,
    rule: str,
    cap: int,
    by: User,
    items: Collection[int] | None = None,
    seal: str | None = None,
) -> ExtraRound:
    """Open one more place on each item that plan() names, and reopen a closed batch.

    Nobody is handed an item twice, so it goes to people who have not seen it. Verdicts stay until the batch
    is settled again. `seal` is that of the plan which the person has seen; None for any plan. Up to PIECE_SIZE
    items are one transaction; more are written in pieces, and after a failure calling again writes the rest.
    Raises ReviewError if nothing can be asked, or if the plan is another one by now.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    planned = extra_judgement_plans.plan(batch=batch, rule=rule, cap=cap, items=items)
    if seal not in (None, planned.seal):
        raise ReviewError(MEANWHILE)
    if not planned.items:
        raise ReviewError(nothing_to_ask_message(planned))
    writing = _Writing(planned, by)
    transactions.write_in_pieces(planned.items, writing.write)
    return writing.round


def nothing_to_ask_message(planned: Plan) -> str:
    """Why the plan asks for nothing."""
    if not planned.n_unsettled:
        return f"every item settles by {planned.rule}: nothing is left to ask"
    reasons = [
        (planned.n_waiting, "wait for a judgement that was asked for already"),
        (planned.n_at_cap, f"had {planned.cap} more already"),
        (planned.n_nobody, "were seen by everybody who can be assigned them"),
        (planned.n_in_vain, f"cannot settle by {planned.rule} within the cap"),
    ]
    sentences = "; ".join(f"{n} {words}" for n, words in reasons if n)
    return f"of {planned.n_unsettled} unsettled, {sentences}"


class _Writing:
    """Writes a round piece by piece. The round is created with the first piece."""

    def __init__(self, planned: Plan, by: User) -> None:
        price = planned.batch.price
        self.round = ExtraRound(
            batch=planned.batch,
            rule=planned.rule,
            cap=planned.cap,
            n_unsettled=planned.n_unsettled,
            expected_by_next=planned.by_next,
            expected_by_cap=planned.by_cap,
            reward=price.amount if price else None,
            currency=price.currency if price else "",
            asked_by=by,
        )
        self.planned, self.by = planned, by
        self.n_left = len(planned.items)

    def write(self, piece: list[PlannedItem]) -> None:
        batch = locks.locked_batch(self.planned.batch.pk)
        items = _locked_unchanged(piece)
        if not self.round.pk:
            self.round.asked_at = batch_clock.now(batch)
            self.round.save()
        ExtraAsked.objects.bulk_create(ExtraAsked(round=self.round, item=item) for item in items)
        for item in items:
            item_places.apply_unsaved(item, item_places.change_to_ask_again(item))
        item_places.save_all(items)
        if batch.state == BatchState.CLOSED:
            batches.reopen(batch=batch, by=self.by)
        self.n_left -= len(piece)
        if not self.n_left:
            self._record()

    def _record(self) -> None:
        events.record(
            study=self.planned.batch.study,
            by=self.by,
            verb="asked for more",
            target=self.planned.batch,
            rule=self.planned.rule,
            cap=self.planned.cap,
            n_items=len(self.planned.items),
        )


def _locked_unchanged(piece: Sequence[PlannedItem]) -> list[Item]:
    """The items, reloaded and locked. Raises ReviewError if one changed since it was planned."""
    pks = [item.pk for item in piece]
    items = list(Item.objects.filter(pk__in=pks).order_by("pk").locked())
    as_planned = {item_slots(item) for item in piece}
    adjudicated = Verdict.objects.current().filter(item__in=pks, source=Source.ADJUDICATION)
    is_same = all(item_slots(item) in as_planned and not item.is_excluded for item in items)
    if not is_same or adjudicated.exists():
        raise ReviewError(MEANWHILE)
    return items
