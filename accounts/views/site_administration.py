"""The administrators' pages: all users and studies, without the studies' contents."""

from collections.abc import Callable

from django.contrib import messages
from django.db.models import Count, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guards
from accounts.actions import members, passwords, second_factors, users
from accounts.actions.names import NameTakenError
from accounts.errors import ActionError
from accounts.forms.studies import RequesterForm
from accounts.forms.users import NewUserForm
from accounts.guards import PersonRequest
from accounts.models import ERASED, Membership, Role, Study, User
from accounts.views import one_time_links
from pages.listing import Column, Filter, Listing

USERS = (
    Column("name", "User name", ("username",)),
    Column("kind", "Kind", ("is_superuser",)),
    Column("studies", "Studies", ("n_studies",), is_number=True),
    Column("since", "Since", ("date_joined",)),
    Column("seen", "Last sign-in", ("last_login",)),
    Column("acts", "Change"),
)
STUDIES = (
    Column("title", "Study", ("title",)),
    Column("slug", "Short name", ("slug",)),
    Column("requesters", "Requesters"),
    Column("people", "People", ("n_people",), is_number=True),
    Column("since", "Since", ("created_at",)),
    Column("acts", "Change"),
)
SIMULATED = "simulated"
IS_ERASED = Q(is_active=False, username__startswith=ERASED)
KIND = Filter(
    "kind",
    "Kind",
    {
        "administrator": ("administrators", Q(is_superuser=True)),
        "deactivated": ("deactivated", Q(is_active=False) & ~IS_ERASED),
        "erased": ("erased", IS_ERASED),
        SIMULATED: ("simulated people", Q(is_simulated=True)),
    },
    none="real people",
)


@require_safe
@guards.administrator
def users_and_studies(request: PersonRequest) -> HttpResponse:
    users = User.objects.annotate(n_studies=Count("memberships")).select_related("second_factor")
    if request.GET.get("users_kind") != SIMULATED:
        users = users.filter(is_simulated=False)
    holders = Membership.objects.with_role(Role.REQUESTER).select_related("user")
    real = Count("memberships", filter=Q(memberships__user__is_simulated=False))
    studies = Study.objects.annotate(n_people=real).prefetch_related(
        Prefetch("memberships", holders, to_attr="requesters")
    )
    context = {
        "users": Listing(
            request,
            users.order_by("username"),
            columns=USERS,
            search=("username",),
            filters=(KIND,),
            prefix="users_",
        ),
        "studies": Listing(
            request, studies, columns=STUDIES, search=("title", "slug"), prefix="studies_"
        ),
    }
    return render(request, "accounts/house.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.administrator
def user_new(request: PersonRequest) -> HttpResponse:
    """Create a user, who sets their password by a link."""
    form = NewUserForm(request.POST or None)
    if form.is_valid():
        try:
            user = users.create_user(
                name=form.cleaned_data["name"],
                password=None,
                is_administrator=form.cleaned_data["is_administrator"],
                by=request.user,
            )
        except NameTakenError:
            form.add_error("name", "There is a user of this name already.")
        else:
            messages.success(request, f"The user {user.username} is made.")
            return _redirect_with_link(request, user)
    return render(request, "accounts/user_new.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@guards.administrator
def user_password_link(request: PersonRequest, user: int) -> HttpResponse:
    person = get_object_or_404(User, pk=user, is_simulated=False, is_active=True)
    if request.method == "POST":
        return _redirect_with_link(request, person)
    context = {"person": person, "ends_at": passwords.links_end_at()}
    return one_time_links.render_with_link(request, "accounts/user_password_link.html", context)


def _redirect_with_link(request: PersonRequest, person: User) -> HttpResponse:
    """Make a link for the person and redirect to the page that shows it."""
    token = passwords.make_password_link_for_anybody(user=person, by=request.user)
    href = request.build_absolute_uri(reverse("password_link", kwargs={"token": token}))
    page = reverse("user_password_link", args=[person.pk])
    return one_time_links.redirect_with_link(request, page, href)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.administrator
def user_deactivate(request: PersonRequest, user: int) -> HttpResponse:
    """Shut somebody out, once it was asked."""
    person = get_object_or_404(User, pk=user, is_simulated=False)
    if request.method != "POST":
        return render(request, "accounts/user_deactivate.html", {"person": person})
    done = f"{person.username} is deactivated."
    return _redirect_after(request, users.deactivate, person, done)


@require_POST
@guards.administrator
def user_reactivate(request: PersonRequest, user: int) -> HttpResponse:
    person = get_object_or_404(User, pk=user, is_simulated=False)
    done = f"{person.username} can sign in again."
    return _redirect_after(request, users.reactivate, person, done)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.administrator
def user_second_factor(request: PersonRequest, user: int) -> HttpResponse:
    """Remove the second factor of whoever has lost it, once it was asked."""
    person = get_object_or_404(User, pk=user, second_factor__isnull=False)
    if request.method != "POST":
        return render(request, "accounts/user_second_factor.html", {"person": person})
    done = f"{person.username} has no second factor any more."
    return _redirect_after(request, second_factors.remove, person, done)


def _redirect_after(
    request: PersonRequest, act: Callable[..., None], person: User, done: str
) -> HttpResponse:
    """Do what changes somebody's access, and redirect to the list with what came of it."""
    try:
        act(user=person, by=request.user)
    except ActionError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, done)
    return redirect("house")


@require_http_methods(["GET", "HEAD", "POST"])
@guards.administrator
def study_requester(request: PersonRequest, study: str) -> HttpResponse:
    """Make somebody requester of a study whose own requesters cannot."""
    chosen = get_object_or_404(Study, slug=study)
    form = RequesterForm(request.POST or None)
    if form.is_valid():
        person = form.cleaned_data["person"]
        members.hand_over(study=chosen, to=person, by=request.user)
        messages.success(request, f"{person.username} is requester of {chosen.title}.")
        return redirect("house")
    holders = chosen.memberships.with_role(Role.REQUESTER).select_related("user")
    context = {"form": form, "study": chosen, "holders": holders}
    return render(request, "accounts/study_requester.html", context)
