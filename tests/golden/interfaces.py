"""What people and programs call the project by: URL names, commands and the API's schema."""

from argparse import Action
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.urls import URLPattern, URLResolver, get_resolver

from config import api_schema

ROOT = Path(__file__).resolve().parents[2]


def urls() -> dict[str, list[str]]:
    """Name -> its routes from the root, in the order in which they are tried; "" has those without a name."""
    found: dict[str, list[str]] = {}
    for name, route in _named(get_resolver()):
        found.setdefault(name, []).append(route)
    return found


def _named(
    resolver: URLResolver, namespace: str = "", before: str = ""
) -> Iterator[tuple[str, str]]:
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield (f"{namespace}{each.name}" if each.name else "", route)
        else:
            inner = f"{namespace}{each.namespace}:" if each.namespace else namespace
            yield from _named(each, inner, route)


def commands() -> dict[str, Any]:
    """Name -> help and arguments, of every command that an app of the project brings."""
    return {name: _command(name, app) for name, app in get_commands().items() if _is_ours(app)}


def _is_ours(app: str) -> bool:
    return any(
        each.name == app and Path(each.path).parent == ROOT for each in apps.get_app_configs()
    )


def _command(name: str, app: str) -> dict[str, Any]:
    """Its help and its arguments, but those of every command of Django that it leaves as they are or hides.

    The help of the arguments is in docs/commands.md.
    """
    parser = load_command_class(app, name).create_parser("manage.py", name)
    djangos = [_taken(each) for each in BaseCommand().create_parser("", "")._actions]
    own = [each for each in parser._actions if _taken(each) not in djangos]
    return {
        "help": parser.description,
        "arguments": {_called(each): _taken(each) for each in own},
        "exclusive": [
            {"required": group.required, "of": [_called(each) for each in group._group_actions]}
            for group in parser._mutually_exclusive_groups
        ],
    }


def _called(argument: Action) -> str:
    return " ".join(argument.option_strings) or argument.dest


def _taken(argument: Action) -> dict[str, Any]:
    """What is taken for it and what holds without it; a type by the name that argparse's messages call it."""
    found = {
        "action": type(argument).__name__,
        "dest": argument.dest,
        "type": getattr(argument.type, "__name__", None),
        "nargs": argument.nargs,
        "const": argument.const,
        "default": argument.default,
        "choices": None if argument.choices is None else [str(each) for each in argument.choices],
        "required": argument.required or None,
        "metavar": argument.metavar,
    }
    return {key: value for key, value in found.items() if value is not None}


def schema() -> dict[str, Any]:
    return api_schema.api_schema()


ALL = {"urls": urls, "commands": commands, "schema": schema}
