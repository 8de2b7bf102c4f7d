from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management import CommandError

from accounts.commands import existing_file
from corpus.actions import dataset_files
from corpus.actions.dataset_files import CLAPNQ, FORMATS, SCAI
from corpus.commands import plain
from jobs.actions import jobs
from jobs.commands import JobCommand


class Command(JobCommand):
    help = "Import a data set: its turns with their references, questions and passages."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="the turns with their references (docs/formats.md): one TRUTH.json, or files of CLAP-NQ",
        )
        parser.add_argument("--name", required=True, type=plain, help="what to call the data set")
        parser.add_argument("--format", choices=FORMATS, default=SCAI, help="of the files")
        parser.add_argument(
            "--questions",
            metavar="Q.json",
            help="the questions as they were asked; default: the rewrites of the truth stand for them",
        )
        parser.add_argument(
            "--passages",
            metavar="P.tsv",
            help="what answers may rest on: a table of passages offered for turns, or JSON lines;"
            " default: none but those that runs cite, without text",
        )
        parser.add_argument(
            "--licence",
            default="",
            type=plain,
            help="of the data set, for the manifest of its releases; default: not said",
        )
        parser.add_argument(
            "--citation",
            default="",
            help="how to cite the data set, for the manifest of its releases; default: not said",
        )
        parser.add_argument(
            "--new-version",
            action="store_true",
            help="a changed file becomes the next version; default: it is refused with the difference",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        files = _files(options)
        settings = {name: options[name] for name in ("name", "format", "licence", "citation")}
        job = jobs.start(
            study=options["study"],
            kind="import_dataset",
            key=options["name"][:200],
            params={
                "files": {name: str(existing_file(path)) for name, path in files.items()},
                "settings": {**settings, "as_new_version": options["new_version"]},
            },
            by=options["by"],
        )
        return self.run(job, background=options["background"])


def _files(options: Mapping[str, Any]) -> dict[str, str]:
    """The files by what they are. Raises CommandError where the format has other ones."""
    given, more = options["files"], {name: options[name] for name in ("questions", "passages")}
    if options["format"] == CLAPNQ:
        if any(more.values()):
            raise CommandError("files of CLAP-NQ hold questions and passages: name them only")
        return {
            dataset_files.part_of_several(place): path for place, path in enumerate(given, start=1)
        }
    if len(given) > 1:
        raise CommandError(
            f"{len(given)} files of the truth: a data set of the shared task has one"
        )
    return {"truth": given[0], **{name: path for name, path in more.items() if path is not None}}
