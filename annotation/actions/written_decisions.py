"""Decisions between the answers of two rounds of writing: one of them stands, or a third that is written.

docs/adr/0071-written-answers-and-curation.md is the design.
"""

from collections.abc import Mapping

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation import deciding, schemes
from annotation.models import Adjudication, Item, Retraction
from annotation.queries import batch_clock, written_pairs
from annotation.queries.written_pairs import Pair
from annotation.review_decisions import ReviewError, cleaned_words
from annotation.schemes import ResponseError
from audit import events

CHANGED = (
    "an answer was taken back, rejected or changed meanwhile: read the answers as they are now"
)


@transaction.atomic
def decide(
    *,
    item: Item,
    label: str,
    reason: str,
    by: User,
    response: Mapping[str, str] | None = None,
    seen: int | None = None,
    between: str | None = None,
) -> Adjudication:
    """Decide between the answers to the question of this item of a second round. Needs an adjudicator who was handed
    neither it nor its item of the first round, and a closed batch.

    `label` is one of deciding.LABELS; `response` has the text of a third answer, or says which of several people in the
    second round. `seen` is the key of the decision that the person saw, 0 for none, `between` the hash of the answers
    that they saw: ReviewError if these are others by now, unless the decision is this same one.
    """
    item = _locked(item)
    permissions.require(by, item.batch.study, Role.ADJUDICATOR)
    reason = cleaned_words(reason)
    if not written_pairs.has_pairs(item.batch):
        raise ReviewError(
            f"the item {item} is of no second round of written answers: there is nothing to decide"
        )
    if objection := written_pairs.obstacle(item.batch):
        raise ReviewError(objection)
    _require_not_own(by, item, "decides about")
    pair = _pair_as_seen(item, between)
    said = _response(pair, label, response, item)
    before = pair.decision
    if before and (before.adjudicated_by, before.label, before.reason, before.response) == (
        by,
        label,
        reason,
        said,
    ):
        return before
    _require_as_seen(pair.newest, seen)
    decision = Adjudication.objects.create(
        item=item,
        label=label,
        response=said,
        between_sha256=pair.sha256,
        reason=reason,
        adjudicated_at=batch_clock.now(item.batch),
        adjudicated_by=by,
    )
    events.record(
        study=item.batch.study, by=by, verb="adjudicated", target=item, label=label, reason=reason
    )
    return decision


@transaction.atomic
def retract(*, item: Item, by: User, seen: int | None = None) -> Pair | None:
    """Retract the decision that stands about this item, or else the latest; an earlier one stands again if it is about
    the same answers.

    `seen` is the key of the decision that the person means: ReviewError if it is neither of these by now.
    """
    item = _locked(item)
    permissions.require(by, item.batch.study, Role.ADJUDICATOR)
    latest = item.adjudications.not_retracted().last()
    if latest is None:
        raise ReviewError(f"the item {item} is not adjudicated: there is nothing to take back")
    pair = written_pairs.pair_of(item)
    stands = (pair.decision if pair else None) or latest
    if seen not in (None, stands.pk, latest.pk):
        raise ReviewError("it was decided again meanwhile: reload the page of the item")
    if objection := written_pairs.obstacle(item.batch):
        raise ReviewError(objection)
    _require_not_own(by, item, "undoes the decision about")
    undone = latest if seen == latest.pk else stands
    Retraction.objects.create(
        adjudication=undone, retracted_at=batch_clock.now(item.batch), retracted_by=by
    )
    events.record(study=item.batch.study, by=by, verb="took back", target=item, label=undone.label)
    return written_pairs.pair_of(item)


def _locked(item: Item) -> Item:
    """The item, locked, and the item that it shows: what counts of either changes under these locks alone.

    In the order of their keys, as whoever locks several does.
    """
    keys = [key for key in (item.pk, item.came_from_id) if key is not None]
    list(Item.objects.filter(pk__in=keys).order_by("pk").locked().values_list("pk", flat=True))
    return Item.objects.select_related("batch__study", "batch__first_round").get(pk=item.pk)


def _require_not_own(by: User, item: Item, decides: str) -> None:
    if written_pairs.is_own(by, item):
        raise ReviewError(
            f"{by.username} was assigned this question in one of the rounds: nobody {decides} their own"
        )


def _pair_as_seen(item: Item, between: str | None) -> Pair:
    pair = written_pairs.pair_of(item)
    if pair is None:
        raise ReviewError(
            "the answers of both rounds do not count any more: there is nothing to decide"
        )
    if between not in (None, pair.sha256):
        raise ReviewError(CHANGED)
    if not pair.differs:
        raise ReviewError("the answers do not differ: there is nothing to decide")
    return pair


def _response(
    pair: Pair, label: str, response: Mapping[str, str] | None, item: Item
) -> dict[str, str]:
    scheme = schemes.get(item.batch.scheme)
    try:
        return deciding.decided_response(
            label, response, pair.versions, scheme=scheme, payload=item.payload
        )
    except ResponseError as error:
        raise ReviewError(str(error)) from error


def _require_as_seen(newest: Adjudication | None, seen: int | None) -> None:
    if seen in (None, newest.pk if newest else 0):
        return
    if newest is None:
        raise ReviewError("the decision was undone meanwhile: check it again")
    raise ReviewError(
        f"{newest.adjudicated_by.username} decided it meanwhile, as {newest.label}: check it again"
    )
