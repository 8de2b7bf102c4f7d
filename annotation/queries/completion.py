"""Whether the people there are can still finish a batch, and if not, how many judgements are missing and why.

Counted are members of the study who have a desk in it; who was invited and has not joined is nobody yet. An open
claim is a judgement to come while its owner has a desk, and an expired one goes back to its owner first, whatever
share they have had. So is a place that is reserved for somebody: who is not handed it is named on its own page. stats/completion.py computes; here is what it is computed from.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Case, Count, F, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce

from accounts.models import Membership, Role, Study
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Item,
    Reservation,
)
from annotation.queries import audience
from stats.completion import Group, n_missing

People = frozenset[int]


@dataclass(frozen=True)
class Shortfall:
    """The judgements of a batch that nobody can give. The four reasons add up to `n_missing`.

    n_left    judgements that are not made and wait for nobody's claim
    by_share  missing because of the largest share of one person
    by_pause  missing because people are paused in the batch
    by_skip   missing because people skipped the items
    by_few    missing because there are too few annotators: everyone else has judged the items
    """

    n_left: int
    by_share: int
    by_pause: int
    by_skip: int
    by_few: int
    n_annotators: int

    @property
    def n_missing(self) -> int:
        return self.by_share + self.by_pause + self.by_skip + self.by_few

    @property
    def is_complete(self) -> bool:
        """Whether nobody can take anything that is left."""
        return self.n_missing == self.n_left


@dataclass(frozen=True)
class _Kind:
    """The judgements that an item still needs, and people by what they did with it; `returns` have an expired claim on it."""

    n_wanted: int
    judged: People = frozenset()
    skipped: People = frozenset()
    returns: People = frozenset()


@dataclass
class _Situation:
    """What the answer for one batch depends on."""

    annotators: People
    kinds: Counter[_Kind] = field(default_factory=Counter)
    paused: set[int] = field(default_factory=set)
    limits: dict[int, int] = field(default_factory=dict)
    has_reserved: bool = False
    asks_to_write: bool = False


def annotators(study: Study) -> People:
    """The users who have a desk in the study: active annotators without a role that sees runs."""
    members = Membership.objects.filter(study=study, user__is_simulated=False, user__is_active=True)
    desks = members.exclude(grants__role__in=[Role.REQUESTER, Role.ADJUDICATOR])
    return frozenset(desks.with_role(Role.ANNOTATOR).values_list("user_id", flat=True))


def people_of(batch: Batch) -> People:
    """The annotators of the study who are in the audience of the batch."""
    return _admitted(batch, annotators(batch.study), audience.holders([batch]))


def _admitted(batch: Batch, people: People, holders: Mapping[int, People]) -> People:
    return people if batch.qualification_id is None else people & holders[batch.qualification_id]


def shortfall_at_opening(
    batch: Batch, *, n_items: int, most_per_person: int | None
) -> Shortfall | None:
    """The shortfall of a draft of which `n_items` items will be asked about. None if it can be finished."""
    people = people_of(batch)
    situation = _Situation(people, Counter({_Kind(batch.judgements_per_item): n_items}))
    if most_per_person is not None:
        situation.limits = dict.fromkeys(people, most_per_person)
    return _shortfall(situation)


def shortfall(batch: Batch) -> Shortfall | None:
    return shortfalls(batch.study, [batch]).get(batch.pk)


def shortfalls(study: Study, batches: Iterable[Batch]) -> dict[int, Shortfall]:
    """The shortfalls of those of the study's open and paused batches that cannot be finished, by batch.

    Three queries for all of them where no item can lack people, else five; six where somebody without a desk holds
    an item, one more where a qualification is asked for, none if no batch is open or paused. Rehearsals are left out.
    """
    at_work = {
        batch.pk: batch
        for batch in batches
        if batch.state in (BatchState.OPEN, BatchState.PAUSED) and not batch.is_rehearsal
    }
    if not at_work:
        return {}
    everybody, holders = annotators(study), audience.holders(at_work.values())
    situations = {
        pk: _Situation(
            _admitted(batch, everybody, holders),
            asks_to_write=batch.asks_to_write,
        )
        for pk, batch in at_work.items()
    }
    _read_people(situations, at_work)
    short = _possibly_short(situations)
    situations = {pk: each for pk, each in situations.items() if pk in short}
    if not situations:
        return {}
    _read_items(situations)
    found = {pk: _shortfall(situation) for pk, situation in situations.items()}
    return {pk: each for pk, each in found.items() if each is not None}


def _possibly_short(situations: Mapping[int, _Situation]) -> set[int]:
    """The batches in which somebody has a limit, or an item may have fewer people left than places to fill.

    In others nothing is missing, and their items need not be read. What people were handed is counted as if none
    of it came back.
    """
    limited = {pk for pk, each in situations.items() if each.limits}
    n_people = Case(
        *(
            When(batch=pk, then=len(each.annotators - each.paused))
            for pk, each in situations.items()
        ),
        default=0,
    )
    handed = Assignment.objects.filter(item=OuterRef("pk")).order_by().values("item")
    n_handed = Coalesce(Subquery(handed.annotate(n=Count("pk")).values("n")), 0)
    first = Assignment.objects.filter(item=OuterRef("came_from")).order_by().values("item")
    rewritten = Assignment.objects.filter(
        item__came_from=OuterRef("pk"), item__rewrites__isnull=False
    )
    second = rewritten.order_by().values("item__came_from")
    n_other = Case(  # of written answers, who was handed the item in another round
        When(
            rewrites__isnull=False,
            then=Coalesce(Subquery(first.annotate(n=Count("pk")).values("n")), 0),
        ),
        When(
            batch__in=_of_writing(situations),
            then=Coalesce(Subquery(second.annotate(n=Count("pk")).values("n")), 0),
        ),
        default=0,
    )
    unfilled = Item.objects.filter(batch__in=situations.keys() - limited, is_excluded=False)
    unfilled = unfilled.exclude(n_open=0, n_claimed=0).order_by()
    # The claim of somebody without a desk is a place to fill; those of others are counted twice here. For whom an item
    # is reserved takes no other place of it.
    n_gone = F("n_claimed") + F("n_reserved") + n_handed + n_other
    short = unfilled.filter(n_open__gt=n_people - n_gone)
    return limited | set(short.values_list("batch", flat=True).distinct())


def _read_people(situations: Mapping[int, _Situation], batches: Mapping[int, Batch]) -> None:
    for pk, batch in batches.items():
        if batch.most_per_person is not None:
            limits = dict.fromkeys(situations[pk].annotators, batch.most_per_person)
            situations[pk].limits = limits
    cursors = Cursor.objects.filter(batch__in=situations)
    n_taken_or_waiting = F("n_taken") - F("n_controls") + F("n_waiting")
    for pk, person, n_taken, is_paused, n_waiting in cursors.values_list(
        "batch", "annotator", n_taken_or_waiting, "is_paused", "n_waiting"
    ):
        situation = situations[pk]
        situation.has_reserved |= n_waiting > 0
        if person in situation.limits:
            situation.limits[person] = max(0, situation.limits[person] - n_taken)
        if is_paused:
            situation.paused.add(person)


@dataclass
class _PeopleOfItem:
    """The people who judged or hold an item, who skipped it, and whose claim on it expired."""

    judged: set[int] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)
    returns: set[int] = field(default_factory=set)

    def add(self, person: int, state: str) -> None:
        by_state = {AssignmentState.SKIPPED: self.skipped, AssignmentState.EXPIRED: self.returns}
        by_state.get(AssignmentState(state), self.judged).add(person)

    def kind(self, n_wanted: int) -> _Kind:
        return _Kind(n_wanted, *map(frozenset, (self.judged, self.skipped, self.returns)))


def _read_items(situations: Mapping[int, _Situation]) -> None:
    """Count the kinds of the items that want a judgement."""
    claimable = Item.objects.claimable().filter(batch__in=situations)
    batch_of: dict[int, int] = {}
    n_wanted: dict[int, int] = {}
    for item, pk, n_open in claimable.values_list("pk", "batch", "n_open"):
        batch_of[item], n_wanted[item] = pk, n_open
    people_of_item: dict[int, _PeopleOfItem] = defaultdict(_PeopleOfItem)
    lost: set[int] = set()
    assignments = Assignment.objects.filter(item__batch__in=situations, item__is_excluded=False)
    relevant = Q(item__n_open__gt=0) | Q(state=AssignmentState.CLAIMED)
    columns = ("item", "item__batch", "annotator", "state")
    for item, pk, person, state in assignments.filter(relevant).values_list(*columns):
        if person in situations[pk].annotators:
            people_of_item[item].add(person, state)
        elif state == AssignmentState.CLAIMED:  # nobody submits it, so its place opens again
            lost |= set() if item in n_wanted else {item}
            batch_of[item], n_wanted[item] = pk, n_wanted.get(item, 0) + 1
    rows: list[tuple[int, int, str]] = [*_reserved(situations), *_of_other_round(situations)]
    if lost:  # of these, not all that happened was read
        of_lost = assignments.filter(item__in=lost)
        rows += of_lost.values_list("item", "annotator", "state")
    for item, person, state in rows:
        if person in situations[batch_of[item]].annotators:
            people_of_item[item].add(person, state)
    for item, n in n_wanted.items():
        kind = people_of_item[item].kind(n) if item in people_of_item else _Kind(n)
        situations[batch_of[item]].kinds[kind] += 1


def _reserved(situations: Mapping[int, _Situation]) -> Iterable[tuple[int, int, str]]:
    """The open items that wait for people by name, with the person, as if they held them; no query where none does."""
    pks = [pk for pk, each in situations.items() if each.has_reserved]
    if not pks:
        return []
    waiting = Reservation.objects.waiting().filter(
        batch__in=pks, item__n_open__gt=0, item__is_excluded=False
    )
    rows = waiting.values_list("item", "annotator")
    return [(item, person, AssignmentState.CLAIMED) for item, person in rows]


def _of_other_round(situations: Mapping[int, _Situation]) -> Iterable[tuple[int, int, str]]:
    """The open items of written answers with each person who was handed the item in another round, as if they had
    judged them; no query without such a batch.
    """
    pks = _of_writing(situations)
    if not pks:
        return []
    handed = Item.objects.claimable().filter(batch__in=pks).handed_in_other_round()
    return [(item, person, AssignmentState.SUBMITTED) for item, person in handed]


def _of_writing(situations: Mapping[int, _Situation]) -> list[int]:
    return [pk for pk, each in situations.items() if each.asks_to_write]


def _shortfall(situation: _Situation) -> Shortfall | None:
    """Why judgements are missing: each reason is what is missing less without it, after those before it."""
    limits, paused = situation.limits, frozenset(situation.paused)
    missing = _n_missing(situation, limits, paused)
    if not missing:
        return None
    unlimited = _n_missing(situation, {}, paused)
    resumed = _n_missing(situation, {}, frozenset())
    unskipped = _n_missing(situation, {}, frozenset(), skips_count=False)
    return Shortfall(
        n_left=sum(kind.n_wanted * n for kind, n in situation.kinds.items()),
        by_share=missing - unlimited,
        by_pause=unlimited - resumed,
        by_skip=resumed - unskipped,
        by_few=unskipped,
        n_annotators=len(situation.annotators),
    )


def _n_missing(
    situation: _Situation,
    limits: Mapping[int, int],
    paused: People,
    *,
    skips_count: bool = True,
) -> int:
    people = situation.annotators - paused
    groups = []
    for kind, n_items in situation.kinds.items():
        gone = kind.judged | kind.returns | (kind.skipped if skips_count else frozenset())
        n_wanted = max(0, kind.n_wanted - len(kind.returns & people))
        groups.append(Group(n_items, n_wanted, people - gone))
    return n_missing(groups, limits)
