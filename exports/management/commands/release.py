import contextlib
import signal
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError, CommandParser

from accounts import permissions
from accounts.commands import StudyCommand
from accounts.commands.base import INTERRUPTED
from accounts.models import Role, Study
from annotation import schemes
from corpus.actions import later_carry_over
from corpus.commands import DATASET
from exports.releases import actions as release_actions
from exports.releases import check
from exports.releases.choice import choice_of_names
from exports.releases.version_numbers import Label
from exports.rows.background import Included
from exports.rows.earlier_answers import accepted_in_files
from exports.writers import errors


class Command(StudyCommand):
    help = "Write the extended data set, with all tables behind its figures, into a folder."
    expected: ClassVar = (errors.ReleaseError,)
    named: ClassVar = (DATASET,)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return the parser, in which --version is that of the release and not Django's."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--out",
            default="",
            metavar="DIR",
            help="required unless --check is given; a folder for a copy. The release itself is stored,"
            " and shown on its pages",
        )
        parser.add_argument(
            "--batch",
            action="append",
            default=[],
            metavar="NAME",
            help="include only this batch; repeatable; default: all batches that count",
        )
        parser.add_argument(
            "--without",
            action="append",
            default=[],
            metavar="NAME",
            help="leave out this batch; repeatable. A faithfulness batch needs its plausibility batch",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help=(
                "write nothing: print the changes since the previous release with their reasons, the"
                " runs that an earlier version has and this one has not, the answers decided"
                " differently by several batches, and why it would be refused"
            ),
        )
        parser.add_argument(
            "--rehearsal", action="store_true", help="release rehearsed batches only"
        )
        parser.add_argument(
            "--set-aside-disputes",
            action="store_true",
            help=(
                "set the items still in dispute aside, also for later releases, until they "
                "are adjudicated"
            ),
        )

        parser.add_argument(
            "--version",
            default="",
            metavar="NUMBER",
            help=(
                "of the data set as others cite it, as 1.1.0; refused if it is smaller than the difference "
                "allows; least: the least that is allowed"
            ),
        )
        parser.add_argument(
            "--background-answers",
            choices=[each.value for each in Included],
            default=Included.CHOICES.value,
            help=(
                "which answers to background questions it has; all: also those in words, which may say who "
                "somebody is"
            ),
        )
        parser.add_argument("--note", default="", metavar="TEXT", help="what the release is about")

    def act(self, **options: Any) -> Mapping[str, Any]:
        permissions.require(options["by"], options["study"], Role.REQUESTER)
        choice = choice_of_names(
            options["dataset"],
            is_rehearsal=options["rehearsal"],
            only=options["batch"],
            without=options["without"],
        )
        if options["check"]:
            return check.summary(choice, set_aside_disputes=options["set_aside_disputes"])
        if not options["out"]:
            raise CommandError("say --out DIR, or --check to write nothing")
        with interrupt_on_sigterm():
            result = release_actions.release(
                study=options["study"],
                dataset=choice.dataset,
                out=Path(options["out"]),
                by=options["by"],
                is_rehearsal=options["rehearsal"],
                left_out=choice.left_out,
                set_aside_disputes=options["set_aside_disputes"],
                label=Label(options["version"], options["note"].strip()),
                background=Included(options["background_answers"]),
            )
        return {
            "release": result.number,
            **({"version": result.version} if result.version else {}),
            "folder": str(Path(options["out"])),
            "n_disputes_set_aside": result.n_disputes_set_aside,
            "accepted": accepted_in_files(result.report),
            "funnel": result.report["funnel"],
            "warnings": [
                *warnings(options["study"]),
                *(each.sentence for each in later_carry_over.left_behind(choice.dataset)),
            ],
            **({"left_out": list(choice.left_out)} if choice.left_out else {}),
        }

    def lines(self, summary: Mapping[str, Any]) -> Iterable[str]:
        return check.lines(summary) if "refused" in summary else super().lines(summary)


def warnings(study: Study) -> list[str]:
    """A sentence for each batch of the study that no release contains."""
    outside = [name for name in schemes.names() if not schemes.get(name).is_released]
    names = study.batches.filter(scheme__in=outside).values_list("name", flat=True)
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
