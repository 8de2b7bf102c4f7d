"""What a person has earned in every batch, ever, and which of their work was refused pay."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Count

from accounts.models import User
from annotation import review_reasons
from annotation.models import Batch, Judgement, Message, Review, ReviewAct
from annotation.queries.work_terms import Contact, contact_of
from sampling.pay import Money

# Of one refusal, as many of the refused items are listed.
MOST_LISTED = 20


@dataclass(frozen=True)
class Refusal:
    """One act of reviewing that refused to pay judgements of the person.

    reasons     why, in words, each with the number of judgements; of one act mostly one
    n_refused   of these judgements, as many are still refused
    questions   of the first MOST_LISTED of them
    reply       the person's reply with its answers; None: they can still reply
    """

    act: ReviewAct
    reasons: dict[str, int]
    n_refused: int
    questions: list[str]
    reply: Message | None

    @property
    def n(self) -> int:
        return sum(self.reasons.values())

    @property
    def n_unlisted(self) -> int:
        return self.n - len(self.questions)


@dataclass(frozen=True)
class BatchEarnings:
    """The person's work in one batch: `n_judged` without what they took back, of which `n_refused` unpaid."""

    batch: Batch
    n_judged: int
    n_refused: int
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def n_payable(self) -> int:
        return self.n_judged - self.n_refused if self.batch.price else 0

    @property
    def earned(self) -> Money | None:
        return self.batch.price and self.batch.price.times(self.n_payable)

    @property
    def contact(self) -> Contact:
        return contact_of(self.batch.study, self.batch.created_by)


def earnings_of(user: User) -> list[BatchEarnings]:
    """The batches in which the person has judged, the newest first; also closed, withdrawn and archived ones."""
    own = Judgement.objects.not_withdrawn().filter(
        assignment__annotator=user, assignment__item__batch__is_rehearsal=False
    )
    by_batch = own.order_by().values_list("assignment__item__batch").annotate(n=Count("pk"))
    n_judged: dict[int, int] = dict(by_batch)
    batches = Batch.objects.filter(pk__in=n_judged).select_related("study", "created_by")
    refusals = _refusals(user)
    return [
        BatchEarnings(
            batch=batch,
            n_judged=n_judged[batch.pk],
            n_refused=sum(each.n_refused for each in refusals[batch.pk]) if batch.price else 0,
            refusals=refusals[batch.pk] if batch.price else [],
        )
        for batch in batches.order_by("-created_at", "-pk")
    ]


def totals(earnings: list[BatchEarnings]) -> list[Money]:
    """The sum in each currency, by its code."""
    by_currency: dict[str, Money] = {}
    for each in earnings:
        if each.earned:
            before = by_currency.get(each.earned.currency)
            amount = each.earned.amount + (before.amount if before else 0)
            by_currency[each.earned.currency] = Money(amount, each.earned.currency)
    return [by_currency[currency] for currency in sorted(by_currency)]


def _refusals(user: User) -> dict[int, list[Refusal]]:
    """The acts that refused the person pay, by batch, the newest first; also those replaced since."""
    refused = Review.objects.filter(is_paid=False, judgement__assignment__annotator=user)
    by_act: dict[int, list[_Refused]] = defaultdict(list)
    rows = refused.filter(judgement__withdrawal=None).order_by("-act", "pk")
    question = "judgement__assignment__item__payload__question"
    for act, *columns in rows.values_list(
        *("act", "paid_code", "paid_reason", "replaced_by", question)
    ):
        by_act[act].append(_Refused(*columns))
    acts = ReviewAct.objects.in_bulk(list(by_act))
    replies = {
        reply.refusal_id: reply
        for reply in Message.objects.filter(refusal__in=list(by_act), sent_by=user)
        .prefetch_related("answers")
        .order_by()
    }
    by_batch: dict[int, list[Refusal]] = defaultdict(list)
    for key, each in by_act.items():
        by_batch[acts[key].batch_id].append(_refusal(acts[key], each, replies.get(key)))
    return by_batch


class _Refused(NamedTuple):
    """A review that refused pay; `replaced_by` is the review that stands instead, if one does."""

    code: str
    words: str
    replaced_by: int | None
    question: str


def _refusal(act: ReviewAct, reviews: list[_Refused], reply: Message | None) -> Refusal:
    return Refusal(
        act=act,
        reasons=dict(Counter(reason_in_words(each.code, each.words) for each in reviews)),
        n_refused=sum(each.replaced_by is None for each in reviews),
        questions=[each.question for each in reviews[:MOST_LISTED]],
        reply=reply,
    )


MEANINGS = {each.code: each.means for each in review_reasons.PAID.reasons}


def reason_in_words(code: str, words: str) -> str:
    """Why pay was refused: what the code means, then the reviewer's own words."""
    if code == review_reasons.OTHER:
        return words
    return f"{MEANINGS[code]}: {words}" if words else MEANINGS[code]
