"""Which of the defects of bench/defects.toml the tests find.

    python -m bench.defects [--only NAME …] [--limit SECONDS] [--at-once N] [--browser] [--tests ARGUMENT …]

Each is planted in a copy of the checkout by itself, and the tests run there until the first one fails: those
near the file, those of its room, those of no room, all others, and those in a browser (for what a browser
reads, or with --browser). `--tests` names other tests instead, and everything after it goes to pytest.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - |$)", re.MULTILINE)
PYTEST = (sys.executable, "-m", "pytest", "-n", "0", "-p", "no:randomly", "-x", "-q")
BY_BROWSER = ("static", "templates")
NOTHING_COLLECTED = 5


@dataclass(frozen=True)
class Defect:
    """`breaks` says in a sentence what goes wrong."""

    name: str
    file: str
    old: str
    new: str
    breaks: str


@dataclass(frozen=True)
class Outcome:
    """`by` is the test that failed first; "" where none did before the `seconds` were over."""

    defect: Defect
    by: str
    is_timed_out: bool
    seconds: float

    def __str__(self) -> str:
        late = "not found in time" if self.is_timed_out else "SURVIVED"
        said = f"found by {self.by}" if self.by else f"{late}: {self.defect.breaks}"
        return f"{self.defect.name:28} {self.seconds:5.0f} s  {said}"


def all_defects() -> list[Defect]:
    text = (ROOT / "bench" / "defects.toml").read_text(encoding="utf-8")
    return [Defect(**each) for each in tomllib.loads(text)["defect"]]


def planted(text: str, defect: Defect) -> str:
    """The file with the defect. Raises ValueError where its place is not exactly one."""
    if text.count(defect.old) != 1:
        raise ValueError(f"{defect.name}: `old` stands {text.count(defect.old)} times in the file")
    return text.replace(defect.old, defect.new)


def stages(defect: Defect, root: Path = ROOT) -> Iterator[list[str]]:
    """The files of tests in the order in which they run, each in one stage."""
    parts = Path(defect.file).parts
    room = parts[1] if parts[0] == "templates" else parts[0]
    folder = Path("tests", room, "views") if parts[0] == "templates" else Path("tests", *parts[:-1])
    stem = Path(defect.file).stem.strip("_")
    every = sorted(path.relative_to(root) for path in (root / "tests").rglob("test_*.py"))
    browser = [path for path in every if path.parts[1] in ("browser", "faults")]
    others = [path for path in every if path not in browser]
    near = [path for path in others if stem in path.stem]
    near += [path for path in others if folder in path.parents]
    of_room = [path for path in others if Path("tests", room) in path.parents]
    of_none = [path for path in others if path.parent == Path("tests") or path.parts[1] == "api"]
    done: set[Path] = set()
    ways = [browser] if parts[0] == "static" else [near, of_room, of_none, others, browser]
    for stage in ways:
        fresh = [path for path in dict.fromkeys(stage) if path not in done]
        done |= set(fresh)
        yield [str(path) for path in fresh]


def copied(into: Path) -> None:
    """The checkout as it lies there, without what git does not know."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file() and name != ".venv":
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, into / name)
    (into / ".venv").symlink_to((ROOT / ".venv").resolve())


def first_failure(folder: Path, arguments: Sequence[str], seconds: float) -> str:
    """The name of the test that fails first, or "". Raises subprocess.TimeoutExpired."""
    if not arguments:
        return ""
    data = {"TOUCHSTONE_REAL_DATA": str(ROOT.parent / "shared" / "data")} | os.environ
    process = subprocess.Popen(
        [*PYTEST, *arguments],
        cwd=folder,
        env=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=max(seconds, 0.1))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if process.returncode in (0, NOTHING_COLLECTED):
        return ""
    failed = FAILURE.search(said)
    return failed[1] if failed else said.strip().splitlines()[-1]


def outcome(defect: Defect, *, limit: float, browser: bool, tests: Sequence[str]) -> Outcome:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="touchstone-defect-") as name:
        folder = Path(name)
        copied(folder)
        path = folder / defect.file
        path.write_text(planted(path.read_text(encoding="utf-8"), defect), encoding="utf-8")
        by, is_timed_out = "", False
        in_browser = browser or defect.file.split("/")[0] in BY_BROWSER
        order: Iterable[list[str]] = [list(tests)] if tests else stages(defect)
        for stage in order:
            if stage and stage[0].startswith("tests/browser") and not in_browser:
                continue
            try:
                by = first_failure(folder, stage, limit - (time.monotonic() - begun))
            except subprocess.TimeoutExpired:
                is_timed_out = True
            if by or is_timed_out:
                break
    return Outcome(defect, by, is_timed_out, time.monotonic() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--limit", type=float, default=1_800, help="seconds for each")
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--tests", nargs=argparse.REMAINDER, default=[])
    asked = parser.parse_args()
    chosen = [each for each in all_defects() if not asked.only or each.name in asked.only]
    options = {"limit": asked.limit, "browser": asked.browser, "tests": asked.tests}
    found: list[Outcome] = []
    with ThreadPoolExecutor(asked.at_once) as pool:
        for each in pool.map(lambda defect: outcome(defect, **options), chosen):
            print(each, flush=True)
            found.append(each)
    print(f"{sum(bool(each.by) for each in found)} of {len(found)} found")


if __name__ == "__main__":
    main()
