"""A function of a module of the tests, in a process of its own on the database that the environment names.

python -m tests.faults.process tests.faults.work:create_work '{"n_items": 30, "n_people": 6}'
"""

import json
import os
import sys
from pkgutil import resolve_name

import django


def main(name: str, options: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # the module has models, so it is imported after the setup
    function = resolve_name(name)
    print(json.dumps(function(**json.loads(options))))  # noqa: T201  the caller reads it


if __name__ == "__main__":
    main(*sys.argv[1:])
