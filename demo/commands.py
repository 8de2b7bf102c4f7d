"""Touchstone's commands, run in one process and printed so that they can be copied into a shell."""

import json
import shlex
import sys
from io import StringIO
from pathlib import Path

from django.core.management import call_command

DEMO_FOLDER = Path(__file__).resolve().parent


def step(title: str) -> None:
    sys.stdout.write(f"\n== {title} ==\n")
    sys.stdout.flush()


def touchstone(*args: str, stdin: str = "") -> None:
    sys.stdout.write(f"$ .venv/bin/python manage.py {shlex.join(args)}\n")
    sys.stdout.flush()
    before, sys.stdin = sys.stdin, StringIO(stdin)
    try:
        call_command(*args)
    finally:
        sys.stdin = before


def summary(*args: str) -> dict[str, object]:
    """Run a command with --json and return its summary."""
    out = StringIO()
    call_command(*args, "--json", stdout=out)
    parsed: dict[str, object] = json.loads(out.getvalue())
    return parsed


def file(name: str) -> str:
    return str((DEMO_FOLDER / name).relative_to(Path.cwd()))
