import contextlib
import signal
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import StudyCommand
from accounts.commands.base import INTERRUPTED
from accounts.models import Study
from annotation import schemes
from corpus.commands import dataset_called
from exports.releases import actions as release_actions
from exports.writers import errors


class Command(StudyCommand):
    help = "Write the extended data set with everything its numbers rest on into a folder."
    expected: ClassVar = (errors.ReleaseError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument("--out", required=True, metavar="DIR")
        parser.add_argument(
            "--rehearsal", action="store_true", help="release rehearsed batches, and only these"
        )
        parser.add_argument(
            "--set-aside-disputes",
            action="store_true",
            help="give up on what is still in dispute, for this release and later ones;"
            " adjudicate still decides it",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        with interrupt_on_sigterm():
            result = release_actions.release(
                study=options["study"],
                dataset=dataset_called(options["dataset"], options["study"]),
                out=Path(options["out"]),
                by=options["by"],
                is_rehearsal=options["rehearsal"],
                set_aside_disputes=options["set_aside_disputes"],
            )
        return {
            "release": result.number,
            "folder": str(Path(options["out"])),
            "n_disputes_set_aside": result.n_disputes_set_aside,
            "accepted": result.report["accepted"],
            "funnel": result.report["funnel"],
            "warnings": warnings(options["study"]),
        }


def warnings(study: Study) -> list[str]:
    """A sentence for each batch of the study that no release contains."""
    comparing = [each.name for each in schemes.with_role(schemes.SchemeRole.COMPARISON)]
    names = study.batches.filter(scheme__in=comparing).values_list("name", flat=True)
    return [f"the batch {name} stays out: its items end with no verdict" for name in sorted(names)]


@contextlib.contextmanager
def interrupt_on_sigterm() -> Iterator[None]:
    """Make SIGTERM end the body like Ctrl-C, so that it removes unfinished files."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise CommandError(
            "interrupted: there is no release", returncode=INTERRUPTED
        ) from interrupt
    finally:
        signal.signal(signal.SIGTERM, before)
