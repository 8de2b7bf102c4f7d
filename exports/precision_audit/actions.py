"""Precision audits: drawing accepted answers by lot, and what experts say of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from django.db import transaction
from django.db.models import Max

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from annotation import schemes
from annotation.models import Item
from audit import events
from corpus.models import Dataset
from exports.models import PrecisionAudit, PrecisionItem, PrecisionJudgement, Tier
from exports.precision_audit import estimate
from exports.precision_audit import queries as precision_audit_queries
from exports.precision_audit.estimate import PrecisionError
from exports.rows.columns import ItemRow
from exports.rows.items import item_rows
from exports.rows.outcomes import ending
from exports.rows.shown_answers import released_batches
from exports.rows.tiers import tier
from jobs import transactions

NOT_ASKED = "not_asked"
UNKNOWN = "unjudged"


@dataclass(frozen=True)
class Accepted:
    """A distinct answer that is accepted: its tier, and its items by their public ids."""

    tier: str
    plausibility_item: str
    faithfulness_item: str | None


@dataclass(frozen=True)
class Drawn:
    """What an audit would consist of: the answers in the order of their lots, and how many there were."""

    answers: list[Accepted]
    n_gold: int
    n_silver: int


def draw(
    *,
    dataset: Dataset,
    sizes: Mapping[str, int],
    seed: int,
    by: User,
    is_rehearsal: bool = False,
) -> PrecisionAudit:
    """Draw an audit of what is accepted now: so many of gold and of silver, or all there are.

    Raises PrecisionError where nothing is accepted, or none of what is was asked for.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    drawn = choose(dataset=dataset, sizes=sizes, seed=seed, is_rehearsal=is_rehearsal)
    return record(dataset=dataset, drawn=drawn, seed=seed, by=by, is_rehearsal=is_rehearsal)


def choose(*, dataset: Dataset, sizes: Mapping[str, int], seed: int, is_rehearsal: bool) -> Drawn:
    """What would be drawn; nothing is written."""
    with transactions.snapshot():
        batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
        found = accepted(item_rows(batches))
    tiers = {answer: each.tier for answer, each in found.items()}
    drawn = estimate.draw(tiers, sizes, seed)
    return Drawn(
        answers=[found[answer] for of_tier in drawn.values() for answer in of_tier],
        n_gold=list(tiers.values()).count(Tier.GOLD),
        n_silver=list(tiers.values()).count(Tier.SILVER),
    )


def accepted(items: Iterable[ItemRow]) -> dict[str, Accepted]:
    """The accepted answers by their ids, as a release has them: by the items that have the say."""
    with_say = [item for item in items if item.is_newest and item.stands and not item.is_control]
    ended = {
        (item.scheme, item.answer_id): (
            ending(item.state, item.verdict, item.set_aside_reason),
            item.item_id,
        )
        for item in with_say
    }
    found = {}
    for item in with_say:
        plausibility, first = ended.get((schemes.ACCEPTANCE.name, item.answer_id), (UNKNOWN, ""))
        faithfulness, second = ended.get(
            (schemes.GROUNDING.name, item.answer_id), (NOT_ASKED, None)
        )
        name = tier(plausibility, faithfulness)
        if name:
            is_gold = name == Tier.GOLD
            found[item.answer_id] = Accepted(name, first, second if is_gold else None)
    return found


@transaction.atomic
def record(
    *, dataset: Dataset, drawn: Drawn, seed: int, by: User, is_rehearsal: bool
) -> PrecisionAudit:
    """Write what was drawn."""
    permissions.require(by, dataset.study, Role.REQUESTER)
    lock_study(dataset.study)
    last = dataset.precision_audits.aggregate(last=Max("number"))["last"] or 0
    audit = PrecisionAudit.objects.create(
        study=dataset.study,
        dataset=dataset,
        number=last + 1,
        is_rehearsal=is_rehearsal,
        seed=seed,
        n_gold=drawn.n_gold,
        n_silver=drawn.n_silver,
        drawn_by=by,
    )
    names = {each.plausibility_item for each in drawn.answers}
    names |= {each.faithfulness_item for each in drawn.answers if each.faithfulness_item}
    items = Item.objects.filter(public_id__in=names).in_bulk(field_name="public_id")
    known = {str(public_id): item.pk for public_id, item in items.items()}
    PrecisionItem.objects.bulk_create(
        PrecisionItem(
            audit=audit,
            public_id=uuid4(),
            tier=each.tier,
            plausibility_item_id=known[each.plausibility_item],
            faithfulness_item_id=known[each.faithfulness_item] if each.faithfulness_item else None,
        )
        for each in drawn.answers
    )
    events.record(
        study=dataset.study,
        by=by,
        verb="drew a precision audit of",
        target=dataset,
        number=audit.number,
        seed=seed,
        n_drawn=len(drawn.answers),
        n_gold=drawn.n_gold,
        n_silver=drawn.n_silver,
    )
    return audit


@transaction.atomic
def judge(*, item: PrecisionItem, scheme: str, label: str, by: User) -> PrecisionJudgement:
    """Say something of an answer, or correct what one said oneself; the same again adds nothing.

    Raises PrecisionError where the person had a part in how the answer ended, where the question is not
    asked, where another expert judged it, and for what is no label.
    """
    study = item.audit.study
    permissions.require(by, study, Role.ADJUDICATOR, Role.REQUESTER)
    locked = PrecisionItem.objects.select_for_update(of=("self",)).get(pk=item.pk)
    if precision_audit_queries.had_part([locked], by):
        raise PrecisionError("you had a part in how this answer ended: somebody else audits it")
    said = precision_audit_queries.current(locked)
    before = said.get(scheme)
    if before is None and scheme != precision_audit_queries.asks(locked, said):
        raise PrecisionError("this question is not asked about the answer now")
    if before is not None and before.judged_by_id != by.pk:
        raise PrecisionError("another expert judged this answer meanwhile")
    if label not in schemes.verdict_scheme(scheme).labels:
        raise PrecisionError(f"{label!r} is no label of {scheme}")
    if before is not None and before.label == label:
        return before
    made = PrecisionJudgement.objects.create(
        item=locked, scheme=scheme, label=label, replaces=before, judged_by=by
    )
    events.record(
        study=study,
        by=by,
        verb="audited again" if before else "audited",
        target=locked,
        scheme=scheme,
        label=label,
    )
    return made
