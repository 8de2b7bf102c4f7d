"""What the commands withdraw and bring_back share, and delete with them: naming a thing of a study."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.actions.withdrawals import WithdrawalError
from accounts.commands import Named, StudyCommand
from accounts.models import Study
from annotation.commands import batch_called
from corpus.commands import dataset_called, plain, run_called
from corpus.models import Dataset, Run
from exports.models import Release
from exports.withdrawals.kinds import KINDS, Kind
from sampling.commands import pool_called


class WithdrawalCommand(StudyCommand, ABC):
    expected: ClassVar = (WithdrawalError,)

    def add_options(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--batch", metavar="NAME", help="a batch")
        which.add_argument("--release", metavar="NUMBER", type=int, help="a release")
        add_things(parser, which)
        parser.add_argument("--reason", required=True, help="shown on its pages and in the history")

    @abstractmethod
    def decide(self, kind: Kind, **options: Any) -> Any:
        """Withdraw or bring back; return the thing as it is now."""

    def act(self, **options: Any) -> Mapping[str, Any]:
        name, thing = named_thing(options)
        kind = KINDS[name]
        decided = self.decide(kind, **{name: thing}, reason=options["reason"], by=options["by"])
        return {name: str(decided), "is_withdrawn": decided.is_withdrawn}


def add_things(parser: ArgumentParser, which: Any) -> None:
    """Add the options that name a pool, a run or a version of a data set."""
    which.add_argument("--pool", metavar="NAME", help="a pool, an audit sample or a comparison")
    which.add_argument("--run", metavar="NAME", help="a run of the data set of --dataset")
    parser.add_argument(
        "--dataset",
        type=plain,
        metavar="NAME@VERSION",
        help="a version of a data set; of --run: its data set, or NAME for the newest version",
    )


def named_thing(options: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the name of the kind of thing that the options name, and the thing.

    Raises CommandError if they name none, or something that is not there.
    """
    study, dataset = options["study"], options["dataset"]
    others = options.get("batch") or options["pool"] or options.get("release") is not None
    if options["run"]:
        return "run", _run_called(options["run"], dataset, study)
    if dataset is not None and not others:
        return "dataset", _version_called(dataset, study)
    if dataset is not None:
        raise CommandError("--dataset goes with --run only, or alone")
    if options.get("batch"):
        return "batch", batch_called(options["batch"], study)
    if options.get("release") is not None:
        return "release", release_of_number(options["release"], study)
    if options["pool"]:
        return "pool", pool_called(options["pool"], study)
    raise CommandError(
        "nothing is named: give --pool, --run, --dataset or another option of --help"
    )


def _version_called(name: str, study: Study) -> Dataset:
    if "@" not in name:
        raise CommandError(f"say which version of {name}, as {name}@1")
    return dataset_called(name, study)


def release_of_number(number: int, study: Study) -> Release:
    release = study.releases.select_related("study").filter(number=number).first()
    if release is None:
        raise CommandError(f"the study {study} has no release {number}")
    return release


RELEASE = Named("release", release_of_number, type=int, metavar="RELEASE", help="its number")


def _run_called(name: str, dataset: str | None, study: Study) -> Run:
    if dataset is None:
        raise CommandError("--run needs --dataset: the data set that the run answers")
    return run_called(name, dataset_called(dataset, study))
