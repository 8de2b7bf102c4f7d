"""What commands print, or why they refuse, in a process of its own: each argument is a command as a JSON list."""

import io
import json
import sys

import django
from django.core.management import CommandError, call_command


def result(words: list[str]) -> str:
    out = io.StringIO()
    try:
        call_command(*words, stdout=out)
    except CommandError as error:
        return f"refused: {error}"
    return out.getvalue()


if __name__ == "__main__":
    django.setup()
    print(json.dumps([result(json.loads(each)) for each in sys.argv[1:]]))  # noqa: T201  the caller reads it
