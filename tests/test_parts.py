"""Parts: exactly what a test asks for is there when it begins, whatever the tests before it did."""

import time
from pathlib import Path

import pytest

from accounts.models import Study, User
from tests.factories import StudyFactory, UserFactory
from tests.parts import WORTH_KEEPING, contents_of, fill, part

n_made = n_laborious = 0


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
def laborious(owner: User, folder: Path) -> Study:
    global n_laborious
    n_laborious += 1
    begun = time.process_time()
    while time.process_time() - begun <= WORTH_KEEPING:
        pass
    (folder / "work.txt").write_text("done", encoding="utf-8")
    return StudyFactory(slug="laborious", created_by=owner)


@part
def changed(laborious: Study, folder: Path) -> Study:
    (folder / "work.txt").write_text("changed", encoding="utf-8")
    laborious.title = "Changed"
    laborious.save()
    return laborious


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


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_is_made_after_a_laborious_part_begins_with_it(changed, laborious, owner, time):
    assert Study.objects.get() == changed == laborious
    assert (Study.objects.get().title, laborious.title) == ("Changed", "Changed")
    assert laborious.created_by is owner
    assert n_laborious == 1


def test_without_what_is_made_after_it_it_is_as_it_was(laborious):
    assert (Study.objects.get().title, laborious.title) == ("A study", "A study")
    assert n_laborious == 1


def test_so_are_its_files(laborious, tmp_path_factory):
    (written,) = {path.resolve() for path in tmp_path_factory.getbasetemp().glob("parts*/work.txt")}
    assert written.read_text(encoding="utf-8") == "done"
