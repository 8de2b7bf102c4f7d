"""The first conversations of the demonstration's data, as files of their own: little enough to be judged by
keyboard in a test.
"""

import csv
import json
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "demo"
N_CONVERSATIONS = 2
RUNS = ("alder", "birch", "cedar", "dogwood", "echo")
BASELINES = ("echo",)


def write_dataset(folder: Path) -> Path:
    """Write truth.json, questions-original.json, passages.tsv and runs/ into the folder."""
    (folder / "runs").mkdir(parents=True)
    for name in ("truth.json", "questions-original.json", *(f"runs/{run}.json" for run in RUNS)):
        records = json.loads((DEMO / name).read_text(encoding="utf-8"))
        first = [each for each in records if int(each["Conversation_no"]) <= N_CONVERSATIONS]
        (folder / name).write_text(json.dumps(first, ensure_ascii=False), encoding="utf-8")
    with (
        (DEMO / "passages.tsv").open(encoding="utf-8", newline="") as source,
        (folder / "passages.tsv").open("w", encoding="utf-8", newline="") as target,
    ):
        heading, *rows = csv.reader(source, delimiter="\t")
        first = [row for row in rows if int(row[0].partition("_")[0]) <= N_CONVERSATIONS]
        csv.writer(target, delimiter="\t", lineterminator="\n").writerows([heading, *first])
    return folder


def guideline(scheme: str) -> str:
    return (DEMO / f"guideline-{scheme}.md").read_text(encoding="utf-8")
