"""Check which defects of bench/defects.toml the tests find.

    python -m bench.defects [--only NAME …] [--limit SECONDS] [--at-once N] [--browser] [--tests ARGUMENT …]

Each is planted alone in a copy of the checkout, and the tests run there until the first one fails:
those near the file, those of no room, those of its room, all others, and those in a browser (for
files that a browser reads, or with --browser). `--tests` names other tests instead, and everything
after it is passed to pytest.
"""

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen, TimeoutExpired, check_output

ROOT = Path(__file__).resolve().parent.parent
FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - |$)", re.MULTILINE)
PYTEST = (sys.executable, "-m", "pytest", "-n", "0", "-p", "no:randomly", "-x", "-q")


@dataclass(frozen=True)
class Defect:
    name: str
    file: str
    old: str
    new: str
    breaks: str  # what goes wrong, in a sentence


def all_defects() -> list[Defect]:
    text = (ROOT / "bench" / "defects.toml").read_text(encoding="utf-8")
    return [Defect(**each) for each in tomllib.loads(text)["defect"]]


def text_with_defect(text: str, defect: Defect) -> str:
    """Return the file with the defect. Raises ValueError unless its place occurs exactly once."""
    if text.count(defect.old) != 1:
        raise ValueError(f"{defect.name}: `old` stands {text.count(defect.old)} times in the file")
    return text.replace(defect.old, defect.new)


def stages(defect: Defect, *, browser: bool) -> Iterator[list[str]]:
    """Yield the test files in the order in which they run."""
    parts = Path(defect.file).parts
    is_template, is_static = parts[0] == "templates", parts[0] == "static"
    room = Path("tests", parts[1] if is_template else parts[0])
    folder = room / "views" if is_template else Path("tests", *parts[:-1])
    stem = Path(defect.file).stem.strip("_")
    module = re.compile(rf"{re.escape('.'.join(parts[:-1]))}(\.| import (.*\b)?){stem}\b")
    every = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
    served = [path for path in every if path.parts[1] in ("browser", "faults")]
    others = [path for path in every if path not in served]

    # Folder after folder: fixtures of a room that is left and entered again are not found.
    def distance(path: Path) -> tuple[bool, str, bool, bool, bool]:
        is_named = room in path.parents and stem in path.stem
        is_used = bool(module.search((ROOT / path).read_text(encoding="utf-8")))
        is_beside = folder in path.parents
        return room not in path.parents, path.parts[1], not is_named, not is_used, not is_beside

    ways = [
        sorted((path for path in others if not all(distance(path)[2:])), key=distance),
        [path for path in others if path.parent == Path("tests") or path.parts[1] == "api"],
        [path for path in others if room in path.parents],
        others,
        served if browser or is_template else [],
    ]
    if is_static:
        ways = [sorted(served, key=lambda path: "desk" not in path.stem)]
    done: set[Path] = set()
    for way in ways:
        yield [str(path) for path in way if path not in done]
        done.update(way)


def copy_checkout(into: Path) -> None:
    """Copy the checkout as it is, without files that git ignores."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in check_output(listing, cwd=ROOT, text=True).split("\0"):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, into / name)
    (into / ".venv").symlink_to((ROOT / ".venv").resolve())


def first_failure(folder: Path, arguments: Sequence[str], end: float) -> str:
    """Return the name of the first test that fails, or "". Raises TimeoutExpired."""
    data = {"TOUCHSTONE_REAL_DATA": str(ROOT.parent / "shared" / "data")} | os.environ
    command = [*PYTEST, *arguments]
    process = Popen(
        command, cwd=folder, env=data, stdout=PIPE, stderr=STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=max(end - time.monotonic(), 0.1))
    except TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if process.returncode in (0, 5):  # all pass, or there are none
        return ""
    failed = FAILURE.search(said)
    return failed[1] if failed else said.splitlines()[-1]


def outcome(defect: Defect, asked: argparse.Namespace) -> tuple[bool, str]:
    """Return whether a test finds the defect, and a line that says which."""
    order = [asked.tests] if asked.tests else stages(defect, browser=asked.browser)
    begun, by, said = time.monotonic(), "", f"SURVIVED: {defect.breaks}"
    with tempfile.TemporaryDirectory(prefix="touchstone-defect-") as name:
        folder = Path(name)
        copy_checkout(folder)
        text = (folder / defect.file).read_text(encoding="utf-8")
        (folder / defect.file).write_text(text_with_defect(text, defect), encoding="utf-8")
        try:
            for stage in filter(None, order):
                by = by or first_failure(folder, stage, begun + asked.limit)
        except TimeoutExpired:
            said = f"NOT FOUND IN TIME: {defect.breaks}"
    said = f"found by {by}" if by else said
    return bool(by), f"{defect.name:28} {time.monotonic() - begun:5.0f} s  {said}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Which planted defects the tests find.")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--limit", type=float, default=1_800, help="seconds for each")
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--tests", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    chosen = [each for each in all_defects() if not asked.only or each.name in asked.only]
    with ThreadPoolExecutor(asked.at_once) as pool:
        begun = [pool.submit(outcome, each, asked) for each in chosen]
        for each in as_completed(begun):
            print(each.result()[1], flush=True)
    print(f"{sum(each.result()[0] for each in begun)} of {len(begun)} found")


if __name__ == "__main__":
    main()
