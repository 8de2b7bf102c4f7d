"""draw_comparison."""

from sampling.models import Pool
from scoring import queries as scoring_tables
from tests.cases import all_cases
from tests.commands.command_calls import command_error, run_command
from tests.parts import part
from tests.sampling.comparison_dataset import create_comparison_dataset

OF_THE_PAPER = ("--strata", "part", "--allocation", "equal", "--seed", 5)


@part
def options(study, folder):
    create_comparison_dataset(study, folder)
    return "draw_comparison", "--study", study.slug, "--dataset", "waves"


def test_the_papers_design_is_drawn_for_both_setups(options):
    quotas = ("--answerable", 2, "--unanswerable", 2)

    gold = run_command(*options, "--name", "gold", "--setup", "gold", *quotas, *OF_THE_PAPER)
    retrieved = run_command(
        *(*options, "--name", "retrieved", "--setup", "retrieved", "--top", 3),
        *(*quotas, *OF_THE_PAPER, "--keep-without-passages"),
    )

    assert (gold["pool"], gold["n_turns"], gold["warnings"]) == ("gold", 4, [])
    assert [each["n_drawn"] for each in retrieved["strata"]] == [1, 1, 1, 1]
    turns = [set(pool.candidates.values_list("turn", flat=True)) for pool in Pool.objects.all()]
    assert turns[0] == turns[1]


def test_every_parameter_is_kept(options):
    run_command(
        *(*options, "--name", "all of it", "--setup", "retrieved", "--top", 2, "--questions", 3),
        *("--runs", "birch", "alder", "--without-references", "--strata", "length", "first_word"),
        *("--answered-by", "two", "--keep-without-passages", "--seed", 7),
    )

    assert Pool.objects.get().rule == {
        "setup": "retrieved",
        "top": 2,
        "runs": ["alder", "birch"],
        "references": False,
        "n_questions": 3,
        "quotas": None,
        "strata": ["length", "first_word"],
        "allocation": "proportional",
        "answered_by": "two",
        "keeps_without_passages": True,
        "seed": 7,
    }


def test_a_preview_says_what_would_be_drawn_and_draws_nothing(options):
    asked = (*options, "--name", "gold", "--setup", "gold", "--answerable", 1)

    said = run_command(*asked, "--preview")

    assert not Pool.objects.exists()
    assert said.items() <= (run_command(*asked) | {"pool": None}).items()


def test_very_many_answers_are_drawn_from_by_a_job(options, study, monkeypatch):
    asked = (*options, "--setup", "gold", "--name")
    at_once = run_command(*asked, "at once")
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 5)

    by_a_job = run_command(*asked, "by a job")

    assert by_a_job == at_once | {"pool": "by a job"}
    assert study.jobs.get().state == "done"


@all_cases(
    ("asked", "said"),
    [
        (("--setup", "retrieved"), "top is None, but has to be 1 or more with retrieved passages"),
        (("--setup", "gold", "--top", 3), "left out with gold passages"),
        (
            ("--setup", "gold", "--questions", 3, "--answerable", 2),
            "n_questions says another number than the quotas",
        ),
        (("--setup", "gold", "--questions", 0), "n_questions is 0"),
        (("--setup", "gold", "--answerable", -1), "answerable is -1"),
        (("--setup", "gold", "--answerable", 0), "a comparison of no question says nothing"),
        (("--setup", "gold", "--strata", "part", "part"), "each once"),
        (("--setup", "gold", "--runs", "alder", "alder"), "each once"),
        (("--setup", "gold", "--runs", "oak"), "has no run oak"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, asked, said):
    assert said in command_error(*options, "--name", "pool", *asked)
    assert not Pool.objects.exists()
