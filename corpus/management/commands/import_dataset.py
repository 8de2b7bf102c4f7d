from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management import CommandError

from accounts.commands import existing_folder
from corpus.commands import add_import_options, plain, start_dataset_import
from corpus.formats import DATASET_FORMATS, SCAI
from corpus.readers.base import DatasetFormat
from jobs.commands import JobCommand

# The parts that are named by an option, by its name.
OPTIONS = {
    part.name: part
    for format in DATASET_FORMATS.values()
    if not format.is_folder
    for part in format.parts[1:]
}


class Command(JobCommand):
    help = "Import a data set: its turns with their references, questions and passages."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="the turns with their references (docs/formats.md): "
            + ", or ".join(format.parts[0].option_help for format in DATASET_FORMATS.values()),
        )
        parser.add_argument("--name", required=True, type=plain, help="what to call the data set")
        parser.add_argument(
            "--format", choices=DATASET_FORMATS, default=SCAI.name, help="of the files"
        )
        for part in OPTIONS.values():
            parser.add_argument(f"--{part.name}", metavar=part.metavar, help=part.option_help)
        add_import_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        files = _files(options)
        job = start_dataset_import(files=files, options=options, format=options["format"])
        return self.run(job, background=options["background"])


def _files(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the files by part. Raises CommandError if the format has no such part."""
    format, files = DATASET_FORMATS[options["format"]], options["files"]
    first, *others = format.parts
    more = {name: [options[name]] for name in OPTIONS if options[name] is not None}
    if unknown := more.keys() - {part.name for part in others}:
        raise CommandError(
            f"a data set of {format.title} has no --{min(unknown)}: its files hold all of it, name them only"
        )
    if format.is_folder:
        return _files_of_folder(format, files)
    if len(files) > 1 and not first.is_several:
        raise CommandError(
            f"{len(files)} files of the {first.name}: a data set of {format.title} has one"
        )
    return format.by_key({first.name: files, **more})


def _files_of_folder(format: DatasetFormat, folders: list[str]) -> dict[str, str]:
    """Return the files of the one folder by part. Raises CommandError if it lacks one."""
    if len(folders) > 1:
        raise CommandError(f"{len(folders)} folders: a data set of the format {format.name} is one")
    folder = existing_folder(folders[0])
    files = {part.name: folder / part.label for part in format.parts}
    missing = [path.name for path in files.values() if not path.is_file()]
    if missing:
        raise CommandError(f"{folder} is no {format.name}: there is no {missing[0]} in it")
    return {name: str(path) for name, path in files.items()}
