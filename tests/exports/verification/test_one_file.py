"""The modules as one file: Python 3.9 reads it, and what needs libraries is left where they are missing."""

import ast
import json
import subprocess
import sys
from collections import Counter

import pytest

from exports.verification import one_file, program
from tests.exports.verification.changed_release import change_json, copied, release, sign

TREE = ast.parse(one_file.contents().decode("utf-8"), feature_version=(3, 9))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return release(tmp_path_factory.mktemp("whole") / "release")


def run(folder, *arguments, with_libraries=True):
    alone = () if with_libraries else ("-I", "-S")
    return subprocess.run(
        [sys.executable, *alone, folder / "verify.py", *arguments],
        cwd="/",  # wherever it is called, it verifies the release that it is in
        capture_output=True,
        text=True,
        check=False,
    )


def names_of(node):
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    named = [each.id for of in targets if of for each in ast.walk(of) if isinstance(each, ast.Name)]
    return [node.name] if hasattr(node, "name") else named


def test_no_name_means_two_things():
    names = Counter(name for node in TREE.body for name in names_of(node))

    assert [name for name, n in names.items() if n > 1] == []


def imported_in(nodes):
    return {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
    }


def test_it_needs_nothing_but_the_standard_library():
    """Others are imported where they are installed, all in one place."""
    assert imported_in(TREE.body) <= sys.stdlib_module_names
    others = imported_in(ast.walk(TREE)) - sys.stdlib_module_names
    assert others == set(one_file.LIBRARIES)
    (place,) = [node for node in TREE.body if isinstance(node, ast.Try)]
    assert imported_in(place.body) == others


def test_every_module_is_in_it():
    there = {path.stem for path in one_file.FOLDER.glob("*.py")} - {"__init__", "one_file"}

    assert set(one_file.MODULES) == there
    assert len(one_file.MODULES) == len(there)


def test_it_uses_nothing_that_came_after_python_39():
    """What ast cannot see: arguments and methods. `bit_count`, `total` and `pairwise` are the usual ones."""
    text = one_file.contents().decode("utf-8")
    later = (
        "strict=True)",
        ".total()",
        "pairwise",
        "file_digest",
        "slots=True",
        "kw_only",
        ".bit_count",
    )

    assert [
        each for each in later if each in text.replace("csv.reader(file, strict=True)", "")
    ] == []


def test_in_the_folder_it_finds_nothing_wrong(whole):
    done = run(whole)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nNothing contradicts.\n")


def test_without_libraries_it_says_what_it_does_not_check(whole, tmp_path):
    """Counts, verdicts and accepted answers are checked, figures are not."""
    done = run(whole, with_libraries=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "\nNothing contradicts. Not checked: posteriors, agreement, rates and comparisons of runs, and precision"
        " audits: install pandas, numpy, scipy and krippendorff.\n"
    )
    folder = copied(whole, tmp_path / "changed")
    change_json(folder, "report.json", ("runs", "drawn"), "unequally")
    sign(folder)
    assert run(folder, with_libraries=False).returncode == 0
    change_json(folder, "report.json", ("funnel", 1, "n_turns"), 99)
    sign(folder)
    assert run(folder, with_libraries=False).returncode == 1


def test_it_finds_what_the_command_finds(whole, tmp_path):
    folder = copied(whole, tmp_path / "changed")
    change_json(folder, "report.json", ("funnel", 1, "n_turns"), 99)
    sign(folder)

    done = run(folder, "--json")

    assert done.returncode == 1
    assert json.loads(done.stdout) == program.as_json(program.verify(folder))
