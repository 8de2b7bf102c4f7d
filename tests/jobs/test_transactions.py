"""Long work stands in nobody's way: jobs/transactions.py."""

import pytest
from django.db import DatabaseError, connection, transaction

from audit.models import Event
from jobs import transactions
from tests.jobs.threads import at_work

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def record(target):
    Event.objects.create(actor="alice", verb="carved", target=target)


def write(rows):
    for row in rows:
        record(row)


def targets():
    return list(Event.objects.order_by("pk").values_list("target", flat=True))


def run_on_other_connection(act):
    """What the act does on a connection of its own, and has done when this returns."""
    with at_work(act):
        pass


def test_others_write_between_two_pieces(monkeypatch):
    monkeypatch.setattr(
        transactions, "give_way", lambda: run_on_other_connection(lambda: record("other"))
    )

    transactions.write_in_pieces(["1", "2", "3"], write, n=2)

    assert targets() == ["1", "2", "other", "3", "other"]


def test_rows_are_made_before_the_transaction_that_writes_them():
    seen = []

    def rows():
        for number in range(4):
            seen.append(connection.in_atomic_block)
            yield str(number)

    transactions.write_in_pieces(rows(), write, n=2)

    assert seen == [False] * 4
    assert targets() == ["0", "1", "2", "3"]


def test_what_a_beat_raises_ends_the_work_before_its_piece():
    beats = iter([None, RuntimeError("cancelled")])

    def beat():
        if error := next(beats):
            raise error

    with pytest.raises(RuntimeError):
        transactions.write_in_pieces(["1", "2", "3"], write, n=2, beat=beat)

    assert targets() == ["1", "2"]


def test_a_piece_that_fails_is_not_written_in_part():
    def fail(rows):
        write(rows)
        raise RuntimeError("half")

    with pytest.raises(RuntimeError):
        transactions.write_in_pieces(["1", "2"], fail, n=2)

    assert targets() == []


def test_within_a_transaction_the_pieces_are_part_of_it():
    with transaction.atomic():
        transactions.write_in_pieces(["1", "2", "3"], write, n=2)
        written = targets()
        transaction.set_rollback(True)

    assert written == ["1", "2", "3"]
    assert targets() == []


def test_who_waits_for_sqlite_has_time_for_a_try_between_two_pieces(monkeypatch):
    slept = []
    monkeypatch.setattr(transactions.time, "sleep", slept.append)

    transactions.write_in_pieces(["1", "2", "3"], write, n=2)
    with transaction.atomic():
        transactions.write_in_pieces(["1", "2", "3"], write, n=2)  # nobody could get in between

    expected = [transactions.PAUSE] * 2 if connection.vendor == "sqlite" else []
    assert slept == expected
    assert transactions.PAUSE > 0.1  # SQLite tries again every tenth of a second


def test_rows_are_deleted_in_pieces_and_others_stay(monkeypatch):
    monkeypatch.setattr(transactions, "PIECE_SIZE", 2)
    write(["1", "2", "3", "4", "5"])
    pieces = []
    monkeypatch.setattr(transactions, "give_way", lambda: pieces.append(len(targets())))

    transactions.delete_in_pieces(Event.objects.exclude(target="3"))

    assert targets() == ["3"]
    assert pieces == [3, 1]


def test_a_snapshot_sees_one_moment_and_holds_up_nobody():
    record("before")

    with transactions.snapshot():
        first = targets()
        run_on_other_connection(lambda: record("meanwhile"))
        second = targets()

    assert first == second == ["before"]
    assert targets() == ["before", "meanwhile"]


def test_nothing_is_written_in_a_snapshot_and_afterwards_it_is_again():
    with pytest.raises(DatabaseError), transactions.snapshot():
        record("in the snapshot")

    record("after it")

    assert targets() == ["after it"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="rows are locked, not the database")
def test_a_transaction_after_a_snapshot_takes_the_write_lock_when_it_begins():
    with transactions.snapshot():
        targets()

    with transaction.atomic():
        assert not can_write_at_once()
    assert can_write_at_once()


def can_write_at_once():
    """Whether another connection can write this very moment."""
    refused = []

    def act():
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 0")
        try:
            record("other")
        except DatabaseError as error:
            refused.append(error)

    run_on_other_connection(act)
    return not refused


def test_a_snapshot_within_a_transaction_is_that_one():
    with transaction.atomic():
        record("written")
        with transactions.snapshot():
            assert targets() == ["written"]
        record("again")

    assert targets() == ["written", "again"]
