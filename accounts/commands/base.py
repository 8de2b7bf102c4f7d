"""Base class of commands. Exit code 0, or 1 with an error message, or 130 after Ctrl-C."""

import io
import sqlite3
import sys
from argparse import SUPPRESS, Action
from typing import Any

from django.core.management.base import (
    BaseCommand,
    CommandError,
    CommandParser,
    DjangoHelpFormatter,
)
from django.db import Error

from pages import temporary_files
from pages.database import DATABASE_ERRORS, database_error_message, schema_flaw
from text.encoding import is_encodable

# What the shell says of a program that Ctrl-C ended.
INTERRUPTED = 130


class TouchstoneCommand(BaseCommand):
    """A command whose --help shows its own options with their defaults.

    Wrong arguments end it with exit code 1, not argparse's 2. Characters that the terminal cannot
    show are escaped. A database that is away, busy or not migrated ends it with a message.
    """

    # The other checks are about the code, and import every page: `manage.py check` runs them.
    requires_system_checks = ("settings",)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        for action in parser._actions:  # argparse has no public way to them
            action.help = option_help(action)
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        temporary_files.use_data_folder()
        try:
            super().run_from_argv(argv)
        except SystemExit as end:
            sys.exit(1 if end.code == 2 else end.code)
        except KeyboardInterrupt:
            self.stderr.write("interrupted")
            sys.exit(INTERRUPTED)

    def execute(self, *args: Any, **options: Any) -> str | None:
        require_text(options)
        try:
            return super().execute(*args, **options)
        except Error as error:
            if sentence := error_message(error):
                raise CommandError(sentence) from error
            raise


def option_help(action: Action) -> str | None:
    """Return the help of an option with its default. Django's own options work, but are hidden."""
    if DjangoHelpFormatter.show_last.intersection(action.option_strings):
        return SUPPRESS
    parts = [action.help] if action.help else []
    if action.required and action.option_strings:
        parts.insert(0, "required")
    default = action.default
    if not (default is None or default is False or default in ("", SUPPRESS) or default == []):
        parts.append("default: %(default)s")
    return "; ".join(parts) or None


def require_text(options: dict[str, Any]) -> None:
    """Raise CommandError if an argument is not UTF-8: no database can store it."""
    for name, value in options.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and not is_encodable(each):
                raise CommandError(f"argument {name.replace('_', '-')}: {each!a} is not UTF-8")


def error_message(error: Error) -> str | None:
    """Return a message about the database's state; None if the error is a defect of the code."""
    try:
        require_migrated()
    except CommandError as unset:
        return str(unset)
    except Error:
        pass  # it cannot even be asked whether it is set up; the first error says why
    if not isinstance(error, DATABASE_ERRORS) or is_wrong_sql(error):
        return None
    return database_error_message(error)


def is_wrong_sql(error: Error) -> bool:
    """Return whether SQLite reports wrong SQL, such as a missing column, as OperationalError.

    PostgreSQL reports it as ProgrammingError.
    """
    return getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def require_migrated() -> None:
    """Raise CommandError if the schema of the database is not that of this version."""
    if flaw := schema_flaw():
        raise CommandError(flaw)
