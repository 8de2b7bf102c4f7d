"""Scores computed elsewhere, a CSV with the columns `id, run` and one with the metric's name."""

from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.encoding import is_utf8
from corpus.readers.fields import Fields
from corpus.readers.tables import rows
from corpus.records import ScoreRecord
from corpus.score_table import ScoreTable

# Beyond any measure. Sums of scores stay finite below it, and so do the histogram's bins.
GREATEST = 1e15
# A question a line, so the line is long.
CLAPNQ = (
    '{"id":"7","input":"what are tides",'
    '"passages":[{"title":"Tide","text":"The sea rises. It falls.",'
    '"sentences":["The sea rises.","It falls."]}],'
    '"output":[{"answer":"The sea rising and falling.",'
    '"selected_sentences":["The sea rises.","It falls."],'
    '"meta":{"annotator":[1],"has_minimal_answer":false,'
    '"non_consecutive":false,"round":1,"skip":false}}]}\n'
)
EXAMPLE = """\
id,run,sas
7_1,alder,0.91
7_1,birch,0.38
"""


def read(path: Path, *, metric: str = "sas", name: str = "") -> tuple[ScoreRecord, ...]:
    """Return the scores in the order of the file.

    A repeated score counts once; a different one is a problem.
    """
    return tuple(read_table(path, metric=metric, name=name))


def read_table(path: Path, *, metric: str = "sas", name: str = "") -> ScoreTable:
    """Return what `read` returns, in less memory."""
    report = Report(name or path.name, "row")
    table = ScoreTable()
    if is_utf8(path, report):
        for row, cells in rows(path, report, ("id", "run", metric), delimiter=","):
            fields = Fields(cells, report, row)
            score = ScoreRecord(
                fields.turn_id("id"), fields.identifier("run"), fields.decimal(metric), row
            )
            if abs(score.value) > GREATEST:
                fields.problem(metric, f"is beyond ±{GREATEST:g}", json_excerpt(cells[metric]))
            if not fields.is_sound:
                continue
            known = table.add(score)
            if known != score:
                fields.problem(
                    metric, f"is not the value in row {known.index}", json_excerpt(cells[metric])
                )
    report.finish()
    return table
