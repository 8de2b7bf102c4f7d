"""The page of a new release: which batches it takes, what it would change, and the job that makes it."""

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, BatchState
from annotation.queries import batch_progress, repeated_answers
from annotation.queries import candidates_and_flags as annotation_tables
from annotation.queries.batch_progress import BatchLine
from annotation.views.batches import repeated_wording
from exports.comparison import queries as comparison_queries
from exports.releases import conflict_queries, queries
from exports.releases.changes import KINDS, gained_sentence
from exports.releases.choice import Choice
from exports.releases.forms import NewRelease
from exports.releases.preconditions import n_disputes, ready_batches
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
# Rows of a list on the page; the counts are of all.
SHOWN = 200
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
    """What was sent, or what is chosen by the address."""
    if request.method == "POST":
        return request.POST
    return request.GET if "dataset" in request.GET else None


def _address(study: Study, form: NewRelease, choice: Choice) -> str:
    set_aside = "&set_aside_disputes=on" if form.cleaned_data["set_aside_disputes"] else ""
    return f"{reverse('release_new', args=[study.slug])}?{choice.address}{set_aside}"


def _context(study: Study, form: NewRelease, choice: Choice) -> dict[str, Any]:
    counting = list(study.batches.counting().select_related("pool").order_by("created_at", "pk"))
    lines = batch_progress.batch_lines(counting)
    chosen = list(choice.batches())
    offered = set(choice.offered().values_list("pk", flat=True))
    asked = set(batches_on(choice.dataset, Batch.objects.counting()).values_list("pk", flat=True))
    conflicts = conflict_queries.conflicts(chosen, choice.dataset)
    return {
        "form": form,
        "choice": choice,
        "lines": [
            (line, line.batch.pk in offered, _absence(line, choice, asked))
            for line in lines
            if not line.is_comparison
        ],
        "comparisons": [line for line in lines if line.is_comparison],
        "never_asked": _never_asked(chosen),
        "changed": _changes(choice),
        "differing": repeated_wording.differing_sentences(
            repeated_answers.differing(chosen, dataset=choice.dataset)
        ),
        "conflicts": conflicts[:SHOWN],
        "n_conflicts": len(conflicts),
    }


def _absence(line: BatchLine, choice: Choice, asked: Collection[int]) -> str:
    """Why a release of the choice does not take the batch; "" if it does.

    `asked` are the batches about the version of the choice, also those on versions that it continues.
    """
    batch = line.batch
    if batch.pk not in asked:
        return "on another data set"
    if batch.is_rehearsal != choice.is_rehearsal:
        return "rehearsed" if batch.is_rehearsal else "not rehearsed"
    if batch.name in choice.left_out:
        return "left out"
    return "" if batch.state == BatchState.CLOSED else "not closed"


def _changes(choice: Choice) -> dict[str, Any]:
    """What a release of the choice would change, for the template."""
    try:
        found = queries.changes(choice)
    except (OSError, ValueError) as error:
        return {"unreadable": failures.for_requesters(str(error))}
    groups = [(heading, found.of_kind(kind)) for kind, (_, heading) in KINDS.items()]
    return {
        "since": found.since,
        "sentence": gained_sentence(found),
        "groups": [(heading, rows[:SHOWN], len(rows)) for heading, rows in groups if rows],
        "n": len(found.changes),
    }


def _never_asked(batches: list[Batch]) -> list[tuple[Batch, int]]:
    """The batches with a faithfulness batch that lacks plausible answers, and the number of these."""
    counts, followed = (
        annotation_tables.n_never_asked(batches),
        annotation_tables.batches_followed_by_evidence(batches),
    )
    return [
        (each, counts[each.pk]) for each in batches if each.pk in followed and counts.get(each.pk)
    ]


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
