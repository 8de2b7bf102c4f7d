"""The study `written`: answers that people write from passages, in two rounds as for CLAP-NQ, by simulated people; and a
batch that waits for people.
"""

from pathlib import Path

from demo.commands import file, step, touchstone

STUDY = "written"
IN_STUDY = ("--study", STUDY)
GUIDELINE = "guideline-writing.md"
# The parts of the data set, and what is left for people at the desk.
PARTS = ("how-and-why/dev.jsonl", "how-and-why/test.jsonl", "to-write/train.jsonl")
FOR_PEOPLE = "to-write/desk.jsonl"


def import_data() -> None:
    """Create the study with its people and the questions to write answers to."""
    step("The study written: questions with one passage each")
    touchstone(
        *("create_study", STUDY, "--title", "Answers to write, questions to curate"),
        *("--requester", "alice"),
    )
    touchstone("add_member", *IN_STUDY, "--role", "adjudicator", "carol")
    for name in ("bob", "dora"):
        touchstone("add_member", *IN_STUDY, "--role", "annotator", name)
    for name, files in (("how-and-why", PARTS), ("to write", (FOR_PEOPLE,))):
        touchstone(
            *("import_dataset", *IN_STUDY, "--name", name, "--format", "clapnq"),
            *map(file, files),
        )


def rehearse_rounds(out: Path) -> None:
    """Rehearse a pilot, a first and a second round, and export what was written."""
    step("A pilot: three simulated people write to the same questions")
    write("pilot", "--part", "dev.jsonl", judgements="3", seed="1")
    step("The first round: one simulated person writes to each question")
    parts = ("--part", "test.jsonl", "--part", "train.jsonl")
    write("round 1", *parts, judgements="1", seed="10")
    step("The second round: others see answers whose sentences are not consecutive")
    touchstone("draw_second_round", "round 1", *IN_STUDY, "--name", "round 2", "--open")
    rehearse("round 2", seed="3")
    step("What comes out, and its figures as the button of the page computes them")
    touchstone("export_written", *IN_STUDY, "--dataset", "how-and-why", "--out", str(out))
    compute_figures()


def write(name: str, *parts: str, judgements: str, seed: str) -> None:
    """Draw questions, and rehearse a batch of them, both called by the name."""
    touchstone(
        *("draw_writing", *IN_STUDY, "--dataset", "how-and-why", "--name", name),
        *(*parts, "--min-sentences", "5", "--seed", "1"),
    )
    touchstone(
        *("open_batch", *IN_STUDY, "--name", name, "--scheme", "writing", "--pool", name),
        *("--judgements", judgements, "--guideline", file(GUIDELINE)),
    )
    rehearse(name, seed)


def rehearse(name: str, seed: str) -> None:
    batch = (*IN_STUDY, "--batch", name)
    touchstone("rehearse", *batch, "--annotators", "4", "--accuracy", "0.8", "--seed", seed)
    touchstone("close_batch", *batch)


def compute_figures() -> None:
    # They read models, which are there once Django is set up.
    from accounts.models import Study  # noqa: PLC0415
    from jobs.actions import execution, jobs  # noqa: PLC0415

    study = Study.objects.get(slug=STUDY)
    dataset = study.datasets.get(name="how-and-why")
    about = {"kind": "written_answers", "key": str(dataset), "params": {"dataset": dataset.pk}}
    execution.run(jobs.start(study=study, **about, by=study.created_by))
    touchstone("jobs", *IN_STUDY, "--most", "1")


def open_batch() -> None:
    step("Questions that wait for people who write")
    touchstone("draw_writing", *IN_STUDY, "--dataset", "to write", "--name", "to write")
    touchstone(
        *("open_batch", *IN_STUDY, "--name", "to write", "--scheme", "writing"),
        *("--pool", "to write", "--judgements", "2", "--guideline", file(GUIDELINE)),
    )
