"""What experts were asked about and said in precision audits."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from accounts.models import Role, RoleGrant, Study, User
from annotation.models import ItemAnswer
from annotation.queries import adjudication_access
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.models import Dataset
from exports.models import PrecisionAudit, PrecisionItem, PrecisionJudgement
from exports.precision_audit import estimate
from exports.rows.columns import PrecisionRow
from exports.rows.ids import answer_id
from stats.lots import lot

Said = Mapping[str, PrecisionJudgement]  # by scheme, what stands


def current(item: PrecisionItem) -> Said:
    return _said([item])[item.pk]


def _said(items: Collection[PrecisionItem]) -> dict[int, dict[str, PrecisionJudgement]]:
    found: dict[int, dict[str, PrecisionJudgement]] = defaultdict(dict)
    for row in PrecisionJudgement.objects.filter(item__in=items, replaced_by=None):
        found[row.item_id][row.scheme] = row
    return found


def _labels(said: Said) -> tuple[str, str]:
    plausibility, faithfulness = said.get(ACCEPTANCE.name), said.get(GROUNDING.name)
    return (
        plausibility.label if plausibility else "",
        faithfulness.label if faithfulness else "",
    )


def asks(item: PrecisionItem, said: Said) -> str:
    """The scheme that is asked next; "" where it is decided whether the answer holds."""
    return estimate.asks(item.tier, *_labels(said))


def had_part(items: Iterable[PrecisionItem], person: User) -> set[int]:
    """Those of them in whose end the person had a part: any item that shows the answer was touched by them,
    or is yet to be settled by them a second time. An answer is known by its turn and text.
    """
    of_item = {item.plausibility_item_id: item.pk for item in items}
    shown = ItemAnswer.objects.filter(item__in=of_item)
    same = ItemAnswer.objects.filter(
        candidate__turn=OuterRef("candidate__turn"),
        candidate__text_sha256=OuterRef("candidate__text_sha256"),
    )
    theirs = Q(item__in=adjudication_access.items_acted_on(person).order_by().values("pk"))
    for study in Study.objects.filter(batches__items__in=of_item).distinct():
        theirs |= Q(
            item__in=adjudication_access.items_hidden_from(person, study).order_by().values("pk")
        )
    found = shown.filter(Exists(same.filter(theirs))).values_list("item_id", flat=True)
    return {of_item[item] for item in found}


def n_closed_to_all(audit: PrecisionAudit) -> int:
    """How many answers that are not judged nobody may judge: every expert of the study had a part in them."""
    items = list(audit.items.all())
    said = _said(items)
    is_open = [item for item in items if asks(item, said[item.pk])]
    organising = [Role.ADJUDICATOR, Role.REQUESTER]
    held = RoleGrant.objects.filter(membership__study=audit.study_id, role__in=organising)
    left = {item.pk for item in is_open}
    for person in User.objects.filter(pk__in=held.values("membership__user")):
        left &= had_part([item for item in is_open if item.pk in left], person) if left else left
    return len(left)


@dataclass(frozen=True)
class Standing:
    """How far an audit is, and what is left of it for one person: `next` is what they are asked now."""

    audit: PrecisionAudit
    n_items: int
    n_judged: int
    n_left_for_you: int
    n_not_for_you: int  # left, but the person had a part in them
    next: PrecisionItem | None
    last: PrecisionItem | None  # that the person judged


def standing(audit: PrecisionAudit, person: User) -> Standing:
    """Everybody has an order of their own, so that two experts at once meet seldom."""
    items = list(audit.items.all())
    said = _said(items)
    is_open = [item for item in items if asks(item, said[item.pk])]
    not_theirs = had_part(is_open, person)
    left = [item for item in is_open if item.pk not in not_theirs]
    # Their own half-judged answer first, one half-judged by another last.
    left.sort(key=lambda item: (_begun(said[item.pk], person), _place(item, person)))
    own = PrecisionJudgement.objects.filter(item__audit=audit, judged_by=person, replaced_by=None)
    latest = own.select_related("item").order_by("-judged_at", "-pk").first()
    return Standing(
        audit=audit,
        n_items=len(items),
        n_judged=len(items) - len(is_open),
        n_left_for_you=len(left),
        n_not_for_you=len(not_theirs),
        next=left[0] if left else None,
        last=latest.item if latest else None,
    )


def _begun(said: Said, person: User) -> int:
    if not said:
        return 1
    return 0 if all(row.judged_by_id == person.pk for row in said.values()) else 2


def _place(item: PrecisionItem, person: User) -> int:
    return lot(person.pk, item.public_id, separator=" ")


def precision_rows(
    dataset: Dataset, tiers: Mapping[str, str], *, is_rehearsal: bool
) -> list[PrecisionRow]:
    """The rows of precision.csv, sorted by audit and answer. `tiers` are those of now, by answer id."""
    audits = dataset.precision_audits.filter(is_rehearsal=is_rehearsal)
    items = list(PrecisionItem.objects.filter(audit__in=audits).select_related("audit"))
    said = _said(items)
    shown = ItemAnswer.objects.filter(item__in=[item.plausibility_item_id for item in items])
    answers = {
        each.item_id: each.candidate
        for each in shown.select_related("candidate__turn__conversation")
    }
    rows = []
    for item in items:
        candidate = answers[item.plausibility_item_id]
        name = answer_id(candidate.turn.key, candidate.text_sha256)
        plausibility, faithfulness = _labels(said[item.pk])
        rows.append(
            PrecisionRow(
                study=dataset.study.slug,
                dataset=str(dataset),
                audit=item.audit.number,
                tier=item.tier,
                n_gold=item.audit.n_gold,
                n_silver=item.audit.n_silver,
                turn_id=candidate.turn.key,
                answer_id=name,
                answer=candidate.text,
                plausibility=plausibility,
                faithfulness=faithfulness,
                holds=estimate.holds(item.tier, plausibility, faithfulness),
                tier_now=tiers.get(name, ""),
            )
        )
    return sorted(rows, key=lambda row: (row.audit, row.answer_id))
