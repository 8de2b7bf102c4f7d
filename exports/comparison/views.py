"""The pages of comparisons of runs, of a batch or of the study; a job computes the figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.comparison import files as comparison_files
from exports.comparison import presenter as comparison_presenter
from exports.comparison import queries as comparison_queries
from exports.comparison import summary_table
from exports.comparison.stored_figures import ComparisonFigures
from jobs import shortcuts
from pages import spreadsheet

requester = guards.study(Role.REQUESTER)


class Scope(ComparisonFigures):
    """The figures of a batch or of the study, with the addresses of their pages."""

    @property
    def stem(self) -> str:
        """The beginning of the names of its files."""
        return f"comparison-{self.batch.pk}" if self.batch else f"comparison-of-{self.study.slug}"

    def href(self, what: str = "", *more: str) -> str:
        name = "_".join(filter(None, ("compared" if self.batch else "compared_study", what)))
        own = [self.batch.pk] if self.batch else []
        return reverse(name, args=[self.study.slug, *own, *more])

    @property
    def start_href(self) -> str:
        return self.href("start")


@require_safe
@requester
def batch_comparison(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    return _page(request, _batch_scope(study, batch))


@require_safe
@requester
def study_comparison(request: StudyRequest, study: Study) -> HttpResponse:
    return _page(request, Scope(study))


@require_POST
@requester
def batch_comparison_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    return _start(request, _batch_scope(study, batch))


@require_POST
@requester
def study_comparison_start(request: StudyRequest, study: Study) -> HttpResponseBase:
    return _start(request, Scope(study))


@require_safe
@requester
def batch_comparison_file(
    request: StudyRequest, study: Study, batch: int, name: str
) -> HttpResponseBase:
    return _file(_batch_scope(study, batch), name)


@require_safe
@requester
def study_comparison_file(request: StudyRequest, study: Study, name: str) -> HttpResponseBase:
    return _file(Scope(study), name)


def _batch_scope(study: Study, pk: int) -> Scope:
    return Scope(study, get_object_or_404(comparison_queries.launched_batches(study), pk=pk))


def _page(request: StudyRequest, scope: Scope) -> HttpResponse:
    context = {
        "scope": scope,
        "batch": scope.batch,
        "batches": scope.batches,
        "result": scope.result,
        **(_result_context(scope, scope.result) if scope.result else {}),
    }
    return render(request, "exports/comparison/comparison.html", context)


def _result_context(scope: Scope, result: Mapping[str, Any]) -> dict[str, Any]:
    names = summary_table.setup_names(result["setups"])
    text_files = [name for name in comparison_files.text_files(result) if not name.endswith(".svg")]
    files = [
        *comparison_files.FIGURE_TABLES,
        *comparison_files.SOURCE_TABLES,
        *comparison_files.LONG_TABLES,
        *text_files,
    ]
    return {
        "columns": summary_table.COLUMNS,
        "setups": summary_table.setup_rows(result),
        "sections": _sections(scope, names, result["setups"]),
        "files": [(name, scope.href("file", name)) for name in files],
    }


def _sections(
    scope: Scope, names: Sequence[str], setups: Sequence[Mapping[str, Any]]
) -> list[tuple[comparison_presenter.Section, list[tuple[str, Any]]]]:
    """The sections of the setups, each with its unanswerable questions that have a relevant
    passage.
    """
    return [
        (comparison_presenter.section(number, name, setup), _questions_after_all(scope, setup))
        for number, (name, setup) in enumerate(zip(names, setups, strict=True), start=1)
    ]


def _questions_after_all(scope: Scope, setup: Mapping[str, Any]) -> list[tuple[str, Any]]:
    keys = setup["relevance"]["after_all"]
    own = [batch for batch in scope.batches if batch.name in setup["batches"]]
    items = comparison_queries.passage_items(own, keys)
    return [(key, items.get(key)) for key in keys]


def _start(request: StudyRequest, scope: Scope) -> HttpResponseBase:
    return shortcuts.compute(request, scope, here=scope.href())


def _file(scope: Scope, name: str) -> HttpResponseBase:
    """A file: a table of current judgements, or one of the stored result, if there is one."""
    if name in comparison_files.SOURCE_TABLES and scope.batches:
        rows = comparison_queries.READERS[name](scope.batches)
        row_type = comparison_files.SOURCE_TABLES[name]
        return _table(f"{scope.stem}-{name}", row_type, rows)
    if name in comparison_files.LONG_TABLES and scope.batches:
        row_type, long_rows = comparison_files.LONG_TABLES[name]
        found = comparison_queries.rows(scope.batches)
        return _table(f"{scope.stem}-{name}", row_type, list(long_rows(found)))
    result = scope.result
    if result is None:
        raise Http404
    file_name = scope.file_name(f"{scope.stem}-{name}")
    if name in comparison_files.FIGURE_TABLES:
        row_type, rows_of = comparison_files.FIGURE_TABLES[name]
        return _table(file_name, row_type, list(rows_of(result)))
    file = comparison_files.text_files(result).get(name)
    if file is None:
        raise Http404
    disposition = f'attachment; filename="{file_name}"'
    return HttpResponse(
        file.text(),
        content_type=file.content_type,
        headers={"Content-Disposition": disposition},
    )


def _table(name: str, row_type: type[Any], rows: Sequence[Any]) -> HttpResponseBase:
    return spreadsheet.download_table(name, spreadsheet.columns_of(row_type), rows)
