from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import StudyCommand
from corpus.actions import run_descriptions
from corpus.actions.run_descriptions import FIELDS, KINDS, DescriptionError, RunsAtWorkError
from corpus.commands import DATASET, plain, run_called


class Command(StudyCommand):
    help = "Change the name, team, system, setup or kind of a run. Its answers never change."
    expected = (DescriptionError, RunsAtWorkError)
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=plain, metavar="RUN", help="the run's name")
        parser.add_argument("--name", type=plain, help="another name")
        parser.add_argument("--team", type=plain, help="whose it is; empty removes it")
        parser.add_argument("--system", type=plain, help="what gave the answers; empty removes it")
        parser.add_argument(
            "--setup",
            type=plain,
            help=(
                "questions given to the system: original, rewritten, or other words; empty "
                "removes it"
            ),
        )
        parser.add_argument("--kind", choices=KINDS, help="a system, or a baseline")

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        run = run_called(options["run"], dataset)
        values = {field: options[field] for field in FIELDS if options[field] is not None}
        if not values:
            raise CommandError(f"nothing to change: give one of --{', --'.join(FIELDS)}")
        changes = run_descriptions.describe(
            dataset=dataset, wanted={run.pk: values}, by=options["by"]
        )
        after = changes[0].after if changes else {}
        return {"run": after.get("name", run.name), "changed": sorted(after)}
