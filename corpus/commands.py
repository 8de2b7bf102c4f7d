"""Options that the commands on data sets and runs have in common."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.commands import Named, existing_file
from accounts.models import Study, User
from corpus import names
from corpus.actions import runs
from corpus.actions.carry_over import named
from corpus.models import COMPETING, Dataset, Run
from jobs.actions import jobs
from jobs.models import Job

KINDS = [kind.value for kind in COMPETING]


def plain(text: str) -> str:
    """Return a name given as an argument.

    Raises ArgumentTypeError, whose message argparse prefixes.
    """
    if flaw := names.flaw(text):
        raise ArgumentTypeError(flaw)
    return text


def add_import_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--licence",
        default="",
        type=plain,
        help="of the data set, for the manifest of its releases; default: not specified",
    )
    parser.add_argument(
        "--citation",
        default="",
        help="how to cite the data set, for the manifest of its releases; default: not specified",
    )
    parser.add_argument(
        "--new-version",
        action="store_true",
        help=(
            "import a changed file as the next version, with the work on the previous "
            "one; default: refuse it and print the difference"
        ),
    )


def start_dataset_import(
    *, files: Mapping[str, str], options: Mapping[str, Any], format: str, **settings: Any
) -> Job:
    """Start the import of the files, each by its key in the format, as the options say."""
    about = {name: options[name] for name in ("name", "licence", "citation")}
    return jobs.start(
        study=options["study"],
        kind="import_dataset",
        key=options["name"][:200],
        params={
            "files": {name: str(existing_file(path)) for name, path in files.items()},
            "settings": {
                **about,
                "format": format,
                "as_new_version": options["new_version"],
                **settings,
            },
        },
        by=options["by"],
    )


def dataset_called(name: str, study: Study) -> Dataset:
    try:
        return study.datasets.select_related("study").by_name(name)
    except Dataset.DoesNotExist as error:
        found = study.datasets.order_by("name", "-version")
        there = f"; it has {named([str(each) for each in found])}" if found else ", and no other"
        raise CommandError(f"the study {study.slug} has no dataset {name}{there}") from error


DATASET = Named(
    "--dataset",
    dataset_called,
    required=True,
    type=plain,
    metavar="NAME",
    help="the data set's name (its newest version), or NAME@VERSION",
)


def run_called(name: str, dataset: Dataset) -> Run:
    run = dataset.runs.select_related("dataset__study").filter(name=name).first()
    if run is None:
        raise CommandError(f"the dataset {dataset} has no run {name}")
    return run


def add_run_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--kind",
        choices=KINDS,
        help="a system, or a baseline, which is scored and sampled too; default: system",
    )
    parser.add_argument("--team", type=plain, help="whose it is; default: not specified")
    parser.add_argument(
        "--setup",
        type=plain,
        help=(
            "questions given to the system: original (as asked), rewritten (self-"
            "contained), or other words; default: not specified"
        ),
    )
    parser.add_argument(
        "--leave-out-unknown",
        action="store_true",
        help=("skip and count answers to unknown turns; default: refuse the file and list them"),
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
                **{field: options.get(field) or "" for field in runs.ABOUT},
            },
        },
        by=by,
    )
