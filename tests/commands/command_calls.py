"""Calls of commands: their summaries and their errors."""

import json
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from sampling.models import Pool


def run_command(command: str, *args: object) -> dict[str, Any]:
    """Run a command and return its summary."""
    out = StringIO()
    call_command(command, *map(str, args), "--json", stdout=out)
    summary: dict[str, Any] = json.loads(out.getvalue())
    return summary


def command_error(command: str, *args: object) -> str:
    """Run a command that must end with exit code 1; return its message."""
    with pytest.raises(CommandError) as caught:
        call_command(command, *map(str, args), stdout=StringIO())
    assert caught.value.returncode == 1
    return str(caught.value)


@dataclass(frozen=True)
class StudyCommands:
    """Commands in one study."""

    study: str

    def run(self, command: str, *args: object) -> dict[str, Any]:
        return run_command(command, "--study", self.study, *args)

    def error(self, command: str, *args: object) -> str:
        return command_error(command, "--study", self.study, *args)


def open_batch(
    commands: StudyCommands,
    pool: Pool,
    *options: object,
    name: str = "plausible",
    scheme: str = "plausibility",
) -> dict[str, Any]:
    named = ("--name", name, "--scheme", scheme, "--pool", pool.name)
    return commands.run("open_batch", *named, *options)
