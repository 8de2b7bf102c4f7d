from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option, existing_file
from annotation.actions import controls
from annotation.actions.batches import BatchError
from annotation.commands import BATCH_FIRST, BatchCommand, batch_called
from annotation.forms.controls import ControlsForm
from corpus.problems import ImportProblems


class Command(FormCommand, BatchCommand):
    help = "Add hidden control items to a batch, from a settled batch or from a file of keys."
    expected: ClassVar = (BatchError, controls.ControlError, ImportProblems)
    named: ClassVar = (BATCH_FIRST,)
    form_class = ControlsForm
    form_options: ClassVar = {
        "source": None,
        "n": Option(help="of --from, at most, as evenly over the labels as there are items"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument(
            "--from", dest="source", metavar="BATCH2", help="closed and settled, of the same scheme"
        )
        source.add_argument(
            "--keys",
            metavar="FILE.csv",
            help="a file with the columns turn, answer, label, explanation; all rows, or none and a"
            " list of its errors",
        )
        super().add_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        whose = {"batch": options["batch"], "by": options["by"]}
        if options["keys"]:
            added = controls.add_from_file(path=existing_file(options["keys"]), **whose)
        else:
            source = batch_called(options["source"], options["study"])
            form = self.form(options, {"source": source.pk}, sources=[source])
            n, seed = form.cleaned_data["n"], form.cleaned_data["seed"]
            added = controls.add_from_batch(source=source, n=n, seed=seed, **whose)
        return {"batch": options["batch"].name, **asdict(added)}
