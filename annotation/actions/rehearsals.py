"""A rehearsal: simulated people judge a whole batch and leave the rows that real people would leave.

The rows are written in bulk. With the desk's actions a thousand items would take most of a minute, in which
nobody else could write on SQLite. tests/annotation/actions/test_rehearsals.py does the same work with those
actions and asserts that the rows are equal.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from accounts import permissions
from accounts.actions import members, users
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import locks
from annotation.design import answer_order
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Grouping,
    Item,
    ItemAnswer,
    Judgement,
)
from annotation.rehearsal import annotators
from annotation.rehearsal.claims import ClaimsByRound, ClaimsInOrder
from annotation.schemes import Scheme
from audit import events

ROWS_AT_ONCE = 500


class RehearsalError(Exception):
    """The batch cannot be rehearsed; the message says why."""


@dataclass(frozen=True)
class RehearsalCounts:
    n_items: int
    n_judgements: int
    n_annotators: int


@transaction.atomic
def rehearse(
    *, batch: Batch, n_annotators: int, accuracy: float, seed: int, by: User
) -> RehearsalCounts:
    """Have simulated people judge the whole batch, each in their own simulated time.

    Whoever is free first judges next, until nobody is handed anything. Raises RehearsalError if the batch is not
    open or has an assignment, because rehearsed and real work never mix.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    _require_valid_options(n_annotators, accuracy)
    # The study before the batch, as in a release: two first rehearsals at once would each create the people.
    lock_study(batch.study)
    batch = locks.locked_batch(batch.pk)
    if batch.is_training:
        raise RehearsalError(f"the batch {batch.name} is a training: it is for people")
    # The items are locked: this waits for a claim under way; a later one is refused.
    items = list(batch.items.real().select_for_update(of=("self",)))
    _require_unstarted(batch)
    _require_enough(n_annotators, items)
    batch.is_rehearsal = True
    batch.save(update_fields=["is_rehearsal"])
    _set_reproducible_ids(batch, items, seed)
    crowd = [_simulated_member(batch.study, number, by) for number in range(1, n_annotators + 1)]
    claims_of = ClaimsByRound if batch.grouping == Grouping.FEWEST else ClaimsInOrder
    works = annotators.schedule(
        items=[item.public_id for item in items],
        claims=claims_of([item.n_claimable for item in items]),
        n_annotators=n_annotators,
        most_each=len(items) if batch.most_per_person is None else batch.most_per_person,
        seed=seed,
    )
    _write(_Desk(batch, items, seed, accuracy), crowd, works)
    counts = RehearsalCounts(len(items), len(works), n_annotators)
    events.record(
        study=batch.study,
        by=by,
        verb="rehearsed",
        target=batch,
        seed=seed,
        accuracy=accuracy,
        n_annotators=n_annotators,
        n_judgements=len(works),
    )
    return counts


def _require_valid_options(n_annotators: int, accuracy: float) -> None:
    if n_annotators < 1:
        raise RehearsalError(f"{n_annotators} annotators: there must be 1 or more")
    if not 0 <= accuracy <= 1:
        raise RehearsalError(f"the accuracy {accuracy} must lie between 0 and 1")


def _require_unstarted(batch: Batch) -> None:
    if batch.state != BatchState.OPEN:
        raise RehearsalError(f"the batch {batch.name} is {batch.state}, not open")
    if Assignment.objects.filter(item__batch=batch).exists():
        raise RehearsalError(
            f"the batch {batch.name} has been worked on: rehearse on another batch"
        )


def _require_enough(n_annotators: int, items: list[Item]) -> None:
    most = max(item.n_claimable for item in items)
    if n_annotators < most:
        raise RehearsalError(
            f"{most} judgements of an item need as many annotators, and {n_annotators} is fewer:"
            " nobody judges an item twice"
        )


def _set_reproducible_ids(batch: Batch, items: list[Item], seed: int) -> None:
    """Set each item's id (not saved) from the seed, the study, the batch and what the item shows.

    Possible because nobody has seen an item yet. The study is part of it because an id is unique in a database.
    """
    # One query, not a prefetch: SQLite refuses the long expression of a prefetch of a thousand items.
    answers = ItemAnswer.objects.filter(item__batch=batch).order_by("item_id", "number")
    texts: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for answer in answers.select_related("candidate__turn__conversation"):
        candidate = answer.candidate
        texts[answer.item_id].append((candidate.turn.key, candidate.text_sha256))
    if len(texts) < len(items):  # items without answers are known by their question
        bare = Item.objects.filter(batch=batch, answers=None).select_related("turn__conversation")
        texts |= {item.pk: [(item.turn.key, "")] for item in bare}
    for item in items:
        names = (batch.study.slug, batch.name)
        item.public_id = annotators.identifier("item", seed, *names, texts[item.pk])


def _simulated_member(study: Study, number: int, by: User) -> User:
    name = f"rehearsal-{study.slug}-{number:02d}"
    user = User.objects.filter(username=name).first()
    if user is None:
        user = users.create_simulated_user(name=name)
    if not user.is_simulated:
        raise RehearsalError(f"{name} is a person: a rehearsal needs this name for a simulated one")
    members.add_member(study=study, user=user, roles=[Role.ANNOTATOR], by=by)
    permissions.require_desk(user, study)
    return user


@dataclass(frozen=True)
class _Desk:
    batch: Batch
    items: list[Item]
    seed: int
    accuracy: float


def _write(desk: _Desk, crowd: list[User], works: Sequence[annotators.Work]) -> None:
    scheme = schemes.get(desk.batch.scheme)
    assignments = [_assignment(desk, crowd, work) for work in works]
    judgements = [
        _judgement(desk, scheme, assignment, work)
        for assignment, work in zip(assignments, works, strict=True)
    ]
    for assignment, judgement in zip(assignments, judgements, strict=True):
        assignment.first_part = scheme.first_part(judgement.response, assignment.item.payload)
    Assignment.objects.bulk_create(assignments, batch_size=ROWS_AT_ONCE)
    Judgement.objects.bulk_create(judgements, batch_size=ROWS_AT_ONCE)
    _store_items(desk.items, works)
    Cursor.objects.bulk_create(
        _cursor(desk, person, [work for work in works if work.annotator == number])
        for number, person in enumerate(crowd, start=1)
    )


def _assignment(desk: _Desk, crowd: list[User], work: annotators.Work) -> Assignment:
    item = desk.items[work.index]
    return Assignment(
        item=item,
        annotator=crowd[work.annotator - 1],
        public_id=annotators.identifier("assignment", item.public_id, work.annotator),
        state=AssignmentState.SUBMITTED,
        submitted_at=work.done_at,
        claimed_at=work.began_at,
        expires_at=work.began_at + timedelta(seconds=desk.batch.claim_seconds),
    )


def _judgement(
    desk: _Desk, scheme: Scheme, assignment: Assignment, work: annotators.Work
) -> Judgement:
    item = assignment.item
    order = answer_order.screen_order(
        scheme.shows,
        item.payload,
        seed=desk.batch.seed,
        batch=desk.batch.lot_name,
        item=item.payload_sha256,
        annotator=work.annotator,
    )
    response = scheme.simulated_response(
        item.payload,
        order,
        seed=desk.seed,
        annotator=work.annotator,
        item=item.public_id,
        accuracy=desk.accuracy,
    )
    return Judgement(
        assignment=assignment,
        number=1,
        client_id=str(assignment.public_id),
        response=response,
        order=order,
        shown_at=work.began_at,
        submitted_at=work.done_at,
        active_seconds=work.active_seconds,
        guideline_sha256=desk.batch.guideline.sha256,
        payload_sha256=item.payload_sha256,
    )


def _store_items(items: list[Item], works: Sequence[annotators.Work]) -> None:
    n_judged = Counter(work.index for work in works)
    for index, n_judgements in n_judged.items():
        items[index].n_open -= n_judgements
        items[index].n_counted += n_judgements
    changed = ["public_id", "n_open", "n_counted"]
    Item.objects.bulk_update(items, changed, batch_size=ROWS_AT_ONCE)


def _cursor(desk: _Desk, person: User, works: Sequence[annotators.Work]) -> Cursor:
    positions = [desk.items[each.index].position for each in works] or [0]
    return Cursor(
        batch=desk.batch,
        annotator=person,
        position=positions[-1],
        round=works[-1].round if works else 0,
        furthest=max(positions),
        n_taken=len(works),
    )
