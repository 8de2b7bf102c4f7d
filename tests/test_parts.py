"""Parts: exactly what a test asks for is there when it begins, whatever the tests before it did."""

from pathlib import Path

import pytest

from accounts.models import Study, User
from tests import parts
from tests.factories import StudyFactory, UserFactory
from tests.parts import contents_of, fill, part

n_made = 0


@part
def owner() -> User:
    return UserFactory(username="owner")


@part
def owned(owner: User) -> Study:
    return StudyFactory(slug="owned", created_by=owner)


@part
def alone() -> User:
    return UserFactory(username="alone")


@part
def counted(owned: Study) -> Study:
    global n_made
    n_made += 1
    return owned


@part
def letter(folder: Path) -> Path:
    """In a folder of its own, as it was written."""
    (folder / "desk").mkdir()
    written = folder / "desk" / "letter.txt"
    written.write_text("Dear keeper", encoding="utf-8")
    return written


@part
def carol(owned: Study) -> User:
    """Instead of the one in tests/conftest.py."""
    return UserFactory(username="another carol")


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_one_test_changes_another_does_not_see(owned, owner, time):
    assert (owned.title, Study.objects.get().title) == ("A study", "A study")
    assert owned.created_by is owner

    owned.title = owner.username = "changed"
    owned.save()
    StudyFactory(slug=time)


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_one_test_writes_into_the_folder_another_does_not_see(letter, time):
    desk = letter.parent
    assert [path.name for path in (*desk.parent.iterdir(), *desk.iterdir())] == [
        "desk",
        "letter.txt",
    ]
    assert letter.read_text(encoding="utf-8") == "Dear keeper"

    letter.write_text(time, encoding="utf-8")
    (desk / time).mkdir()
    (desk.parent / "new.txt").write_text(time, encoding="utf-8")


def test_a_file_of_a_part_that_one_test_removes_is_there_again(letter):
    """The tests above removed nothing; this one runs the restoring itself."""
    before = contents_of(letter.parent.parent)
    letter.unlink()
    letter.parent.rmdir()

    fill(letter.parent.parent, before)

    assert letter.read_text(encoding="utf-8") == "Dear keeper"


def test_two_parts_of_one_name_in_a_module_are_refused():
    twice = "@part\ndef twin(): ...\n" * 2

    with pytest.raises(ValueError, match="a_module has twin already"):
        exec(twice, {"__name__": "a_module", "part": part})


def test_only_what_is_asked_for_and_what_it_needs_is_there(alone):
    assert (User.objects.get(), Study.objects.count()) == (alone, 0)


@pytest.mark.django_db(transaction=True)
def test_rows_are_there_without_a_transaction_around_the_test(owned):
    assert Study.objects.get().created_by == owned.created_by


def test_a_test_that_asks_for_no_part_has_nothing(db):
    assert not User.objects.exists()


def test_a_part_is_made_otherwise_in_a_module(carol, owner):
    assert set(User.objects.all()) == {carol, owner}


def test_parts_are_made_once(counted, alone):
    assert n_made == 1


def test_the_order_in_which_a_test_asks_makes_no_difference(alone, counted):
    assert n_made == 1


def test_what_was_built_before_is_not_made_again_for_what_goes_on_from_it(
    db, tmp_path, monkeypatch
):
    made = []

    def first(folder: Path) -> User:
        made.append("first")
        (folder / "first.txt").write_text("1", encoding="utf-8")
        return UserFactory(username="first")

    def second(first: User, folder: Path) -> Study:
        made.append("second")
        first.username = "changed"
        first.save()
        (folder / "second.txt").write_text("2", encoding="utf-8")
        return StudyFactory(created_by=first)

    begun = parts.built({"first": first}, lambda: tmp_path)
    monkeypatch.setattr(parts, "_built", {(first,): begun})
    whole = parts.built({"first": first, "second": second}, lambda: pytest.fail("another folder"))

    assert made == ["first", "second"]
    assert not User.objects.exists()
    whole.insert()
    objects = whole.copies()
    assert [each.username for each in User.objects.all()] == ["changed"]
    assert Study.objects.get().created_by == objects["second"].created_by == objects["first"]
    assert [path.name for path in whole.contents] == ["first.txt", "second.txt"]
    assert [path.name for path in begun.contents] == ["first.txt"]
