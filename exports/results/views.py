"""The page of results: rates of runs, their pairs, detectable differences, and precision audits.

A job computes the figures.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch
from annotation.schemes import ACCEPTANCE
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.comparison import queries as comparison_queries
from exports.forms import NewPrecisionAudit, Plan
from exports.precision_audit import queries as precision_audit_queries
from exports.precision_audit.estimate import shares
from exports.results import charts, latex, leaderboard, tables
from exports.results.queries import earlier_versions, newest_judged
from exports.results.stored_figures import RunsFigures, RunsResult
from exports.results.wording import FATES, MEASURES, fate_counts, unequal_draw_note
from exports.rows.shown_answers import batches_on
from jobs import shortcuts
from pages import spreadsheet
from pages.listing import Column, RowListing
from stats import interval_coverage, power
from stats.paired_order import sorted_pairs

AUDIT_KIND = "draw_precision_audit"
PER_PAGE = 25
RUNS_PER_PAGE = 100
# The figures of the plan without a stored result.
DEFAULT_FIGURES: dict[str, Any] = {
    "typical": {"n_pairs": 0, "n_questions": 200, "discordance": 0.2, "design_effect": 1.0},
    "n_tested": 0,
}

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def results_of_study(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Redirect to the results of the chosen data set, by default the newest that people judge."""
    datasets = list(with_work_first(study.datasets.all()))
    if not datasets:
        return render(request, "exports/results/results.html", {"datasets": []})
    asked = request.GET.get("dataset", "")
    requested = next((each for each in datasets if str(each.pk) == asked), None)
    dataset = requested or newest_judged(study, datasets)
    return redirect("results", study=study.slug, dataset=dataset.pk)


@require_safe
@requester
def results(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    stored = _stored(study, dataset)
    found, result = stored.dataset, stored.result
    context = {
        "datasets": list(with_work_first(study.datasets.all())),
        "dataset": found,
        "stored": stored,
        "is_judged": bool(stored.batches),
        "is_rehearsal": result["is_rehearsal"] if result else stored.is_rehearsal,
        "result": result,
        "are_compared": comparison_queries.launched_batches(study).exists(),
        "only_compares": stored.is_empty and comparison_queries.only_compares(study),
        "audit_form": NewPrecisionAudit(),
        "audits": _audits(stored),
        "earlier": earlier_versions(found),
        **(_runs(request, found, result) if result else _plan(request, found, DEFAULT_FIGURES)),
    }
    return render(request, "exports/results/results.html", context)


def _stored(study: Study, pk: int) -> RunsFigures:
    dataset: Dataset = get_object_or_404(study.datasets.select_related("study"), pk=pk)
    return RunsFigures(study, dataset)


def _runs(request: StudyRequest, dataset: Dataset, result: RunsResult) -> dict[str, Any]:
    """The context of the chosen measure: the runs by their rates, pairs, and the plan."""
    measure = request.GET.get("measure", "")
    measure = measure if measure in MEASURES else "plausible"
    of_measure = result["runs"]["measures"][measure]
    run_rates = tables.run_rates(result)
    ranked = leaderboard.rows(run_rates, of_measure, measure)
    has_letters = any(row["letters"] for row in ranked)
    columns = _columns(has_letters=has_letters)
    listing = RowListing(request, ranked, columns=columns, per_page=RUNS_PER_PAGE)
    shown = list(listing.page)
    most = max([row["drawn"] for row in ranked] or [0])
    return {
        "unequal_draw_note": unequal_draw_note(result["runs"]),
        "measure": measure,
        "measures": [
            (name, words, listing.address(measure=name, page=""))
            for name, words in MEASURES.items()
        ],
        "listing": listing,
        "marks": list(zip(shown, charts.marks(shown), strict=True)),
        "bars": [
            (row["run"], _pieces_of_fates(row["counts"], most)) for row in shown if row["drawn"]
        ],
        "fates": FATES,
        "caution_of_rates": interval_coverage.caution_of_rates(
            [rate for _, rates in run_rates for rate in rates]
        ),
        "with_excluded": tables.rates_with_excluded(result["runs"], measure),
        "has_letters": has_letters,
        "too_many_groups": not has_letters
        and not of_measure["n_open"]
        and len([row for row in ranked if row["rank"]]) > 1,
        **_pairs(request, of_measure, listing),
        **_plan(request, dataset, of_measure),
    }


def _pieces_of_fates(
    counts: Mapping[str, Any], longest: int
) -> list[tuple[str, charts.Piece | None]]:
    """The colour and the piece of each fate; None for one that no answer of the run had."""
    pieces = {each.name: each for each in charts.bar_pieces(fate_counts(counts), longest)}
    return [(tone, pieces.get(fate)) for fate, tone in FATES.items()]


def _columns(*, has_letters: bool) -> list[Column]:
    rates = [Column(name, words[0], (name,), is_number=True) for name, words in MEASURES.items()]
    letters = [Column("letters", "Group")] if has_letters else []
    return [
        Column("rank", "Rank", ("rank",), is_number=True),
        Column("run", "Run", ("run",)),
        *letters,
        *rates,
        Column("drawn", "Drawn", ("drawn",), is_number=True),
    ]


def _pairs(
    request: StudyRequest, of_measure: Mapping[str, Any], listing: RowListing
) -> dict[str, Any]:
    """The pairs of all runs, or of the one in the address."""
    run = request.GET.get("run", "")
    pairs = [
        pair
        for pair in sorted_pairs(of_measure["pairs"])
        if run in ("", pair["one"], pair["other"])
    ]
    page = Paginator(pairs, PER_PAGE).get_page(request.GET.get("pairs"))
    return {
        "run": run,
        "page": page,
        "previous_pairs_href": listing.address(pairs=str(page.number - 1)),
        "next_pairs_href": listing.address(pairs=str(page.number + 1)),
        "all_pairs_href": listing.address(run="", pairs=""),
        "n_significant": sum(pair["is_told_apart"] for pair in of_measure["pairs"]),
        "has_conversations": any(
            pair["n_conversations"] < pair["n_questions"] for pair in of_measure["pairs"]
        ),
    }


def _plan(request: StudyRequest, dataset: Dataset, of_measure: Mapping[str, Any]) -> dict[str, Any]:
    """The detectable differences for a number of questions, and the questions that differences
    need.
    """
    typical = of_measure["typical"]
    form = Plan(
        request.GET,
        questions=max(1, round(typical["n_questions"])),
        discordance=0.2 if typical["discordance"] is None else typical["discordance"],
    )
    if not form.is_valid():
        return {"plan": form, "figures": of_measure}
    n, discordance = form.cleaned_data["questions"], form.cleaned_data["discordance"] / 100
    deff = typical["design_effect"]
    n_tested = max(1, of_measure["n_tested"])
    each = _judgements(dataset)
    return {
        "plan": form,
        "figures": of_measure,
        "judgements_each": each,
        "detectable": power.detectable_difference(n / deff, discordance),
        "detectable_holm": power.detectable_difference(
            n / deff, discordance, level=power.LEVEL / n_tested
        ),
        "needed": [
            (difference, needed, needed and needed * 2 * each)
            for difference in (0.05, 0.1)
            for needed in [power.questions_needed(discordance, difference, deff=deff)]
        ],
    }


def _judgements(dataset: Dataset) -> int:
    """The number of judgements of an item in the newest batch; 2 without a batch."""
    newest = batches_on(dataset, Batch.objects.counting()).filter(scheme=ACCEPTANCE.name)
    return newest.order_by("-pk").values_list("judgements_per_item", flat=True).first() or 2


def _audits(stored: RunsFigures) -> list[dict[str, Any]]:
    """The current figures of the audits, newest first, with the changes known to the stored result."""
    audits = precision_audit_queries.audited_items(stored.dataset, is_rehearsal=stored.is_rehearsal)
    then = stored.result["precision"] if stored.result else []
    changed = {each["audit"]: each["changed"] for each in then}
    return [
        shares(audit.number, items)
        | {
            "pk": audit.pk,
            "changed": changed.get(audit.number),
            "n_without_eligible_expert": precision_audit_queries.n_without_eligible_expert(
                audit, items
            ),
        }
        for audit, items in reversed(audits.items())
    ]


@require_POST
@requester
def results_start(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    here = reverse("results", args=[study.slug, dataset])
    return shortcuts.compute(request, _stored(study, dataset), here=here)


@require_POST
@requester
def precision_draw(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    """Start a job that draws an audit of the accepted answers."""
    stored = _stored(study, dataset)
    here = reverse("results", args=[study.slug, dataset])
    form = NewPrecisionAudit(request.POST)
    if not form.is_valid():
        for name, wrong in form.errors.items():
            label = form.fields[name].label if name in form.fields else "Precision audit"
            messages.error(request, f"{label}: {' '.join(map(str, wrong))}")
        return redirect(here)
    params = stored.params | form.cleaned_data | {"is_rehearsal": stored.is_rehearsal}
    return shortcuts.start(request, kind=AUDIT_KIND, key=stored.key, params=params, here=here)


@require_safe
@requester
def results_table(
    request: StudyRequest, study: Study, dataset: int, table: str
) -> HttpResponseBase:
    """The runs or the pairs as CSV, not rounded."""
    stored = _stored(study, dataset)
    if table not in tables.TABLES or stored.result is None:
        raise Http404
    columns, rows = tables.TABLES[table]
    name = stored.file_name(f"results-{slugify(stored.dataset.name)}-{table}.csv")
    return spreadsheet.download_table(name, columns, rows(stored.result))


@require_safe
@requester
def results_tex(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    stored = _stored(study, dataset)
    found, result = stored.dataset, stored.result
    if result is None:
        raise Http404
    runs, replicates = result["runs"], result["bootstrap"]["replicates"]
    notes = (unequal_draw_note(runs), stored.since and f"Out of date. {stored.since}")
    note = " ".join(filter(None, notes))
    text = latex.table(str(found), runs["measures"], replicates, note=note)
    name = stored.file_name(f"results-{slugify(found.name)}.tex")
    return HttpResponse(
        text,
        content_type="application/x-tex; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
