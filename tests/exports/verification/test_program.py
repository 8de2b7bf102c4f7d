"""Whatever is in the folder, there is a complaint and no traceback; what is not checked is said."""

import json
import shutil
import zipfile
from io import StringIO

import pytest
from django.core.management import call_command

from exports.verification import program
from exports.verification.program import verify
from tests.exports.verification.changed_release import (
    copied,
    load,
    release,
    rows_of,
    sign,
    store,
    write_rows,
)
from tests.seeds import first_of


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return release(tmp_path_factory.mktemp("whole") / "release")


@pytest.fixture
def folder(whole, tmp_path):
    return copied(whole, tmp_path / "release")


def complaints(folder):
    return [str(each) for of in verify(folder).found.values() for each in of.problems]


def text(contents):
    return lambda path: path.write_bytes(contents)


BROKEN = {
    "empty": text(b""),
    "no text": text(b"\xff\xfe\x00a,b\n"),
    "zeros": text(b"\x00" * 50),
    "a quote that does not end": text(b'a,b\n"1,2\n'),
    "another table": text(b"a,b\n1,2\n"),
    "a list": text(b"[]\n"),
    "a number": text(b"7\n"),
    "deep": text(b"[" * 100_000),
    "infinite": text(b'{"a": NaN}\n'),
    "gone": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}
NAMES = ("judgements.csv", "items.csv", "answers.csv", "gold.json", "report.json", "columns.md")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_read_is_named(broken, name, folder):
    broken(folder / name)
    if (folder / name).is_file():
        sign(folder)

    assert any(name in each for each in complaints(folder))


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_without_a_manifest_that_can_be_read_it_is_no_release(broken, folder):
    broken(folder / "manifest.json")

    (found,) = complaints(folder)
    assert "manifest.json" in found


@pytest.mark.parametrize(
    "name", first_of("soft_labels.csv", "judgements.csv", "items.csv", "answers.csv")
)
def test_a_missing_column_is_named_in_any_place(name, folder):
    for at in range(len(rows_of(folder, name)[0])):
        changed = copied(folder, folder.parent / f"{at}")
        rows = rows_of(changed, name)
        write_rows(changed, name, [[*row[:at], *row[at + 1 :]] for row in rows])
        sign(changed)

        assert f"{name} (its columns): computed" in "\n".join(complaints(changed))
        shutil.rmtree(changed)


@pytest.mark.parametrize("key", ["study", "dataset", "batches", "runs", "accepted", "is_rehearsal"])
def test_a_manifest_without_a_key_is_a_complaint(key, folder):
    manifest = load(folder, "manifest.json")
    del manifest[key]
    store(folder, "manifest.json", manifest)

    assert f"KeyError: '{key}'" in "\n".join(complaints(folder))


def test_a_link_is_no_file_of_a_release(folder, tmp_path):
    shutil.move(folder / "gold.json", tmp_path / "elsewhere.json")
    (folder / "gold.json").symlink_to(tmp_path / "elsewhere.json")
    (folder / "more").symlink_to(tmp_path)

    assert complaints(folder) == [
        "gold.json: is a link, not a file",
        "more: is in the folder and not in the manifest",
    ]


def test_no_file_outside_of_the_folder_is_read(folder):
    manifest = load(folder, "manifest.json")
    manifest["files"]["../secret"] = "0" * 64
    store(folder, "manifest.json", manifest)

    assert complaints(folder) == ["../secret: the manifest names a file outside of the folder"]


def test_cells_with_line_ends_and_odd_signs_are_read_as_they_are(folder):
    header, *rows = rows_of(folder, "judgements.csv")
    for row in rows:
        row[header.index("comment")] = 'so\r\n"he\rsaid", \u2028\u202eيمو 🐦\t=1+1'
    write_rows(folder, "judgements.csv", [header, *rows])
    sign(folder)

    assert complaints(folder) == []


def test_a_zip_archive_is_verified_as_its_folder_is(folder, tmp_path):
    shutil.make_archive(str(tmp_path / "made-1"), "zip", folder.parent, folder.name)
    shutil.make_archive(str(tmp_path / "flat"), "zip", folder)

    assert complaints(tmp_path / "made-1.zip") == complaints(tmp_path / "flat.zip") == []
    with zipfile.ZipFile(tmp_path / "made-1.zip") as archive:
        header = archive.getinfo("release/judgements.csv").header_offset
    damaged = bytearray((tmp_path / "made-1.zip").read_bytes())
    damaged[header + 200] ^= 1  # within what is compressed
    (tmp_path / "made-1.zip").write_bytes(damaged)
    assert "cannot be unpacked" in complaints(tmp_path / "made-1.zip")[0]


def test_wherever_an_archive_is_damaged_there_is_a_complaint_and_no_traceback(folder, tmp_path):
    shutil.make_archive(str(tmp_path / "made"), "zip", folder)
    whole, damaged = (tmp_path / "made.zip").read_bytes(), tmp_path / "damaged.zip"

    for at in range(len(whole) // 80, len(whole), len(whole) // 40):
        damaged.write_bytes(
            whole[:at] + bytes(255 - each for each in whole[at : at + 60]) + whole[at + 60 :]
        )
        assert complaints(damaged)


def test_what_is_neither_folder_nor_archive_is_a_complaint(tmp_path):
    (tmp_path / "file").write_text("no archive", encoding="utf-8")

    for name in ("file", "nowhere"):
        assert "neither a folder nor a ZIP archive" in complaints(tmp_path / name)[0]


def test_what_is_not_checked_is_said_by_path(folder):
    found = verify(folder)

    left = {path: why for of in found.found.values() for path, why in of.not_checked}
    path = "report.json.batches[*].agreement.plausibility.alpha.interval.low"
    assert "--intervals" in left[path]
    assert {"README.md", "manifest.json", "gold.json[*].Truth_*"} <= left.keys()
    assert "not checked: gold.json[*].Truth_*" in "\n".join(program.lines(found))


# The command


def called(folder, *options):
    out = StringIO()
    try:
        call_command("verify_release", str(folder), *options, stdout=out)
    except SystemExit as left:
        return left.code, out.getvalue()
    return 0, out.getvalue()


def test_the_command_says_that_the_releases_own_copy_is_the_same(folder):
    code, out = called(folder)

    assert code == 0
    assert out.endswith("verify.py: the same as the installed one\n")


def test_the_command_runs_its_own_copy_and_not_the_releases(folder):
    (folder / "verify.py").write_text("print('Nothing contradicts.')\n", encoding="utf-8")
    sign(folder)

    code, out = called(folder, "--json")

    assert code == 0
    assert json.loads(out)["own_copy"] == "another one than the installed one"


def test_the_command_ends_with_1_where_something_is_wrong(folder):
    (folder / "notes.txt").touch()

    code, out = called(folder)

    assert code == 1
    assert "   notes.txt: is in the folder and not in the manifest\n" in out
