"""Names and descriptions of the runs of a data set: a table to edit, and the same as CSV."""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus import queries as corpus_queries
from corpus.actions import run_descriptions, run_tables
from corpus.actions.run_descriptions import Change, DescriptionError, RunsAtWorkError
from corpus.forms.run_rows import RunRowForm
from corpus.models import Dataset, Run
from corpus.problems import ImportProblems
from corpus.upload_names import safe_name
from pages import spreadsheet
from pages.listing import Column, Listing
from pages.middleware import MB, takes_uploads
from pages.templatetags.pages import count
from pages.words import sentence

FORM_METHODS = ["GET", "HEAD", "POST"]
COLUMNS = (Column("name", "Name", ("name",)),)
# Six fields each: Django takes 1,000 in one form.
PER_PAGE = 100
# The field of a row that every browser sends.
SEEN = re.compile(r"run-([0-9]{1,18})-seen", re.ASCII)
LARGEST_TABLE_MB = 1
UNREADABLE = "What you checked did not arrive whole: nothing was changed. Send the table again."


@dataclass(frozen=True)
class Row:
    run: Run
    form: RunRowForm


@require_http_methods(FORM_METHODS)
@guards.study(Role.REQUESTER)
def run_table(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """Edit the runs of a page of the table; all of them are saved, or none."""
    found = _dataset(study, dataset)
    listing = Listing(request, _runs(found), columns=COLUMNS, per_page=PER_PAGE)
    rows = [Row(run, RunRowForm.for_run(run)) for run in listing.page]
    status = 200
    if request.method == "POST":
        rows, gone = _sent_rows(request.POST, found)
        if gone:
            messages.error(request, f"Nothing was saved: {', '.join(gone)} {_is_gone(gone)}.")
            return redirect(request.get_full_path())
        valid = [row.form.is_valid() for row in rows]
        if all(valid) and _is_saved(request, found, rows):
            return redirect(request.get_full_path())
        status = 400
    context = {"dataset": found, "rows": rows, "listing": listing, "has_flaws": status == 400}
    return render(request, "corpus/run_table.html", context, status=status)


def _sent_rows(data: QueryDict, dataset: Dataset) -> tuple[list[Row], list[str]]:
    """Return the rows that were sent, wherever in the table their runs are by now, and the runs that are gone.

    A run that got another name meanwhile may be on another page.
    """
    sent = {int(found[1]) for name in data if (found := SEEN.fullmatch(name))}
    rows = [Row(run, RunRowForm.for_run(run, data)) for run in _runs(dataset).filter(pk__in=sent)]
    there = {row.run.pk for row in rows}
    gone = [data.get(f"run-{pk}-name") or f"the run {pk}" for pk in sorted(sent - there)]
    return rows, gone


def _is_gone(runs: Sequence[str]) -> str:
    return "is no run of the data set any more" if len(runs) == 1 else "are no runs of it any more"


def _dataset(study: Study, dataset: int) -> Dataset:
    return get_object_or_404(study.datasets.select_related("study"), pk=dataset)


def _runs(dataset: Dataset) -> Any:
    return dataset.runs.competing().order_by("name")


def _is_saved(request: StudyRequest, dataset: Dataset, rows: list[Row]) -> bool:
    """Save the rows that were sent, or add the flaws to their forms."""
    forms = {row.run.pk: row.form for row in rows}
    try:
        changes = run_descriptions.describe(
            dataset=dataset,
            wanted={pk: form.values for pk, form in forms.items()},
            seen={pk: form.cleaned_data["seen"] for pk, form in forms.items()},
            by=request.user,
        )
    except DescriptionError as error:
        for flaw in error.flaws:
            forms[flaw.run].add_error(flaw.field or None, sentence(run_descriptions.in_words(flaw)))
        return False
    except RunsAtWorkError as error:
        messages.error(request, f"Nothing was changed: {error}.")
        return False
    _say_what_changed(request, dataset, changes)
    return True


def _say_what_changed(request: StudyRequest, dataset: Dataset, changes: tuple[Change, ...]) -> None:
    """Say how many runs changed, and which later versions have copies that say otherwise, with links."""
    done = f"{count(len(changes), 'run')} changed." if changes else "Nothing was changed."
    messages.success(request, done)
    changed = {each.run: each.after for each in changes}
    others = corpus_queries.versions_with_other_copies(dataset, changed) if changed else []
    if others:
        study = request.study.slug
        links = format_html_join(
            ", ",
            '<a href="{}">{}</a>',
            ((reverse("run_table", args=[study, each.pk]), each) for each in others),
        )
        messages.warning(
            request, format_html("Copies in later versions stay as they were: {}.", links)
        )


@require_safe
@guards.study(Role.REQUESTER)
def run_table_csv(request: StudyRequest, study: Study, dataset: int) -> StreamingHttpResponse:
    found = _dataset(study, dataset)
    return spreadsheet.download(f"runs-{found.pk}.csv", run_tables.COLUMNS, run_tables.rows(found))


@require_POST
@takes_uploads
@guards.study(Role.REQUESTER)
def run_table_check(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """Show what a table that was sent would change; nothing is changed."""
    found = _dataset(study, dataset)
    back = redirect("run_table", study=study.slug, dataset=found.pk)
    file = request.FILES.get("table")
    if file is None:
        messages.error(request, "Choose a CSV file first.")
        return back
    if (file.size or 0) > LARGEST_TABLE_MB * MB:
        messages.error(request, f"A table of runs has at most {LARGEST_TABLE_MB} MB.")
        return back
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / safe_name(file.name or "")
            path.write_bytes(file.read())
            table = run_tables.read(path, found)
    except ImportProblems as problems:
        return _checked(request, found, problems=problems)
    return _checked(request, found, changes=table.changes)


def _checked(
    request: StudyRequest,
    dataset: Dataset,
    *,
    changes: tuple[Change, ...] = (),
    problems: ImportProblems | None = None,
) -> HttpResponse:
    wanted = {
        each.run.pk: {"seen": run_descriptions.fingerprint(each.run), **each.after}
        for each in changes
    }
    context = {
        "dataset": dataset,
        "changes": changes,
        "problems": problems,
        "wanted": json.dumps(wanted),
        "fields": run_descriptions.FIELDS,
    }
    status = 400 if problems else 200
    return render(request, "corpus/run_table_check.html", context, status=status)


@require_POST
@guards.study(Role.REQUESTER)
def run_table_save(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """Make the changes that a check showed, unless a run was changed since."""
    found = _dataset(study, dataset)
    back = redirect("run_table", study=study.slug, dataset=found.pk)
    wanted = _wanted(request.POST.get("wanted", ""))
    if wanted is None:
        messages.error(request, UNREADABLE)
        return back
    try:
        changes = run_descriptions.describe(
            dataset=found,
            wanted=wanted,
            seen={pk: values.get("seen", "") for pk, values in wanted.items()},
            by=request.user,
        )
    except DescriptionError as error:
        messages.error(
            request, f"{sentence(error)} Send the table again to see what it changes now."
        )
    except RunsAtWorkError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        _say_what_changed(request, found, changes)
    return back


def _wanted(text: str) -> dict[int, Mapping[str, str]] | None:
    """Return the values by run; None if the text does not have them."""
    try:
        values = json.loads(text)
        found: dict[int, Mapping[str, str]] = {
            int(pk): dict(of_run) for pk, of_run in values.items()
        }
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None
    texts = [text for of_run in found.values() for text in of_run.values()]
    return found if all(isinstance(text, str) and _is_text(text) for text in texts) else None


def _is_text(text: str) -> bool:
    """Return whether the text can be stored: JSON can name half a character."""
    return not any("\ud800" <= char <= "\udfff" for char in text)
