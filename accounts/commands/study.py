"""Commands that perform one action and print a summary of it."""

import codecs
import json
import sys
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from accounts.actions.names import NameTakenError
from accounts.commands import summaries
from accounts.commands.arguments import study_by_slug, user_by_name
from accounts.commands.base import TouchstoneCommand
from accounts.models import Study
from accounts.permissions import NotAllowedError
from pages.validation import validation_message


class Named:
    """An argument that names one or more things.

    `find` returns the thing of a name, in the study that --study names; or raises CommandError.
    """

    def __init__(self, argument: str, find: Callable[[Any, Any], Any], **settings: Any) -> None:
        self.argument, self.find, self.settings = argument, find, settings
        self.dest: str = settings.get("dest") or argument.removeprefix("--").replace("-", "_")

    def found(self, given: Any, study: Study | None) -> Any:
        if isinstance(given, list):
            return [self.find(each, study) for each in given]
        return None if given is None else self.find(given, study)


USER = Named("name", lambda name, _: user_by_name(name), metavar="NAME", help="the user's name")


class SummaryCommand(TouchstoneCommand, ABC):
    """A command that performs one action and prints a summary of it.

    `act(**options)` returns the summary; it gets the things of the arguments `named`, in place of
    their names. The exceptions named in `expected` are printed as a
    message, with exit code 1. Any other exception is a defect and shows its traceback.
    """

    always_expected: ClassVar[tuple[type[Exception], ...]] = (NotAllowedError, NameTakenError)
    expected: ClassVar[tuple[type[Exception], ...]] = ()
    named: ClassVar[tuple[Named, ...]] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        for each in self.named:
            parser.add_argument(each.argument, **each.settings)
        self.add_options(parser)
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options that are the command's own."""

    @abstractmethod
    def act(self, **options: Any) -> Mapping[str, Any]: ...

    def lines(self, summary: Mapping[str, Any]) -> Iterable[str]:
        """Return the lines of the summary as text."""
        return summaries.lines(summary)

    def handle(self, *args: Any, **options: Any) -> None:
        for each in self.named:
            options[each.dest] = each.found(options[each.dest], options.get("study"))
        expected: tuple[type[Exception], ...] = (*self.always_expected, *self.expected)
        try:
            summary = self.act(**options)
        except expected as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(validation_message(error)) from error
        if options["json"]:
            every_letter = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
            self.stdout.write(json.dumps(summary, ensure_ascii=not every_letter, sort_keys=True))
        else:
            self.stdout.write("\n".join(self.lines(summary)))


class StudyCommand(SummaryCommand):
    """A command in a study. It acts as the study's creator unless --by names another person."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", required=True, metavar="SLUG", help="the study's slug")
        parser.add_argument(
            "--by", metavar="NAME", help="who does it; default: the study's creator"
        )
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        options["study"] = study_by_slug(options["study"])
        by = options["by"]
        options["by"] = user_by_name(by) if by else options["study"].created_by
        super().handle(*args, **options)
