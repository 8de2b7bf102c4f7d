"""Judgements, items and skips of a batch as files, at any time."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, BatchState
from exports.batch_tables import queries
from pages import spreadsheet

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def batch_table(
    request: StudyRequest, study: Study, batch: int, table: str, form: str
) -> HttpResponseBase:
    """The table as it stands now: CSV, or JSON Lines with an object a row.

    The columns are those of a release, for skips those of `exports.batch_tables.columns`, and `batch_state`. Until the batch is settled the name of
    the file begins with "unfinished".
    """
    batches = study.batches.select_related("study", "pool").exclude(state=BatchState.DRAFT)
    found = get_object_or_404(batches, pk=batch)
    if table not in queries.TABLES or form not in ("csv", "jsonl"):
        raise Http404
    row_type, rows_of = queries.TABLES[table]
    state = queries.state_of(found)
    name = _file_name(found, state, table, form)
    rows = rows_of(found) if request.method == "GET" else iter(())
    if form == "csv":
        columns = {**spreadsheet.columns_of(row_type), "batch_state": lambda row: state}
        return spreadsheet.download_table(name, columns, rows)
    return StreamingHttpResponse(
        _json_lines(rows, state),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _file_name(batch: Batch, state: str, table: str, form: str) -> str:
    marks = [] if state == queries.SETTLED else ["unfinished"]
    return "-".join([*marks, slugify(batch.name) or str(batch.pk), f"{table}.{form}"])


def _json_lines(rows: Iterator[Any], state: str) -> Iterator[str]:
    for row in rows:
        yield json.dumps({**asdict(row), "batch_state": state}, ensure_ascii=False) + "\n"
