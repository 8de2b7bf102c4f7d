"""The pages of releases: make one, show its tables, download its files."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch
from annotation.queries import batch_progress, repeated_answers
from annotation.queries import candidates_and_flags as annotation_tables
from annotation.views.batches import repeated_wording
from corpus.models import Dataset
from exports.forms import NewRelease
from exports.models import Release
from exports.releases import downloads, queries, reader
from exports.releases.changes import gained_sentence
from exports.releases.preconditions import ready_batches
from exports.results.wording import MEASURES, group_sentences, unequal_draw_note
from exports.writers import stored_folders
from exports.writers.errors import ReleaseError
from jobs import failures
from jobs.actions import jobs
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from jobs.shortcuts import hand_to_worker
from jobs.transactions import snapshot
from pages.listing import Column, Filter, Listing
from stats import interval_coverage

KIND = "release"
ACCEPTED_PER_PAGE = 25
CHANGES_SHOWN = 200

COLUMNS = (
    Column("number", "Release", ("number",)),
    Column("dataset", "Data set", ("dataset__name", "dataset__version")),
    Column("made", "Made", ("created_at",)),
    Column("by", "By", ("created_by__username",)),
)
KINDS = Filter(
    "kind",
    "Kind",
    {
        "real": ("real", Q(is_rehearsal=False)),
        "rehearsal": ("rehearsal", Q(is_rehearsal=True)),
    },
)
# The tables that people would open in a spreadsheet, where formulas run.
TABLES = ("judgements.csv", "items.csv", "answers.csv", "per_run.csv", "soft_labels.csv")

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def releases(request: StudyRequest, study: Study) -> HttpResponse:
    rows = study.releases.select_related("dataset", "created_by").order_by("-number")
    listing = Listing(request, rows, columns=COLUMNS, search=("dataset__name",), filters=(KINDS,))
    return render(request, "exports/releases/releases.html", {"listing": listing})


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def release_new(request: StudyRequest, study: Study) -> HttpResponseBase:
    if not study.datasets.exists():
        messages.info(request, "A release extends a data set: import one first.")
        return redirect("datasets", study=study.slug)
    form = NewRelease(study, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return hand_to_worker(request, _start_job(study, form.cleaned_data, request))
        except (ReleaseError, JobStateError) as error:
            form.add_error(None, f"There is no release: {error}.")
    batches = list(study.batches.counting().order_by("created_at", "pk"))
    lines = batch_progress.batch_lines(batches)
    context = {
        "form": form,
        "lines": [line for line in lines if not line.is_comparison],
        "comparisons": [line for line in lines if line.is_comparison],
        "never_asked": _never_asked(batches),
        "dataset": (dataset := _chosen_dataset(form)),
        "changed": _changes(dataset, form),
        "differing": repeated_wording.differing_sentences(
            repeated_answers.differing([each for each in batches if not each.is_rehearsal])
        ),
    }
    return render(request, "exports/releases/new.html", context, status=400 if form.errors else 200)


def _chosen_dataset(form: NewRelease) -> Dataset:
    """The data set that the form names, or the one that it proposes."""
    chosen: Dataset | None = getattr(form, "cleaned_data", {}).get("dataset")
    return chosen or form.fields["dataset"].queryset.first()  # type: ignore[attr-defined]


def _changes(dataset: Dataset, form: NewRelease) -> dict[str, Any] | None:
    """What a release of the data set would change, for the template; None if it is the first."""
    options = getattr(form, "cleaned_data", {})
    try:
        found = queries.changes(dataset, is_rehearsal=options.get("is_rehearsal", False))
    except (OSError, ValueError) as error:
        return {"dataset": dataset, "unreadable": failures.for_requesters(str(error))}
    if found is None:
        return None
    return {
        "dataset": dataset,
        "since": found.since,
        "sentence": gained_sentence(found),
        "shown": found.changes[:CHANGES_SHOWN],
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


def _start_job(study: Study, options: dict[str, Any], request: StudyRequest) -> Job:
    """Start the job of a release. Raises ReleaseError if the release would be refused now."""
    dataset: Dataset = options["dataset"]
    _require_ready(dataset, options)
    return jobs.start(
        study=study,
        kind=KIND,
        key=str(dataset),
        params={
            "dataset": dataset.pk,
            "is_rehearsal": options["is_rehearsal"],
            "set_aside_disputes": options["set_aside_disputes"],
            "mark": stored_folders.mark(),
        },
        by=request.user,
    )


def _require_ready(dataset: Dataset, options: dict[str, Any]) -> None:
    with snapshot():
        batches = ready_batches(dataset, is_rehearsal=options["is_rehearsal"])
        n_disputed = sum(line.n_disputed for line in batch_progress.batch_lines(batches))
    if n_disputed and not options["set_aside_disputes"]:
        raise ReleaseError(
            f"{n_disputed} items are in dispute: adjudicate them, or set them aside below"
        )


@require_safe
@requester
def release(request: StudyRequest, study: Study, number: int) -> HttpResponse:
    found = _release(study, number)
    context: dict[str, Any] = {"release": found, "tables": TABLES}
    try:
        read = reader.read(stored_folders.folder_of(found))
        files = _files(found)
    except (reader.BrokenReleaseError, OSError) as error:
        return render(
            request,
            "exports/releases/release.html",
            context | {"broken": failures.for_requesters(str(error))},
        )
    tier = "gold" if request.GET.get("tier") != "silver" else "silver"
    accepted = _accepted(read.gold if tier == "gold" else read.silver)
    page = Paginator(accepted, ACCEPTED_PER_PAGE).get_page(request.GET.get("page"))
    # A release of an earlier version has no comparison of runs.
    measures = read.report.get("runs", {}).get("measures", {})
    context |= {
        "report": read.report,
        "unequal_draw_note": unequal_draw_note(read.report.get("runs", {})),
        "never_asked": _current_batches(study, reader.n_not_asked_by_batch(read)),
        "per_run": [run | _sums(run) for run in read.per_run],
        # Nor has it this column.
        "own_evidence": [
            run for run in read.per_run if "faithful_to_pool" in run and run["faithful"] != "0"
        ],
        "groups": group_sentences(measures["plausible"]) if measures else [],
        "rates": list(zip(*(measures[name]["rates"] for name in MEASURES), strict=True))
        if measures
        else [],
        "caution_of_rates": interval_coverage.caution_of_rates(
            [rate for name in MEASURES for rate in measures[name]["rates"]] if measures else []
        ),
        "tier": tier,
        "page": page,
        "files": files,
    }
    return render(request, "exports/releases/release.html", context)


def _current_batches(study: Study, counts: dict[str, int]) -> list[tuple[Batch, int]]:
    """The current batches of these names, with their numbers."""
    return [(each, counts[each.name]) for each in study.batches.filter(name__in=counts)]


def _sums(run: dict[str, str]) -> dict[str, int]:
    """The sums of columns that the page's table shows as one."""
    unsettled = ("excluded", "too_few_judgements", "skipped_by_all", "unjudged")
    return {
        "unsettled": sum(int(run[name]) for name in unsettled),
        "faithfulness_unsettled": sum(int(run[f"faithfulness_{name}"]) for name in unsettled),
    }


def _accepted(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The accepted answers, each with its turn and question."""
    return [
        {
            "turn": f"{record['Conversation_no']}_{record['Turn_no']}",
            "question": record.get("Truth_rewrite") or record.get("Question") or "",
            **answer,
        }
        for record in records
        for answer in record["Truth_answers_alternative"]
    ]


def _files(release: Release) -> list[tuple[str, int]]:
    folder = stored_folders.folder_of(release)
    return [(name, folder.size(name)) for name in downloads.file_names(release)]


@require_safe
@requester
def release_file(request: StudyRequest, study: Study, number: int, name: str) -> HttpResponseBase:
    """A file of the release, unchanged."""
    return downloads.file_response(_release(study, number), name)


@require_safe
@requester
def release_zip(request: StudyRequest, study: Study, number: int) -> HttpResponseBase:
    """All files of the release as a ZIP archive."""
    found = _release(study, number)
    return downloads.zip_response(found, f"{study.slug}-release-{found.number}")


def _release(study: Study, number: int) -> Release:
    releases = Release.objects.select_related("dataset", "created_by")
    return get_object_or_404(releases, study=study, number=number)
