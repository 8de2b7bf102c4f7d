"""Decorators that say who may see a page.

Every view has one; tests/test_permissions.py checks each.

Somebody who is not a member of a study gets 404 there, so that addresses reveal nothing; a member
without the role gets 403 with the missing role.
"""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.http import HttpResponseClientRefresh

from accounts import permissions
from accounts.models import Role, Study, User

READING_METHODS = ("GET", "HEAD", "OPTIONS")
View = Callable[..., HttpResponseBase]


class SecondFactorNeededError(PermissionDenied):
    """The study requires a second factor, and the person has none. Pages lead to where one is set up."""


class PersonRequest(HttpRequest):
    """A request of a signed-in user."""

    user: User


class StudyRequest(PersonRequest):
    """A request inside a study, with the study and the user's roles. Templates read both."""

    study: Study
    roles: set[Role]


def signed_in(view: View) -> View:
    """Require a signed-in user; others sign in first and return to the page."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **options: object) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **options)
        if request.headers.get("HX-Request"):
            # A part of a page: the sign-in has no place in it. The page is loaded anew, and asks for it.
            return HttpResponseClientRefresh()
        return redirect_to_login(page_of(request))

    return guarded


def page_of(request: HttpRequest) -> str:
    """Return the page to come back to.

    For a form it is the page that sent it: the form's own address may not accept GET.
    """
    came_from = urlsplit(request.headers.get("Referer", ""))
    if request.method == "POST" and came_from.netloc == request.get_host():
        return came_from._replace(scheme="", netloc="", fragment="").geturl()
    return request.get_full_path()


def administrator(view: View) -> View:
    """Require a site administrator, who makes users and studies.

    In a study they need a role there.
    """

    @signed_in
    @wraps(view)
    def guarded(request: PersonRequest, **options: object) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise Http404
        return view(request, **options)

    return guarded


def study_maker(view: View) -> View:
    """Require an administrator, or a requester of some study."""

    @signed_in
    @wraps(view)
    def guarded(request: PersonRequest, **options: object) -> HttpResponseBase:
        if not permissions.may_make_studies(request.user):
            raise PermissionDenied(
                "Only administrators, and requesters of another study, can create a study."
            )
        return view(request, **options)

    return guarded


def study(*roles: Role, even_archived: bool = False) -> Callable[[View], View]:
    """Require a member of the study that the address names as `study`, with one of these roles.

    An archived study can be looked at, and nothing can be sent to it, but `even_archived`.
    """

    def guard(view: View) -> View:
        @signed_in
        @wraps(view)
        def guarded(request: StudyRequest, study: str, **options: object) -> HttpResponseBase:
            request.study, request.roles = study_and_roles(request.user, study, *roles)
            if not even_archived:
                require_changeable(request.study, request.method)
            return view(request, request.study, **options)

        return guarded

    return guard


def study_and_roles(
    user: User, slug: str, *allowed: Role, where: str = "This page"
) -> tuple[Study, set[Role]]:
    """Return the study and the person's roles in it, for pages and the API.

    Raises Http404 for somebody who is not a member, PermissionDenied for a member with none of the
    roles, SecondFactorNeededError for one who has no second factor where the study requires it.
    """
    membership = permissions.study_and_roles(user, slug)
    if membership is None:
        raise Http404
    study, held = membership
    if not held & set(allowed):
        names = " or ".join(role.value for role in allowed)
        raise PermissionDenied(f"{where} is for the {names} of the study.")
    if permissions.lacks_second_factor(user, study, held):
        raise _second_factor_needed(study)
    return study, held


def require_changeable(study: Study, method: str | None) -> None:
    """Raise ArchivedError for a request that would change an archived study. For pages and the API."""
    if method not in READING_METHODS:
        permissions.require_changeable(study)


def require_second_factor(user: User) -> None:
    """Raise SecondFactorNeededError if a study requires a second factor of the person, who has none.

    For pages outside the studies that show what is in them.
    """
    study = permissions.studies_closed_to(user).first()
    if study is not None:
        raise _second_factor_needed(study)


def _second_factor_needed(study: Study) -> SecondFactorNeededError:
    return SecondFactorNeededError(
        f"The study {study.title} requires a second factor of its requesters and adjudicators."
        " Set one up on the page of your account."
    )
