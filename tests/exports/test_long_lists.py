"""What is read of many rows names few of them in a query: databases have a limit of parameters."""

import re
from contextlib import contextmanager

import pytest
from django.db import connection

from exports.leave_one_team_out.queries import givers_of_passages
from exports.models import Release
from exports.precision_audit import actions as precision
from exports.precision_audit.queries import precision_rows
from exports.relations.queries import accepted_texts
from scoring import queries as scoring_queries
from tests.exports.judged_batches import release
from tests.exports.leave_one_team_out.test_passages import extracted  # noqa: F401  a fixture

# But of kinds, of which there are few.
LIST = re.compile(r'(?<!"kind" )IN \((%s(?:, %s)*)\)')


@contextmanager
def short_lists(most: int):
    """Fail where a query names more rows one by one."""

    def look(execute, sql, params, many, context):
        longest = max((found.count("%s") for found in LIST.findall(sql)), default=0)
        assert longest <= most, f"a list of {longest} in {sql}"
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield


@pytest.fixture(autouse=True)
def one_a_query(monkeypatch):
    monkeypatch.setattr(scoring_queries, "MOST_KEYS_PER_QUERY", 1)


@pytest.fixture
def released(plausibility, tmp_path) -> Release:
    release(plausibility, tmp_path / "1")
    return Release.objects.select_related("study", "dataset").get()


def test_accepted_answers_of_a_release(released):
    with short_lists(1):
        found = accepted_texts(released)

    assert len(found) == 3


def test_precision_audits(released, alice):
    dataset = released.dataset
    sample = precision.choose_sample(
        dataset=dataset, sizes={"silver": 3}, seed=1, is_rehearsal=False
    )
    with short_lists(1):
        precision.record(dataset=dataset, sample=sample, seed=1, by=alice, is_rehearsal=False)
        rows = precision_rows(dataset, {}, is_rehearsal=False)

    assert len(rows) == 3


def test_passages_of_extracted_sentences(extracted):  # noqa: F811
    with short_lists(1):
        found = givers_of_passages(extracted)

    assert len(found) == 2


def test_references_of_many_turns(plausibility):
    dataset = plausibility.pool.dataset
    every = scoring_queries.references(dataset)
    turns = list(every)[:2]

    with short_lists(1):
        found = scoring_queries.references(dataset, turns)

    assert found == {turn: every[turn] for turn in turns}
