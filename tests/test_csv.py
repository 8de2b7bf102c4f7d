"""Every CSV file that the program writes is of one dialect."""

import ast
import csv
import io

import pytest
from django.test import Client

from tests.access.table import address_of
from tests.access.world import World, build
from tests.crawling import body_of
from tests.jobs.clients import client_of
from tests.parts import part
from tests.test_architecture import ROOT, nodes_where
from tests.test_permissions import ROWS

# Addresses of tables that this study has. scores_csv and rankings_csv: tests/scoring/views.
TABLES = {
    "batch_agreement_table",
    "batch_annotators_table",
    "batch_table",
    "compared_file",
    "compared_study_file",
    "job_problems",
    "late_runs_table",
    "left_out_teams_table",
    "pool_missed_table",
    "quality_annotators_table",
    "results_table",
    "unclear_csv",
}


@part
def world() -> World:
    return build()


def tables_of(client: Client, world: World) -> dict[str, bytes]:
    """The CSV files of all addresses that the person may read."""
    found = {}
    for name, row in ROWS.items():
        if row.method == "get":
            reply = client.get(address_of(name, row.options(world)), **row.sent(world))
            body = body_of(reply)
            if reply.headers.get("Content-Type", "").startswith("text/csv"):
                found[name] = body
    return found


def test_every_csv_that_a_page_offers_is_of_one_dialect(world):
    found = tables_of(client_of(world.persons["requester"]), world)

    assert set(found) >= TABLES
    assert {name: wrong for name, body in found.items() if (wrong := faults(body))} == {}


def faults(body: bytes) -> str:
    """What keeps a file from the dialect; empty if nothing does."""
    text = body.decode("utf-8")
    if "\ufeff" in text:
        return "a byte order mark"
    if "\r\n" in text:
        return "lines end in CR LF"
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    if {"True", "False", "None", "nan"} & {value for row in rows for value in row.values()}:
        return "values as Python writes them"
    return "" if text.endswith("\n") else "no line end at the end"


@pytest.mark.parametrize(
    "body", [b"\xef\xbb\xbfa,b\n", b"a,b\r\n1,2\r\n", b"a,b\n1,True\n", b"a,b\n,nan\n", b"a,b"]
)
def test_other_dialects_are_noticed(body):
    assert faults(body)


def test_one_module_writes_lines_of_csv():
    """No other makes a writer of the standard library."""
    writing = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, node in nodes_where(r"\bcsv\b")
        if isinstance(node, ast.Attribute) and node.attr in ("writer", "DictWriter")
        if isinstance(node.value, ast.Name) and node.value.id == "csv"
    ]

    assert writing == []
