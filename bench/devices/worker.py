"""A process that judges; its threads keep their connections from round to round."""

import importlib
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, NamedTuple

from bench.devices.desk import Desk

N_THREADS = 4
ROUND = 24  # judgements

_desks: list[Desk] = []
_threads = ThreadPoolExecutor(N_THREADS)


class Cost(NamedTuple):
    cpu: float  # seconds
    elapsed: float
    megabytes: float = 0.0  # most that the process held


def begin(made: dict[str, Any], number: int) -> None:
    """Take the desks of the process of that number."""
    sessions = made["sessions"][number * N_THREADS : (number + 1) * N_THREADS]
    _desks[:] = [Desk(made, session) for session in sessions]


def judge(device: str, which: str, n_threads: int = 1) -> Cost:
    """Return the cost of a judgement with the device, or without it, as `which` says."""
    without = importlib.import_module("bench.devices.without")
    with nullcontext() if which == "with" else getattr(without, device)():
        cpu, elapsed = time.process_time(), time.perf_counter()
        if n_threads == 1:
            _desks[0].judge(ROUND)
        else:
            list(_threads.map(lambda desk: desk.judge(ROUND // n_threads), _desks))
        return Cost((time.process_time() - cpu) / ROUND, (time.perf_counter() - elapsed) / ROUND)
