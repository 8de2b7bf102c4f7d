"""The journey without a page: the same data, settings and judgements, by commands and actions.

    python -m tests.browser.headless DATA OUT

Works on the empty database that the environment names; DATA is a folder that small.py wrote.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import io
import json
import sys
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from annotation import schemes
from annotation.actions import claims, judgements
from annotation.models import Batch
from tests.browser import label_rule, small_dataset

STUDY = "everyday"
TITLE = "Everyday things"
DATASET = "first ones"


def touchstone(command: str, *args: object) -> dict[str, Any]:
    out = io.StringIO()
    call_command(command, *map(str, args), "--json", stdout=out)
    summary: dict[str, Any] = json.loads(out.getvalue())
    return summary


def in_study(command: str, *args: object) -> dict[str, Any]:
    return touchstone(command, "--study", STUDY, *args)


def people() -> None:
    call_command("migrate", verbosity=0)
    for name in ("alice", "carol", "bob", "dora"):
        touchstone("create_user", name)
    touchstone("create_study", STUDY, "--title", TITLE, "--requester", "alice")
    in_study("add_member", "carol", "--role", "adjudicator")
    in_study("add_member", "bob", "--role", "annotator")
    in_study("add_member", "dora", "--role", "annotator")


def pool(data: Path) -> None:
    in_study(
        *("import_dataset", "--name", DATASET, "--format", "scai", data / "truth.json"),
        *("--questions", data / "questions-original.json", "--passages", data / "passages.tsv"),
    )
    for run in small_dataset.RUNS:
        kind = "baseline" if run in small_dataset.BASELINES else "system"
        file = data / "runs" / f"{run}.json"
        in_study("import_run", "--dataset", DATASET, "--name", run, "--kind", kind, file)
    in_study("score", "--dataset", DATASET)
    scorer = ("--scorer", "all-MiniLM-L6-v2", "--threshold", "0.62", "--min-candidates", "3")
    in_study("draw_pool", "--dataset", DATASET, "--name", "candidates", *scorer)


def judged(scheme: str, pool_name: str) -> None:
    """A batch from its opening to the last dispute."""
    guideline = small_dataset.DEMO / f"guideline-{scheme}.md"
    in_study(
        *("open_batch", "--name", scheme, "--scheme", scheme, "--pool", pool_name),
        *("--guideline", guideline),
    )
    batch = Batch.objects.select_related("study").get(study__slug=STUDY, name=scheme)
    for name in ("bob", "dora"):
        judge(batch, name)
    in_study("close_batch", "--batch", scheme)
    in_study("settle", "--batch", scheme, "--rule", "unanimous")
    for dispute in in_study("disputes", "--batch", scheme)["disputes"]:
        text = batch.items.get(public_id=dispute["item"]).payload["answers"][0]["text"]
        decision = ("--label", label_rule.label_of(scheme, text), "--reason", label_rule.REASON)
        in_study("adjudicate", "--item", dispute["item"], *decision, "--by", "carol")


def judge(batch: Batch, name: str) -> None:
    """Everything that the batch has for the person."""
    person, scheme = User.objects.get(username=name), schemes.get(batch.scheme)
    while held := claims.claim(batch=batch, by=person):
        (assignment,) = held
        text = assignment.item.payload["answers"][0]["text"]
        label = label_rule.label_of(batch.scheme, text, doubts=name == "dora")
        submission = judgements.Submission(
            client_id="headless",
            response=scheme.response(label),
            shown_at=timezone.now(),
            active_seconds=1.0,
        )
        judgements.submit(assignment=assignment, submission=submission, by=person)


def main(data: Path, out: Path) -> None:
    people()
    pool(data)
    judged("plausibility", "candidates")
    in_study("find_evidence", "--batch", "plausibility", "--name", "evidence")
    judged("faithfulness", "evidence")
    in_study("release", "--dataset", DATASET, "--out", out)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
