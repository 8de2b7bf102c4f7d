"""Does one step of bench.pages.steps after the volume's, in one process.

python -m bench.pages.fill STEP FOLDER SAMPLE
"""

import importlib
import os
import sys
from pathlib import Path

import django
from django.core.management import call_command

from bench.pages.steps import after_the_volume


def main() -> None:
    step, folder, n_sample = sys.argv[1:]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    contents = importlib.import_module("bench.pages.contents")  # it has models, so not before setup
    for name, *arguments in after_the_volume(Path(folder), int(n_sample))[step]:
        if name == "fill":
            getattr(contents, arguments[0])()
        else:
            call_command(name, *arguments)


if __name__ == "__main__":
    main()
