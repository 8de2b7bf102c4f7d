"""The page of a released comparison of systems."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from accounts.guards import StudyRequest
from exports.comparison import summary_table
from exports.models import Release
from exports.releases import downloads, reader
from exports.writers import stored_folders
from jobs import failures


def comparison_page(request: StudyRequest, found: Release) -> HttpResponse:
    context: dict[str, Any] = {"release": found, "manifest": found.manifest}
    try:
        read = reader.read_comparison(stored_folders.folder_of(found))
        context |= {
            "result": read.figures,
            "columns": summary_table.COLUMNS,
            "setups": summary_table.setup_rows(read.figures),
            "files": downloads.sizes(found),
        }
    except (reader.BrokenReleaseError, OSError) as error:
        context |= {"broken": failures.for_requesters(str(error))}
    return render(request, "exports/releases/comparison.html", context)
