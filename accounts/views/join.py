from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.actions import consent, invitations
from accounts.actions.consent import ConsentChangedError
from accounts.actions.invitations import InvitationEndedError, NoPlaceError
from accounts.actions.names import NameTakenError
from accounts.backends import SESSION_BACKEND
from accounts.forms.invitations import JoinAsNewForm, JoinForm
from accounts.models import Invitation, Membership, Role
from accounts.views import session_start


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation's study and consent text; join it as a new user or the signed-in one."""
    try:
        invitation = invitations.open_invitation(token)
        if request.user.is_authenticated:
            invitations.require_place(invitation, request.user)
        form = _form(request, invitation)
        membership = _join(request, token, form)
    except InvitationEndedError as error:
        return render(request, "accounts/invitation_ended.html", {"why": str(error)}, status=410)
    except NoPlaceError as error:
        return render(request, "accounts/invitation_needless.html", {"why": str(error)})
    if membership is None:
        sha256 = consent.sha256(invitation.study.consent)
        context = {"form": form, "invitation": invitation, "sha256": sha256}
        return render(request, "accounts/join.html", context)
    if not request.user.is_authenticated:
        session_start.begin(request, membership.user, backend=SESSION_BACKEND)
    messages.success(request, f"Welcome to {invitation.study.title}: you are {invitation.role}.")
    return redirect("work" if invitation.role == Role.ANNOTATOR else "home")


def _form(request: HttpRequest, invitation: Invitation) -> JoinForm:
    kind = JoinForm if request.user.is_authenticated else JoinAsNewForm
    # Where there is no text and the person is here already, joining asks for nothing.
    sent = request.POST if request.method == "POST" else None
    return kind(sent, has_text=bool(invitation.study.consent))


def _join(request: HttpRequest, token: str, form: JoinForm) -> Membership | None:
    """Return the new membership; None while the form has errors."""
    if not form.is_valid():
        return None
    text_sha256 = request.POST.get("text", "")
    try:
        if request.user.is_authenticated:
            return invitations.join(token=token, consent_sha256=text_sha256, by=request.user)
        name, password = form.cleaned_data["name"], form.cleaned_data["password"]
        return invitations.join_as_new(
            token=token, consent_sha256=text_sha256, name=name, password=password
        )
    except NameTakenError:
        form.add_error("name", "This user name is taken: choose another one.")
    except ConsentChangedError:
        form.data = {name: text for name, text in form.data.items() if name != "agrees"}
        form.add_error(None, "What you agree to has just been changed: please read it again.")
    return None
