"""Commands one after another in a process of their own: each argument is a command as a JSON list."""

import json
import sys

import django
from django.core.management import call_command


def main(commands: list[str]) -> None:
    django.setup()
    for command in commands:
        call_command(*json.loads(command))


if __name__ == "__main__":
    main(sys.argv[1:])
