"""The examples in the docstrings of stats and text hold."""

import doctest
from importlib import import_module
from pathlib import Path

from tests.cases import all_cases

ROOT = Path(__file__).resolve().parents[2]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ("stats", "text")
    for path in sorted((ROOT / room).rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]


@all_cases("module", MODULES)
def test_the_examples_of_a_module_give_what_they_say(module):
    done = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)

    assert done.attempted
    assert not done.failed


def test_there_are_examples():
    assert len(MODULES) > 10
