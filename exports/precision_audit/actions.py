"""Draw precision audits of accepted answers, and record experts' judgements of them."""

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
from annotation.review_decisions import ReviewError, cleaned_words
from audit import events
from corpus.models import Dataset
from exports.models import PrecisionAudit, PrecisionItem, PrecisionJudgement, Tier
from exports.precision_audit import estimate
from exports.precision_audit import queries as precision_audit_queries
from exports.precision_audit.estimate import PrecisionError
from exports.rows.columns import ItemRow
from exports.rows.items import item_rows
from exports.rows.outcomes import outcome
from exports.rows.shown_answers import released_batches
from exports.rows.tiers import tier
from jobs import transactions
from scoring.queries import key_slices

NOT_ASKED = "not_asked"
UNKNOWN = "unjudged"


@dataclass(frozen=True)
class AcceptedAnswer:
    """An accepted distinct answer: its tier, and the public ids of the items that made it accepted."""

    tier: str
    plausibility_item: str
    faithfulness_item: str | None


@dataclass(frozen=True)
class AuditSample:
    """The answers of an audit in the order of their lots, and the numbers of accepted answers."""

    answers: list[AcceptedAnswer]
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
    """Draw an audit of the accepted answers. `sizes` has the number to draw of each tier.

    Of a tier with fewer answers all are drawn. Raises PrecisionError if nothing is accepted, or if
    the sample would be empty.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    sample = choose_sample(dataset=dataset, sizes=sizes, seed=seed, is_rehearsal=is_rehearsal)
    return record(dataset=dataset, sample=sample, seed=seed, by=by, is_rehearsal=is_rehearsal)


def choose_sample(
    *, dataset: Dataset, sizes: Mapping[str, int], seed: int, is_rehearsal: bool
) -> AuditSample:
    """Choose the answers of an audit, without writing anything."""
    with transactions.snapshot():
        batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
        found = accepted_answers(item_rows(batches, dataset=dataset))
    tiers = {answer: each.tier for answer, each in found.items()}
    drawn = estimate.draw(tiers, sizes, seed)
    return AuditSample(
        answers=[found[answer] for of_tier in drawn.values() for answer in of_tier],
        n_gold=list(tiers.values()).count(Tier.GOLD),
        n_silver=list(tiers.values()).count(Tier.SILVER),
    )


def accepted_answers(items: Iterable[ItemRow]) -> dict[str, AcceptedAnswer]:
    """The accepted answers by their ids, as in a release: accepted by their deciding items."""
    deciding_items = [
        item for item in items if item.is_newest and item.stands and not item.is_control
    ]
    outcomes = {
        (item.scheme, item.answer_id): (
            outcome(item.state, item.verdict, item.set_aside_reason),
            item.item_id,
        )
        for item in deciding_items
    }
    found = {}
    for item in deciding_items:
        plausibility, first = outcomes.get((schemes.ACCEPTANCE.name, item.answer_id), (UNKNOWN, ""))
        faithfulness, second = outcomes.get(
            (schemes.GROUNDING.name, item.answer_id), (NOT_ASKED, None)
        )
        name = tier(plausibility, faithfulness)
        if name:
            is_gold = name == Tier.GOLD
            found[item.answer_id] = AcceptedAnswer(name, first, second if is_gold else None)
    return found


@transaction.atomic
def record(
    *, dataset: Dataset, sample: AuditSample, seed: int, by: User, is_rehearsal: bool
) -> PrecisionAudit:
    """Write an audit of the chosen answers."""
    permissions.require(by, dataset.study, Role.REQUESTER)
    lock_study(dataset.study)
    last = dataset.precision_audits.aggregate(last=Max("number"))["last"] or 0
    audit = PrecisionAudit.objects.create(
        study=dataset.study,
        dataset=dataset,
        number=last + 1,
        is_rehearsal=is_rehearsal,
        seed=seed,
        n_gold=sample.n_gold,
        n_silver=sample.n_silver,
        drawn_by=by,
    )
    names = {each.plausibility_item for each in sample.answers}
    names |= {each.faithfulness_item for each in sample.answers if each.faithfulness_item}
    known = {
        str(public_id): pk
        for some in key_slices(sorted(names))
        for public_id, pk in Item.objects.filter(public_id__in=some).values_list("public_id", "pk")
    }
    PrecisionItem.objects.bulk_create(
        PrecisionItem(
            audit=audit,
            public_id=uuid4(),
            tier=each.tier,
            plausibility_item_id=known[each.plausibility_item],
            faithfulness_item_id=known[each.faithfulness_item] if each.faithfulness_item else None,
        )
        for each in sample.answers
    )
    events.record(
        study=dataset.study,
        by=by,
        verb="drew a precision audit of",
        target=dataset,
        number=audit.number,
        seed=seed,
        n_drawn=len(sample.answers),
        n_gold=sample.n_gold,
        n_silver=sample.n_silver,
    )
    return audit


@transaction.atomic
def judge(
    *, item: PrecisionItem, scheme: str, label: str, by: User, comment: str = ""
) -> PrecisionJudgement:
    """Judge an answer, or correct one's own judgement; the same label and comment again add nothing.

    Raises PrecisionError if the person had a part in the answer's outcome, if the question is not
    asked of the answer now, if another expert judged it, if the label is not one of the scheme, or if
    the comment is too long.
    """
    comment = _cleaned_comment(comment)
    study = item.audit.study
    permissions.require(by, study, Role.ADJUDICATOR, Role.REQUESTER)
    locked = PrecisionItem.objects.select_for_update(of=("self",)).get(pk=item.pk)
    if precision_audit_queries.items_influenced_by([locked], by):
        raise PrecisionError("you had a part in how this answer ended: somebody else audits it")
    judgements = precision_audit_queries.current_judgements(locked)
    former = judgements.get(scheme)
    if former is None and scheme != precision_audit_queries.next_scheme(locked, judgements):
        raise PrecisionError("this question is not asked about the answer now")
    if former is not None and former.judged_by_id != by.pk:
        raise PrecisionError("another expert judged this answer meanwhile")
    if label not in schemes.verdict_scheme(scheme).labels:
        raise PrecisionError(f"{label!r} is no label of {scheme}")
    if former is not None and (former.label, former.comment) == (label, comment):
        return former
    judgement = PrecisionJudgement.objects.create(
        item=locked, scheme=scheme, label=label, comment=comment, replaces=former, judged_by=by
    )
    events.record(
        study=study,
        by=by,
        verb="audited again" if former else "audited",
        target=locked,
        scheme=scheme,
        label=label,
    )
    return judgement


def _cleaned_comment(text: str) -> str:
    """The comment without the white space around it; it may be empty."""
    if not text.strip():
        return ""
    try:
        return cleaned_words(text, "comment")
    except ReviewError as error:
        raise PrecisionError(str(error)) from error
