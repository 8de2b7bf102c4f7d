"""The answers of a second round beside those that they saw, and what an adjudicator decided about them.

A decision is an Adjudication of the item of the second round. It stands while the answers are those that it was made
about: if one of them is withdrawn, not counted any more, or another one is given, the question is open again. Nor does
it stand once who made it is handed the question, in either round.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Study, User
from annotation import deciding
from annotation.deciding import Version
from annotation.models import Adjudication, Assignment, Batch, BatchState, Item, Judgement
from annotation.models.batch import BatchQuerySet
from annotation.models.items import ItemQuerySet
from annotation.queries.item_takers import MOST_KEYS
from annotation.schemes import SchemeRole, with_role
from annotation.schemes.base import Response
from annotation.schemes.writing import KEEP

# How many items are read at once on the way to the next open one.
AT_ONCE = 20
SCHEMES = [each.name for each in with_role(SchemeRole.WRITING)]


@dataclass(frozen=True)
class Pair:
    """An item of a second round with the answers that differ, that of the first round before the others.

    `decisions` are those that are not retracted, the latest last; `own` are the people (keys) of those who decided who
    were handed the question.
    """

    item: Item
    versions: list[Version]
    decisions: Sequence[Adjudication] = ()
    own: Collection[int] = ()

    @property
    def differs(self) -> bool:
        return len(self.versions) > 1

    @cached_property
    def sha256(self) -> str:
        return deciding.sha256(self.versions)

    @property
    def decision(self) -> Adjudication | None:
        """The decision that stands, the latest about these answers; None if nobody decided between them."""
        return next(filter(self._stands, reversed(self.decisions)), None)

    @property
    def newest(self) -> Adjudication | None:
        """The latest decision, whether it stands or not."""
        return self.decisions[-1] if self.decisions else None

    def _stands(self, decision: Adjudication) -> bool:
        is_own = decision.adjudicated_by_id in self.own
        return not is_own and decision.between_sha256 == self.sha256

    @property
    def outdated(self) -> Adjudication | None:
        """The latest decision if none stands any more: it was about other answers, or who made it was handed the question
        since.
        """
        return None if self.decision else self.newest

    @property
    def is_open(self) -> bool:
        return self.differs and self.decision is None


def has_pairs(batch: Batch) -> bool:
    """Whether the batch is a second round of written answers."""
    return batch.scheme in SCHEMES and batch.first_round_id is not None


def is_withdrawn(batch: Batch) -> bool:
    """Whether this second round is withdrawn, or the first one that it goes on from: nobody decides in it then."""
    first = batch.first_round
    return batch.is_withdrawn or (first is not None and first.is_withdrawn)


def second_rounds(study: Study) -> BatchQuerySet:
    """The second rounds of the study that count, without drafts."""
    found = study.batches.counting().filter(first_round__isnull=False, scheme__in=SCHEMES)
    return found.exclude(state=BatchState.DRAFT).order_by("created_at", "pk")


def pairs(batch: Batch) -> list[Pair]:
    """The items of the batch on which its answers and those of the first round differ, in its order."""
    return [each for each in _pairs(Item.objects.filter(batch=batch)) if each.differs]


def next_open(item: Item, person: User) -> Item | None:
    """The first open item after this one in its batch, or else before it, that is not the person's own.

    Answers are read a few items at a time, and no further than that one.
    """
    places = Item.objects.filter(batch=item.batch_id, rewrites__isnull=False, is_excluded=False)
    rows = places.order_by("position").values_list("pk", "position")
    own = own_items(person, item.batch)
    others = [row for row in rows if row[0] not in own and row[0] != item.pk]
    after = [key for key, position in others if position > item.position]
    before = [key for key, position in others if position < item.position]
    keys = after + before
    for start in range(0, len(keys), AT_ONCE):
        few = keys[start : start + AT_ONCE]
        some = _pairs(Item.objects.filter(pk__in=few))
        found = {each.item.pk: each.item for each in some if each.is_open}
        if following := next((found[key] for key in few if key in found), None):
            return following
    return None


def pair_of(item: Item) -> Pair | None:
    """The answers of this item; None if it is of no second round, or the answers of both rounds do not count."""
    if not has_pairs(item.batch):
        return None
    return next(_pairs(Item.objects.filter(pk=item.pk)), None)


def _pairs(items: QuerySet[Item]) -> Iterator[Pair]:
    """The answers of these items: of those that have counted answers of both rounds."""
    real = items.filter(rewrites__isnull=False, is_excluded=False).order_by()
    seconds: defaultdict[int, list[Response]] = defaultdict(list)
    counted = Judgement.objects.counted().filter(assignment__item__in=real.values("pk"))
    rows = counted.order_by("assignment_id", "pk").values_list("assignment__item", "response")
    for key, response in rows:
        seconds[key].append(response)
    firsts = _firsts(real)
    decisions = _decisions(real)
    own = _own(each for found in decisions.values() for each in found)
    for item in real.defer("payload").order_by("position"):
        if item.pk in seconds and item.rewrites_id in firsts:
            found = deciding.versions(firsts[item.rewrites_id], seconds[item.pk])
            yield Pair(item, found, decisions[item.pk], own[item.pk])


def _firsts(items: QuerySet[Item]) -> dict[int, Response]:
    """The counted answers that these items show, by their keys."""
    shown = Judgement.objects.counted().filter(
        pk__in=items.values("rewrites"),
        assignment__item__is_excluded=False,
        assignment__item__batch__in=Batch.objects.counting(),
    )
    return dict(shown.order_by().values_list("pk", "response"))


def _decisions(items: QuerySet[Item]) -> defaultdict[int, list[Adjudication]]:
    found = Adjudication.objects.not_retracted().filter(item__in=items.values("pk"))
    by_item: defaultdict[int, list[Adjudication]] = defaultdict(list)
    for each in found.select_related("adjudicated_by").order_by("pk"):
        by_item[each.item_id].append(each)
    return by_item


def _own(decisions: Iterable[Adjudication]) -> defaultdict[int, set[int]]:
    """The people (keys) who decided about an item that they were handed in one of the rounds, by the item's key."""
    items: defaultdict[int, set[int]] = defaultdict(set)
    for each in decisions:
        items[each.adjudicated_by_id].add(each.item_id)
    own: defaultdict[int, set[int]] = defaultdict(set)
    for person, decided in items.items():
        handed = _handed(person, Item.objects.filter(pk__in=decided).order_by())
        for key in handed.values_list("pk", flat=True):
            own[key].add(person)
    return own


def own_items(person: User, batch: Batch) -> set[int]:
    """The items of the batch that are not for this person to decide: they were handed it, or what it shows."""
    own = _handed(person.pk, Item.objects.filter(batch=batch).order_by())
    return set(own.values_list("pk", flat=True))


def is_own(person: User, item: Item) -> bool:
    """Whether this person was handed the item, or one that shows the same question in the other round."""
    return _handed(person.pk, Item.objects.filter(pk=item.pk).order_by()).exists()


def undecided_for(person: User, study: Study, items: ItemQuerySet) -> set[int]:
    """Return the items of both rounds among these of the study (keys) between whose answers this person may decide, now
    or later: those of open pairs, and those of a second round of which an answer is missing.
    """
    rounds = second_rounds(study).filter(first_round__is_withdrawn=False).order_by()
    if not rounds.exists():  # as in most studies
        return set()
    keys = items.order_by().values("pk")
    asked = Item.objects.filter(batch__in=rounds.values("pk"), rewrites__isnull=False)
    asked = asked.filter(Q(pk__in=keys) | Q(rewrites__assignment__item__in=keys), is_excluded=False)
    first_items = dict(asked.order_by().values_list("pk", "rewrites__assignment__item"))
    undecided, asked_about = set(first_items), list(first_items)
    for start in range(0, len(asked_about), MOST_KEYS):
        some = Item.objects.filter(pk__in=asked_about[start : start + MOST_KEYS]).order_by()
        undecided -= {pair.item.pk for pair in _pairs(some) if not pair.is_open}
        undecided -= set(_handed(person.pk, some).values_list("pk", flat=True))
    both = undecided | {first_items[key] for key in undecided}
    return both & set(items.values_list("pk", flat=True)) if both else both


def _handed(person: int, items: ItemQuerySet) -> ItemQuerySet:
    handed = Assignment.objects.filter(annotator=person).order_by().values("item")
    return items.filter(pk__in=handed) | items.from_other_round_of(person)


@dataclass(frozen=True)
class Progress:
    """How many questions of a second round have answers that differ, and how many of these are decided."""

    batch: Batch
    n: int
    n_decided: int

    @property
    def n_open(self) -> int:
        return self.n - self.n_decided


def progress_of(batch: Batch, found: Iterable[Pair]) -> Progress:
    states = [each.is_open for each in found]
    return Progress(batch, len(states), states.count(False))


def with_changes(batches: Iterable[Batch]) -> list[Batch]:
    """The second rounds among these batches in which somebody did not keep an answer. No answer is read.

    How many questions differ, and how many are decided, takes all answers of both rounds: the list of one round says it.
    """
    found = [each for each in batches if has_pairs(each)]
    changed = Judgement.objects.counted().filter(assignment__item__batch=OuterRef("pk"))
    # Who skips a question says nothing of keeping.
    says_nothing = Q(response__kept__isnull=True)
    changed = changed.filter(says_nothing | ~Q(response__kept=KEEP)).order_by()
    own = Batch.objects.filter(pk__in=[each.pk for each in found])
    keys = set(own.filter(Exists(changed)).order_by().values_list("pk", flat=True)) if found else ()
    return [each for each in found if each.pk in keys]


def obstacle(batch: Batch) -> str:
    """Why nothing is decided now in this second round; "" if it is."""
    if batch.withdrawn_objection:
        return batch.withdrawn_objection
    if batch.first_round is not None and batch.first_round.withdrawn_objection:
        return batch.first_round.withdrawn_objection
    if batch.state != BatchState.CLOSED:
        return f"the batch {batch.name} is {batch.state}: answers are decided once it is closed"
    return ""
