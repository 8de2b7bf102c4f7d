"""Four studies on the demonstration data, made by the project's own commands in one process.

    TOUCHSTONE_DATA=… .venv/bin/python -m demo.build

`rehearsed` runs all steps with simulated annotators and ends with two releases; `compared` compares
systems, also with simulated annotators; in `written` answers are written and made questions curated, by simulated
people and in open batches; `demo` has open batches that wait for people.
"""

import os
from pathlib import Path

import django

from demo import compared, curated, everyday, written
from demo.commands import DEMO_FOLDER, step, touchstone

PASSWORD = "try-touchstone"  # noqa: S105  of made-up people, on this machine
PEOPLE = {"alice": "requester", "carol": "adjudicator", "bob": "annotator", "dora": "annotator"}


def create_people() -> None:
    step("People")
    for name in PEOPLE:
        touchstone("create_user", name, "--password-stdin", stdin=f"{PASSWORD}\n")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.chdir(DEMO_FOLDER.parent)
    django.setup()
    touchstone("migrate", "--verbosity", "0")
    create_people()
    everyday.import_data("rehearsed", "Everyday knowledge, rehearsed")
    folder = Path(os.environ["TOUCHSTONE_DATA"])
    everyday.rehearse_study(folder / "release")
    everyday.ask_further(folder / "second-release")
    compared.import_data()
    compared.rehearse_study()
    written.import_data()
    written.rehearse_rounds(folder / "written")
    written.open_batch()
    curated.import_data()
    curated.curate(folder / "curated")
    curated.open_batch("to curate", dataset="lighthouse")
    everyday.import_data("demo", "Everyday knowledge")
    everyday.open_batches()


if __name__ == "__main__":
    main()
