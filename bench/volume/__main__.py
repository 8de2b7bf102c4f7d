"""What a study of the shared task's size costs: 29 runs of 16,450 answers, 16,450 items judged twice.

    python -m bench.volume FOLDER [--turns N] [--runs N] [--steps NAME …] [--prepare]

Makes the files and an SQLite database in FOLDER, unless they are there, and runs the steps in their
order, each as a command in a process of its own. It prints the wall-clock time, the processor time and
the largest resident size of each process, and the load of the machine when it ended. With `--steps` the
earlier steps must have been run in that folder; so a folder may be copied after a step, to compare two
versions of the program on it.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from bench.load.places import ROOT, Place
from bench.volume import files

STUDY = ("--study", "volume")
DATASET = (*STUDY, "--dataset", "shared")
SIMULATED = ("--annotators", "8", "--accuracy", "0.9", "--seed", "1")
GUIDELINE = "demo/guideline-plausibility.md"


def steps(folder: Path) -> dict[str, list[list[str]]]:
    """Return the commands of each step, in order."""
    score = ["score", *DATASET, "--metric"]
    batch = [*STUDY, "--batch", "plausibility"]
    return {
        "set-up": [
            ["migrate", "--verbosity", "0"],
            ["create_user", "alice", "--administrator"],
            ["create_study", "volume", "--title", "Volume", "--requester", "alice"],
        ],
        "import_dataset": [
            [
                "import_dataset",
                *STUDY,
                "--name",
                "shared",
                "--format",
                "scai",
                str(folder / "truth.json"),
                "--passages",
                str(folder / "passages.tsv"),
            ]
        ],
        "import_runs": [["import_runs", *DATASET, str(folder / "runs")]],
        "score em": [[*score, "em"]],
        "score f1": [[*score, "f1"]],
        "score rouge_1": [[*score, "rouge_1"]],
        "score rouge_l": [[*score, "rouge_l"]],
        "import_scores": [
            [
                "import_scores",
                *DATASET,
                "--metric",
                "sas",
                "--scorer",
                "made-up",
                str(folder / "scores.csv"),
            ]
        ],
        "draw_pool": [
            ["draw_pool", *DATASET, "--name", "pool", "--scorer", "made-up", "--threshold", "0.7"]
        ],
        "judge": [
            [
                "open_batch",
                *STUDY,
                "--name",
                "plausibility",
                "--scheme",
                "plausibility",
                "--pool",
                "pool",
                "--judgements",
                "2",
                "--guideline",
                GUIDELINE,
            ],
            ["rehearse", *batch, *SIMULATED],
            ["close_batch", *batch],
        ],
        "settle": [["settle", *batch, "--rule", "unanimous"]],
        "release": [
            [
                "release",
                *DATASET,
                "--out",
                str(folder / f"release-{os.getpid()}"),
                "--rehearsal",
                "--set-aside-disputes",
            ]
        ],
        "find_evidence": [["find_evidence", *batch, "--name", "evidence"]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=16_450)
    parser.add_argument("--runs", type=int, default=29)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", nargs="+", metavar="NAME", default=[])
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    if not (folder / "scores.csv").exists():
        files.write(folder, n_turns=options.turns, n_runs=options.runs, seed=options.seed)
    print(f"{'step':16}{'wall, s':>9}{'CPU, s':>9}{'most MB':>9}{'load':>7}", flush=True)
    place = Place(folder, f"sqlite:///{folder / 'volume.sqlite3'}")
    for name, commands in steps(folder).items():
        if name in (options.steps or steps(folder)):
            measure(place, name, commands)


def measure(place: Place, name: str, commands: list[list[str]]) -> None:
    begin = time.perf_counter()
    cpu, most = 0.0, 0
    for command in commands:
        arguments = [sys.executable, "manage.py", *command]
        process = os.posix_spawn(
            sys.executable,
            arguments,
            {**place.environment, "PYTHONPATH": str(ROOT)},
            file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)],
        )
        _, status, used = os.wait4(process, 0)
        if status:
            raise SystemExit(f"{name}: {' '.join(command)} failed")
        cpu += used.ru_utime + used.ru_stime
        most = max(most, used.ru_maxrss)
    wall, (load, _, _) = time.perf_counter() - begin, os.getloadavg()
    print(f"{name:16}{wall:9.1f}{cpu:9.1f}{most * 1024 / 1e6:9.0f}{load:7.1f}", flush=True)


if __name__ == "__main__":
    main()
