"""draw_writing."""

import pytest

from annotation.models import Batch
from sampling.models import Pool
from tests.commands.command_calls import command_error, run_command
from tests.parts import part
from tests.sampling.writing_dataset import create_writing_dataset


@part
def options(study, folder):
    create_writing_dataset(study, folder)
    return "draw_writing", "--study", study.slug, "--dataset", "lights"


def test_questions_are_drawn_and_a_batch_opens_on_them(study, options):
    summary = run_command(*options, "--name", "R1", "--questions", 2, "--seed", 7)

    assert summary == {
        "pool": "R1",
        "seed": 7,
        "n_turns": 2,
        "n_candidates": 0,
        "n_eligible": 3,
        "n_too_short": 1,
    }
    opened = run_command(
        *("open_batch", "--study", study.slug, "--pool", "R1", "--scheme", "writing"),
        *("--name", "round 1", "--judgements", 1),
    )
    assert not [each for each in opened["warnings"] if "rule" in each]  # there is no verdict
    assert Batch.objects.get().items.count() == 2


def test_every_parameter_is_kept(options):
    run_command(
        *(*options, "--name", "R1", "--part", "dev.jsonl", "--part", "train.jsonl"),
        *("--questions", 3, "--min-sentences", 2, "--seed", 4),
    )

    assert Pool.objects.get().rule == {
        "parts": ["dev.jsonl", "train.jsonl"],
        "n_questions": 3,
        "min_sentences": 2,
        "seed": 4,
    }


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (("--questions", 0), "--questions: Ensure this value is greater than or equal to 1"),
        (
            ("--min-sentences", 0),
            "--min-sentences: Ensure this value is greater than or equal to 1",
        ),
        (("--min-sentences", 50), "no passage has at least 50 sentences"),
        (("--part", "test"), "has no part test"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(options, wrong, why):
    assert why in command_error(*options, "--name", "R1", *wrong)
    assert not Pool.objects.exists()
