from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from accounts.commands import StudyCommand
from corpus.actions import dataset_descriptions
from corpus.actions.dataset_descriptions import FIELDS
from corpus.commands import add_dataset, dataset_called, plain


class Command(StudyCommand):
    help = "Change the licence or citation of a data set, for later releases."

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)
        parser.add_argument("--licence", type=plain, help="of the data set; empty removes it")
        parser.add_argument("--citation", help="how to cite the data set; empty removes it")

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = dataset_called(options["dataset"], options["study"])
        about = {field: options[field] for field in FIELDS if options[field] is not None}
        if not about:
            raise CommandError("nothing to change: give --licence or --citation")
        before = dataset_descriptions.describe(dataset=dataset, about=about, by=options["by"])
        return {"dataset": str(dataset), "changed": sorted(before)}
