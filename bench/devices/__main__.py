"""The effect of each device of performance/: the same work with and without it, in turn.

    python -m bench.devices [--rounds 25] [--only NAME] [--database sqlite]

A round is 24 judgements with a device and 24 without, one data request each; their order changes
from round to round. Its ratio is the cost without divided by the cost with it: CPU time of the
process, so that other work on the machine counts little. The output is the median of the rounds'
ratios, with their quartiles. Requests in turn are about threads that wait for SQLite's lock, so
elapsed time is compared too: two processes of four threads, as `make run` has them. The lazy
resolver is measured from the start of a process until it has made the desk's page.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from bench.devices.worker import N_THREADS, ROUND, Cost, begin, judge
from bench.load.places import KINDS, ROOT

N_PROCESSES = 2


# With the device, and without it.
Round = tuple[Cost, Cost]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.devices", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="of each device")
    parser.add_argument("--database", choices=KINDS, default="sqlite")
    parser.add_argument("--only", choices=DEVICES, help="one of the devices")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="touchstone-devices-") as folder,
        KINDS[options.database](Path(folder)) as place,
    ):
        n_people, n_items = N_PROCESSES * N_THREADS, 4 * 2 * ROUND * (options.rounds + 3)
        numbers = f"--items {n_items} --batches 1 --seed 1 --annotators {n_people}"
        place.run("manage.py", "migrate", "--verbosity", "0")
        place.run("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        made = json.loads(place.run("-m", "bench.load.fill", *numbers.split()))
        os.environ.update(place.environment)
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        print(f"{options.database}, {options.rounds} rounds, load average before {load}")
        for name in [options.only] if options.only else DEVICES:
            DEVICES[name](made, options.rounds)


def compiled_queries(made: dict[str, Any], n: int) -> None:
    with judging_processes(made) as (pool, _):
        found = rounds(n, lambda which: pool.submit(judge, "compiled_queries", which).result())
    say("compiled queries, CPU", "ms", found, lambda cost: 1_000 * cost.cpu)


def sessions(made: dict[str, Any], n: int) -> None:
    with judging_processes(made) as (pool, _):
        found = rounds(n, lambda which: pool.submit(judge, "compiled_sessions", which).result())
    say("sessions, CPU", "ms", found, lambda cost: 1_000 * cost.cpu)


def turns(made: dict[str, Any], n: int) -> None:
    with judging_processes(made) as pools:

        def together(which: str) -> Cost:
            running = [pool.submit(judge, "turns", which, N_THREADS) for pool in pools]
            costs = [each.result() for each in running]
            return Cost(mean(each.cpu for each in costs), max(each.elapsed for each in costs))

        found = rounds(n, together)
    say("in turn, CPU", "ms", found, lambda cost: 1_000 * cost.cpu)
    say("in turn, elapsed", "ms", found, lambda cost: 1_000 * cost.elapsed)


def lazy_resolver(made: dict[str, Any], n: int) -> None:
    found = rounds(max(2, n // 3), lambda which: first_page(made, which))
    say("lazy resolver, CPU", "s", found, lambda cost: cost.cpu)
    say("lazy resolver, memory", "MB", found, lambda cost: cost.megabytes)


DEVICES: dict[str, Callable[[dict[str, Any], int], None]] = {
    "compiled_queries": compiled_queries,
    "sessions": sessions,
    "turns": turns,
    "lazy_resolver": lazy_resolver,
}


@contextmanager
def judging_processes(made: dict[str, Any]) -> Iterator[list[ProcessPoolExecutor]]:
    """Run processes of one task at a time."""
    pools = [
        ProcessPoolExecutor(1, get_context("spawn"), begin, (made, number))
        for number in range(N_PROCESSES)
    ]
    yield pools
    for pool in pools:
        pool.shutdown()


def rounds(n: int, cost: Callable[[str], Cost]) -> list[Round]:
    for which in ("with", "without"):
        cost(which)  # unmeasured: imports, connections, SQL that is kept
    found = []
    for number in range(n):
        order = ("with", "without") if number % 2 else ("without", "with")
        costs = {which: cost(which) for which in order}
        found.append((costs["with"], costs["without"]))
    return found


def say(name: str, unit: str, found: Sequence[Round], of: Callable[[Cost], float]) -> None:
    low, ratio, high = quantiles([of(other) / of(one) for one, other in found], n=4)
    one, other = (median(of(each[at]) for each in found) for at in (0, 1))
    print(
        f"{name:23} with {one:7.2f} {unit}, without {other:7.2f} {unit},"
        f" ratio {ratio:.2f} ({low:.2f} to {high:.2f})",
        flush=True,
    )


def first_page(made: dict[str, Any], which: str) -> Cost:
    command = [sys.executable, "-m", "bench.devices.first_page", json.dumps(made), which]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    return Cost(*json.loads(done.stdout))


if __name__ == "__main__":
    main()
