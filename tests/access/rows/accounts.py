from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.actions import invitations, passwords, tokens
from accounts.models import ApiToken, Invitation, Role
from tests.access.table import PEOPLE, Row, in_study, only
from tests.access.world import World
from tests.accounts.phones import Phone
from tests.factories import UserFactory


def invitation(world: World) -> tuple[Invitation, str]:
    return invitations.invite(
        study=world.study,
        role=Role.ANNOTATOR,
        n_most=1,
        expires_at=timezone.now() + timedelta(days=1),
        note="",
        by=world.study.created_by,
    )


def member(world: World) -> dict[str, Any]:
    membership = world.study.memberships.get(user__username="bob")
    return {"study": world.study.slug, "member": membership.pk}


def each(**expected: int) -> tuple[int, ...]:
    """Of a page outside the studies: the status of each person; `others` of those not named."""
    return tuple(expected.get(person, expected["others"]) for person in PEOPLE)


def token(world: World) -> ApiToken:
    """The requester's."""
    return tokens.make(name="notebook", days=1, by=world.study.created_by)[0]


def with_second_factor(world: World) -> dict[str, Any]:
    """Of somebody else: it ends one's sessions."""
    user = UserFactory(username="frieda")
    Phone(user)
    return {"user": user.pk}


ORGANISERS = {"adjudicator": 200, "requester": 200, "other_requester": 200}
ADMINISTRATORS = each(anonymous=302, administrator=200, others=404)
SIGNED_IN = each(anonymous=302, others=200)
MEMBERS = ("annotator", "adjudicator", "requester")

ROWS = {
    # There are users: there is nothing to do first.
    "first_steps": Row(expected=each(others=302)),
    "sign_in": Row(expected=each(anonymous=200, others=302)),
    # Nobody's password was right just now.
    "sign_in_code": Row(expected=each(others=302)),
    "sign_out": Row(expected=each(others=302), method="post"),
    "account": Row(expected=SIGNED_IN),
    "second_factor": Row(expected=SIGNED_IN),
    # They lead to the page before, where nobody has one.
    "recovery_codes": Row(expected=each(others=302)),
    "second_factor_off": Row(expected=each(others=302)),
    "token_new": Row(expected=each(**ORGANISERS, anonymous=302, others=403)),
    "token_revoke": Row(
        expected=each(anonymous=302, requester=200, others=404),
        options=lambda world: {"number": token(world).pk},
    ),
    "sign_out_everywhere": Row(expected=each(others=302), method="post"),
    "password_link": Row(
        expected=each(others=200),
        options=lambda world: {
            "token": passwords.link_token(world.study.created_by, by_administrator=True)
        },
    ),
    # Whoever holds the link; who is in the study already is told so.
    "join": Row(expected=each(others=200), options=lambda world: {"token": invitation(world)[1]}),
    "consent": Row(expected=only(*MEMBERS), options=in_study),
    # One's own, also of a study where one has no role any more.
    "own_background": Row(
        expected=each(anonymous=302, annotator=200, adjudicator=200, requester=200, others=404),
        options=in_study,
    ),
    "background_answers": Row(expected=only("requester"), options=in_study),
    "people": Row(expected=only("requester"), options=in_study),
    "member_roles": Row(expected=only("requester"), options=member),
    "member_password_link": Row(expected=only("requester"), options=member),
    "invitations": Row(expected=only("requester"), options=in_study),
    "invitation_revoke": Row(
        expected=only("requester"),
        options=lambda world: {**in_study(world), "invitation": invitation(world)[0].pk},
    ),
    "invitation_link": Row(
        expected=only("requester"),
        options=lambda world: {**in_study(world), "invitation": invitation(world)[0].pk},
    ),
    "study_new": Row(
        expected=each(
            anonymous=302, requester=200, other_requester=200, administrator=200, others=403
        )
    ),
    "study_settings": Row(expected=only("requester"), options=in_study),
    "history": Row(expected=only("requester"), options=in_study),
    "house": Row(expected=ADMINISTRATORS),
    "house_history": Row(expected=ADMINISTRATORS),
    "user_new": Row(expected=ADMINISTRATORS),
    "user_password_link": Row(
        expected=ADMINISTRATORS, options=lambda world: {"user": world.study.created_by.pk}
    ),
    "user_deactivate": Row(
        expected=ADMINISTRATORS, options=lambda world: {"user": world.study.created_by.pk}
    ),
    "user_reactivate": Row(
        expected=each(anonymous=302, administrator=302, others=404),
        options=lambda world: {"user": world.study.created_by.pk},
        method="post",
    ),
    "user_second_factor": Row(expected=ADMINISTRATORS, options=with_second_factor),
    "study_requester": Row(expected=ADMINISTRATORS, options=in_study),
}
