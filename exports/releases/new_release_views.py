"""The page of a new release: which batches it takes, and the job that makes it; and the page of what it would change,
which compares everything that was decided, and which the first one asks for once it is shown.
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.models import Batch
from annotation.queries import candidates_and_flags as annotation_tables
from annotation.queries import repeated_answers
from annotation.views.batches import repeated_wording
from corpus.actions import later_carry_over
from exports.comparison import queries as comparison_queries
from exports.releases import choice_queries, conflict_queries, stored_figures
from exports.releases.choice import Choice
from exports.releases.forms import NewRelease
from exports.releases.preconditions import n_disputes, ready_batches
from exports.writers import stored_folders
from exports.writers.errors import ReleaseError
from jobs import failures
from jobs.actions import jobs
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from jobs.shortcuts import hand_to_worker
from jobs.transactions import snapshot

KIND = "release"
# What a release is made with besides its batches; left out where it is empty.
TYPED = ("version", "note", "background")
CHOICE_CHANGED = (
    "The choice was changed since its effect was shown. See below what this release would change,"
    " then make it."
)

requester = guards.study(Role.REQUESTER)


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def release_new(request: StudyRequest, study: Study) -> HttpResponseBase:
    form = NewRelease(study, _sent(request))
    if not form.datasets:
        messages.info(request, "A release extends a data set: import one first.")
        return redirect("datasets", study=study.slug)
    if request.method != "POST" and comparison_queries.only_compares(study):
        return render(request, "exports/releases/only_compares.html")
    choice = form.choice()
    if request.method == "POST" and form.is_valid():
        is_seen = request.POST.get("seen", choice.address) == choice.address
        if "show" in request.POST or not is_seen:
            if "show" not in request.POST:
                messages.warning(request, CHOICE_CHANGED)
            return redirect(_address(study, form, choice))
        try:
            return hand_to_worker(request, _start_job(study, choice, form, request))
        except (ReleaseError, JobStateError) as error:
            form.add_error(None, f"There is no release: {error}.")
    status = 400 if request.method == "POST" and form.errors else 200
    return render(
        request, "exports/releases/new.html", _context(study, form, choice), status=status
    )


def _sent(request: StudyRequest) -> QueryDict | None:
    """Return what was sent, or what is chosen by the address; None where nothing is."""
    if request.method == "POST":
        return request.POST
    return request.GET if "dataset" in request.GET else None


def _address(study: Study, form: NewRelease, choice: Choice) -> str:
    set_aside = {"set_aside_disputes": "on"} if form.cleaned_data["set_aside_disputes"] else {}
    typed = {name: form.cleaned_data[name] for name in TYPED}
    more = urlencode(set_aside | {name: text for name, text in typed.items() if text})
    return (
        f"{reverse('release_new', args=[study.slug])}?{choice.address}{'&' if more else ''}{more}"
    )


def _context(study: Study, form: NewRelease, choice: Choice) -> dict[str, Any]:
    counting = list(study.batches.counting().select_related("pool").order_by("created_at", "pk"))
    lines = choice_queries.choice_lines(counting, choice)
    of_data_sets = {line.batch.pk for line in lines}
    rest = [batch for batch in counting if batch.pk not in of_data_sets]
    role = {batch.pk: schemes.get(batch.scheme).role for batch in rest}
    compares = schemes.SchemeRole.COMPARISON
    return {
        "form": form,
        "choice": choice,
        "lines": lines,
        "comparisons": [batch for batch in rest if role[batch.pk] == compares],
        "others": [batch for batch in rest if role[batch.pk] != compares],
    }


@require_safe
@vary_on_headers("HX-Request")
@requester
def release_changes(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Show what a release of the choice in the address would change; to a request by htmx as a part of the page of a
    new release.
    """
    form = NewRelease(study, _sent(request))
    if not form.datasets:
        return redirect("release_new", study=study.slug)
    choice = form.choice()
    is_part = bool(request.headers.get("HX-Request"))
    template = f"exports/releases/{'_effect' if is_part else 'effect'}.html"
    return render(request, template, _effect(choice))


def _effect(choice: Choice) -> dict[str, Any]:
    chosen = list(choice.batches())
    differing = repeated_answers.differing(chosen, dataset=choice.dataset)
    conflicts = conflict_queries.conflicts(chosen, choice.dataset) if differing else []
    return {
        "choice": choice,
        "left_behind": later_carry_over.left_behind(choice.dataset),
        "without_grounding": _without_grounding(chosen),
        "never_asked": _never_asked(chosen),
        "changed": _changes(choice),
        "differing": repeated_wording.differing_sentences(differing),
        "conflicts": conflicts[: stored_figures.SHOWN],
        "n_conflicts": len(conflicts),
    }


def _changes(choice: Choice) -> dict[str, Any]:
    """What a release of the choice would change, for the template."""
    try:
        return stored_figures.shown_changes(choice)
    except (OSError, ValueError) as error:
        return {"unreadable": failures.for_requesters(str(error))}


def _without_grounding(batches: list[Batch]) -> Batch | None:
    """Return the last of the batches that can be followed by one on faithfulness, if no such batch is among them."""
    if any(batch.scheme == schemes.GROUNDING.name for batch in batches):
        return None
    asked = [batch for batch in batches if batch.scheme == schemes.ACCEPTANCE.name]
    return asked[-1] if asked else None


def _never_asked(batches: list[Batch]) -> list[tuple[Batch, int]]:
    """The batches with a faithfulness batch that lacks plausible answers, and the number of these."""
    followed = annotation_tables.batches_followed_by_evidence(batches)
    leading = [batch for batch in batches if batch.pk in followed]
    counts = annotation_tables.n_never_asked(leading) if leading else {}
    return [(batch, counts[batch.pk]) for batch in leading if counts.get(batch.pk)]


def _start_job(study: Study, choice: Choice, form: NewRelease, request: StudyRequest) -> Job:
    """Start the job of a release. Raises ReleaseError if the release would be refused now."""
    set_aside = form.cleaned_data["set_aside_disputes"]
    _require_ready(choice, set_aside=set_aside)
    return jobs.start(
        study=study,
        kind=KIND,
        key=str(choice.dataset),
        params={
            "dataset": choice.dataset.pk,
            "is_rehearsal": choice.is_rehearsal,
            "set_aside_disputes": set_aside,
            "mark": stored_folders.mark(),
            **{name: form.cleaned_data[name] for name in TYPED if form.cleaned_data[name]},
            **({"left_out": list(choice.left_out)} if choice.left_out else {}),
        },
        by=request.user,
    )


def _require_ready(choice: Choice, *, set_aside: bool) -> None:
    with snapshot():
        batches = ready_batches(choice)
        n_disputed = n_disputes(choice.dataset, batches)
    if n_disputed and not set_aside:
        raise ReleaseError(
            f"{n_disputed} items are in dispute: adjudicate them, or set them aside below"
        )
