"""What a worker holds before, while and after it scores with the embedded model, on SQLite.

    .venv/bin/python -m bench.model_memory [--rounds N]

Each round scores the demonstration's answers by a real worker, whose processes are measured ten times a
second: the resident memory of all of them together.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import argparse
import contextlib
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.config import processes
from tests.jobs.installation import BEGINNING, Installation, Worker, sqlite_in

DEMO = Path(__file__).resolve().parent.parent / "demo"
DATASET = ("--study", "stones", "--dataset", "everyday")
BETWEEN = 0.1  # seconds between two looks
SETTLED = 5.0  # seconds after a job, before what is left is measured


def resident_mb(session: int) -> float:
    """Return the resident memory of all processes of the session, in MB."""
    kilobytes = 0
    for pid in processes.in_session(session):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # ended by now
            for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
                if line.startswith("VmRSS:"):
                    kilobytes += int(line.split()[1])
    return kilobytes * 1024 / 1e6


@contextlib.contextmanager
def watched(session: int) -> Iterator[list[float]]:
    """Measure while the body runs; the list has what was found."""
    found, end = [resident_mb(session)], threading.Event()

    def look() -> None:
        while not end.wait(BETWEEN):
            found.append(resident_mb(session))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        end.set()
        thread.join()


def create_place(folder: Path) -> Installation:
    """Create an installation with the demonstration's data set and runs."""
    installation = Installation(folder, sqlite_in(folder), 1)
    truth = ["--name", "everyday", "--format", "scai", DEMO / "truth.json"]
    installation.run(
        ["migrate", "--verbosity", 0],
        *BEGINNING,
        ["import_dataset", "--study", "stones", *truth],
        ["import_runs", *DATASET, DEMO / "runs"],
    )
    return installation


def score(installation: Installation, worker: Worker) -> list[float]:
    """Have the worker score all answers again. Return what it held meanwhile, in MB."""
    installation.query("DELETE FROM scoring_score")
    done = "state = 'done' AND kind = 'score'"
    n_before = installation.count("jobs_job", done)
    with watched(worker.process.pid) as found:
        installation.run(["score", *DATASET, "--metric", "sas", "--background"])
        worker.until(lambda: installation.count("jobs_job", done) > n_before, "the scores")
    return found


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        installation = create_place(Path(scratch))
        with installation.worker() as worker:
            worker.until(lambda: installation.count("jobs_workerbeat"), "the worker")
            print(f"before      {resident_mb(worker.process.pid):6.0f} MB", flush=True)
            for _ in range(rounds):
                most = max(score(installation, worker))
                time.sleep(SETTLED)
                left = resident_mb(worker.process.pid)
                print(f"at most     {most:6.0f} MB\nafterwards  {left:6.0f} MB", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2)
    main(**vars(parser.parse_args()))
