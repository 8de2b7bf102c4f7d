"""The sections of a person's file on their work as an annotator, and what they wrote to organisers."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from accounts.models import User
from annotation.models import (
    Assignment,
    Batch,
    GuidelineReading,
    Judgement,
    NoticeDismissal,
    Pause,
)
from annotation.queries import annotator_progress, checks, earnings
from annotation.schemes import payloads
from exports.personal_data.rows import PIECE, Row, place, time_or_none
from exports.rows.ids import timestamp


def guidelines_read(user: User) -> list[Row]:
    readings = GuidelineReading.objects.filter(read_by=user).select_related("guideline__study")
    return [
        {
            "study": each.guideline.study.slug,
            "scheme": each.guideline.scheme,
            "read_at": timestamp(each.read_at),
        }
        for each in readings.order_by("read_at", "pk")
    ]


def checks_of_guidelines(user: User) -> list[Row]:
    """Return the attempts at questions on guidelines, with what was chosen, as the page after each shows them."""
    attempts = user.check_attempts.select_related("batch__study", "batch__comprehension_check")
    return [
        {
            **place(each.batch),
            "at": timestamp(each.taken_at),
            "attempt": each.number,
            "is_passed": each.is_passed,
            "answers": [
                {"question": answer.question.text, "answer": answer.words}
                for answer in checks.answers_in(each, checks.questions_of(each.batch))
            ],
        }
        for each in attempts.order_by("pk")
    ]


def batches(user: User, now: datetime) -> list[Row]:
    """Return how much the user did in each batch and what it earns, as "My work" shows it."""
    worked_in = _worked_in(user)
    progress = annotator_progress.progress_by_batch(worked_in, user, now)
    rows = []
    for batch in worked_in:
        own = progress[batch.pk]
        rows.append(
            {
                **place(batch),
                "n_judged": own.n_done,
                "n_skipped": own.n_skipped,
                "is_paused_for_you": own.is_paused,
                "pay_a_judgement": own.price and str(own.price.amount),
                "currency": batch.currency,
                "n_not_paid": own.n_refused,
                "earned": own.earned and str(own.earned.amount),
            }
        )
    return rows


def _worked_in(user: User) -> list[Batch]:
    handed = Assignment.objects.filter(annotator=user).order_by().values("item__batch")
    batches = Batch.objects.filter(pk__in=handed).select_related("study")
    return list(batches.order_by("created_at", "pk"))


def pauses(user: User) -> list[Row]:
    pauses = Pause.objects.filter(annotator=user).select_related("batch__study")
    return [
        {
            **place(each.batch),
            "at": timestamp(each.paused_at),
            "is_paused": each.is_paused,
            "is_of_the_whole_study": each.is_of_study,
        }
        for each in pauses.order_by("pk")
    ]


def qualifications(user: User) -> list[Row]:
    """Return what was decided of the user's qualifications, without their names and reasons: these are for organisers.

    `by_rule`: the rule decided, and no person.
    """
    own = user.standings.select_related("qualification__study").order_by("pk")
    return [
        {
            "study": each.qualification.study.slug,
            "at": timestamp(each.at),
            "state": each.state,
            "by_rule": each.by_id is None,
        }
        for each in own
    ]


def reservations(user: User) -> list[Row]:
    """Return the items that are or were reserved for the user, without the reasons for which that ended."""
    own = user.reservations.select_related("batch__study", "item").defer("item__payload")
    return [
        {
            **place(each.batch),
            "item": str(each.item.public_id),
            "reserved_at": timestamp(each.reserved_at),
            "ended_at": timestamp(each.ended_at) if each.ended_at else None,
        }
        for each in own.order_by("pk")
    ]


def refused_pay(user: User) -> list[Row]:
    """Return the decisions that refused to pay the user's work, as "My earnings" shows them."""
    return [
        {
            **place(each.batch),
            "at": timestamp(refusal.act.reviewed_at),
            "reasons": refusal.reasons,
            "n_judgements": refusal.n,
            "n_still_refused": refusal.n_refused,
        }
        for each in earnings.earnings_of(user)
        for refusal in each.refusals
    ]


def messages(user: User) -> list[Row]:
    """Return what the user wrote to organisers, replies to refused pay too, with the answers."""
    own = user.messages.select_related("study", "batch", "refusal").prefetch_related("answers")
    return [
        {
            "study": each.study.slug,
            "batch": each.batch and each.batch.name,
            "replies_to_refusal_of": time_or_none(
                each.refusal.reviewed_at if each.refusal else None
            ),
            "sent_at": timestamp(each.sent_at),
            "text": each.text,
            "read_at": time_or_none(each.read_at),
            "answers": [
                {"text": answer.text, "answered_at": timestamp(answer.answered_at)}
                for answer in each.answers.all()
            ],
        }
        for each in own
    ]


def notices_dismissed(user: User) -> list[Row]:
    dismissed = NoticeDismissal.objects.filter(dismissed_by=user)
    return [
        {
            **place(each.notice.batch),
            "text": each.notice.text,
            "dismissed_at": timestamp(each.dismissed_at),
        }
        for each in dismissed.select_related("notice__batch__study").order_by("pk")
    ]


def items(user: User) -> Iterator[Row]:
    """Each item that the person was handed, with what they said of it."""
    places = {batch.pk: place(batch) for batch in _worked_in(user)}
    handed = Assignment.objects.filter(annotator=user).select_related("item")
    everything = handed.prefetch_related("judgements__withdrawal", "flags__answers")
    for assignment in everything.order_by("pk").iterator(PIECE):
        judgements = list(assignment.judgements.all())
        yield {
            **places[assignment.item.batch_id],
            "item": str(assignment.public_id),
            "handed_at": timestamp(assignment.claimed_at),
            "state": assignment.state,
            **(_shown(assignment, judgements) if judgements or assignment.skip_because else {}),
            "first_part": assignment.first_part,
            "skip_choice": assignment.skip_choice,
            "skip_reason": assignment.skip_reason,
            "judgements": [_judgement(each) for each in judgements],
            "flags": [_flag(each) for each in assignment.flags.all()],
        }


def _shown(assignment: Assignment, judgements: list[Judgement]) -> Row:
    """The question and the answers as "Your last judgements" shows them."""
    content, order = assignment.item.payload, judgements[-1].order if judgements else []
    shown = (
        payloads.content_in_order(content, order) if order else payloads.content_by_number(content)
    )
    return {"question": shown["question"], "answers": shown["answers"]}


def _judgement(judgement: Judgement) -> Row:
    withdrawal = getattr(judgement, "withdrawal", None)
    return {
        "response": judgement.response,
        "comment": judgement.comment,
        "order": judgement.order,
        "shown_at": timestamp(judgement.shown_at),
        "submitted_at": timestamp(judgement.submitted_at),
        "active_seconds": judgement.active_seconds,
        "came_late": judgement.is_surplus,
        "taken_back_at": time_or_none(withdrawal and withdrawal.withdrawn_at),
    }


def _flag(flag: Any) -> Row:
    return {
        "message": flag.message,
        "flagged_at": timestamp(flag.flagged_at),
        "answers": [
            {"text": each.text, "answered_at": timestamp(each.answered_at)}
            for each in flag.answers.all()
        ],
    }
