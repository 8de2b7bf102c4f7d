"""Confirmed acts of requesters on a batch, each with its consequences."""

from typing import Any

from django.contrib import messages
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from accounts.guards import StudyRequest
from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import drafts, settlement
from annotation.design import pair_balance
from annotation.forms.deadlines import DeadlineForm
from annotation.forms.opening import OpenForm
from annotation.forms.settlement import SettleForm
from annotation.models import Batch, BatchState
from annotation.queries import (
    batch_forecast,
    batch_progress,
    completion,
    opening_warnings,
    people_at_work,
    repeated_answers,
    rule_changes,
    training_attempts,
)
from annotation.schemes import Shows
from annotation.views.batches import (
    completion_wording,
    opening_wording,
    pair_wording,
    repeated_wording,
    rules,
    settling_wording,
)
from annotation.views.batches.confirmations import (
    Confirmation,
    FieldRefusalError,
    WrongStateError,
    confirmation_view,
    posted_data,
)
from pages.times import time_element
from pages.words import sentence
from sampling.models import EvidenceSpan


@confirmation_view
def batch_open(request: StudyRequest, batch: Batch) -> Confirmation:
    if batch.is_training:
        return _open_training(batch)
    scheme = schemes.get(batch.scheme)
    n_without = _n_without_evidence(batch) if scheme.shows_evidence else 0
    sizes = batch_forecast.items_per_question(batch)
    n_asked = sum(sizes)
    consequences = [
        opening_wording.created_sentence(batch, n_asked, n_without),
        opening_wording.audience_sentence(batch, len(completion.people_of(batch))),
        "From here on pool, scheme and order are frozen. Name, guideline, deadline and the maximum of items per"
        " annotator can still be changed, and more judgements of each item asked for.",
    ]
    if scheme.shows_evidence:
        consequences += opening_wording.reading_time_sentences(batch.pool)
    if scheme.shows == Shows.PAIR:
        consequences += pair_wording.balance_sentences(pair_balance.batch_balance(batch))
    if n_without:
        consequences.append(
            f"{n_without} {'answer has' if n_without == 1 else 'answers have'} no evidence."
        )
    if batch.judgements_per_item == 1 and scheme.has_verdict:
        consequences.append(
            "One judgement is too few for a rule: settling sets every item aside, until an adjudicator"
            " decides it or one more judgement is asked for."
        )
    if scheme.has_verdict:
        repeated = repeated_answers.repeated(batch)
        consequences += repeated_wording.decided_sentences(repeated.decided, n_asked + n_without)
        consequences += repeated_wording.undecided_sentences(repeated.undecided)
    consequences += map(sentence, opening_warnings.guideline_warnings(batch))
    if opening_warnings.lacks_controls(batch):
        warning = opening_warnings.NO_CONTROLS.format(every=batch.control_every)
        consequences.append(sentence(warning))
    consequences += opening_wording.unnamed_labels_sentences(batch)
    return Confirmation(
        act=acts.launch,
        title=f"Open “{batch.name}”?",
        consequences=consequences,
        button="Open the batch",
        done=f"“{batch.name}” is open. Annotators find it under their work.",
        form=OpenForm(posted_data(request)) if n_without else None,
        about="annotation/batches/_launch.html",
        context={
            "outcome": batch_forecast.forecast(batch, sizes),
            "accepted": scheme.accepted if isinstance(scheme, schemes.VerdictScheme) else "",
            "batch": batch,
            "shortfall": _shortfall_in_words(batch, n_asked, n_without),
        },
    )


def _open_training(batch: Batch) -> Confirmation:
    n_items = training_attempts.items_of(batch).count()
    return Confirmation(
        act=acts.launch,
        title=f"Open “{batch.name}”?",
        consequences=[
            *opening_wording.training_sentences(batch, n_items),
            opening_wording.audience_sentence(batch, len(completion.people_of(batch))),
            *([] if batch.guideline.text else ["The batch has no guideline."]),
        ],
        button="Open the training",
        done=f"“{batch.name}” is open. Annotators find it under their work.",
    )


def _shortfall_in_words(
    batch: Batch, n_asked: int, n_without: int
) -> completion_wording.Sentences | None:
    if batch.is_rehearsal:
        return None
    found = completion.shortfall_at_opening(
        batch,
        n_items=n_asked,
        most_per_person=acts.most_per_person(batch.largest_share, n_asked + n_without),
    )
    return completion_wording.before_opening(found) if found else None


def _n_without_evidence(batch: Batch) -> int:
    with_evidence = EvidenceSpan.objects.filter(pool=batch.pool).values("turn")
    return batch.pool.candidates.exclude(turn__in=with_evidence).count()


@confirmation_view
def batch_discard(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=drafts.discard,
        title=f"Discard the draft “{batch.name}”?",
        consequences=[
            "The draft is deleted, and its pool is kept. Nobody has judged anything in it."
        ],
        button="Discard the draft",
        tone="danger",
        done=f"The draft “{batch.name}” was discarded.",
        after=reverse("batches", args=[batch.study.slug]),
    )


@confirmation_view
def batch_pause(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=acts.pause,
        title=f"Pause “{batch.name}”?",
        consequences=[
            "No more items are assigned until you resume it.",
            "Open claims can still be submitted.",
        ],
        button="Pause the batch",
        done=f"“{batch.name}” is paused.",
    )


@confirmation_view
def batch_resume(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=acts.resume,
        title=f"Resume “{batch.name}”?",
        consequences=[_handing_out_sentence(batch, "Items are assigned to annotators again.")],
        button="Resume the batch",
        done=f"“{batch.name}” is open again.",
    )


def _handing_out_sentence(batch: Batch, before_deadline: str) -> str:
    """`before_deadline`, or that nobody is handed an item because the deadline has passed."""
    if batch.deadline_at is None or batch.deadline_at > timezone.now():
        return before_deadline
    return format_html(
        "No items will be assigned: its deadline, {}, has passed. Set a later one on its page once it is open.",
        time_element(batch.deadline_at),
    )


@confirmation_view
def batch_deadline(request: StudyRequest, batch: Batch) -> Confirmation:
    if batch.state not in (BatchState.OPEN, BatchState.PAUSED):
        first = "change the draft" if batch.state == BatchState.DRAFT else "open it again first"
        raise WrongStateError(f"The batch is {batch.state}: {first}.")
    return Confirmation(
        act=acts.set_deadline,
        title=f"Deadline of “{batch.name}”",
        consequences=[
            "Items are assigned until then; without a deadline, until you close the batch.",
            "What people hold when it comes they can still submit until their time is over.",
        ],
        button="Set the deadline",
        done=f"The deadline of “{batch.name}” is set.",
        form=DeadlineForm(posted_data(request), initial={"deadline_at": batch.deadline_at}),
    )


@confirmation_view
def batch_close(request: StudyRequest, batch: Batch) -> Confirmation:
    (line,) = batch_progress.batch_lines([batch])
    if schemes.get(batch.scheme).has_verdict:
        afterwards = "Then the batch can be settled. It can be opened again."
        done = f"“{batch.name}” is closed. Settle it to get verdicts."
    else:
        afterwards = "It can be opened again."
        done = f"“{batch.name}” is closed. Its figures are computed from the judgements."
    return Confirmation(
        act=acts.close,
        title=f"Close “{batch.name}”?",
        consequences=[
            _progress_sentence(line),
            "No more items are assigned, and no judgement can be changed any more.",
            afterwards,
        ],
        button="Close the batch",
        done=done,
        about="annotation/batches/_look_first.html",
        context={"batch": batch},
    )


def _progress_sentence(line: batch_progress.BatchLine) -> str:
    progress = f"{line.n_counted} of {line.n_wanted} judgements are there"
    if not line.n_claimed:
        return f"{progress}; there are no open claims."
    held = "1 item is" if line.n_claimed == 1 else f"{line.n_claimed} items are"
    return (
        f"{progress}, {held} assigned (fetched ahead or on screen): until its time is over each can"
        " still be submitted."
    )


@confirmation_view
def batch_reopen(request: StudyRequest, batch: Batch) -> Confirmation:
    return Confirmation(
        act=acts.reopen,
        title=f"Open “{batch.name}” again?",
        consequences=[
            _handing_out_sentence(
                batch, "Items whose judgements are not complete are assigned to annotators."
            ),
            "Verdicts are kept until you settle the batch again; no release can be made until then."
            if schemes.get(batch.scheme).has_verdict
            else "Judgements are kept, and more can be added.",
        ],
        button="Open again",
        done=f"“{batch.name}” is open again.",
    )


@confirmation_view
def batch_settle(request: StudyRequest, batch: Batch) -> Confirmation:
    if batch.state != BatchState.CLOSED:
        raise WrongStateError(f"The batch is {batch.state}: close it first, then settle it.")
    scheme = schemes.settled_scheme(batch.scheme)
    figures, last_rule = rules.rule_sentences(batch), rule_changes.last_rule(batch)

    def act(**options: Any) -> None:
        try:
            settled = settlement.settle(**options)
        except settlement.OpenClaimsError as error:
            raise FieldRefusalError(
                "expire_claims", f"Nothing was changed: {error}, or release them here."
            ) from error
        messages.info(request, settling_wording.settlement_message(settled))
        for text in repeated_wording.differing_sentences(repeated_answers.differing_from(batch)):
            messages.warning(request, text)

    return Confirmation(
        act=act,
        title=f"Settle “{batch.name}”",
        consequences=[
            "Every item gets a verdict by the rule, or is in dispute, or is set aside with a reason.",
            *settling_wording.rules_differ_sentences(batch),
            *(settling_wording.compare_rules_sentences(figures) if scheme.has_fixed_labels else ()),
            *settling_wording.settling_again_sentences(last_rule),
        ],
        button="Settle the batch",
        done=f"“{batch.name}” is settled.",
        about="annotation/batches/_look_first.html",
        context={"batch": batch},
        form=SettleForm(
            people_at_work.n_held_items(batch),
            rules.with_changes(batch, last_rule, figures),
            posted_data(request),
            rules=scheme.rules,
        ),
    )
