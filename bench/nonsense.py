"""How long judgements take while a worker reads a file of which every record is wrong, on SQLite.

    .venv/bin/python -m bench.nonsense --megabytes 512 --record-bytes 512

Prints the times of judgements before and during the import, and how many problems were counted and stored.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.annotators import Browser
from tests.faults.fault_installation import FaultInstallation
from tests.faults.servers import served

BEFORE_SECONDS = 10.0


def write_nonsense(path: Path, *, megabytes: int, record_bytes: int) -> int:
    """Write a JSON list of texts, where records are expected; return their number."""
    record, n = '"' + "x" * (record_bytes - 4) + '"', megabytes * 1_000_000 // record_bytes
    with path.open("w", encoding="utf-8") as file:
        file.write(f"[\n{record}")
        for _ in range(n - 1):
            file.write(f",\n{record}")
        file.write("\n]\n")
    return n


def judgement_times(browser: Browser, is_over: Callable[[], bool]) -> list[float]:
    """Judge one item after the other; return the seconds of each request that submits one."""
    times = []
    while not is_over():
        if not browser.ahead:
            browser.exchange()
        browser.judge()
        begin = time.perf_counter()
        if not browser.exchange():
            raise RuntimeError(f"a judgement was refused: {browser.failed}")
        times.append(time.perf_counter() - begin)
    return times


def line(name: str, times: list[float]) -> str:
    ordered = sorted(1_000 * each for each in times)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return f"{name:8} {len(ordered):6} judgements, median {middle:.0f} ms, 99 % {late:.0f} ms, longest {ordered[-1]:.0f} ms"


def main(megabytes: int, record_bytes: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        file = folder / "nonsense.json"
        n = write_nonsense(file, megabytes=megabytes, record_bytes=record_bytes)
        place = FaultInstallation(folder, f"sqlite:///{folder / 'bench.sqlite3'}")
        work = place.create_work(n_items=20_000, n_people=1, judgements_per_item=1)
        with served(place) as server, place.worker() as worker:
            browser = Browser(server.port, work, work.people[0])
            worker.until(lambda: place.count("jobs_workerbeat"), "the worker")
            end = time.monotonic() + BEFORE_SECONDS
            print(line("before", judgement_times(browser, lambda: time.monotonic() > end)))
            command = ["import_dataset", "--study", "stones", "--name", "nonsense", "--background"]
            place.run([*command, "--format", "scai", file])
            begin = time.monotonic()
            has_ended = "state in ('failed', 'done', 'cancelled') AND kind = 'import_dataset'"
            times = judgement_times(browser, lambda: place.count("jobs_job", has_ended) == 1)
            print(line("during", times), f"({time.monotonic() - begin:.0f} s)")
            browser.close()
        print(f"{n:,} wrong records, {place.count('jobs_joberror'):,} problems stored")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--record-bytes", type=int, default=100)
    main(**vars(parser.parse_args()))
