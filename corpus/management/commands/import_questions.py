from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from corpus.commands import add_import_options, plain, start_dataset_import
from corpus.question_meta import types_of
from corpus.readers.questions import FORMAT
from jobs.commands import JobCommand


class Command(JobCommand):
    help = "Import questions that were made from passages, with their answers and proofs, as a data set."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.jsonl", help="the questions (docs/formats.md)")
        parser.add_argument(
            "--dataset",
            required=True,
            type=plain,
            dest="name",
            metavar="NAME",
            help="what to call the data set",
        )
        parser.add_argument(
            "--types",
            type=types_of,
            default=[],
            metavar="A,B,C",
            help="the types that questions may have; default: any",
        )
        add_import_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        (part,) = FORMAT.parts
        types = {"types": options["types"]} if options["types"] else {}
        job = start_dataset_import(
            files={part.name: options["file"]}, options=options, format=FORMAT.name, **types
        )
        return self.run(job, background=options["background"])
