"""How long `verify.py` of a release takes, and how much memory.

    python -m bench.verify [--turns N] [--runs N] [--people N] [--seed N] [--intervals]

A release is made (bench/made_releases/) with about 32,000 judgements, by each consensus rule, and its own verify.py
is run as a process. Then 40 of its files' numbers, drawn at random from report.json, are changed one by one by a
millionth and more, and it prints how many are found.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from bench.made_releases.folder import write_release
from bench.made_releases.rows import Rows, made_rows
from bench.made_releases.source import Size
from exports.verification.findings import Findings, Sign
from exports.verification.intervals import Bootstrap
from exports.verification.recomputed_report import report
from exports.verification.tables import read_table
from stats.aggregation.consensus import RULES

N_CHANGED = 40
KILOBYTES_IN_MB = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1400)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--intervals", action="store_true", help="the bootstrap intervals too")
    options = parser.parse_args()
    size = Size(options.turns, options.runs, options.people, turns_each=7)
    print(f"{'rule':12}{'judgements':>11}{'s':>8}{'CPU, s':>8}{'MB':>6}  found")
    for rule in RULES:
        with tempfile.TemporaryDirectory() as place:
            rows = made_rows(options.seed, rule=rule, size=size)
            folder = write_release(Path(place), rows, seed=options.seed)
            print(measured(rule, rows, folder, with_intervals=options.intervals), flush=True)


def measured(rule: str, rows: Rows, folder: Path, *, with_intervals: bool) -> str:
    arguments = [sys.executable, "-I", "-S", str(folder / "verify.py"), str(folder)]
    begin = time.monotonic()
    process = subprocess.Popen(
        [*arguments, *(["--intervals"] if with_intervals else [])], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    good = "no complaint" if process.returncode == 0 else "COMPLAINTS"
    cpu, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / KILOBYTES_IN_MB
    times = f"{elapsed:8.1f}{cpu:8.1f}{memory:6.0f}"
    return f"{rule:12}{len(rows.judgements):11,}{times}  {good}; {n_found(folder)} of {N_CHANGED}"


def n_found(folder: Path) -> int:
    """How many numbers of the report, each changed alone, are found at their path."""
    names = ("judgements", "items", "answers", "precision", "relations")
    tables = {name: read_table(folder, f"{name}.csv") for name in names}
    written = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    seed = written["bootstrap"]["seed"]
    computed = report(tables, Bootstrap(seed, written["bootstrap"]["replicates"], is_drawn=False))
    places = [each for each in _numbers(written) if not isinstance(_at(computed, each), Sign)]
    return sum(
        _is_found(computed, written, path) for path in Random(seed).sample(places, N_CHANGED)
    )


def _is_found(computed: Any, written: Any, path: tuple[Any, ...]) -> bool:
    holder, findings = _at(written, path[:-1]), Findings()
    true = holder[path[-1]]
    holder[path[-1]] = true + (1e-6 if isinstance(true, float) else 1)
    findings.compare(computed, written, "report")
    holder[path[-1]] = true
    return len(findings.problems) == 1


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(inner, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


if __name__ == "__main__":
    main()
