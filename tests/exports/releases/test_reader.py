"""A release is read back only as it was made: exports/releases/reader.py."""

import json

import pytest

from exports.releases import reader
from exports.releases.reader import BrokenReleaseError, FolderFiles, RecordsFile


@pytest.fixture
def folder(first_release):
    return first_release


def refusal(folder):
    with pytest.raises(BrokenReleaseError) as caught:
        reader.read(FolderFiles(folder))
    return str(caught.value)


def test_what_was_written_is_read(folder):
    found = reader.read(FolderFiles(folder))

    assert found.manifest["release"] == 1
    assert found.report["accepted"] == {"gold": 0, "silver": 3}
    assert [row["run"] for row in found.per_run][:2] == ["alder", "birch"]
    assert len(list(found.gold.records())) == len(list(found.silver.records())) == 3


def test_a_folder_without_a_manifest_is_no_release(tmp_path):
    assert "is no release: there is no manifest.json in it" in refusal(tmp_path)


@pytest.mark.parametrize("manifest", ["{", "\ufeff\ufeff", "\x00"])
def test_a_manifest_that_is_no_json_is_named(folder, manifest):
    (folder / "manifest.json").write_text(manifest, encoding="utf-8")

    assert f"{folder / 'manifest.json'} is no JSON" in refusal(folder)


def test_a_manifest_that_is_no_utf_8_is_named(folder):
    (folder / "manifest.json").write_bytes(b'{"files": "\xff"}')

    assert f"{folder / 'manifest.json'} is no JSON" in refusal(folder)


@pytest.mark.parametrize("manifest", [[], "x", None, {}, {"files": []}, {"files": {"x": "y"}}])
def test_a_manifest_that_does_not_name_the_files_is_none_of_a_release(folder, manifest):
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    assert "its manifest.json does not name its files" in refusal(folder)


@pytest.mark.parametrize("name", ["report.json", "per_run.csv", "gold.json", "items.csv"])
def test_a_file_that_was_changed_is_named(folder, name):
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write(" ")

    assert f"{folder / name} is not what was released" in refusal(folder)


def test_a_file_that_is_missing_is_named(folder):
    (folder / "silver.json").unlink()

    assert f"{folder / 'silver.json'} cannot be read: No such file" in refusal(folder)


@pytest.mark.parametrize(
    "text", ["[]\n", "[ ]", '[{"a": 1}]', '[\n {"a": [1, {}]},\n {"b": "], ["}\n]\n']
)
def test_the_members_of_a_list_are_those_that_json_reads(text):
    assert list(reader._members(text)) == json.loads(text)


def test_a_member_is_read_when_it_is_asked_for():
    members = reader._members('[{"a": 1}, {"broken')

    assert next(members) == {"a": 1}
    with pytest.raises(ValueError, match="Unterminated"):
        next(members)


def test_files_of_equal_bytes_are_equal_wherever_they_are(tmp_path):
    here, there = (
        RecordsFile("0" * 64, FolderFiles(tmp_path / name), f"{name}.json")
        for name in ("here", "there")
    )

    assert here == there
    assert hash(here) == hash(there)
    assert here != RecordsFile("1" * 64, here.files, here.name)
