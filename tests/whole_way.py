"""The whole way by commands, from files to a release, as a script of its own process.

    python -m tests.whole_way real|demo OUT [--shuffle SEED]

The environment says where: TOUCHSTONE_DATA and DATABASE_URL. People are simulated; what it leaves in OUT
follows from the files alone, whatever the order in which the runs were imported.
"""

import argparse
import json
import os
import random
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
STUDY = "journey"


def touchstone(command: str, *args: object) -> dict[str, Any]:
    """Run a command; gives its summary."""
    out = StringIO()
    call_command(command, *map(str, args), "--json", stdout=out)
    return json.loads(out.getvalue())


def in_study(command: str, *args: object) -> dict[str, Any]:
    return touchstone(command, "--study", STUDY, *args)


def people() -> None:
    call_command("migrate", verbosity=0)
    touchstone("create_user", "alice")
    touchstone("create_user", "carol")
    touchstone("create_study", STUDY, "--title", "A journey", "--requester", "alice")
    in_study("add_member", "carol", "--role", "adjudicator")


def corpus_of(data: Path, questions: str, truth: str, runs: list[Path]) -> None:
    in_study(
        *("import_dataset", "--name", "data", "--format", "scai", data / truth),
        *("--questions", data / questions, "--passages", data / "passages.tsv"),
    )
    for run in runs:
        kind = "baseline" if run.stem == "echo" else "system"
        in_study("import_run", "--dataset", "data", "--name", run.stem, "--kind", kind, run)


def demo_pool(shuffle: random.Random) -> dict[str, Any]:
    data = ROOT / "demo"
    corpus_of(data, "questions-original.json", "truth.json", shuffled(data / "runs", shuffle))
    in_study("score", "--dataset", "data")
    scorer = ("--scorer", "all-MiniLM-L6-v2", "--threshold", "0.62")
    return in_study("draw_pool", "--dataset", "data", "--name", "pool", *scorer)


def real_pool(shuffle: random.Random) -> dict[str, Any]:
    data = real_data() / "scai-qrecc"
    runs = shuffled(data / "runs", shuffle)
    corpus_of(data, "questions-rewritten.json", "ground-truth.json", runs)
    scores = ("--metric", "sas", "--scorer", "organisers", data / "sas.csv")
    in_study("import_scores", "--dataset", "data", *scores)
    scorer = ("--scorer", "organisers", "--threshold", "0.79", "--min-candidates", "3")
    return in_study("draw_pool", "--dataset", "data", "--name", "pool", *scorer)


def real_data() -> Path:
    beside = ROOT.parent / "shared" / "data"
    return Path(os.environ.get("TOUCHSTONE_REAL_DATA", beside))


def shuffled(folder: Path, shuffle: random.Random) -> list[Path]:
    files = sorted(folder.glob("*.json"))
    shuffle.shuffle(files)
    return files


def judged(batch: str, scheme: str, pool: str, rule: str) -> dict[str, Any]:
    opened = in_study("open_batch", "--name", batch, "--scheme", scheme, "--pool", pool)
    crowd = ("--annotators", 6, "--accuracy", 0.9, "--seed", 1)
    in_study("rehearse", "--batch", batch, *crowd)
    in_study("close_batch", "--batch", batch)
    return {"opened": opened, "settled": in_study("settle", "--batch", batch, "--rule", rule)}


def adjudicated(batch: str, label: str, n: int) -> None:
    """The first n disputes by item id, so that the choice follows from the data alone."""
    disputes = in_study("disputes", "--batch", batch)["disputes"]
    for item in sorted(dispute["item"] for dispute in disputes)[:n]:
        by = ("--by", "carol", "--reason", "It answers the question")
        in_study("adjudicate", "--item", item, "--label", label, *by)


def whole_way(data: str, out: Path, shuffle: random.Random) -> dict[str, Any]:
    people()
    pool = real_pool(shuffle) if data == "real" else demo_pool(shuffle)
    plausibility = judged("plausibility", "plausibility", "pool", "unanimous")
    adjudicated("plausibility", "plausible", 3)
    evidence = in_study("find_evidence", "--batch", "plausibility", "--name", "evidence")
    faithfulness = judged("faithfulness", "faithfulness", "evidence", "majority")
    folder = ("--dataset", "data", "--out", out, "--rehearsal", "--set-aside-disputes")
    return {
        "pool": pool,
        "plausibility": plausibility,
        "evidence": evidence,
        "faithfulness": faithfulness,
        "release": in_study("release", *folder),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", choices=["real", "demo"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--shuffle", type=int, default=0)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    summary = whole_way(options.data, options.out, random.Random(options.shuffle))
    sys.stdout.write(json.dumps(summary))


if __name__ == "__main__":
    main()
