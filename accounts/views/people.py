"""Members of a study and their roles."""

from django.conf import settings
from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards, permissions
from accounts.actions import members, passwords
from accounts.actions.members import LastRequesterError
from accounts.actions.passwords import LinkRefusedError
from accounts.forms.studies import RolesForm
from accounts.guards import StudyRequest
from accounts.models import Membership, Role, Study
from accounts.permissions import NotAllowedError
from accounts.views import one_time_links
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("pseudonym", "Pseudonym", ("number",)),
    Column("name", "User name", ("user__username",)),
    Column("roles", "Roles"),
    Column("joined", "Joined", ("added_at",)),
    Column("seen", "Last sign-in", ("user__last_login",)),
    Column("judgements", "Judgements", is_number=True),
    Column("acts", "Change"),
)
QUALIFICATIONS = Column("qualifications", "Qualifications")
CHECKS = Column("checks", "Questions on guidelines")
SIMULATED = "simulated"
WHO = Filter(
    "who", "Who", {SIMULATED: ("simulated", Q(user__is_simulated=True))}, none="real people"
)
ROLE = Filter(
    "role",
    "Role",
    {role.value: (role.value, Q(grants__role=role)) for role in Role}
    | {"none": ("no role", Q(grants=None))},
)


@require_safe
@guards.study(Role.REQUESTER)
def people(request: StudyRequest, study: Study) -> HttpResponse:
    """List the members; simulated ones only if asked for."""
    rows = study.memberships.select_related("user").prefetch_related("grants")
    if request.GET.get("who") != SIMULATED:
        rows = rows.filter(user__is_simulated=False)
    listing = Listing(
        request, rows, columns=COLUMNS, search=("user__username",), filters=(WHO, ROLE)
    )
    members_shown = list(listing.page.object_list)
    work_of = import_string(settings.WORK_OF_MEMBERS)
    standings_of = import_string(settings.STANDINGS_OF_MEMBERS)
    checks_of = import_string(settings.CHECKS_OF_MEMBERS)
    users = [each.user_id for each in members_shown]
    work, standings = work_of(study, users), standings_of(study, users)
    checks = checks_of(study, users)
    more = [*([QUALIFICATIONS] if standings else []), *([CHECKS] if checks else [])]
    listing.columns = (*COLUMNS[:-1], *more, COLUMNS[-1])
    context = {
        "listing": listing,
        "has_standings": bool(standings),
        "has_checks": bool(checks),
        "lines": [
            (
                each,
                work.get(each.user_id),
                standings.get(each.user_id, ()),
                checks.get(each.user_id, ()),
            )
            for each in members_shown
        ],
    }
    return render(request, "accounts/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def member_roles(request: StudyRequest, study: Study, member: int) -> HttpResponse:
    """Change a member's roles, on a page of its own that says what each role implies."""
    membership = _real_member(study, member)
    held = [role.value for role in permissions.roles(membership.user, study)]
    # Nothing ticked is an answer too.
    sent = request.POST if request.method == "POST" else None
    form = RolesForm(sent, initial={"roles": held})
    if form.is_valid():
        try:
            members.change_roles(
                membership=membership, roles=form.selected_roles(), by=request.user
            )
        except (LastRequesterError, NotAllowedError) as error:
            form.add_error("roles", f"{error}.")
        else:
            return _after_change(request, membership)
    context = {"form": form, "membership": membership}
    return render(request, "accounts/member_roles.html", context)


def _after_change(request: StudyRequest, membership: Membership) -> HttpResponse:
    study, held = membership.study, permissions.roles(membership.user, membership.study)
    names = ", ".join(role.value for role in Role if role in held)
    messages.success(request, f"{membership.user.username} holds now: {names or 'no role'}.")
    still_here = Role.REQUESTER in permissions.roles(request.user, study)
    return redirect("people", study.slug) if still_here else redirect("home")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def member_password_link(request: StudyRequest, study: Study, member: int) -> HttpResponse:
    """Make a link with which a member sets a new password, and show it once."""
    membership = _real_member(study, member)
    if request.method == "POST":
        try:
            token = passwords.make_password_link(study=study, user=membership.user, by=request.user)
        except LinkRefusedError:
            pass  # the page that follows says why, as it did before the form was sent
        else:
            href = request.build_absolute_uri(reverse("password_link", kwargs={"token": token}))
            return one_time_links.redirect_with_link(request, request.path, href)
        return redirect(request.path)
    context = {
        "membership": membership,
        "refused": _refusal(request, membership),
        "ends_at": passwords.links_end_at(),
    }
    template = "accounts/member_password_link.html"
    return one_time_links.render_with_link(request, template, context)


def _refusal(request: StudyRequest, membership: Membership) -> str:
    try:
        passwords.require_may_make_link(
            maker=request.user, user=membership.user, study=membership.study
        )
    except LinkRefusedError as error:
        return str(error)
    return ""


def _real_member(study: Study, pk: int) -> Membership:
    members = study.memberships.filter(user__is_simulated=False).select_related("user", "study")
    return get_object_or_404(members, pk=pk)
