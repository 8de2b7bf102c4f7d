"""What a requester does with a batch: each act, with what follows from it."""

from collections.abc import Mapping

from django.contrib import messages
from django.urls import reverse
from django.utils import timezone

from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import drafts, settlement
from annotation.design import pair_balance
from annotation.forms import batches as batch_forms
from annotation.models import Batch, BatchState
from annotation.queries import batch_forecast, batch_progress
from annotation.schemes import Shows
from annotation.views.batches import pair_wording, rules
from annotation.views.batches.confirmations import Confirmation, NotNowError, confirmed, sent
from sampling.evidence.reading_time import minutes
from sampling.models import EvidenceSpan, Pool
from stats.aggregation import consensus
from text.segmentation import WORDS_PER_MINUTE


@confirmed
def batch_open(request: StudyRequest, batch: Batch) -> Confirmation:
    scheme = schemes.get(batch.scheme)
    without = _n_without_evidence(batch) if scheme.shows_evidence else 0
    sizes = batch_forecast.items_per_question(batch)
    n_asked = sum(sizes)
    follows = [
        f"{n_asked + without} items are made, and {n_asked * batch.judgements_per_item} judgements asked for"
        f" ({batch.judgements_per_item} of each).",
        f"Every annotator of the study can begin at once: there are {_n_annotators(batch.study)}.",
        "From here on the pool, the guideline and the settings are frozen.",
    ]
    if scheme.shows_evidence:
        follows += _to_read(batch.pool)
    if scheme.shows == Shows.PAIR:
        follows += pair_wording.in_words(pair_balance.balance(batch))
    if without:
        follows.append(f"{without} {'answer has' if without == 1 else 'answers have'} no evidence.")
    if batch.judgements_per_item == 1 and scheme.has_verdict:
        follows.append(
            "One judgement is too few for a rule: settling sets every item aside, until an adjudicator"
            " decides it or one more judgement is asked for."
        )
    if not batch.guideline.text:
        follows.append("The batch has no guideline: annotators go by the question alone.")
    return Confirmation(
        act=acts.launch,
        title=f"Open {batch.name}?",
        consequences=follows,
        button="Open the batch",
        done=f"{batch.name} is open. Annotators find it under their work.",
        form=batch_forms.Open(sent(request)) if without else None,
        about="annotation/batches/_launch.html",
        context={
            "outcome": batch_forecast.forecast(batch, sizes),
            "accepted": scheme.accepted if isinstance(scheme, schemes.VerdictScheme) else "",
        },
    )


def _to_read(pool: Pool) -> list[str]:
    """How long the evidence of an item is; a pool that was built before this was counted does not say."""
    median, ninetieth = (pool.counts.get(f"n_words_{each}") for each in ("median", "ninetieth"))
    if median is None or ninetieth is None:
        return []
    return [
        f"The evidence of half of the questions is at most {median:g} words long ({minutes(median)} at"
        f" {WORDS_PER_MINUTE} words a minute), that of nine in ten at most {ninetieth} ({minutes(ninetieth)})."
    ]


def _n_annotators(study: Study) -> int:
    return study.memberships.filter(user__is_simulated=False).with_role(Role.ANNOTATOR).count()


def _n_without_evidence(batch: Batch) -> int:
    with_evidence = EvidenceSpan.objects.filter(pool=batch.pool).values("turn")
    return batch.pool.candidates.exclude(turn__in=with_evidence).count()


@confirmed
def batch_discard(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=drafts.discard,
        title=f"Discard the draft {batch.name}?",
        consequences=["The draft is gone. Nobody has seen it, and its pool stays."],
        button="Discard the draft",
        tone="danger",
        done=f"The draft {batch.name} is gone.",
        after=reverse("batches", args=[batch.study.slug]),
    )


@confirmed
def batch_pause(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=acts.pause,
        title=f"Pause {batch.name}?",
        consequences=[
            "Nobody is handed another item until you resume it.",
            "What people hold now they can still submit.",
        ],
        button="Pause the batch",
        done=f"{batch.name} is paused.",
    )


@confirmed
def batch_resume(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=acts.resume,
        title=f"Resume {batch.name}?",
        consequences=[_handed_out(batch, "Annotators are handed items again.")],
        button="Resume the batch",
        done=f"{batch.name} is open again.",
    )


def _handed_out(batch: Batch, before_deadline: str) -> str:
    """Whether people are handed items once the batch is open: not after its deadline."""
    if batch.deadline_at is None or batch.deadline_at > timezone.now():
        return before_deadline
    return (
        f"Nobody is handed an item: its deadline, {batch.deadline_at:%Y-%m-%d %H:%M} UTC, has passed."
        " Set a later one on its page once it is open."
    )


@confirmed
def batch_deadline(request: StudyRequest, batch: Batch) -> Confirmation:
    if batch.state not in (BatchState.OPEN, BatchState.PAUSED):
        first = "change the draft" if batch.state == BatchState.DRAFT else "open it again first"
        raise NotNowError(f"The batch is {batch.state}: {first}.")
    return Confirmation(
        act=acts.set_deadline,
        title=f"Deadline of {batch.name}",
        consequences=[
            "Until then annotators are handed items; without a deadline, until you close the batch.",
            "What people hold when it comes they can still submit until their time is over.",
        ],
        button="Set the deadline",
        done=f"The deadline of {batch.name} is set.",
        form=batch_forms.Deadline(sent(request), initial={"deadline_at": batch.deadline_at}),
    )


@confirmed
def batch_close(request: StudyRequest, batch: Batch) -> Confirmation:
    (line,) = batch_progress.batch_lines([batch])
    if schemes.get(batch.scheme).has_verdict:
        afterwards = "Then the batch can be settled. It can be opened again."
        done = f"{batch.name} is closed. Settle it to get verdicts."
    else:
        afterwards = "It can be opened again."
        done = f"{batch.name} is closed. Its figures are computed from the judgements."
    return Confirmation(
        act=acts.close,
        title=f"Close {batch.name}?",
        consequences=[
            _progress(line),
            "Nobody is handed another item, and no judgement can be changed any more.",
            afterwards,
        ],
        button="Close the batch",
        done=done,
    )


def _progress(line: batch_progress.BatchLine) -> str:
    there = f"{line.n_counted} of {line.n_wanted} judgements are there"
    if not line.n_claimed:
        return f"{there}; nobody has an item on the desk."
    held = "1 item is" if line.n_claimed == 1 else f"{line.n_claimed} items are"
    return f"{there}, {held} being judged now: until its time is over each can still be submitted."


@confirmed
def batch_reopen(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=acts.reopen,
        title=f"Open {batch.name} again?",
        consequences=[
            _handed_out(
                batch, "Annotators are handed the items whose judgements are not complete."
            ),
            "Verdicts stand until you settle the batch once more; no release is made meanwhile."
            if schemes.get(batch.scheme).has_verdict
            else "What was said stays, and more can be said.",
        ],
        button="Open it again",
        done=f"{batch.name} is open again.",
    )


@confirmed
def batch_settle(request: StudyRequest, batch: Batch) -> Confirmation:
    if batch.state != BatchState.CLOSED:
        raise NotNowError(f"The batch is {batch.state}: close it first, then settle it.")
    (line,) = batch_progress.batch_lines([batch])
    figures = rules.figures(batch)
    return Confirmation(
        act=lambda **options: messages.info(request, _settled(settlement.settle(**options))),
        title=f"Settle {batch.name}",
        consequences=[
            "Every item gets a verdict by the rule, or is in dispute, or is set aside with a reason.",
            *_where_rules_differ(batch),
            *_where_rules_are_compared(figures),
            "Adjudications stay as they are. Settling again with the same rule changes nothing that"
            " did not change.",
        ],
        button="Settle the batch",
        done=f"{batch.name} is settled.",
        form=batch_forms.Settle(line.n_claimed, figures, sent(request)),
    )


def _where_rules_differ(batch: Batch) -> list[str]:
    """Of two judgements more than half are both; and no rule settles two that differ."""
    if batch.items.real().filter(n_counted__gt=consensus.LEAST_JUDGEMENTS).exists():
        return []
    return [
        "No item has more than two judgements. There unanimous and majority do the same: two that agree"
        " make a verdict, two that do not a dispute. So does posterior, unless those who agree err so often"
        " that their label is not likely enough."
    ]


def _where_rules_are_compared(figures: Mapping[str, str]) -> list[str]:
    if figures:
        return []
    return [
        "What each rule would settle here, and how often wrongly in simulation, is computed under"
        " “Compare the rules” on the batch's page."
    ]


def _settled(settled: settlement.Settlement) -> str:
    return (
        f"{settled.n_decided} items decided, {settled.n_disputed} in dispute,"
        f" {settled.n_set_aside} set aside."
    )
