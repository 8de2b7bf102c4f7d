"""The file of simulated people: annotation/rehearsal/people_file.py."""

from collections import Counter
from pathlib import Path

import pytest

from annotation import schemes
from annotation.rehearsal import people_file
from annotation.rehearsal.people import Habits
from corpus.problems import ImportProblems, Report
from tests.cases import all_cases

PREVALENCE = schemes.get("plausibility").prevalence
DEMO = Path(__file__).parents[3] / "demo" / "people.toml"

GOOD = 'name = "good"\ncount = 2\naccuracy = 0.9\n'


def read(tmp_path: Path, text: str | bytes, n_people: int | None = None) -> list[Habits]:
    path = tmp_path / "people.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    report = Report("people.toml", "group")
    found = people_file.read(path, prevalence=PREVALENCE, n_people=n_people, report=report)
    report.finish()
    return found


def group(fields: str) -> str:
    return f"[[group]]\n{fields}"


def test_a_group_has_as_many_people_as_it_counts(tmp_path):
    found = read(tmp_path, group(GOOD) + group('name = "random"\ncount = 1\nrandom = 1.0\n'))

    assert [(each.name, each.is_bad) for each in found] == [
        *(("good", False), ("good", False)),
        ("random", True),
    ]
    assert found[0].confusion["malformed"] == pytest.approx(
        {"plausible": 0.05, "implausible": 0.05, "malformed": 0.9}
    )


def test_shares_are_of_the_people_asked_for():
    report = Report("people.toml", "group")
    found = people_file.read(DEMO, prevalence=PREVALENCE, n_people=21, report=report)

    report.finish()
    assert Counter(each.name for each in found) == {
        "careful": 11,
        "gets hasty": 4,
        "random": 4,
        "one key": 2,
    }
    assert found[0].confusion["malformed"]["implausible"] == 0.08
    assert (found[0].median_seconds, found[0].spread) == (25, 1.6)
    assert (found[-1].one_key, found[-1].one_key_after, found[-1].median_seconds) == (
        *("plausible", 0),
        12,
    )


def test_the_commonest_label_is_that_of_the_scheme(tmp_path):
    (one, _) = read(tmp_path, group(GOOD))

    assert one.commonest == "plausible"


def test_who_is_bad_can_be_said(tmp_path):
    text = group('name = "tired"\ncount = 1\naccuracy = 0.9\none_key_after = 400\nbad = false\n')

    assert not read(tmp_path, text)[0].is_bad


CONFUSED = 'name = "x"\ncount = 1\n[group.confusion]\nplausible = { plausible = 1 }\n'


@all_cases(
    ("text", "message"),
    [
        ("", "the file has no [[group]]"),
        ("group = 3", "the file has no [[group]]"),
        ("group = []", "the file has no [[group]]"),
        ("people = 3\n" + group(GOOD), "people.toml: people: is no field of this file"),
        ("[[group]]\nname = \n", "the file is no TOML: Invalid value (at line 2, column 8)"),
        (b"[[group]]\nname = '\xff'", "UTF-8"),
        (group("count = 1\naccuracy = 1\n"), "group 1: name: a group has a name in words"),
        (group(GOOD + "speed = 3\n"), "group 1: speed: is no field of a group"),
        (group('name = "x"\naccuracy = 1\n'), "group 1: count: a group has either"),
        (group(GOOD + "share = 0.5\n"), "group 1: count: a group has either a count or a share"),
        (
            group(GOOD) + group('name = "x"\nshare = 1\naccuracy = 1\n'),
            "group 2: count: either all groups have a count, or all a share",
        ),
        (group('name = "x"\ncount = -1\naccuracy = 1\n'), "group 1: count: -1 is not a whole"),
        (group('name = "x"\ncount = true\naccuracy = 1\n'), "group 1: count: true is not a whole"),
        (group('name = "x"\ncount = 0\naccuracy = 1\n'), "the groups have 0 people"),
        (group('name = "x"\ncount = 1001\naccuracy = 1\n'), "the groups have 1,001 people"),
        (group('name = "x"\nshare = 1\naccuracy = 1\n'), "shares need a number of people"),
        (group('name = "x"\nshare = 1.5\naccuracy = 1\n'), "group 1: share: 1.5 is not from 0"),
        (group('name = "x"\nshare = 0.5\naccuracy = 1\n'), "add up to 0.5, not to 1"),
        (group('name = "x"\ncount = 1\n'), "group 1: accuracy: is missing"),
        (group('name = "x"\ncount = 1\naccuracy = nan\n'), "group 1: accuracy: NaN is not from 0"),
        (group('name = "x"\ncount = 1\naccuracy = "1"\n'), 'group 1: accuracy: "1" is not from 0'),
        (group(GOOD + "[group.confusion]\n"), "group 1: accuracy: stands beside a confusion"),
        (group(CONFUSED), "group 1: confusion.implausible: is missing"),
        (group('name = "x"\ncount = 1\nconfusion = 3\n'), "group 1: confusion: has a row for"),
        (
            group(CONFUSED + "implausible = { plausible = 0.5, malformed = 0.4 }\n"),
            "group 1: confusion.implausible: adds up to 0.9, not to 1",
        ),
        (group(CONFUSED + "malformed = { good = 1 }\n"), "confusion.malformed.good: is none of"),
        (group(CONFUSED + "malformed = { malformed = 2 }\n"), "malformed: 2 is not from 0 to 1"),
        (group(CONFUSED + "good = { good = 1 }\n"), "group 1: confusion.good: is none of"),
        (group(GOOD + "random = 1.1\n"), "group 1: random: 1.1 is not from 0 to 1"),
        (group(GOOD + "haste = 1979-05-27\n"), 'group 1: haste: "1979-05-27" is not from 0'),
        (group(GOOD + "haste_after = 0\n"), "group 1: haste_after: 0 is not a whole number from 1"),
        (group(GOOD + "leaves_after = 1.5\n"), "group 1: leaves_after: 1.5 is not a whole number"),
        (group(GOOD + 'one_key = "good"\none_key_after = 1\n'), 'one_key: "good" is none of'),
        (group(GOOD + 'one_key = "plausible"\n'), "group 1: one_key: goes with one_key_after"),
        (group(GOOD + 'bad = "no"\n'), 'group 1: bad: "no" is neither true nor false'),
        (group(GOOD + "seconds = 0\n"), "group 1: seconds.median: 0 is not a number from 0.5"),
        (group(GOOD + "seconds = { spread = 2 }\n"), "group 1: seconds.median: is not a number"),
        (group(GOOD + "seconds = { median = 9, spread = 0.5 }\n"), "seconds.spread: 0.5 is not"),
        (group(GOOD + "seconds = { median = 9, mean = 9 }\n"), "seconds.mean: is no field of"),
    ],
)
def test_what_is_wrong_is_named_with_its_group_and_field(tmp_path, text, message):
    with pytest.raises(ImportProblems) as raised:
        read(tmp_path, text)

    assert message in str(raised.value)
    assert str(raised.value).startswith("people.toml: ")


def test_all_problems_are_named_at_once(tmp_path):
    text = group(GOOD + "random = 2\n") + group('name = "x"\ncount = 1\n')

    with pytest.raises(ImportProblems) as raised:
        read(tmp_path, text)

    assert [problem.field for problem in raised.value.problems] == ["random", "accuracy"]


def test_counts_and_another_number_of_people_are_refused(tmp_path):
    with pytest.raises(ImportProblems, match="the groups have 2 people, and 3 were asked for"):
        read(tmp_path, group(GOOD), n_people=3)


@pytest.mark.parametrize("n", [1, 7, 20, 33])
def test_whole_numbers_of_shares_add_up(n):
    assert sum(people_file.shared_out(n, [0.333, 0.333, 0.334])) == n
