"""Addresses, commands, the API's schema and released files are those of the golden copies (tests/golden)."""

import json

import pytest

from tests import real_data
from tests.golden import differences, folders, golden, interfaces


def said(found: list[str]) -> str:
    return "\n".join(
        [*found, "if this is meant: python -m tests.golden writes the golden copies anew"]
    )


@pytest.mark.parametrize("name", interfaces.ALL)
def test_what_people_and_programs_call_by_name_is_the_golden_copy(name):
    found = differences(golden(name), interfaces.ALL[name]())

    assert not found, said(found)


@pytest.mark.journey
def test_every_file_of_the_demonstrations_release_and_comparison_is_the_golden_copy(db, tmp_path):
    folders.demo(tmp_path)

    found = differences(golden("folders")["demo"], folders.digests(tmp_path))
    assert not found, said(found)


@pytest.mark.journey
@pytest.mark.real_data
def test_with_the_runs_in_another_order_the_real_datas_files_are_the_golden_copy(db, tmp_path):
    real_data.folder()

    folders.real(tmp_path, shuffle=7)

    found = differences(golden("folders")["real"], folders.digests(tmp_path))
    assert not found, said(found)


def test_each_difference_is_named_with_both_values():
    before = {"kept": 1, "turned": [1, 2], "gone": {"a": "b"}, "emptied": {"a": 1}}
    after = {"kept": 1, "turned": [1, 3], "new": None, "emptied": {}}

    assert differences(before, after) == [
        "emptied: was not there, is {}",
        "emptied > a: was 1, is not there",
        'gone > a: was "b", is not there',
        "new: was not there, is null",
        "turned[1]: was 2, is 3",
    ]


def test_only_long_numbers_are_rounded():
    """What looks like one in a version, a time or an id stands as it is."""
    same = "1.5,0.1234567,1.0.123456789,05.123456789Z,1234567e-1234-4321-871e-417123456789"

    assert folders.rounded(same) == same
    assert folders.rounded('[0.12345674999, -1e-17, "-2.5e-03"]') == '[0.1234567, 0.0, "-0.0025"]'


def test_of_a_manifest_only_the_moment_the_version_and_other_files_may_change(tmp_path):
    def digest(**changed):
        says = {"files": {"b": "1"}, "seed": 1, "created_at": "now", "touchstone": "0.1"} | changed
        (tmp_path / "manifest.json").write_text(json.dumps(says))
        return folders.digests(tmp_path)["manifest.json"]

    assert digest(files={"b": "2"}, created_at="then", touchstone="0.2") == digest()
    assert digest(seed=2) != digest()
    assert digest(files={"c": "1"}) != digest()


def test_a_changed_digit_of_a_file_changes_its_digest(tmp_path):
    (tmp_path / "per_run.csv").write_text("run,em\nhazel,0.25\n")
    before = folders.digests(tmp_path)

    (tmp_path / "per_run.csv").write_text("run,em\nhazel,0.26\n")

    assert folders.digests(tmp_path) != before
