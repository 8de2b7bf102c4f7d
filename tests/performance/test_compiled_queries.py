"""Queries whose SQL is made once: performance/compiled_queries.py. They give what the query set gives."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import EmptyResultSet
from django.db import connection, transaction
from django.db.models import Count, F
from django.db.transaction import TransactionManagementError

from accounts.models import Membership, RoleGrant, User
from annotation.models import Assignment, Item
from performance.compiled_queries import Compiled
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory, UserFactory

pytestmark = pytest.mark.database

NAMED = Compiled(lambda *, name: User.objects.filter(username=name))
AMONG = Compiled(lambda *, names: User.objects.filter(username__in=names).order_by("username"))
THE_USER = Compiled(lambda *, pk: User.objects.filter(pk=pk))
THE_ITEM = Compiled(lambda *, pk: Item.objects.filter(pk=pk))


def test_a_model_is_what_the_query_set_gives_field_by_field(bob):
    found = NAMED.first(name="bob")

    assert found == bob
    expected = User.objects.get(username="bob")
    fields = [field.attname for field in User._meta.concrete_fields]
    assert [getattr(found, each) for each in fields] == [getattr(expected, each) for each in fields]


def test_values_are_put_in_anew_each_time(bob, dora):
    assert [NAMED.first(name=name) for name in ("bob", "nobody", "dora")] == [bob, None, dora]


def test_what_a_value_says_is_never_read_as_sql(bob):
    assert NAMED.all(name="bob' OR '1'='1") == []
    assert NAMED.all(name="%s") == []


def test_lists_may_be_of_any_length(alice, bob, dora):
    assert AMONG.all(names=["bob"]) == [bob]
    assert AMONG.all(names=["dora", "alice", "bob"]) == [alice, bob, dora]
    assert AMONG.all(names=["dora", "nobody"]) == [dora]


def test_an_empty_list_is_refused_instead_of_meaning_something(db):
    with pytest.raises(EmptyResultSet):
        AMONG.all(names=[])


def test_what_is_given_by_position_is_part_of_the_sql(alice, bob, dora):
    first = Compiled(lambda n, *, but: User.objects.exclude(username=but).order_by("username")[:n])

    assert first.all(1, but="nobody") == [alice]
    assert first.all(2, but="alice") == [bob, dora]


def test_related_rows_come_along_without_another_query(study, bob, django_assert_num_queries):
    grants = Compiled(
        lambda *, user: RoleGrant.objects.filter(membership__user=user).select_related(
            "membership__study"
        )
    )
    grants.all(user=bob.pk)

    with django_assert_num_queries(1):
        (grant,) = grants.all(user=bob.pk)
        assert (grant.role, grant.membership.study) == ("annotator", study)


def test_where_no_row_is_related_there_is_none(db):
    item = ItemFactory()
    origin = Compiled(lambda *, pk: Item.objects.filter(pk=pk).select_related("came_from"))

    assert origin.first(pk=item.pk).came_from is None


def test_tuples_are_those_of_values_list(study, bob, dora):
    rows = Compiled(
        lambda *, study: (
            Membership.objects.filter(study=study)
            .order_by("number")
            .values_list("number", "user__username")
        )
    )

    assert rows.all(study=study.pk) == [(1, "alice"), (2, "bob"), (3, "dora")]


def test_counts_and_annotations_are_those_of_the_query_set(study, bob, alice):
    member(study, "erin", "annotator", "adjudicator", by=alice)
    with_roles = Compiled(
        lambda *, study: Membership.objects.filter(study=study).annotate(n=Count("grants"))
    )
    counted = Compiled(
        lambda *, study: (
            Membership.objects.filter(study=study)
            .values("study")
            .annotate(n=Count("pk"))
            .values_list("n")
        )
    )

    assert [each.n for each in with_roles.all(study=study.pk)] == [1, 1, 2]
    assert counted.all(study=study.pk) == [(3,)]


def test_times_ids_and_documents_come_back_as_they_were_stored(bob):
    item = ItemFactory()
    item.payload["question"] = 'Who "and" 為什麼?'
    item.save()
    now = datetime(2026, 5, 12, 10, 0, 0, 123456, tzinfo=UTC)
    assignment = Assignment.objects.create(
        item=item, annotator=bob, claimed_at=now, expires_at=now + timedelta(minutes=30)
    )
    lapsed = Compiled(
        lambda *, public_id, until: Assignment.objects.filter(
            public_id=public_id, expires_at__lte=until
        ).select_related("item")
    )

    (found,) = lapsed.all(public_id=assignment.public_id, until=now + timedelta(minutes=30))

    assert (found.public_id, found.claimed_at) == (assignment.public_id, now)
    assert (found.item.payload, found.item.is_excluded) == (item.payload, False)
    assert not lapsed.all(public_id=assignment.public_id, until=now + timedelta(minutes=29))


def test_an_update_sets_what_is_given_and_says_how_many_rows_it_met(db):
    item, other = ItemFactory(), ItemFactory()

    assert THE_ITEM.update({"n_open": 0, "n_claimed": 1}, pk=item.pk) == 1
    assert THE_ITEM.update({"n_open": 0}, pk=0) == 0

    item.refresh_from_db()
    assert (item.n_open, item.n_claimed) == (0, 1)
    other.refresh_from_db()
    assert other.n_claimed == 0


def test_an_update_counts_from_what_each_row_holds(db):
    batch = BatchFactory()
    items = [ItemFactory(batch=batch, n_wanted=n, n_open=n) for n in (1, 2, 3)]
    among = Compiled(lambda *, pks: Item.objects.filter(pk__in=pks))

    pks = [each.pk for each in items[1:]]
    n = among.update({"n_open": F("n_open") - 1, "n_claimed": F("n_claimed") + 1}, pks=pks)
    among.update({"n_open": F("n_open") - 2}, pks=pks[1:])

    assert n == 2
    left = Item.objects.filter(batch=batch).order_by("n_wanted").values_list("n_open", "n_claimed")
    assert list(left) == [(1, 0), (1, 1), (0, 1)]


def test_nothing_can_be_set_to_none_that_must_have_a_value_and_a_null_can(bob):
    now = datetime(2026, 5, 12, 10, 0, tzinfo=UTC)
    assignment = Assignment.objects.create(
        item=ItemFactory(), annotator=bob, claimed_at=now, expires_at=now
    )
    own = Compiled(lambda *, pk: Assignment.objects.filter(pk=pk))
    own.update({"state": "submitted", "submitted_at": now}, pk=assignment.pk)
    own.update({"state": "expired", "submitted_at": None}, pk=assignment.pk)

    assignment.refresh_from_db()
    assert (assignment.state, assignment.submitted_at) == ("expired", None)


def test_the_query_set_is_built_once_for_each_shape(alice, bob):
    built = []

    def among(*, names):
        built.append(len(names))
        return User.objects.filter(username__in=names)

    query = Compiled(among)
    for names in (["alice"], ["bob"], ["alice", "bob"], ["bob", "nobody"], ["nobody"]):
        query.all(names=names)

    assert built == [1, 2]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no plans to keep")
def test_postgresql_plans_it_once(bob):
    for _ in range(4):
        NAMED.first(name="bob")

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s",
            ['%"accounts_user"."username" = ($1)%'],
        )
        ((n_prepared,),) = cursor.fetchall()
    assert n_prepared >= 1


@pytest.mark.django_db(transaction=True)
def test_each_connection_keeps_its_own(request):
    UserFactory(username="erin")
    built, found = [], []

    def named(*, name):
        built.append(name)
        return User.objects.filter(username=name)

    query = Compiled(named)

    def ask() -> None:
        try:
            found.extend(query.all(name="erin"))
        finally:
            connection.close()

    for _ in range(2):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()

    assert [each.username for each in found] == ["erin", "erin"]
    assert len(built) == 2


LOCKED = Compiled(lambda *, pk: User.objects.filter(pk=pk).select_for_update().values_list("pk"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks no rows")
def test_rows_are_locked_in_a_transaction_only_also_once_it_is_compiled():
    pk = UserFactory().pk
    with transaction.atomic():
        assert LOCKED.all(pk=pk) == [(pk,)]

    with pytest.raises(TransactionManagementError):
        LOCKED.all(pk=pk)


def test_a_row_that_is_not_there_is_said_as_django_says_it(bob):
    assert THE_USER.get(pk=bob.pk) == bob
    with pytest.raises(User.DoesNotExist, match="no User is"):
        THE_USER.get(pk=-1)
