from types import SimpleNamespace

import pytest

from tests import durations

RESULTS = """<testsuites><testsuite>
<testcase classname="tests.rooms.test_one" name="test_of_cases[a]" time="0.21"/>
<testcase classname="tests.rooms.test_one" name="test_of_cases[b]" time="0.45"/>
<testcase classname="tests.rooms.test_one" name="test_quick" time="0.02"/>
<testcase classname="tests.test_two" name="test_anew" time="0.25"/>
</testsuite></testsuites>"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The file after results were written into one that had two tests."""
    file, results = tmp_path / "durations.txt", tmp_path / "results.xml"
    file.write_text("9.0 9.0 tests/test_two.py::test_anew\n0.2 8.9 tests/test_two.py::test_kept\n")
    results.write_text(RESULTS)
    monkeypatch.setattr(durations, "FILE", file)
    durations.seconds.cache_clear()
    durations.main([str(results)])
    durations.seconds.cache_clear()
    yield file.read_text().splitlines()
    durations.seconds.cache_clear()


def test_what_results_say_replaces_what_was_known_and_quick_tests_are_left_out(written):
    assert written == [
        "0.5 0.7 tests/rooms/test_one.py::test_of_cases",
        "0.2 0.2 tests/test_two.py::test_anew",
        "0.2 8.9 tests/test_two.py::test_kept",
    ]


def test_what_takes_long_is_marked_and_the_longest_files_come_first(written):
    items = [item(each) for each in ("test_one.py::test_quick", "test_one.py::test_of_cases[b]")]
    items.append(item("../test_two.py::test_anew"))

    durations.mark_and_sort(items)

    assert [each.nodeid.rpartition("::")[2] for each in items] == [
        "test_anew",
        "test_quick",
        "test_of_cases[b]",
    ]
    assert [len(each.marks) for each in items] == [1, 0, 1]


def item(name):
    marks = []
    path = f"tests/rooms/{name}".replace("rooms/../", "")
    return SimpleNamespace(
        nodeid=path, marks=marks, add_marker=marks.append, get_closest_marker=lambda name: None
    )
