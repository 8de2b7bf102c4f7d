"""Which tests a landing runs: all that are cheap, a quarter of the expensive ones, and some that the change touches.

A test is expensive if it is marked browser, faults, journey, later, slow or rotates. The hash of its id says which of
four quarters it is in; all tests of a journey are in that of their file, because they look at one whole way. Marked
smoke or each_landing it runs each time, unless it is slow as well. A test that leaves out parts of itself by `in_turn`
is marked each_landing.

`pytest --quarter 2` runs one quarter, `--quarter auto` the one that the number of commits chooses; without the option
all run. The properties of a quarter's files are tried on 100 examples, those of others on few.
"""

import hashlib
import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests import durations, touched

ROOT = Path(__file__).resolve().parent.parent
N_QUARTERS = 4
ROTATING = ("browser", "faults", "journey", "later", "slow", "rotates")
EACH_TIME = ("smoke", "each_landing")
# Of the tests of other quarters that a change touches, how many a run takes besides, of browser tests and of others: a
# change of the base template touches all of the former.
MOST_TOUCHED = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quarter",
        choices=[*map(str, range(N_QUARTERS)), "auto"],
        help="of the tests that rotate, run this quarter, or the one whose turn it is",
    )


def digest(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def quarter_of(name: str) -> int:
    return digest(name)[0] % N_QUARTERS


@cache
def n_commits() -> int:
    command = ["git", "rev-list", "--count", "HEAD"]
    return int(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def quarter(config: pytest.Config) -> int | None:
    """Return the quarter that this run takes; None for all."""
    chosen = config.getoption("--quarter")
    if chosen is None:
        return None
    return n_commits() % N_QUARTERS if chosen == "auto" else int(chosen)


def pytest_report_header(config: pytest.Config) -> str | None:
    chosen = quarter(config)
    if chosen is None:
        return None
    return f"quarter {chosen} (--quarter {chosen} runs it again; commits: {n_commits()})"


@pytest.fixture(scope="session")
def in_turn(request: pytest.FixtureRequest) -> Callable[[str], bool]:
    """Return a function that says whether this run takes the part of a test that has this name."""
    chosen = quarter(request.config)
    return lambda name: chosen is None or quarter_of(name) == chosen


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Choose the number of examples before the module is imported, where Hypothesis reads it."""
    if isinstance(collector, pytest.Module) and "HYPOTHESIS_PROFILE" not in os.environ:
        chosen = quarter(collector.config)
        is_in_turn = chosen is not None and quarter_of(collector.nodeid) == chosen
        settings.load_profile("ci" if is_in_turn else "quick")


def rotates(item: pytest.Item) -> bool:
    names = {marker.name for marker in item.iter_markers()}
    return "slow" in names or (names.isdisjoint(EACH_TIME) and not names.isdisjoint(ROTATING))


def unit_of(item: pytest.Item) -> str:
    """Return the name by which the test is in a quarter."""
    is_journey = item.get_closest_marker("journey") is not None
    return item.nodeid.partition("::")[0] if is_journey else item.nodeid


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what rotates, is not in the quarter and is not touched."""
    durations.mark_and_sort(items)
    chosen = quarter(config)
    if chosen is None:
        return
    waiting = [each for each in items if rotates(each) and quarter_of(unit_of(each)) != chosen]
    single = [each for each in waiting if not each.get_closest_marker("journey")]
    in_browser = {each for each in single if each.get_closest_marker("browser")}
    others = [each for each in single if each not in in_browser]
    taken = {
        *touched_first(list(in_browser))[:MOST_TOUCHED],
        *touched_first(others)[:MOST_TOUCHED],
    }
    left_out = {each for each in waiting if each not in taken}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [each for each in items if each not in left_out]


def touched_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that the change touches: those that it changed first, then in the order of their hash."""
    ranks = touched.ranks({item.path for item in items}, touched.change())
    found = [item for item in items if item.path in ranks]
    return sorted(found, key=lambda item: (ranks[item.path], digest(item.nodeid)))
