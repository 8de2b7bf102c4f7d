"""Lists by address: searched, filtered, sorted, paged; nonsense in an address does no harm."""

import pytest
from django.db.models import Q
from django.test import RequestFactory

from accounts.models import User
from pages.listing import Column, Filter, Listing, RowListing
from tests.cases import all_cases
from tests.factories import UserFactory

COLUMNS = (
    Column("name", "Name", ("username",)),
    Column("mail", "Mail", ("email",)),
    Column("note", "Note"),
)
KIND = Filter(
    "kind",
    "Kind",
    {
        "simulated": ("simulated", Q(is_simulated=True)),
        "people": ("people", Q(is_simulated=False)),
    },
)


def listing(address="/people/", **options):
    request = RequestFactory().get(address)
    return Listing(
        request,
        User.objects.all(),
        columns=COLUMNS,
        search=("username", "email"),
        filters=(KIND,),
        **options,
    )


def usernames(found: Listing) -> list[str]:
    return [user.username for user in found.page]


@pytest.fixture
def users(db):
    for name, mail in (("carol", "c@x"), ("alice", "a@y"), ("bob", "b@x")):
        UserFactory(username=name, email=mail)
    UserFactory(username="robot", email="r@x", is_simulated=True)


def test_without_a_wish_everything_is_shown_in_the_order_of_making(users):
    assert usernames(listing()) == ["carol", "alice", "bob", "robot"]


def test_a_column_sorts_up_and_down(users):
    assert usernames(listing("/?sort=name")) == ["alice", "bob", "carol", "robot"]
    assert usernames(listing("/?sort=-name")) == ["robot", "carol", "bob", "alice"]


def test_groups_stand_together_however_a_column_sorts(users):
    User.objects.filter(username__in=["alice", "robot"]).update(is_simulated=True)
    groups = ("is_simulated",)

    assert usernames(listing("/?sort=name", groups=groups)) == ["bob", "carol", "alice", "robot"]
    assert usernames(listing("/?sort=-name", groups=groups)) == ["carol", "bob", "robot", "alice"]


def test_the_rows_of_all_pages_are_in_the_order_of_the_pages(users):
    found = listing("/?sort=-name&q=@x", per_page=1)

    assert [user.username for user in found.rows] == ["robot", "carol", "bob"]


def test_search_looks_into_every_field_that_it_may(users):
    assert usernames(listing("/?q=@X&sort=name")) == ["bob", "carol", "robot"]


def test_of_a_search_longer_than_any_database_takes_the_beginning_is_searched_for(users):
    found = listing("/?q=" + "b" * 60_000)

    assert usernames(found) == []
    assert found.search_text == "b" * 1_000


def test_a_filter_narrows_and_goes_together_with_a_search(users):
    assert usernames(listing("/?kind=people&q=@x&sort=name")) == ["bob", "carol"]


def test_pages_do_not_overlap_and_miss_nobody(users):
    pages = [usernames(listing(f"/?sort=mail&page={n}", per_page=3)) for n in (1, 2)]

    assert sorted(pages[0] + pages[1]) == ["alice", "bob", "carol", "robot"]
    assert [len(page) for page in pages] == [3, 1]


@pytest.mark.parametrize(
    "nonsense",
    [
        "sort=password",
        "sort=--name",
        "sort=note",
        "kind=nobody",
        "page=0",
        "page=x",
        "page=999",
        "q=%00",
    ],
)
def test_nonsense_in_the_address_shows_a_page_all_the_same(users, nonsense):
    assert len(usernames(listing(f"/?{nonsense}"))) == 4


def test_a_heading_leads_to_its_column_and_back_down_again(users):
    up, down = listing("/people/"), listing("/people/?sort=name&page=2")

    assert next((each.href, each.sorted) for each in up.headings) == ("/people/?sort=name", "")
    assert down.headings[0].href == "/people/?sort=-name"
    assert down.headings[0].sorted == "ascending"
    assert up.headings[2].href == ""


def test_the_form_carries_what_it_does_not_ask_for(users):
    found = listing("/?sort=-name&page=2&q=a&other=1")

    assert dict(found.hidden_inputs) == {"sort": "-name", "other": "1"}
    assert found.all_href == "/?sort=-name&other=1"


def test_a_list_in_a_part_of_a_page_leads_to_the_page(users):
    found = listing("/people/part/?sort=name&page=2", path="/people/", per_page=1)

    assert found.headings[0].href == "/people/?sort=-name"
    assert found.next_href == "/people/?sort=name&page=3"
    assert found.address_at("/people/part/") == "/people/part/?sort=name&page=2"


def test_two_lists_on_a_page_have_their_own_parameters(users):
    address = "/?left-sort=name&right-sort=-name"

    assert usernames(listing(address, prefix="left-"))[0] == "alice"
    assert usernames(listing(address, prefix="right-"))[0] == "robot"


AT_HAND = [{"name": "b", "n": 2}, {"name": "a", "n": None}, {"name": "c", "n": 10}]
OF_THEM = (Column("name", "Name", ("name",)), Column("n", "N", ("n",), is_number=True))


@all_cases(
    ("query", "names"),
    [
        ({}, "bac"),
        ({"sort": "name"}, "abc"),
        ({"sort": "-name"}, "cba"),
        ({"sort": "n"}, "bca"),
        ({"sort": "-n"}, "cba"),
        ({"sort": "nonsense"}, "bac"),
        ({"page": "2"}, "c"),
    ],
)
def test_rows_at_hand_are_sorted_and_paged_with_what_has_no_value_last(query, names):
    request = RequestFactory().get("/", query)
    listing = RowListing(request, AT_HAND, columns=OF_THEM, per_page=2 if "page" in query else 50)

    assert "".join(row["name"] for row in listing.page) == names
