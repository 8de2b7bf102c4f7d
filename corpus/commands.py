"""What the commands that import runs share."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.models import Study, User
from activity.actions import jobs
from activity.models import Job
from corpus.models import Dataset, RunKind

KINDS = [RunKind.SYSTEM.value, RunKind.BASELINE.value]


def dataset_called(name: str, study: Study) -> Dataset:
    try:
        return study.datasets.select_related("study").called(name)
    except Dataset.DoesNotExist as error:
        raise CommandError(f"the study {study.slug} has no dataset {name}") from error


def add_run_options(parser: ArgumentParser) -> None:
    parser.add_argument("--dataset", required=True, metavar="NAME")
    parser.add_argument("--kind", choices=KINDS, default=RunKind.SYSTEM.value)
    parser.add_argument("--team", default="")
    parser.add_argument("--setup", default="", help="original, rewritten, or other words")
    parser.add_argument(
        "--leave-out-unknown",
        action="store_true",
        help="leave out answers on turns that the data set does not have, and count them",
    )


def start_import(
    *, dataset: Dataset, path: Path, name: str, by: User, options: Mapping[str, Any]
) -> Job:
    return jobs.start(
        study=dataset.study,
        kind="import_run",
        key=f"{dataset}/{name}"[:200],
        params={
            "dataset": dataset.pk,
            "file": str(path),
            "leave_out_unknown": options["leave_out_unknown"],
            "settings": {
                "name": name,
                "kind": options["kind"],
                "team": options["team"],
                "system": options.get("system", ""),
                "setup": options["setup"],
            },
        },
        by=by,
    )
