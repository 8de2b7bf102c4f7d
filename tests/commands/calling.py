"""Commands called as a person calls them: what they say, and what they refuse."""

import json
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from sampling.models import Pool


def touchstone(command: str, *args: object) -> dict[str, Any]:
    """Run a command; gives its summary."""
    out = StringIO()
    call_command(command, *map(str, args), "--json", stdout=out)
    summary: dict[str, Any] = json.loads(out.getvalue())
    return summary


def refusal(command: str, *args: object) -> str:
    """Run a command that must end with exit code 1; gives the sentence."""
    with pytest.raises(CommandError) as caught:
        call_command(command, *map(str, args), stdout=StringIO())
    assert caught.value.returncode == 1
    return str(caught.value)


@dataclass(frozen=True)
class Desk:
    """Commands in one study."""

    study: str

    def do(self, command: str, *args: object) -> dict[str, Any]:
        return touchstone(command, "--study", self.study, *args)

    def refused(self, command: str, *args: object) -> str:
        return refusal(command, "--study", self.study, *args)


def open_batch(
    desk: Desk, pool: Pool, *options: object, name: str = "plausible", scheme: str = "plausibility"
) -> dict[str, Any]:
    named = ("--name", name, "--scheme", scheme, "--pool", pool.name)
    return desk.do("open_batch", *named, *options)
