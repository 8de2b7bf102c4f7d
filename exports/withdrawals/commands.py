"""What the commands withdraw and bring_back share."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.actions.withdrawals import WithdrawalError
from accounts.commands import StudyCommand
from accounts.models import Study
from annotation.commands import batch_called
from annotation.models import Batch
from corpus.commands import dataset_called, plain, run_called
from corpus.models import Run
from exports.withdrawals.kinds import BATCH, RUN, Kind


class WithdrawalCommand(StudyCommand, ABC):
    expected: ClassVar = (WithdrawalError,)

    def add_options(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--batch", metavar="NAME", help="a batch")
        which.add_argument("--run", metavar="NAME", help="a run of the data set of --dataset")
        parser.add_argument(
            "--dataset", type=plain, metavar="NAME", help="of --run: its data set, or NAME@VERSION"
        )
        parser.add_argument("--reason", required=True, help="shown on its pages")

    @abstractmethod
    def decide(self, kind: Kind, **options: Any) -> Any:
        """Withdraw or bring back; return the thing as it is now."""

    def act(self, **options: Any) -> Mapping[str, Any]:
        study, kind = options["study"], RUN
        thing: Batch | Run
        if options["batch"]:
            kind, thing = BATCH, batch_called(options["batch"], study)
        else:
            thing = _run_called(options["run"], options["dataset"], study)
        decided = self.decide(
            kind, **{kind.name: thing}, reason=options["reason"], by=options["by"]
        )
        return {kind.name: decided.name, "is_withdrawn": decided.is_withdrawn}


def _run_called(name: str, dataset: str | None, study: Study) -> Run:
    if dataset is None:
        raise CommandError("--run needs --dataset: the data set that the run answers")
    return run_called(name, dataset_called(dataset, study))
