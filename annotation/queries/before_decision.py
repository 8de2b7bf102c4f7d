"""What somebody is not shown of an item before they have decided on it."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import permissions
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.models import AdjudicatorPreference, Assignment, Item, Verdict, VerdictState
from annotation.models.items import ItemQuerySet
from annotation.queries import adjudication_access, written_pairs
from annotation.queries.written_pairs import Pair


@dataclass(frozen=True)
class Hidden:
    """What is left out of an item's page.

    reviews   reviews of the annotators' work
    votes     what annotators said
    is_asked  whether the person asked for votes to be hidden before decisions
    """

    reviews: bool = False
    votes: bool = False
    is_asked: bool = False


def hides_votes(person: User) -> bool:
    """Whether the person does not want to see what annotators said before they have decided."""
    return AdjudicatorPreference.objects.filter(adjudicator=person, hides_votes=True).exists()


def hidden_from(person: User, item: Item, verdict: Verdict | None) -> Hidden:
    """What is hidden from the person, who is to decide if they may and nobody has; `verdict` is the current one."""
    if written_pairs.has_pairs(item.batch):
        return hidden_between(person, item, written_pairs.pair_of(item))
    if item.batch.scheme in written_pairs.SCHEMES:
        return Hidden(reviews=bool(_pairs_to_decide(person, item.batch.study, _only(item))))
    is_undecided = verdict is None or verdict.state == VerdictState.DISPUTED
    is_asked = hides_votes(person)
    if not (is_undecided and _may_ever_decide(person, item)):
        return Hidden(is_asked=is_asked)
    return Hidden(reviews=True, votes=is_asked, is_asked=is_asked)


def hidden_between(person: User, item: Item, pair: Pair | None) -> Hidden:
    """What is hidden of the answers of two rounds: how the work of those who wrote was reviewed, from who is to decide
    between them now or later. Without a pair an answer is missing, and another one may come.
    """
    is_over = item.is_excluded or written_pairs.is_withdrawn(item.batch)
    is_undecided = not is_over and (pair is None or pair.is_open)
    if is_undecided and _is_adjudicator(person, item) and not written_pairs.is_own(person, item):
        return Hidden(reviews=True)
    return Hidden(is_asked=hides_votes(person))


def _only(item: Item) -> ItemQuerySet:
    return Item.objects.filter(pk=item.pk)


def _is_adjudicator(person: User, item: Item) -> bool:
    return Role.ADJUDICATOR in permissions.roles(person, item.batch.study)


def _may_ever_decide(person: User, item: Item) -> bool:
    """Whether it is for this person to settle the item, now or once its batch is closed."""
    return (
        schemes.get(item.batch.scheme).has_verdict
        and _is_adjudicator(person, item)
        and not item.assignments.filter(annotator=person).exists()
    )


def items_to_decide(person: User, study: Study, items: QuerySet[Item]) -> QuerySet[Item]:
    """Return the items of the study among these that this person may settle, a first or a second time."""
    if Role.ADJUDICATOR not in permissions.roles(person, study):
        return Item.objects.none()
    with_verdict = [name for name in schemes.names() if schemes.get(name).has_verdict]
    decided = Verdict.objects.current().exclude(state=VerdictState.DISPUTED)
    own = Assignment.objects.filter(annotator=person)
    undecided = (
        items.filter(batch__scheme__in=with_verdict)
        .exclude(Exists(decided.filter(item=OuterRef("pk"))))
        .exclude(Exists(own.filter(item=OuterRef("pk"))))
    )
    second_looks = adjudication_access.items_hidden_from(person, study)
    return items.filter(
        Q(pk__in=undecided.order_by().values("pk")) | Q(pk__in=second_looks.order_by().values("pk"))
    ).order_by()


def without_reviews(reader: User, study: Study, items: ItemQuerySet) -> set[int]:
    """Return the items of the study among these (keys) of which the reader is shown their own reviews only."""
    to_decide = items_to_decide(reader, study, items).values_list("pk", flat=True)
    return {*to_decide} | _pairs_to_decide(reader, study, items)


def _pairs_to_decide(person: User, study: Study, items: ItemQuerySet) -> set[int]:
    """Return the items of both rounds among these (keys) between whose answers the person is to decide."""
    if Role.ADJUDICATOR not in permissions.roles(person, study):
        return set()
    return written_pairs.undecided_for(person, study, items)


def hidden_reviews(reader: User, study: Study, items: ItemQuerySet) -> Q:
    """The condition for reviews that the reader is not shown: of items to decide, by other people."""
    to_decide = items_to_decide(reader, study, items).values("pk")
    between = _pairs_to_decide(reader, study, items)
    item = "judgement__assignment__item__in"
    return (Q(**{item: to_decide}) | Q(**{item: between})) & ~Q(reviewed_by=reader)
