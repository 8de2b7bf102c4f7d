"""Who may see a page. Every view has one of these; tests/test_permissions.py holds each to its rows.

Whoever is not in a study gets 404 there, so that no address says what exists; a member without the
role gets 403, which says what is missing.
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

View = Callable[..., HttpResponseBase]


class PersonRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User


class StudyRequest(PersonRequest):
    """A request inside a study: which one, and what this person may do there. Templates read both."""

    study: Study
    roles: set[Role]


def signed_in(view: View) -> View:
    """For everybody who is signed in; others sign in first and come back to the page that they were on."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **options: object) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **options)
        if request.headers.get("HX-Request"):
            # A part of a page: the sign-in has no place in it. The page is loaded anew, and asks for it.
            return HttpResponseClientRefresh()
        return redirect_to_login(_page_of(request))

    return guarded


def _page_of(request: HttpRequest) -> str:
    """The page to come back to. A form was sent from one; its own address may hold nothing to read."""
    came_from = urlsplit(request.headers.get("Referer", ""))
    if request.method == "POST" and came_from.netloc == request.get_host():
        return came_from._replace(scheme="", netloc="", fragment="").geturl()
    return request.get_full_path()


def administrator(view: View) -> View:
    """For site administrators, who make users and studies. Inside a study they need a role there."""

    @signed_in
    @wraps(view)
    def guarded(request: PersonRequest, **options: object) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise Http404
        return view(request, **options)

    return guarded


def study_maker(view: View) -> View:
    """Makes studies: administrators, and whoever is requester in some study."""

    @signed_in
    @wraps(view)
    def guarded(request: PersonRequest, **options: object) -> HttpResponseBase:
        if not permissions.may_make_studies(request.user):
            raise PermissionDenied(
                "A study is made by an administrator, or by whoever is requester in another one."
            )
        return view(request, **options)

    return guarded


def study(*roles: Role) -> Callable[[View], View]:
    """The view of a study that the address names as `study`: for members with one of these roles."""

    def guard(view: View) -> View:
        @signed_in
        @wraps(view)
        def guarded(request: StudyRequest, study: str, **options: object) -> HttpResponseBase:
            request.study, request.roles = study_and_roles(request.user, study, *roles)
            return view(request, request.study, **options)

        return guarded

    return guard


def study_and_roles(
    user: User, slug: str, *allowed: Role, where: str = "This page"
) -> tuple[Study, set[Role]]:
    """Returns the study and the roles that the person has there, for pages and the API.

    Raises Http404 for somebody who is no member, PermissionDenied for a member with none of the roles.
    """
    membership = permissions.study_and_roles(user, slug)
    if membership is None:
        raise Http404
    study, held = membership
    if not held & set(allowed):
        names = " or ".join(role.value for role in allowed)
        raise PermissionDenied(f"{where} is for the {names} of the study.")
    return study, held
