"""Links that bring people into a study."""

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.actions import invitations as actions
from accounts.actions.invitations import InvitationEndedError
from accounts.forms.invitations import InvitationForm
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from accounts.views import one_time_links
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("made", "Created", ("created_at",)),
    Column("role", "Role", ("role",)),
    Column("note", "Note", ("note",)),
    Column("state", "State"),
    Column("used", "Joined", ("n_used",), is_number=True),
    Column("expires", "Open until", ("expires_at",)),
    Column("acts", "Change"),
)
STATES = ("open", "used up", "expired", "revoked")
STATE = Filter("state", "State", {state: (state, Q(state=state)) for state in STATES})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def invitations(request: StudyRequest, study: Study) -> HttpResponse:
    """List the invitations of a study, and create one."""
    form = InvitationForm(request.POST or None)
    if form.is_valid():
        _, token = actions.invite(
            study=study,
            role=Role(form.cleaned_data["role"]),
            n_most=form.cleaned_data["n_most"],
            expires_at=form.expires_at(),
            note=form.cleaned_data["note"],
            by=request.user,
        )
        href = request.build_absolute_uri(reverse("join", kwargs={"token": token}))
        return one_time_links.redirect_with_link(request, request.path, href)
    rows = study.invitations.with_state(timezone.now()).select_related("created_by")
    listing = Listing(request, rows, columns=COLUMNS, search=("note",), filters=(STATE,))
    context = {"form": form, "listing": listing}
    return one_time_links.render_with_link(request, "accounts/invitations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def revoke(request: StudyRequest, study: Study, invitation: int) -> HttpResponse:
    found = get_object_or_404(study.invitations, pk=invitation)
    if request.method == "POST":
        actions.revoke(invitation=found, by=request.user)
        messages.success(request, "The invitation is revoked: it can no longer be used.")
        return redirect("invitations", study.slug)
    context = {
        "title": "Revoke this invitation?",
        "consequences": [
            f"It invites as {found.role}{f', note: {found.note}' if found.note else ''}.",
            "Its link no longer works: who opens it reads that it was revoked. It cannot be opened again; you"
            " can create another one.",
            "People who joined with it stay in the study.",
        ],
        "button": "Revoke",
        "tone": "danger",
        "back": reverse("invitations", args=[study.slug]),
    }
    return render(request, "_components/confirm.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def new_link(request: StudyRequest, study: Study, invitation: int) -> HttpResponse:
    """Make a link in place of that of an open invitation, which cannot be shown again."""
    found = get_object_or_404(study.invitations, pk=invitation)
    back = reverse("invitations", args=[study.slug])
    if request.method == "POST":
        try:
            token = actions.make_new_link(invitation=found, by=request.user)
        except InvitationEndedError as error:
            messages.error(request, f"No link was created. {error}")
            return redirect(back)
        href = request.build_absolute_uri(reverse("join", kwargs={"token": token}))
        return one_time_links.redirect_with_link(request, back, href)
    context = {
        "title": "Create a new link for this invitation?",
        "consequences": [
            f"It invites as {found.role}{f', note: {found.note}' if found.note else ''}.",
            "The old link stops working: only a hash of it is stored, so it cannot be shown again.",
            "Its limit, its end and the people who joined stay the same.",
        ],
        "button": "Create a new link",
        "back": back,
    }
    return render(request, "_components/confirm.html", context)
