"""The sections of a person's file on the account: who they are, how they sign in, what they did."""

from collections.abc import Iterator

from axes.models import AccessAttempt
from django.db.models import QuerySet

from accounts import addresses, permissions
from accounts.actions import second_factors
from accounts.actions import sign_ins as recorded_sign_ins
from accounts.models import BackgroundAnswer, Consent, Invitation, Role, User
from audit.models import Event
from exports.personal_data.rows import PIECE, Row, time_or_none
from exports.rows.ids import timestamp


def account(user: User) -> Row:
    return {
        "user_name": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "is_administrator": user.is_superuser,
        "is_active": user.is_active,
        "made_at": timestamp(user.date_joined),
        "last_sign_in": time_or_none(user.last_login),
        "times_signed_out_everywhere": user.n_sign_outs_everywhere,
    }


def failed_sign_ins(user: User) -> list[Row]:
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


def sign_ins(user: User) -> list[Row]:
    """The sign-ins, and wrong passwords, that the person's account page tells of."""
    return [
        {"at": timestamp(each.at), "act": each.verb, "address": each.details.get("address")}
        for each in recorded_sign_ins.recent(user)
    ]


def second_factor(user: User) -> list[Row]:
    """Return one row, without what its codes follow from, or none."""
    factor = second_factors.of_user(user)
    if factor is None:
        return []
    return [
        {
            "set_up_at": timestamp(factor.created_at),
            "n_recovery_codes": second_factors.n_recovery_codes(user),
            "n_wrong_codes": factor.n_wrong,
            "last_wrong_at": time_or_none(factor.last_wrong_at),
        }
    ]


def api_tokens(user: User) -> list[Row]:
    return [
        {
            "name": each.name,
            "made_at": timestamp(each.created_at),
            "expires_at": timestamp(each.expires_at),
            "last_used_on": each.last_used_on and each.last_used_on.isoformat(),
            "revoked_at": time_or_none(each.revoked_at),
        }
        for each in user.api_tokens.order_by("created_at", "pk")
    ]


def studies(user: User) -> list[Row]:
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


def consents(user: User) -> list[Row]:
    consents = Consent.objects.filter(membership__user=user)
    return [
        {
            "study": each.membership.study.slug,
            "agreed_at": timestamp(each.consented_at),
            "text": each.text.text,
        }
        for each in consents.select_related("membership__study", "text")
    ]


def background_answers(user: User) -> list[Row]:
    """Return what the person said of themselves; an empty answer is one that they skipped or removed."""
    answers = BackgroundAnswer.objects.filter(membership__user=user)
    return [
        {
            "study": each.question.study.slug,
            "question": each.question.text,
            "choices": each.question.choices,
            "answer": each.text,
            "answered_at": timestamp(each.answered_at),
        }
        for each in answers.select_related("question__study").order_by("pk")
    ]


def invitations(user: User) -> list[Row]:
    return [
        {
            "study": each.study.slug,
            "role": each.role,
            "note": each.note,
            "made_at": timestamp(each.created_at),
        }
        for each in Invitation.objects.filter(created_by=user).select_related("study")
    ]


def acts(user: User) -> Iterator[Row]:
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


def acts_about(user: User) -> list[Row]:
    """What others did to the person's account and roles."""
    about = _lasting_events().filter(target=f"user {user.username}")
    about = about.exclude(actor=user.username)
    return [{"at": timestamp(each.at), "study": each.study, "act": each.verb} for each in about]


def _lasting_events() -> QuerySet[Event]:
    """Sign-ins are kept for a time, and stand in a section of their own."""
    return Event.objects.exclude(study="", verb__in=recorded_sign_ins.KEPT_FOR_A_TIME)
