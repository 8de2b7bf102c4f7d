"""Runs the tests of a change again and again on a busy machine, so that an unsteady one shows before it lands.

    python -m tests.steady [BASE]    three rounds, beside two busy loops

It runs all browser tests that the change touches (tests/touched.py), and the ten slowest tests of the other test files
that it changed, which a round of these files finds first. Exits with 1 if a test fails in any round.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from tests import durations, touched

ROUNDS = 3
N_SLOWEST = 10
PYTEST = (sys.executable, "-m", "pytest", "-q")
# It ends with its parent, however that ends.
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"


def main() -> int:
    changed = touched.change(*sys.argv[1:2])
    tests = sorted(touched.ROOT.glob("tests/**/test_*.py"))
    in_browser = [each for each in tests if "browser" in each.parts]
    touched_in_browser = [str(each) for each in touched.ranks(in_browser, changed)]
    others = [
        str(each)
        for each in tests
        if each not in in_browser and each.relative_to(touched.ROOT).as_posix() in changed
    ]
    chosen = touched_in_browser + slowest(others)
    if not chosen:
        sys.stdout.write("The change touches no test.\n")
        return 0
    with busy_loops(2):
        failed = [number for number in range(1, ROUNDS + 1) if run(chosen)]
    sys.stdout.write(f"{ROUNDS - len(failed)} of {ROUNDS} rounds passed\n")
    return 1 if failed else 0


def slowest(files: Sequence[str]) -> list[str]:
    """Run the tests of the files and return the ids of the slowest."""
    if not files:
        return []
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "tests.xml"
        run([f"--junitxml={report}", *files])
        cases = list(ElementTree.parse(report).iter("testcase"))
    cases.sort(key=lambda case: -float(case.get("time", "0")))
    return [durations.id_of(case) for case in cases[:N_SLOWEST]]


def run(arguments: Sequence[str]) -> int:
    """Return pytest's exit status. Each round has a seed of its own."""
    return subprocess.run([*PYTEST, *arguments], cwd=touched.ROOT, check=False).returncode


@contextmanager
def busy_loops(n: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(n)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


if __name__ == "__main__":
    sys.exit(main())
