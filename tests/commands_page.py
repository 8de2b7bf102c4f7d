"""The lists of options in docs/commands.md, made from the commands.

    python -m tests.commands_page

writes them anew. What is above and below the list of a command is written by hand.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import re
from argparse import Action, ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management import get_commands, load_command_class

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
# What the head of the page says of all commands.
EVERYWHERE = {
    ("--study", "required; the study's slug"),
    ("--by", "who does it; default: the study's creator"),
    ("--json", "print the summary as JSON"),
}
NAMES = re.compile(rf"\b({'|'.join(name for name in get_commands() if '_' in name)})\b")
SECTION = re.compile(r"(?<=^### )(\w+)\n(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
LIST = re.compile(r"(?:^- .*\n)+", re.MULTILINE)


def parser_of(command: str) -> ArgumentParser:
    return load_command_class(get_commands()[command], command).create_parser("m", command)


def options(command: str) -> str:
    """Return the list of the command's options, a line each; "" if it has none of its own."""
    parser = parser_of(command)
    own = [each for each in parser._actions if not _is_everywhere(each)]
    return "".join(f"- {line}\n" for line in [*map(_line, own), *_exclusive(parser)])


def _is_everywhere(each: Action) -> bool:
    if each.help == "==SUPPRESS==" or "--help" in each.option_strings:
        return True
    return any((name, each.help) in EVERYWHERE for name in each.option_strings)


def _line(each: Action) -> str:
    text = (each.help or "") % {"default": each.default}
    text = re.sub(r"(?<![\w`-])(--[a-z][a-z-]+)", r"`\1`", text)
    text = NAMES.sub(r"`\1`", text)
    text = re.sub(r"\bdocs/([\w/-]+\.md)", r"[\1](\1)", text)
    words = [*each.option_strings, _value(each)]
    return f"`{' '.join(filter(None, words))}`" + (f": {text}" if text else "")


def _value(each: Action) -> str:
    if each.nargs == 0:
        return ""
    if each.metavar is None:
        return "|".join(map(str, each.choices)) if each.choices else each.dest.upper()
    return each.metavar if isinstance(each.metavar, str) else " ".join(each.metavar)


def _exclusive(parser: ArgumentParser) -> Iterator[str]:
    for group in parser._mutually_exclusive_groups:
        names = [f"`{each.option_strings[0]}`" for each in group._group_actions]
        several = f"{', '.join(names[:-1])} and {names[-1]}"
        yield f"of {several}, {'exactly' if group.required else 'at most'} one is given"


def page(text: str) -> str:
    """Return the page with the lists as the commands have them."""

    def with_list(section: re.Match[str]) -> str:
        command, body = section[1], section[2]
        first = LIST.search(body)
        made = options(command)
        if first is None:
            head, _, rest = body.partition("\n\n")
            body = f"{head}\n\n{made}\n{rest}" if made else body
        else:
            body = body[: first.start()] + made + body[first.end() :]
        return f"{command}\n{body}"

    return SECTION.sub(with_list, text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
