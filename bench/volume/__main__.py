"""What a study of the shared task's size costs: 29 runs of 16,450 answers, 16,450 items judged twice.

    python -m bench.volume FOLDER [--turns N] [--runs N] [--steps NAME …]

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

STUDY = "--study volume"
DATASET = f"{STUDY} --dataset shared"
BATCH = f"{STUDY} --batch plausibility"
# The commands of each step, in order: words as in a shell, of which {folder} is the study's folder.
STEPS = {
    "set-up": [
        "migrate --verbosity 0",
        "create_user alice --administrator",
        "create_study volume --title Volume --requester alice",
    ],
    "import_dataset": [
        f"import_dataset {STUDY} --name shared --format scai {{folder}}/truth.json"
        " --passages {folder}/passages.tsv"
    ],
    "import_runs": [f"import_runs {DATASET} {{folder}}/runs"],
    "score": [f"score {DATASET} --metric em f1 rouge_1 rouge_l"],
    "import_scores": [
        f"import_scores {DATASET} --metric sas --scorer made-up {{folder}}/scores.csv"
    ],
    "draw_pool": [f"draw_pool {DATASET} --name pool --scorer made-up --threshold 0.7"],
    "judge": [
        f"open_batch {STUDY} --name plausibility --scheme plausibility --pool pool --judgements 2"
        " --guideline demo/guideline-plausibility.md",
        f"rehearse {BATCH} --annotators 8 --accuracy 0.9 --seed 1",
        f"close_batch {BATCH}",
    ],
    "settle": [f"settle {BATCH} --rule unanimous"],
    "release": [
        f"release {DATASET} --out {{folder}}/release-{os.getpid()} --rehearsal --set-aside-disputes"
    ],
    "find_evidence": [f"find_evidence {BATCH} --name evidence"],
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
    for name, commands in STEPS.items():
        if name in (options.steps or STEPS):
            measure(place, name, [words_of(command, folder) for command in commands])


def words_of(command: str, folder: Path) -> list[str]:
    """Return the arguments of a command of STEPS for a study in this folder."""
    return [word.format(folder=folder) for word in command.split()]


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
