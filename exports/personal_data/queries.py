"""What is kept about a person, as the sections of their file (docs/formats.md).

The file is as blind as the pages: an annotator's has what they were shown, said and were told, and
nothing of systems, scores, references, other people's work or what reviewers decided about single
judgements. Other people are not named.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from axes.models import AccessAttempt
from django.db.models import QuerySet

from accounts import addresses, permissions
from accounts.actions import second_factors, sessions, sign_ins
from accounts.models import Consent, Invitation, Role, User
from annotation.models import (
    Adjudication,
    Assignment,
    Batch,
    Exclusion,
    FlagAnswer,
    GuidelineReading,
    Judgement,
    Note,
    Pause,
    Review,
    SecondAdjudication,
    UnclearMark,
)
from annotation.queries import annotator_progress
from annotation.schemes import payloads
from audit.models import Event
from exports.models import PrecisionJudgement
from exports.rows.ids import timestamp

FORMAT = "touchstone-personal-data-1"
# Items are read so many at a time: their texts may be long.
PIECE = 500

Row = dict[str, Any]


def sections(user: User, now: datetime) -> dict[str, Any]:
    """Return the sections of the person's file in their order; those that may be long are iterators."""
    return {
        "format": FORMAT,
        "made_at": timestamp(now),
        "account": _account(user),
        "sessions": [{"ends_at": timestamp(each.expire_date)} for each in sessions.of_user(user)],
        "failed_sign_ins": _failed_sign_ins(user),
        "sign_ins": _sign_ins(user),
        "second_factor": _second_factor(user),
        "api_tokens": _api_tokens(user),
        "studies": _studies(user),
        "consents": _consents(user),
        "guidelines_read": _guidelines_read(user),
        "batches": _batches(user, now),
        "pauses": _pauses(user),
        "decisions": _decisions(user),
        "invitations": _invitations(user),
        "acts": _acts(user),
        "acts_about_you": _acts_about(user),
        "items": _items(user),
    }


def _time(at: datetime | None) -> str | None:
    return timestamp(at) if at else None


def _account(user: User) -> Row:
    return {
        "user_name": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "is_administrator": user.is_superuser,
        "is_active": user.is_active,
        "made_at": timestamp(user.date_joined),
        "last_sign_in": _time(user.last_login),
        "times_signed_out_everywhere": user.n_sign_outs_everywhere,
    }


def _failed_sign_ins(user: User) -> list[Row]:
    """The network only, and no browser: they may be somebody else's."""
    attempts = AccessAttempt.objects.filter(username=user.username).order_by("attempt_time")
    return [
        {
            "at": timestamp(each.attempt_time),
            "address": addresses.shortened(each.ip_address),
            "n_failures": each.failures_since_start,
        }
        for each in attempts
    ]


def _sign_ins(user: User) -> list[Row]:
    """The sign-ins, and wrong passwords, that the person's account page tells of."""
    return [
        {"at": timestamp(each.at), "act": each.verb, "address": each.details.get("address")}
        for each in sign_ins.recent(user)
    ]


def _second_factor(user: User) -> list[Row]:
    """Return one row, without what its codes follow from, or none."""
    factor = second_factors.of_user(user)
    if factor is None:
        return []
    return [
        {
            "set_up_at": timestamp(factor.created_at),
            "n_recovery_codes": second_factors.n_recovery_codes(user),
            "n_wrong_codes": factor.n_wrong,
            "last_wrong_at": _time(factor.last_wrong_at),
        }
    ]


def _api_tokens(user: User) -> list[Row]:
    return [
        {
            "name": each.name,
            "made_at": timestamp(each.created_at),
            "expires_at": timestamp(each.expires_at),
            "last_used_on": each.last_used_on and each.last_used_on.isoformat(),
            "revoked_at": _time(each.revoked_at),
        }
        for each in user.api_tokens.order_by("created_at", "pk")
    ]


def _studies(user: User) -> list[Row]:
    memberships = user.memberships.select_related("study").prefetch_related("grants")
    return [
        {
            "study": each.study.slug,
            "title": each.study.title,
            "pseudonym": each.pseudonym,
            "member_since": timestamp(each.added_at),
            "roles": [
                {"role": grant.role, "since": timestamp(grant.granted_at)}
                for grant in sorted(each.grants.all(), key=lambda grant: grant.pk)
            ],
        }
        for each in memberships.order_by("added_at", "pk")
    ]


def _consents(user: User) -> list[Row]:
    consents = Consent.objects.filter(membership__user=user)
    return [
        {
            "study": each.membership.study.slug,
            "agreed_at": timestamp(each.consented_at),
            "text": each.text.text,
        }
        for each in consents.select_related("membership__study", "text")
    ]


def _guidelines_read(user: User) -> list[Row]:
    readings = GuidelineReading.objects.filter(read_by=user).select_related("guideline__study")
    return [
        {
            "study": each.guideline.study.slug,
            "scheme": each.guideline.scheme,
            "read_at": timestamp(each.read_at),
        }
        for each in readings.order_by("read_at", "pk")
    ]


def _batches(user: User, now: datetime) -> list[Row]:
    """As "My work" and the desk's end tell of them: how much was done, and what it earns."""
    batches = _worked_in(user)
    progress = annotator_progress.progress_by_batch(batches, user, now)
    rows = []
    for batch in batches:
        own = progress[batch.pk]
        rows.append(
            {
                **_place(batch),
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


def _pauses(user: User) -> list[Row]:
    pauses = Pause.objects.filter(annotator=user).select_related("batch__study")
    return [
        {**_place(each.batch), "at": timestamp(each.paused_at), "is_paused": each.is_paused}
        for each in pauses.order_by("pk")
    ]


def _place(batch: Batch) -> Row:
    return {"study": batch.study.slug, "batch": batch.name, "scheme": batch.scheme}


def _decisions(user: User) -> Iterator[Row]:
    """What an organiser said of items and of others' work, in the organiser's own words."""
    for adjudication in _own(Adjudication, "adjudicated", user, "item"):
        yield _decision("adjudication", adjudication.item, adjudication.adjudicated_at) | {
            "label": adjudication.label,
            "text": adjudication.reason,
        }
    for second in _own(SecondAdjudication, "adjudicated", user, "asked__first__item"):
        item = second.asked.first.item
        yield _decision("second adjudication", item, second.adjudicated_at) | {
            "label": second.label,
            "text": second.reason,
        }
    for exclusion in _own(Exclusion, "excluded", user, "item"):
        kind = "exclusion" if exclusion.is_excluded else "readmission"
        yield _decision(kind, exclusion.item, exclusion.excluded_at) | {"text": exclusion.reason}
    for mark in _own(UnclearMark, "marked", user, "item"):
        kind = "guideline unclear" if mark.is_unclear else "guideline clear again"
        yield _decision(kind, mark.item, mark.marked_at) | {"text": mark.section}
    for note in _own(Note, "noted", user, "item"):
        yield _decision("note", note.item, note.noted_at) | {"text": note.text}
    for answer in _own(FlagAnswer, "answered", user, "flag__assignment__item"):
        item = answer.flag.assignment.item
        yield _decision("answer to a flag", item, answer.answered_at) | {"text": answer.text}
    for review in _own(Review, "reviewed", user, "judgement__assignment__item"):
        yield _decision("review", review.judgement.assignment.item, review.reviewed_at) | {
            "is_paid": review.is_paid,
            "is_counted": review.is_counted,
            "text": "; ".join(filter(None, (review.paid_because, review.counted_because))),
        }
    for judged in _own(PrecisionJudgement, "judged", user, "item__plausibility_item"):
        item = judged.item.plausibility_item
        yield _decision("audit of an accepted answer", item, judged.judged_at) | {
            "asked": judged.scheme,
            "label": judged.label,
        }


def _own(model: Any, verb: str, user: User, item: str) -> Iterator[Any]:
    own = model.objects.filter(**{f"{verb}_by": user}).order_by("pk")
    return iter(own.select_related(f"{item}__batch__study").iterator(PIECE))


def _decision(kind: str, item: Any, at: datetime) -> Row:
    return {
        "kind": kind,
        **_place(item.batch),
        "item": str(item.public_id),
        "at": timestamp(at),
    }


def _invitations(user: User) -> list[Row]:
    return [
        {
            "study": each.study.slug,
            "role": each.role,
            "note": each.note,
            "made_at": timestamp(each.created_at),
        }
        for each in Invitation.objects.filter(created_by=user).select_related("study")
    ]


def _acts(user: User) -> Iterator[Row]:
    """What the person did, as the history has it; details only where they may read that history."""
    readable = {
        membership.study.slug
        for membership in user.memberships.select_related("study")
        if Role.REQUESTER in permissions.roles(user, membership.study)
    } | ({""} if user.is_superuser else set())
    for each in _lasting_events().filter(actor=user.username).iterator(PIECE):
        row = {"at": timestamp(each.at), "study": each.study, "act": each.verb}
        if each.study in readable:
            row |= {"what": each.target, "details": each.details}
        yield row


def _acts_about(user: User) -> list[Row]:
    """What others did to the person's account and roles."""
    about = _lasting_events().filter(target=f"user {user.username}")
    about = about.exclude(actor=user.username)
    return [{"at": timestamp(each.at), "study": each.study, "act": each.verb} for each in about]


def _lasting_events() -> QuerySet[Event]:
    """Sign-ins are kept for a time, and stand in a section of their own."""
    return Event.objects.exclude(study="", verb__in=sign_ins.KEPT_FOR_A_TIME)


def _items(user: User) -> Iterator[Row]:
    """Each item that the person was handed, with what they said of it."""
    places = {batch.pk: _place(batch) for batch in _worked_in(user)}
    handed = Assignment.objects.filter(annotator=user).select_related("item")
    everything = handed.prefetch_related("judgements__withdrawal", "flags__answers")
    for assignment in everything.order_by("pk").iterator(PIECE):
        judgements = list(assignment.judgements.all())
        yield {
            **places[assignment.item.batch_id],
            "item": str(assignment.public_id),
            "handed_at": timestamp(assignment.claimed_at),
            "state": assignment.state,
            **(_shown(assignment, judgements) if judgements or assignment.skip_reason else {}),
            "first_part": assignment.first_part,
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
        "taken_back_at": _time(withdrawal and withdrawal.withdrawn_at),
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
