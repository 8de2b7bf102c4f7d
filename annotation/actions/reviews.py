"""Decisions on judgements and items: review, exclude, adjudicate, ask again. Each adds a row."""

from collections.abc import Mapping
from dataclasses import asdict

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation import review_reasons, schemes
from annotation.actions import batches, item_places, locks, repeats, verdicts
from annotation.models import (
    Adjudication,
    Assignment,
    BatchState,
    Exclusion,
    Item,
    Judgement,
    Review,
    ReviewAct,
    SetAside,
    Source,
    Verdict,
    Withdrawal,
)
from annotation.queries import adjudication_access, answer_sources, batch_clock, written_pairs
from annotation.review_decisions import Decision, ReviewError, cleaned_words
from annotation.schemes import ResponseError
from audit import events

MARKED_CORRECT = "marked correct"


@transaction.atomic
def review(
    *,
    judgement: Judgement,
    is_paid: bool,
    is_counted: bool,
    paid_reason: str,
    counted_reason: str,
    by: User,
    paid_code: str = review_reasons.OTHER,
    counted_code: str = review_reasons.OTHER,
    ask_again: bool = False,
) -> Review:
    """Decide whether one judgement is paid and whether it is counted; replaces the current review.

    Each reason is a code of annotation.review_reasons that fits the decision, and words; `other` needs words.
    Nobody reviews judgements of an item that they were handed themselves, of a question that they were handed in another
    round of writing, or of an item that they must settle a second time.

    "Not counted" closes the judgement's place; `ask_again` opens one, as the action of that name does, and if
    that is refused nothing is decided. "Counted" again needs a place: ReviewError if the item's places were
    filled meanwhile, or if the judgement cannot count (surplus or taken back).
    """
    item = judgement.assignment.item
    item = _locked_with_batch(item) if ask_again else _locked(item)
    _require_role(by, item, Role.ADJUDICATOR, Role.REQUESTER)
    _require_not_handed(by, item, "reviews")
    _require_no_second_label_due(by, item)
    decision = Decision(
        is_paid, paid_code, paid_reason, is_counted, counted_code, counted_reason
    ).cleaned()
    before = judgement.reviews.filter(replaced_by=None).first()
    _move_places(item, judgement, before, is_counted=is_counted)
    at = batch_clock.now(item.batch)
    act = ReviewAct.objects.create(
        batch=item.batch, asks_again=ask_again, reviewed_at=at, reviewed_by=by
    )
    decisions = asdict(decision)
    review = Review.objects.create(
        judgement=judgement,
        act=act,
        replaces=before,
        reviewed_at=at,
        reviewed_by=by,
        **decisions,
    )
    events.record(
        study=item.batch.study, by=by, verb="reviewed", target=judgement.assignment, **decisions
    )
    if ask_again:
        _open_a_place(item, by)
    return review


def _move_places(
    item: Item, judgement: Judgement, before: Review | None, *, is_counted: bool
) -> None:
    counted_before = before.is_counted if before else True
    if is_counted and not counted_before:
        _count_again(item, judgement)
    elif counted_before and not is_counted and _holds_a_place(judgement):
        item_places.move(item, **item_places.change_to_stop_counting(item))


def _holds_a_place(judgement: Judgement) -> bool:
    was_withdrawn = Withdrawal.objects.filter(judgement=judgement).exists()
    return not judgement.is_surplus and not was_withdrawn


def _count_again(item: Item, judgement: Judgement) -> None:
    if not _holds_a_place(judgement):
        raise ReviewError("a judgement that is surplus or taken back cannot be counted")
    change = item_places.change_to_count_again(item)
    if change is None:
        raise ReviewError(
            f"the item {item} has its {item.n_wanted} judgements: another one took the place."
            " Ask for one more first"
        )
    item_places.move(item, **change)


@transaction.atomic
def ask_again(*, item: Item, by: User, n_asked: int | None = None) -> Item:
    """Open one more place on the item: a closed one, else an additional one.

    Reopens a closed batch; the verdict stays until the batch is settled again. `n_asked` is how many judgements
    the item asks for as far as the person knows: ReviewError if it asks for another number by now.
    """
    item = _locked_with_batch(item)
    if n_asked not in (None, n_judgements_asked(item)):
        raise ReviewError(
            f"the item asks for {n_judgements_asked(item)} judgements by now, not for {n_asked}:"
            " one more was asked for already"
        )
    _open_a_place(item, by)
    return item


def n_judgements_asked(item: Item) -> int:
    """The number of judgements that the item asks for: its places that are not closed."""
    return item.n_asked


def _open_a_place(item: Item, by: User) -> None:
    _require_role(by, item, Role.REQUESTER)
    if item.n_wanted is None:
        raise ReviewError(f"the item {item} is {_without_places(item)}: it has no places")
    if item.is_excluded:
        raise ReviewError(f"the item {item} is excluded: readmit it first")
    if item.batch.withdrawn_objection:
        raise ReviewError(item.batch.withdrawn_objection)
    item_places.move(item, **item_places.change_to_ask_again(item))
    if item.batch.state == BatchState.CLOSED:
        batches.reopen(batch=item.batch, by=by)
    events.record(study=item.batch.study, by=by, verb="asked again", target=item)


@transaction.atomic
def exclude(*, item: Item, reason: str, by: User, seen: int | None = None) -> Exclusion:
    """Exclude the item: no verdict, no agreement, no new claims. Open claims can still be submitted.

    readmit() reverses it. Nobody excludes an item that they were handed themselves, in either round of writing. `seen` as in adjudicate().
    """
    item = _locked(item)
    _require_no_second_label_due(by, item)
    _require_as_seen(verdicts.current_verdict(item), seen)
    decision = _decide_exclusion(item, is_excluded=True, reason=reason, by=by)
    if item.n_wanted is not None:  # a control item has no verdict
        verdicts.set_aside(item, SetAside.EXCLUDED, by=by, at=decision.excluded_at)
    return decision


@transaction.atomic
def readmit(*, item: Item, reason: str, by: User) -> Exclusion:
    """Readmit an excluded item. An adjudicated item has its verdict again at once, any other one when the batch
    is settled.
    """
    item = _locked(item)
    _require_no_second_label_due(by, item)
    decision = _decide_exclusion(item, is_excluded=False, reason=reason, by=by)
    adjudication = item.adjudications.not_retracted().last()
    if adjudication is not None and schemes.get(item.batch.scheme).has_verdict:
        verdicts.decide_by_adjudication(adjudication, at=decision.excluded_at)
    return decision


def _decide_exclusion(item: Item, *, is_excluded: bool, reason: str, by: User) -> Exclusion:
    _require_role(by, item, Role.ADJUDICATOR, Role.REQUESTER)
    reason = cleaned_words(reason)
    if item.repeats:
        raise ReviewError(
            f"the item {item} is a repeat of {item.repeats}: that one is excluded or readmitted, and its repeat with it"
        )
    before = item.exclusions.filter(replaced_by=None).first()
    if item.is_excluded == is_excluded:
        raise ReviewError(f"the item {item} is {'' if is_excluded else 'not '}excluded already")
    _require_not_handed(by, item, "excludes or readmits")
    item.is_excluded = is_excluded
    item.save(update_fields=["is_excluded"])
    repeats.exclude_as(item)
    decision = Exclusion.objects.create(
        item=item,
        replaces=before,
        is_excluded=is_excluded,
        reason=reason,
        excluded_at=batch_clock.now(item.batch),
        excluded_by=by,
    )
    verb = "excluded" if is_excluded else "readmitted"
    events.record(study=item.batch.study, by=by, verb=verb, target=item, reason=reason)
    return decision


@transaction.atomic
def adjudicate(
    *,
    item: Item,
    label: str,
    reason: str,
    by: User,
    seen: int | None = None,
    response: Mapping[str, str] | None = None,
) -> Verdict:
    """Settle the item with a label. Needs an adjudicator who did not judge it, and a closed batch.

    `response` has the texts, of a scheme in which a label does not say all (SettledScheme.adjudicated_response).

    `seen` is the key of the verdict that the person saw; 0 if there was none. ReviewError if another one is
    current by now, unless it is this same decision: then that verdict is returned.
    """
    item = _locked(item)
    _require_role(by, item, Role.ADJUDICATOR)
    _require_no_second_label_due(by, item)
    reason = cleaned_words(reason)
    if item.n_wanted is None:
        raise ReviewError(f"the item {item} is {_without_places(item)}: it has no verdict")
    before = verdicts.current_verdict(item)
    said = _adjudicated_response(item, label, response)
    if seen is not None and before and before.adjudication:
        decided = before.adjudication
        if (decided.adjudicated_by, decided.label, decided.reason, decided.response) == (
            by,
            label,
            reason,
            said,
        ):
            return before
    _require_as_seen(before, seen)
    if item.batch.state != BatchState.CLOSED:
        raise ReviewError(f"the batch {item.batch.name} is {item.batch.state}: close it first")
    if item.batch.withdrawn_objection:
        raise ReviewError(item.batch.withdrawn_objection)
    _require_not_handed(by, item, "adjudicates")
    if item.is_excluded:
        raise ReviewError(f"the item {item} is excluded: readmit it first")
    at = batch_clock.now(item.batch)
    decision = Adjudication.objects.create(
        item=item,
        label=label,
        response=said,
        reason=reason,
        after_sources=answer_sources.was_shown(item, by),
        adjudicated_at=at,
        adjudicated_by=by,
    )
    verdict = verdicts.decide_by_adjudication(decision, at=at)
    events.record(
        study=item.batch.study, by=by, verb="adjudicated", target=item, label=label, reason=reason
    )
    return verdict


def _adjudicated_response(
    item: Item, label: str, response: Mapping[str, str] | None
) -> dict[str, str]:
    scheme = schemes.settled_scheme(item.batch.scheme)
    if label not in scheme.labels:
        raise ReviewError(
            f"the scheme {scheme.name} has no label {label}: {', '.join(scheme.labels)}"
        )
    judged: list[dict[str, str]] = []
    if response is None and not scheme.has_fixed_labels:
        of_item = Judgement.objects.counted().filter(assignment__item=item).order_by("pk")
        judged = list(of_item.values_list("response", flat=True))
    try:
        return scheme.adjudicated_response(label, response, item.payload, judged)
    except ResponseError as error:
        raise ReviewError(str(error)) from error


def _without_places(item: Item) -> str:
    return "a repeat" if item.repeats_id else "a control item"


def _require_as_seen(verdict: Verdict | None, seen: int | None) -> None:
    """Raise ReviewError if another verdict is current than the one that the person saw."""
    if seen in (None, verdict.pk if verdict else 0):
        return
    if verdict and verdict.source != Source.CONSENSUS:
        outcome = verdict.label or verdict.set_aside_reason
        raise ReviewError(
            f"{verdict.decided_by.username} decided it meanwhile, as {outcome}: check it again"
        )
    raise ReviewError("the batch was settled again meanwhile: reload the page of the item")


def _require_not_handed(by: User, item: Item, decides: str) -> None:
    items = [item.pk, item.repeats_id or item.pk]
    if Assignment.objects.filter(item__in=items, annotator=by).exists():
        raise ReviewError(f"{by.username} was assigned the item {item}: nobody {decides} their own")
    # Else one of two who wrote could end what an adjudicator is to decide.
    if item.batch.scheme in written_pairs.SCHEMES and written_pairs.is_own(by, item):
        raise ReviewError(
            f"{by.username} was assigned this question in the other round: nobody {decides} their own"
        )


def _require_no_second_label_due(by: User, item: Item) -> None:
    """Raise ReviewError for an adjudicator who is to give the item a second label (adjudication_access)."""
    if adjudication_access.must_not_see(by, item):
        raise ReviewError(adjudication_access.SETTLE_FIRST)


@transaction.atomic
def mark_correct(*, judgement: Judgement, by: User, seen: int | None = None) -> Verdict:
    """Settle the item with the label of one of its judgements. `seen` as in adjudicate()."""
    item = judgement.assignment.item
    scheme = schemes.settled_scheme(item.batch.scheme)
    label = scheme.label_of_vote(scheme.label(judgement.response))
    response = judgement.response
    return adjudicate(
        item=item, label=label, response=response, reason=MARKED_CORRECT, by=by, seen=seen
    )


def _locked(item: Item) -> Item:
    """The item, locked, with its batch, read after the lock because its state may change until then."""
    Item.objects.locked().get(pk=item.pk)
    return Item.objects.select_related("batch__study").get(pk=item.pk)


def _locked_with_batch(item: Item) -> Item:
    """The item, locked after its batch, for actions that may change both."""
    locks.locked_batch(item.batch_id)
    return _locked(item)


def _require_role(by: User, item: Item, *roles: Role) -> None:
    permissions.require(by, item.batch.study, *roles)
