"""A function of a module here, in a process of its own on the database that the environment names.

python -m tests.faults.process making '{"n_items": 30, "n_people": 6}'
"""

import importlib
import json
import os
import sys

import django


def main(name: str, options: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    module = importlib.import_module(
        f"tests.faults.{name}"
    )  # it has models, so not before the setup
    print(json.dumps(getattr(module, name)(**json.loads(options))))  # noqa: T201  this is how it speaks


if __name__ == "__main__":
    main(*sys.argv[1:])
