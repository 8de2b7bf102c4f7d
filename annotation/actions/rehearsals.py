"""A rehearsal: simulated people judge a whole batch and leave the rows that real people would leave.

actions/rehearsed_rows.py writes the rows; actions/rehearsed_campaigns.py plays a campaign of several batches.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.actions import members, users
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import locks, rehearsed_rows
from annotation.actions.rehearsed_rows import Desk
from annotation.models import Assignment, Batch, BatchState, Grouping, Item, Reservation
from annotation.rehearsal import annotators
from annotation.rehearsal.annotators import Work
from annotation.rehearsal.claims import Claims, ClaimsByRound, ClaimsInOrder
from annotation.rehearsal.crowds import Crowd
from annotation.rehearsal.people import Habits
from annotation.schemes.choice import ChoiceScheme
from audit import events


class RehearsalError(Exception):
    """The batch cannot be rehearsed; the message says why."""


@dataclass(frozen=True)
class RehearsalCounts:
    """What a rehearsal did. `n_missing` judgements are missing, because nobody was left who could give them."""

    n_items: int
    n_judgements: int
    n_annotators: int
    n_missing: int = 0


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
    batch, items = _begin(batch, n_annotators, seed)
    crowd = simulated_members(batch.study, n_annotators, by)
    works = annotators.schedule(
        items=[item.public_id for item in items],
        claims=claims_of(batch, items, crowd),
        n_annotators=n_annotators,
        most_each=len(items) if batch.most_per_person is None else batch.most_per_person,
        seed=seed,
    )
    respond = rehearsed_rows.by_accuracy(schemes.get(batch.scheme), seed=seed, accuracy=accuracy)
    rehearsed_rows.write(Desk(batch, items, respond), crowd, works)
    return _recorded(batch, items, works, n_annotators, by, seed=seed, accuracy=accuracy)


@transaction.atomic
def rehearse_with(
    *, batch: Batch, people: Sequence[Habits], seed: int, by: User
) -> RehearsalCounts:
    """Have these simulated people judge the batch, until nobody is left who is handed anything or stays.

    Raises RehearsalError as rehearse(), and for a scheme that asks for more than one label.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    scheme = choice_scheme(batch)
    batch, items = _begin(batch, len(people), seed)
    crowd = Crowd(people, seed)
    works = play(batch, items, crowd, simulated_members(batch.study, len(people), by), scheme)
    groups = [_group(each) for each in group_counts(people)]
    return _recorded(batch, items, works, len(people), by, seed=seed, people=groups)


def choice_scheme(batch: Batch) -> ChoiceScheme:
    """Return the scheme of the batch. Raises RehearsalError unless it asks for one label."""
    scheme = schemes.get(batch.scheme)
    if not isinstance(scheme, ChoiceScheme):
        raise RehearsalError(
            f"the scheme {scheme.name} asks for more than one label: people from a file give one. Rehearse it with"
            " --accuracy"
        )
    return scheme


def play(
    batch: Batch,
    items: list[Item],
    crowd: Crowd,
    people: Sequence[User],
    scheme: ChoiceScheme,
    who: frozenset[int] | None = None,
) -> list[Work]:
    """Write the work of the crowd in a batch that nobody has begun, and return it. `who` may work on it; None: all."""
    works = crowd.works(
        items=[item.public_id for item in items],
        claims=claims_of(batch, items, people),
        most_each=batch.most_per_person,
        who=who,
    )
    rehearsed_rows.write(Desk(batch, items, rehearsed_rows.by_habits(scheme, crowd)), people, works)
    return works


def claims_of(batch: Batch, items: Sequence[Item], people: Sequence[User]) -> Claims:
    """Return how the batch hands out its items to these people, given by their number from 1."""
    claims = ClaimsByRound if batch.grouping == Grouping.FEWEST else ClaimsInOrder
    return claims([item.n_claimable for item in items], _barred(items, people))


def _barred(items: Sequence[Item], people: Sequence[User]) -> dict[int, set[int]]:
    """The items of a second round that each person was handed in the first (ItemQuerySet.unseen_by)."""
    places = {item.came_from_id: at for at, item in enumerate(items) if item.rewrites_id}
    numbers = {person.pk: number for number, person in enumerate(people, start=1)}
    handed = Assignment.objects.filter(item__in=places, annotator__in=numbers) if places else ()
    barred: dict[int, set[int]] = defaultdict(set)
    for each in handed:
        barred[numbers[each.annotator_id]].add(places[each.item_id])
    return barred


def group_counts(people: Sequence[Habits]) -> list[tuple[Habits, int]]:
    """Return each group with the number of its people, in their order."""
    return [(habits, len(list(same))) for habits, same in groupby(people)]


def _group(counted: tuple[Habits, int]) -> dict[str, Any]:
    habits, n = counted
    return {"n": n} | habits.to_dict()


def _begin(batch: Batch, n_annotators: int, seed: int) -> tuple[Batch, list[Item]]:
    """The batch, locked and marked as a rehearsal, with its items, which have their ids of this seed."""
    # The study before the batch, as in a release: two first rehearsals at once would each create the people.
    lock_study(batch.study)
    batch = locks.locked_batch(batch.pk)
    if batch.is_training:
        raise RehearsalError(f"the batch {batch.name} is a training: it is for people")
    # The items are locked: this waits for a claim under way; a later one is refused.
    items = list(batch.items.real().locked())
    _require_unstarted(batch)
    _require_enough(n_annotators, items)
    batch.is_rehearsal = True
    batch.save(update_fields=["is_rehearsal"])
    rehearsed_rows.set_reproducible_ids(batch, items, seed)
    return batch, items


def _recorded(
    batch: Batch,
    items: Sequence[Item],
    works: Sequence[Work],
    n_annotators: int,
    by: User,
    **how: Any,
) -> RehearsalCounts:
    events.record(
        study=batch.study,
        by=by,
        verb="rehearsed",
        target=batch,
        **how,
        n_annotators=n_annotators,
        n_judgements=len(works),
    )
    n_missing = sum(item.n_claimable for item in items)
    return RehearsalCounts(len(items), len(works), n_annotators, n_missing)


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
    if Reservation.objects.standing().filter(batch=batch).exists():
        raise RehearsalError(
            f"items of the batch {batch.name} are reserved for people: rehearse on another batch"
        )


def _require_enough(n_annotators: int, items: list[Item]) -> None:
    most = max(item.n_claimable for item in items)
    if n_annotators < most:
        raise RehearsalError(
            f"{most} judgements of an item need as many annotators, and {n_annotators} is fewer:"
            " nobody judges an item twice"
        )


def simulated_members(study: Study, n: int, by: User) -> list[User]:
    """Return the first n simulated annotators of the study, made where they are missing. Raises RehearsalError where
    a person has the name of one.
    """
    permissions.require(by, study, Role.REQUESTER)
    return [_simulated_member(study, number, by) for number in range(1, n + 1)]


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
