"""A batch's judgements and items as files while people work."""

import csv
import io
import json
from dataclasses import fields

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import judgements as judgement_actions
from exports.batch_tables import queries
from exports.batch_tables.columns import SkipRow
from exports.rows.columns import ItemRow, JudgementRow
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from tests.annotation.desk import claim_one, judge
from tests.annotation.desk_pages import client_of
from tests.exports.judged_batches import close_batch, settle_batch
from tests.factories import BatchFactory, ItemFactory


@pytest.fixture
def batch(study, bob):
    batch = BatchFactory(name="First try", pool__dataset__study=study, judgements_per_item=1)
    for position in range(1, 6):
        ItemFactory(batch=batch, position=position, n_wanted=1, n_open=1)
    for _ in range(3):
        judge(batch, bob)
    return batch


def download(batch, table, form):
    href = reverse("batch_table", args=[batch.study.slug, batch.pk, table, form])
    reply = client_of(batch.study.created_by).get(href)
    assert reply.status_code == 200
    return reply, b"".join(reply.streaming_content).decode()


def skip_one(batch, who, *, choice="", words="") -> None:
    held = claim_one(batch, who)
    judgement_actions.skip(assignment=held, choice=choice, reason=words, by=who)


def test_skips_are_a_table_with_their_reasons_and_a_pseudonym(batch, study, bob, dora):
    skip_one(batch, dora, choice="Wrong language", words="It is Welsh")
    skip_one(batch, bob, words="=1+1")

    _, text = download(batch, "skips", "jsonl")
    _, table = download(batch, "skips", "csv")

    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["reason"], row["words"]) for row in rows] == [
        ("Wrong language", "It is Welsh"),
        ("", "=1+1"),
    ]
    assert [row["annotator"] for row in rows] == [
        study.memberships.get(user=who).pseudonym for who in (dora, bob)
    ]
    assert {row["item_id"] for row in rows} <= {str(each.public_id) for each in batch.items.all()}
    assert "dora" not in text
    assert "'=1+1" in table  # no spreadsheet runs it
    assert [*csv.DictReader(io.StringIO(table, newline="")).fieldnames] == [
        *(each.name for each in fields(SkipRow)),
        "batch_state",
    ]


@pytest.mark.parametrize(
    ("table", "row_type", "n"), [("judgements", JudgementRow, 3), ("items", ItemRow, 5)]
)
def test_an_open_batch_has_tables_with_a_release_s_columns_marked_unfinished(
    batch, table, row_type, n
):
    reply, text = download(batch, table, "csv")

    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [*rows[0]] == [each.name for each in fields(row_type)] + ["batch_state"]
    assert [row["batch_state"] for row in rows] == ["open"] * n
    expected = f'attachment; filename="unfinished-first-try-{table}.csv"'
    assert reply["Content-Disposition"] == expected


def test_json_lines_have_the_same_rows_with_types(batch):
    _, text = download(batch, "judgements", "jsonl")
    _, table = download(batch, "judgements", "csv")

    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["batch_state"] for row in rows] == ["open"] * 3
    assert [row["counted"] for row in rows] == [True] * 3
    in_csv = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [row["item_id"] for row in rows] == [row["item_id"] for row in in_csv]


def test_a_settled_batch_is_not_unfinished_and_its_rows_are_a_release_s(batch, bob):
    for _ in range(2):
        judge(batch, bob)
    close_batch(batch)
    settle_batch(batch)

    reply, _ = download(batch, "items", "csv")
    _, text = download(batch, "items", "jsonl")

    assert reply["Content-Disposition"] == 'attachment; filename="first-try-items.csv"'
    assert {json.loads(line)["batch_state"] for line in text.splitlines()} == {"settled"}
    by_id = {"key": lambda row: row.item_id}
    assert sorted(queries.items(batch), **by_id) == sorted(item_rows([batch]), **by_id)
    assert sorted(queries.judgements(batch), **by_id) == sorted(judgement_rows([batch]), **by_id)


@pytest.mark.parametrize("table", ["judgements", "items", "skips"])
def test_queries_grow_with_pieces_and_not_with_rows(batch, bob, dora, table):
    skip_one(batch, dora, choice="Offensive")
    rows_of = queries.TABLES[table][1]

    def n_queries():
        with CaptureQueriesContext(connection) as asked:
            list(rows_of(batch))
        return len(asked)

    few = n_queries()
    for position in range(6, 30):
        ItemFactory(batch=batch, position=position, n_wanted=1, n_open=1)
    for _ in range(20):
        judge(batch, bob)
        skip_one(batch, dora, choice="Offensive")

    assert n_queries() == few


@pytest.mark.parametrize(("table", "form"), [("verdicts", "csv"), ("items", "xml")])
def test_there_are_no_other_tables(batch, table, form):
    href = reverse("batch_table", args=[batch.study.slug, batch.pk, table, form])

    assert client_of(batch.study.created_by).get(href).status_code == 404


def test_the_batch_s_page_offers_them(batch):
    text = (
        client_of(batch.study.created_by)
        .get(reverse("batch", args=[batch.study.slug, batch.pk]))
        .text
    )

    for table in queries.TABLES:
        for form in ("csv", "jsonl"):
            href = reverse("batch_table", args=[batch.study.slug, batch.pk, table, form])
            assert f'href="{href}"' in text
    assert "not finished" in text
