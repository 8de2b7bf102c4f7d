"""What commands print, or why they refuse, in a process of its own: each argument is a command as a JSON list.

A list of a name with a colon is no command: the function of that name is called, and what it returns is JSON.
"""

import io
import json
import sys
from pkgutil import resolve_name

import django
from django.core.management import CommandError, call_command


def result(words: list[str]) -> str:
    if ":" in words[0]:
        return json.dumps(resolve_name(words[0])())
    out = io.StringIO()
    try:
        call_command(*words, stdout=out)
    except CommandError as error:
        return f"refused: {error}"
    return out.getvalue()


if __name__ == "__main__":
    django.setup()
    print(json.dumps([result(json.loads(each)) for each in sys.argv[1:]]))  # noqa: T201  the caller reads it
