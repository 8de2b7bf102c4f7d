"""How long a backup takes, and how long judgements wait beside one.

    .venv/bin/python -m bench.backups [--items 1000000] [--annotators 8] [--seconds 20]
        [--databases sqlite,postgresql]

Makes a study of so many items, lets so many annotators judge through the web server, first alone and then
while one backup after the other is made.
"""

import argparse
import asyncio
import json
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.load import annotators, runs
from bench.load.annotators import Observations
from bench.load.figures import pace
from bench.load.places import KINDS, Place
from bench.load.serving import serving


class Backups(threading.Thread):
    """Makes one backup after the other until it is told to end."""

    def __init__(self, place: Place, folder: Path) -> None:
        super().__init__()
        self.seconds: list[float] = []
        self.n_bytes = 0
        self._place, self._folder = place, folder
        self._is_over = threading.Event()

    def run(self) -> None:
        while not self._is_over.is_set():
            begin = time.perf_counter()
            command = ("manage.py", "backup", str(self._folder), "--keep", "1", "--json")
            made = json.loads(self._place.run(*command))
            self.seconds.append(time.perf_counter() - begin)
            self.n_bytes = made["n_bytes"]

    def end(self) -> None:
        self._is_over.set()
        self.join()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--annotators", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--databases", default=",".join(KINDS))
    options = parser.parse_args()
    for kind in options.databases.split(","):
        folder = Path(tempfile.mkdtemp(prefix="touchstone-backups-"))
        try:
            with KINDS[kind](folder) as place:
                compare(kind, place, options.items, options.annotators, options.seconds)
        finally:
            shutil.rmtree(folder)


def compare(kind: str, place: Place, n_items: int, n_annotators: int, seconds: float) -> None:
    made = runs.fill_database(place, n_items, 1, n_annotators, seed=1)
    with serving(place, [], "") as server, tempfile.TemporaryDirectory() as folder:
        desk = runs.desk_of(server, made, made["batches"][0])
        alone = asyncio.run(annotators.work(desk, made["sessions"], seconds))
        backups = Backups(place, Path(folder))
        backups.start()
        beside = asyncio.run(annotators.work(desk, made["sessions"], seconds))
        backups.end()
        complaints = server.complaints()
    print(f"{kind}, {n_items:,} items, {n_annotators} annotators")
    report("alone", alone, seconds)
    report("beside backups", beside, seconds)
    taken = statistics.median(backups.seconds)
    megabytes = backups.n_bytes / 1_000_000
    print(
        f"  {len(backups.seconds)} backups of {megabytes:.0f} MB, median {taken:.1f} s", flush=True
    )
    if wrong := [*complaints, *alone.not_200, *beside.not_200]:
        sys.exit("\n".join(wrong))


def report(name: str, seen: Observations, seconds: float) -> None:
    found = pace(seen.answered, seconds)
    longest = max(each.seconds for each in seen.answered) * 1000
    print(
        f"  {name:15} {found.per_second:6.0f} judgements a second, p50 {found.p50:.0f} ms,"
        f" p95 {found.p95:.0f}, p99 {found.p99:.0f}, longest {longest:.0f}"
    )


if __name__ == "__main__":
    main()
