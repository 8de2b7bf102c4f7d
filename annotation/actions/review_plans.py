"""Plans of reviews: what decisions on many judgements would do, and which of them are refused."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import item_places
from annotation.models import Assignment, Batch, Item, Judgement, Review, ReviewAct
from annotation.queries import adjudication_access
from annotation.queries.review_effects import Plan, Step
from annotation.review_decisions import Decision, ReviewError
from jobs.transactions import PIECE_SIZE

# By the key of a judgement.
Decisions = Mapping[int, Decision]

# Why a decision is refused.
OWN_ITEM = "you were assigned the item yourself"
SETTLE_FIRST = adjudication_access.SETTLE_FIRST
TAKEN_BACK = "the annotator took it back"
NO_PLACE = "another judgement took its place: ask for one more first"
NOT_ASKED = "it is excluded already: ask for one more judgement on the page of its item"
SURPLUS = "it came late, after the item had all its judgements: it cannot count"


def plan(
    *,
    batch: Batch,
    decisions: Decisions,
    by: User,
    ask_again: bool = False,
    undoes: ReviewAct | None = None,
) -> Plan:
    """The plan of these decisions, without changing anything. Ignores judgements of other batches.

    `undoes` is the act that the decisions undo (see bulk_reviews.undoing_decisions): only then may their code be `undone`.

    Raises ReviewError if a reason does not fit its decision, NotAllowedError if the role is missing.
    """
    roles = (Role.REQUESTER,) if ask_again else (Role.ADJUDICATOR, Role.REQUESTER)
    permissions.require(by, batch.study, *roles)
    cleaned = {
        pk: decision.cleaned(is_undoing=undoes is not None) for pk, decision in decisions.items()
    }
    return plan_of_cleaned(batch, cleaned, by, ask_again)


def plan_of_cleaned(batch: Batch, decisions: Decisions, reviewer: User, ask_again: bool) -> Plan:
    """The plan of decisions whose reasons were validated."""
    batch = Batch.objects.select_related("study").get(pk=batch.pk)  # its state may have changed
    if ask_again and batch.withdrawn_objection:
        raise ReviewError(batch.withdrawn_objection)
    own_items = set(
        Assignment.objects.filter(item__batch=batch, annotator=reviewer).values_list(
            "item_id", flat=True
        )
    )
    own_items |= set(
        Item.objects.filter(batch=batch, repeats__in=own_items).values_list("pk", flat=True)
    )
    of_other_round = Item.objects.filter(batch=batch).from_other_round_of(reviewer.pk)
    own_items |= set(of_other_round.values_list("pk", flat=True))
    undisclosed = set(
        adjudication_access.items_hidden_from(reviewer, batch.study).values_list("pk", flat=True)
    )
    by_kind: dict[str, list[Step]] = defaultdict(list)
    n_reopened: dict[int, int] = {}
    for item, steps in steps_by_item(_steps(batch, decisions)):
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
    for chunk in key_chunks(sorted(decisions)):
        of_batch = Judgement.objects.filter(pk__in=chunk, assignment__item__batch=batch)
        related = of_batch.select_related("assignment__item", "withdrawal")
        rows += related.defer("assignment__item__payload")
    current: dict[int, Review] = {}
    for chunk in key_chunks([row.pk for row in rows]):
        reviews = Review.objects.filter(judgement__in=chunk, replaced_by=None).select_related("act")
        current |= {review.judgement_id: review for review in reviews}
    return [Step(row, current.get(row.pk), decisions[row.pk]) for row in rows]


def key_chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """The keys in chunks below SQLite's limit of parameters in a query."""
    for start in range(0, len(keys), PIECE_SIZE):
        yield keys[start : start + PIECE_SIZE]


def steps_by_item(steps: Sequence[Step]) -> list[tuple[Item, list[Step]]]:
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
