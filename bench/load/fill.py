"""Fill the database that the environment names, which is empty and migrated; print the address.

    python -m bench.load.fill --items N --batches N --annotators N --seed N

A process of its own: settings are read once, and the generator of the load stays small.
"""

import argparse
import importlib
import os

import django


def main() -> None:
    parser = argparse.ArgumentParser(description="make a study to be worked on")
    for name in ("items", "batches", "annotators", "seed"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    tables = importlib.import_module("bench.load.tables")  # they have models, so not before setup
    study = importlib.import_module("bench.load.study")
    tables.hurry()
    made = study.make(
        n_items=options.items,
        n_batches=options.batches,
        n_annotators=options.annotators,
        seed=options.seed,
    )
    tables.settle()
    print(made.written())


if __name__ == "__main__":
    main()
