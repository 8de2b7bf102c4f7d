"""Items and judgements of precision audits."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import Role, RoleGrant, Study, User
from annotation.models import Batch, ItemAnswer
from annotation.queries import adjudication_access
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.models import Dataset
from corpus.versions import first_turn
from exports.models import PrecisionAudit, PrecisionItem, PrecisionJudgement
from exports.precision_audit import estimate
from exports.rows.derived_columns import PrecisionRow
from exports.rows.ids import answer_id
from stats.lots import lot

Judgements = Mapping[str, PrecisionJudgement]  # the current judgement of an item by scheme


def current_judgements(item: PrecisionItem) -> Judgements:
    return _judgements_of([item])[item.pk]


def _judgements_of(
    items: Collection[PrecisionItem] | QuerySet[PrecisionItem],
) -> dict[int, dict[str, PrecisionJudgement]]:
    found: dict[int, dict[str, PrecisionJudgement]] = defaultdict(dict)
    for row in PrecisionJudgement.objects.filter(item__in=items, replaced_by=None):
        found[row.item_id][row.scheme] = row
    return found


def _labels(judgements: Judgements) -> tuple[str, str]:
    plausibility, faithfulness = judgements.get(ACCEPTANCE.name), judgements.get(GROUNDING.name)
    return (
        plausibility.label if plausibility else "",
        faithfulness.label if faithfulness else "",
    )


def next_scheme(item: PrecisionItem, judgements: Judgements) -> str:
    """The name of the scheme to ask next; "" if it is known whether the answer holds."""
    return estimate.next_scheme(item.tier, *_labels(judgements))


_IS_IN_SEVERAL_VERSIONS = Q(candidate__turn__same_as__isnull=False) | Q(
    candidate__turn__same_later__isnull=False
)


def items_influenced_by(items: Iterable[PrecisionItem], person: User) -> set[int]:
    """The primary keys of the items whose outcome the person had a part in.

    They acted on some item that shows the answer's text in its turn, or are yet to adjudicate such
    an item a second time.
    """
    of_item = {item.plausibility_item_id: item.pk for item in items}
    audited = ItemAnswer.objects.filter(item__in=of_item)
    same_answer = ItemAnswer.objects.filter(
        candidate__text_sha256=OuterRef("candidate__text_sha256")
    )
    if audited.filter(_IS_IN_SEVERAL_VERSIONS).exists():
        first = Coalesce(OuterRef("candidate__turn__same_as"), OuterRef("candidate__turn"))
        same_answer = same_answer.alias(first=first_turn("candidate__turn__")).filter(first=first)
    else:  # as it nearly always is, and an index finds it
        same_answer = same_answer.filter(candidate__turn=OuterRef("candidate__turn"))
    theirs = Q(item__in=adjudication_access.items_acted_on(person).order_by().values("pk"))
    grants = RoleGrant.objects.filter(membership__user=person, role=Role.ADJUDICATOR)
    studies = Study.objects.filter(pk__in=grants.values("membership__study"))
    for study in studies.filter(batches__items__in=of_item).distinct():
        theirs |= Q(
            item__in=adjudication_access.items_hidden_from(person, study).order_by().values("pk")
        )
    found = audited.filter(Exists(same_answer.filter(theirs))).values_list("item_id", flat=True)
    return {of_item[item] for item in found}


def is_audit_open(batch: Batch, person: User) -> bool:
    """Whether an answer that the batch made accepted waits for this person's audit."""
    of_batch = Q(plausibility_item__batch=batch) | Q(faithfulness_item__batch=batch)
    items = list(PrecisionItem.objects.filter(of_batch))
    judgements = _judgements_of(items)
    open_items = [item for item in items if next_scheme(item, judgements[item.pk])]
    return bool({item.pk for item in open_items} - items_influenced_by(open_items, person))


@dataclass(frozen=True)
class AuditedItem:
    """An answer of an audit as its shares need it: without the answer itself."""

    item: PrecisionItem
    n_gold: int
    n_silver: int
    plausibility: str
    faithfulness: str

    @property
    def tier(self) -> str:
        return self.item.tier

    @property
    def holds(self) -> bool | None:
        return estimate.holds(self.tier, self.plausibility, self.faithfulness)


def audited_items(
    dataset: Dataset, *, is_rehearsal: bool
) -> dict[PrecisionAudit, list[AuditedItem]]:
    """The items by audit, of the audits of the data set that drew some, by number."""
    audits = dataset.precision_audits.filter(is_rehearsal=is_rehearsal)
    by_key = {audit.pk: audit for audit in audits.order_by("number")}
    items = PrecisionItem.objects.filter(audit__in=by_key).order_by() if by_key else ()
    judgements = _judgements_of(items)
    found: dict[PrecisionAudit, list[AuditedItem]] = {audit: [] for audit in by_key.values()}
    for item in items:
        audit = by_key[item.audit_id]
        labels = _labels(judgements[item.pk])
        found[audit].append(AuditedItem(item, audit.n_gold, audit.n_silver, *labels))
    return {audit: drawn for audit, drawn in found.items() if drawn}


def n_without_eligible_expert(audit: PrecisionAudit, items: Iterable[AuditedItem]) -> int:
    """The number of these, of the audit, without a final judgement that every expert of the study had a part in."""
    open_items = [each.item for each in items if each.holds is None]
    if not open_items:
        return 0
    organising = [Role.ADJUDICATOR, Role.REQUESTER]
    held = RoleGrant.objects.filter(membership__study=audit.study_id, role__in=organising)
    without_expert = {item.pk for item in open_items}
    for person in User.objects.filter(pk__in=held.values("membership__user")):
        rest = [item for item in open_items if item.pk in without_expert]
        without_expert &= items_influenced_by(rest, person) if rest else set()
    return len(without_expert)


@dataclass(frozen=True)
class AuditProgress:
    """The progress of an audit, and what one person can judge of it.

    n_left_for_you  answers that the person can judge
    n_influenced    answers to judge whose outcome the person had a part in
    next            the answer to show now
    last            the answer that the person judged last
    """

    audit: PrecisionAudit
    n_items: int
    n_judged: int
    n_left_for_you: int
    n_influenced: int
    next: PrecisionItem | None
    last: PrecisionItem | None


def progress(audit: PrecisionAudit, person: User) -> AuditProgress:
    """The progress of an audit for a person. The order of answers differs between persons, so that
    two experts rarely get the same one.
    """
    items = list(audit.items.all())
    judgements = _judgements_of(items)
    open_items = [item for item in items if next_scheme(item, judgements[item.pk])]
    influenced = items_influenced_by(open_items, person)
    left = [item for item in open_items if item.pk not in influenced]
    # An answer with one of two judgements comes first if they are the person's own, else last.
    left.sort(key=lambda item: (_progress_rank(judgements[item.pk], person), _lot(item, person)))
    own = PrecisionJudgement.objects.filter(item__audit=audit, judged_by=person, replaced_by=None)
    latest = own.select_related("item").order_by("-judged_at", "-pk").first()
    return AuditProgress(
        audit=audit,
        n_items=len(items),
        n_judged=len(items) - len(open_items),
        n_left_for_you=len(left),
        n_influenced=len(influenced),
        next=left[0] if left else None,
        last=latest.item if latest else None,
    )


def _progress_rank(judgements: Judgements, person: User) -> int:
    if not judgements:
        return 1
    return 0 if all(row.judged_by_id == person.pk for row in judgements.values()) else 2


def _lot(item: PrecisionItem, person: User) -> int:
    return lot(person.pk, item.public_id, separator=" ")


def precision_rows(
    dataset: Dataset, tiers: Mapping[str, str], *, is_rehearsal: bool
) -> list[PrecisionRow]:
    """The rows of precision.csv, sorted by audit and answer. `tiers` has current tiers by answer
    id.
    """
    audits = dataset.precision_audits.filter(is_rehearsal=is_rehearsal)
    items = PrecisionItem.objects.filter(audit__in=audits).order_by()
    judgements = _judgements_of(items)
    audited = ItemAnswer.objects.filter(item__in=items.values("plausibility_item"))
    answers = {
        each.item_id: each.candidate
        for each in audited.select_related("candidate__turn__conversation")
    }
    rows = []
    for item in items.select_related("audit"):
        candidate = answers[item.plausibility_item_id]
        name = answer_id(candidate.turn.key, candidate.text_sha256)
        plausibility, faithfulness = _labels(judgements[item.pk])
        comments = {asked: row.comment for asked, row in judgements[item.pk].items()}
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
                plausibility_comment=comments.get(ACCEPTANCE.name, ""),
                faithfulness_comment=comments.get(GROUNDING.name, ""),
            )
        )
    return sorted(rows, key=lambda row: (row.audit, row.answer_id))
