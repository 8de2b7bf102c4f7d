"""The page of a new release: which batches it takes, and the job that makes it; and the page of what it would change,
which compares everything that was decided, and which the first one asks for once it is shown.
"""

from collections.abc import Collection
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
from annotation.models import Batch, BatchState
from annotation.queries import batch_progress, repeated_answers, verdict_freshness
from annotation.queries import candidates_and_flags as annotation_tables
from annotation.queries.batch_progress import BatchLine
from annotation.views.batches import repeated_wording
from corpus.actions import later_carry_over
from exports.comparison import queries as comparison_queries
from exports.releases import conflict_queries, stored_figures
from exports.releases.choice import Choice
from exports.releases.forms import NewRelease
from exports.releases.preconditions import (
    UNFINISHED,
    n_disputes,
    obstacle,
    outdated,
    ready_batches,
    unfinished_with_work,
)
from exports.rows.shown_answers import batches_on
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
    if not study.datasets.counting().exists():
        messages.info(request, "A release extends a data set: import one first.")
        return redirect("datasets", study=study.slug)
    if request.method != "POST" and comparison_queries.only_compares(study):
        return render(request, "exports/releases/only_compares.html")
    form = NewRelease(study, _sent(request))
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
    lines = batch_progress.batch_lines(counting)
    offered = set(choice.offered().values_list("pk", flat=True))
    asked = set(batches_on(choice.dataset, Batch.objects.counting()).values_list("pk", flat=True))
    begun = set(unfinished_with_work(choice).values_list("pk", flat=True))
    return {
        "form": form,
        "choice": choice,
        "lines": [
            (line, line.batch.pk in offered, _absence(line, choice, asked, begun))
            for line in lines
            if line.is_released
        ],
        "comparisons": [line for line in lines if line.is_comparison],
        "others": [line for line in lines if not line.is_released and not line.is_comparison],
    }


@require_safe
@vary_on_headers("HX-Request")
@requester
def release_changes(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Show what a release of the choice in the address would change; to a request by htmx as a part of the page of a
    new release.
    """
    if not study.datasets.counting().exists():
        return redirect("release_new", study=study.slug)
    choice = NewRelease(study, _sent(request)).choice()
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


def _absence(
    line: BatchLine, choice: Choice, asked: Collection[int], begun: Collection[int]
) -> str:
    """Why a release of the choice does not take the batch, or cannot be made because of it; "" if it takes it.

    `asked` are the batches about the version of the choice, also those on versions that it continues; `begun`
    those that are open with work in them.
    """
    batch = line.batch
    if batch.pk not in asked:
        return "no: on another data set"
    if batch.is_rehearsal != choice.is_rehearsal:
        return "no: rehearsed" if batch.is_rehearsal else "no: not rehearsed"
    if batch.name in choice.left_out:
        return "no: left out"
    if batch.pk in begun:
        return f"no release yet: {UNFINISHED.of('it')}"
    if batch.state != BatchState.CLOSED:
        return "no: not closed, and nobody has begun"
    # To look at each outcome again takes long: the release does it, the page where something was decided since.
    found = (
        outdated(verdict_freshness.outdated_touched_items(batch))
        if line.is_settled
        else obstacle(batch)
    )
    return f"no release yet: {found.of('it')}" if found else ""


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
