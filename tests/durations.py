"""How long tests take: those that `make test` leaves out, and the files that a run begins with.

    python -m tests.durations RESULTS.xml …    writes tests/durations.txt anew

The results are those of `pytest --junitxml` on a quiet machine; tests that they do not have keep their seconds.
A test with a case of more than LATER seconds is marked `later`. So are all tests of a file that takes more than
LATER_FILE seconds: what they share would be made for whichever of them remains. Tests of workers are not marked: they
run in every landing.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

FILE = Path(__file__).with_suffix(".txt")
LATER = 0.3  # seconds of one case
LATER_FILE = 8.0
# Less is not written down.
LEAST = 0.2
LEAST_TOGETHER = 1.0


@cache
def seconds() -> dict[str, tuple[float, float]]:
    """Return the longest case and the sum of the cases by the id of the test, without parameters."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        longest, together, name = line.split(maxsplit=2)
        found[name] = (float(longest), float(together))
    return found


def mark_and_sort(items: list[pytest.Item]) -> None:
    """Mark what takes long, and put the files that take longest first: begun last, one would leave all other
    processes idle.
    """
    of_files: Counter[str] = Counter()
    for name, (_, together) in seconds().items():
        of_files[name.partition("::")[0]] += together
    for item in items:
        longest, _ = seconds().get(item.nodeid.partition("[")[0], (0.0, 0.0))
        is_later = longest > LATER or of_files[item.nodeid.partition("::")[0]] > LATER_FILE
        if is_later and not item.get_closest_marker("worker"):
            item.add_marker(pytest.mark.later)
    items.sort(key=lambda item: -of_files[item.nodeid.partition("::")[0]])


def id_of(case: ElementTree.Element) -> str:
    return f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"


def main(results: Sequence[str]) -> None:
    longest: dict[str, float] = {}
    together: Counter[str] = Counter()
    for result in results:
        for case in ElementTree.parse(result).iter("testcase"):
            name = id_of(case).partition("[")[0]
            taken = float(case.get("time", 0))
            longest[name] = max(longest.get(name, 0), taken)
            together[name] += taken
    known = seconds() | {name: (longest[name], together[name]) for name in longest}
    lines = [
        f"{most:.1f} {total:.1f} {name}\n"
        for name, (most, total) in sorted(known.items())
        if most > LEAST or total > LEAST_TOGETHER
    ]
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
