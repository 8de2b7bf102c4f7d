"""The pages of releases: their list, the tables of one, and its files."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, SetAside, VerdictState
from annotation.queries.batch_progress import OutcomeKind
from exports.comparison import queries as comparison_queries
from exports.models import Release, ReleaseContents, ReleaseWithdrawal
from exports.releases import downloads, queries, reader
from exports.releases.comparison_views import comparison_page
from exports.results.wording import MEASURES, group_sentences, unequal_draw_note
from exports.rows.earlier_answers import accepted_in_files
from exports.rows.ids import answer_id
from exports.writers import stored_folders
from jobs import failures
from pages.listing import Column, Filter, Listing
from scoring.text_hashes import text_sha256
from stats import interval_coverage

ACCEPTED_PER_PAGE = 25
CONFLICTS_SHOWN = 200

COLUMNS = (
    Column("number", "Release", ("number",)),
    Column("dataset", "Contents", ("contents", "dataset__name", "dataset__version")),
    Column("batches", "Batches"),
    Column("gold", "Gold", is_number=True),
    Column("silver", "Silver", is_number=True),
    Column("made", "Created", ("created_at",)),
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
CONTENTS = Filter(
    "contents",
    "Contents",
    {value: (label, Q(contents=value)) for value, label in ReleaseContents.choices},
)
WITHDRAWN = Filter(
    "withdrawn",
    "Withdrawn",
    {"no": ("not withdrawn", Q(is_withdrawn=False)), "yes": ("withdrawn", Q(is_withdrawn=True))},
)
# The tables that people would open in a spreadsheet, where formulas run.
TABLES = ("judgements.csv", "items.csv", "answers.csv", "per_run.csv", "soft_labels.csv")

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def releases(request: StudyRequest, study: Study) -> HttpResponse:
    rows = study.releases.select_related("dataset", "created_by").order_by("-number")
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("dataset__name",),
        filters=(KINDS, CONTENTS, WITHDRAWN),
    )
    reasons = _reasons_of_withdrawals(listing.page)
    lines = [
        (release, queries.accepted_counts(release), _batch_names(release), reasons.get(release.pk))
        for release in listing.page
    ]
    context = {
        "listing": listing,
        "lines": lines,
        "are_compared": comparison_queries.launched_batches(study).exists(),
    }
    return render(request, "exports/releases/releases.html", context)


def _reasons_of_withdrawals(releases: Iterable[Release]) -> dict[int, str]:
    """Return why each of the releases that are withdrawn is, by its primary key."""
    withdrawn = [each.pk for each in releases if each.is_withdrawn]
    rows = ReleaseWithdrawal.objects.filter(release__in=withdrawn, replaced_by=None)
    return dict(rows.values_list("release", "reason")) if withdrawn else {}


def _batch_names(release: Release) -> list[str]:
    return [each["name"] for each in release.manifest.get("batches", [])]


@require_safe
@requester
def release(request: StudyRequest, study: Study, number: int) -> HttpResponse:
    found = _release(study, number)
    if found.contents == ReleaseContents.COMPARISON:
        return comparison_page(request, found)
    context: dict[str, Any] = {
        "release": found,
        "tables": TABLES,
        "errata": found.errata.select_related("noted_by").order_by("pk"),
    }
    try:
        context |= _contents(request, study, found)
    except (reader.BrokenReleaseError, OSError) as error:
        context["broken"] = failures.for_requesters(str(error))
    return render(request, "exports/releases/release.html", context)


def _contents(request: StudyRequest, study: Study, found: Release) -> dict[str, Any]:
    """Return what the page shows of the files. Raises BrokenReleaseError or OSError as reader.read does."""
    read = reader.read(stored_folders.folder_of(found))
    tier = "gold" if request.GET.get("tier") != "silver" else "silver"
    accepted = _accepted((read.gold if tier == "gold" else read.silver).records())
    numbers = Paginator(range(_n_accepted(read.report, tier)), ACCEPTED_PER_PAGE)
    page = numbers.get_page(request.GET.get("page"))
    shown = slice(page.start_index() - 1, page.end_index()) if numbers.count else slice(0)
    measures = read.report["runs"]["measures"]
    return {
        "report": read.report,
        "unequal_draw_note": unequal_draw_note(read.report["runs"]),
        "never_asked": _current_batches(
            study, reader.n_not_asked_by_batch(read.manifest, found.n_not_asked or {})
        ),
        "disagreements": _current_batches(study, _n_disagreements(read.report)),
        "of_disagreement": OutcomeKind(VerdictState.SET_ASIDE, "", SetAside.DISAGREEMENT).key,
        "per_run": [run | _sums(run) for run in read.per_run],
        "own_evidence": [run for run in read.per_run if run["faithful"] != "0"],
        "groups": group_sentences(measures["plausible"]),
        "rates": list(zip(*(measures[name]["rates"] for name in MEASURES), strict=True)),
        "caution_of_rates": interval_coverage.caution_of_rates(
            [rate for name in MEASURES for rate in measures[name]["rates"]]
        ),
        "conflicts": [
            each | {"turn": each["turn_id"], "answer": read.texts.get(each["answer_id"], "")}
            for each in read.report["conflicts"][:CONFLICTS_SHOWN]
        ],
        "breaks": [
            pair | {which: read.texts.get(pair[f"{which}_id"], "") for which in ("first", "second")}
            for pair in read.report["relations"]["breaks_transitivity"][:CONFLICTS_SHOWN]
        ],
        "n_conflicts": len(read.report["conflicts"]),
        "tier": tier,
        "page": page,
        "accepted": list(islice(accepted, shown.start, shown.stop)),
        "files": downloads.sizes(found),
    }


def _current_batches(study: Study, counts: dict[str, int]) -> list[tuple[Batch, int]]:
    """The current batches of these names, with their numbers."""
    return [(each, counts[each.name]) for each in study.batches.filter(name__in=counts)]


def _n_disagreements(report: Mapping[str, Any]) -> dict[str, int]:
    """The number of items that were set aside because people disagreed, by batch, where there are any."""
    found = {
        each["batch"]: each["set_aside"].get(SetAside.DISAGREEMENT) for each in report["batches"]
    }
    return {batch: n for batch, n in found.items() if n}


def _sums(run: dict[str, str]) -> dict[str, int]:
    """The sums of columns that the page's table shows as one."""
    unsettled = ("excluded", "too_few_judgements", "skipped_by_all", "unjudged")
    return {
        "unsettled": sum(int(run[name]) for name in unsettled),
        "faithfulness_unsettled": sum(int(run[f"faithfulness_{name}"]) for name in unsettled),
    }


def _n_accepted(report: Mapping[str, Any], tier: str) -> int:
    """The number of accepted answers in gold.json or silver.json, which has the gold ones too."""
    accepted = accepted_in_files(report)
    return accepted["gold"] if tier == "gold" else sum(accepted.values())


def _accepted(records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the accepted answers, each with its turn and question."""
    return (
        {
            "turn": key,
            "answer_id": answer_id(key, text_sha256(answer["answer"])),
            "question": record.get("Truth_rewrite") or record.get("Question") or "",
            **answer,
        }
        for record in records
        for key in (f"{record['Conversation_no']}_{record['Turn_no']}",)
        for answer in record["Truth_answers_alternative"]
    )


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
