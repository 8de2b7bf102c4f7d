"""Background questions: a person's own answers, and how many people said what."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.actions import background as acts
from accounts.forms.background import BackgroundForm
from accounts.guards import PersonRequest, StudyRequest
from accounts.models import Role, Study
from accounts.queries import background

# Of the answers in words to one question; the command has all.
SHOWN = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@guards.signed_in
def own_background(request: PersonRequest, study: str) -> HttpResponse:
    """Show what the person said of themselves in a study, to be changed or removed; also after their roles ended."""
    memberships = request.user.memberships.select_related("study")
    membership = get_object_or_404(memberships, study__slug=study)
    guards.require_changeable(membership.study, request.method)
    kept = background.own_answers(membership)
    questions = [each.question for each in kept]
    said = {each.question_id: each.text for each in kept}
    form = BackgroundForm(questions, request.POST or None, said=said)
    if request.method == "POST" and ("remove" in request.POST or form.is_valid()):
        _keep(request, membership.study, form)
        return redirect("own_background", study)
    context = {"form": form, "of": membership.study, "is_said": any(said.values())}
    status = 400 if form.errors else 200
    return render(request, "accounts/own_background.html", context, status=status)


def _keep(request: PersonRequest, study: Study, form: BackgroundForm) -> None:
    if "remove" in request.POST:
        acts.remove(study=study, by=request.user)
        messages.success(request, "Your answers are removed.")
    else:
        acts.answer(study=study, answers=form.answers(), by=request.user)
        messages.success(request, "Saved.")


@require_safe
@guards.study(Role.REQUESTER)
def background_answers(request: StudyRequest, study: Study) -> HttpResponse:
    """Show the questions of the study with the number of people who gave each answer; nobody is named."""
    context = {
        "figures": [
            (each, each.said[:SHOWN], len(each.said) - SHOWN) for each in background.figures(study)
        ],
        "few": background.FEW,
    }
    return render(request, "accounts/background_answers.html", context)
