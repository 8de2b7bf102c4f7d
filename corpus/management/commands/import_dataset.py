from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from activity.actions import jobs
from activity.commands import JobCommand, existing_file
from corpus.actions.datasets import FORMATS


class Command(JobCommand):
    help = "Import a data set: its turns with their references, questions and passages."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("truth", metavar="TRUTH.json")
        parser.add_argument("--name", required=True)
        parser.add_argument("--format", choices=FORMATS, default="scai")
        parser.add_argument("--questions", metavar="Q.json")
        parser.add_argument("--passages", metavar="P.tsv", help="TSV, or JSON lines (.jsonl)")
        parser.add_argument("--licence", default="")
        parser.add_argument("--citation", default="")
        parser.add_argument(
            "--new-version", action="store_true", help="a changed file becomes the next version"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        files = {name: options[name] for name in ("truth", "questions", "passages")}
        settings = {name: options[name] for name in ("name", "format", "licence", "citation")}
        job = jobs.start(
            study=options["study"],
            kind="import_dataset",
            key=options["name"][:200],
            params={
                "files": {name: str(existing_file(path)) for name, path in files.items() if path},
                "settings": {**settings, "as_new_version": options["new_version"]},
            },
            by=options["by"],
        )
        return self.run(job, background=options["background"])
