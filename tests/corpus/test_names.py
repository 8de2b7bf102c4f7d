import pytest

from corpus.names import flaw, flaw_of_path
from tests.cases import all_cases


@all_cases(
    "name",
    ["alder", "Team Quarry, run 2", "réglisse", "می‌خواهم", "走る石", "👩🏽‍🚀", "a#b@c|d", ""],
)
def test_a_name_may_be_written_in_any_language(name):
    assert flaw(name) == ""


@all_cases(
    ("name", "code"),
    [
        ("al\nder", "000A"),
        ("al\tder", "0009"),
        ("alder\x1b[31m", "001B"),
        ("al\0der", "0000"),
        ("al\x85der", "0085"),
        ("al\u2028der", "2028"),
        ("al\udcffder", "DCFF"),
    ],
)
def test_a_name_holds_nothing_that_cannot_be_seen(name, code):
    assert flaw(name) == f"holds U+{code}, which cannot be seen or is no text"


@pytest.mark.parametrize("name", [" alder", "alder ", "   ", "alder\u00a0"])
def test_a_name_neither_begins_nor_ends_with_white_space(name):
    assert flaw(name) == "begins or ends with white space"


@pytest.mark.parametrize("name", [".", ".."])
def test_a_name_that_means_a_folder_is_refused(name):
    assert flaw(name).startswith("means a folder")


@all_cases("name", ["../a", "a/..", "a/./b", "a//b", "/a", "a/", "/"])
def test_a_name_with_slashes_has_an_address_of_its_own(name):
    """Browsers fold a/../b to b before they ask for it, and proxies a//b to a/b."""
    assert flaw_of_path(name).startswith("has a part between slashes")


@pytest.mark.parametrize("name", ["a/b", "a/.b/..c", "a.b", "..."])
def test_slashes_between_parts_and_dots_within_them_are_fine(name):
    assert flaw_of_path(name) == ""
