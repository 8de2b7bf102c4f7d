"""Results of RAGAS, a CSV: `user_input, response` and a column for each metric; `id, run, reference` if there.

A row is the answer of one system to one question. An empty cell is a metric that RAGAS could not compute.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.encoding import is_utf8
from corpus.readers.fields import Fields
from corpus.readers.scores import GREATEST
from corpus.readers.tables import rows

REQUIRED = ("user_input", "response")
# The columns of a sample, which are no metrics: those of RAGAS, and two that say whose it is.
OF_SAMPLE = frozenset(
    (
        *("id", "run", *REQUIRED, "reference", "retrieved_contexts", "reference_contexts"),
        *("multi_responses", "rubrics", "persona_name", "query_style", "query_length"),
        *("retrieved_context_ids", "reference_context_ids", "reference_tool_calls"),
        "synthesizer_name",
    )
)
# The numbers of rows that pandas writes and reads back.
INDEX = re.compile(r"(Unnamed: [0-9.]+)?")


@dataclass(frozen=True, slots=True)
class RagasRow:
    """A row; `key` and `run` are "" where there is no such column. `index` is as in corpus.problems.Problem."""

    index: int
    key: str
    question: str
    run: str
    response: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RagasTable:
    """The rows, and the metrics in the order of the columns."""

    file: str
    metrics: tuple[str, ...]
    rows: Sequence[RagasRow]


def read(path: Path, *, metric: str = "", name: str = "") -> RagasTable:
    """Read the values of one metric, or of every column that is not of RAGAS's samples.

    Raises ImportProblems with every problem of the file.
    """
    report = Report(name or path.name, "row")
    found: list[RagasRow] = []
    metrics: tuple[str, ...] = ()
    if is_utf8(path, report):
        columns = (*REQUIRED, *([metric] if metric else []))
        for row, cells in rows(path, report, columns, delimiter=","):
            metrics = (metric,) if metric else tuple(each for each in cells if _is_metric(each))
            if not metrics:
                report.add("there is no column of a metric", index=1)
                break
            found.append(_row(Fields(cells, report, row), metrics))
    report.finish()
    return RagasTable(report.file, metrics, found)


def _is_metric(column: str) -> bool:
    return column not in OF_SAMPLE and not INDEX.fullmatch(column)


def _row(fields: Fields, metrics: Sequence[str]) -> RagasRow:
    return RagasRow(
        index=fields.index,
        key=fields.optional_unless_blank("id"),
        question=fields.text("user_input"),
        run=fields.optional_unless_blank("run"),
        response=fields.text("response"),
        values={
            metric: _value(fields, metric) for metric in metrics if fields.text(metric).strip()
        },
    )


def _value(fields: Fields, metric: str) -> float:
    value = fields.decimal(metric)
    if abs(value) > GREATEST:
        fields.problem(metric, f"is beyond ±{GREATEST:g}", json_excerpt(fields.values[metric]))
    return value
