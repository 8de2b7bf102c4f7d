"""A scoring in two stages that nothing disturbs, in an installation of its own (tests/faults/process.py)."""

import sys
from pathlib import Path

from django.core.management import call_command

from tests.corpus.reader_files import write_file
from tests.jobs.test_worker import ALDER, BIRCH, N_PAIRS, TURNS, answers
from tests.scoring import tiny_models

# With random weights the models agree on little: so loose that some answers are in the band, and some not.
LOOSE = ("--about", 0.863, "--wrong", 0.45, "--sample", N_PAIRS)
IN_STUDY = ("--study", "stones", "--dataset", "touch")


def score(*, folder: str) -> None:
    """Make the models, and import and score all answers."""
    out = Path(folder)
    (out / "bi").mkdir()
    first = tiny_models.bi_encoder(out / "bi")
    second = tiny_models.cross_encoder(out / "cross", seed=2)
    commands = (
        ("import_dataset", "--study", "stones", "--name", "touch", write_file(out, TURNS, "t")),
        ("import_run", *IN_STUDY, "--name", "alder", write_file(out, answers(ALDER), "a")),
        ("import_run", *IN_STUDY, "--name", "birch", write_file(out, answers(BIRCH), "b")),
        ("score", *IN_STUDY, "--metric", "sas", "--first", first, "--scorer", second, *LOOSE),
    )
    for command in commands:
        call_command(*map(str, command), stdout=sys.stderr)
