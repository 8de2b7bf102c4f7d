"""The study `compared`: four systems and the reference, compared by simulated annotators.

It follows CLAP-NQ's human evaluation, with the gold passages and with retrieved ones.
"""

from demo.commands import file, step, touchstone

IN_STUDY = ("--study", "compared")
SCHEMES = ("rating", "preference", "relevance")
SETUPS = {"gold": (), "retrieved": ("--top", "3")}


def import_data() -> None:
    """Create a study with questions of two splits and the runs on them."""
    step("The study compared: questions with passages, and the answers of four systems")
    touchstone(
        *("create_study", "compared", "--title", "How and why: systems compared, rehearsed"),
        *("--requester", "alice"),
    )
    parts = [file(f"how-and-why/{part}.jsonl") for part in ("dev", "test")]
    touchstone("import_dataset", *IN_STUDY, "--name", "how-and-why", "--format", "clapnq", *parts)
    touchstone("import_runs", *IN_STUDY, "--dataset", "how-and-why", file("how-and-why/runs"))


def rehearse_study() -> None:
    """Draw both setups, rehearse each under all three schemes, and compute the comparison."""
    for setup, options in SETUPS.items():
        step(f"Some questions, as many of each split, with the {setup} passages")
        touchstone(
            *("draw_comparison", *IN_STUDY, "--dataset", "how-and-why", "--name", setup),
            *("--setup", setup, *options, "--answerable", "6", "--unanswerable", "2"),
            *("--strata", "part", "--allocation", "equal", "--seed", "7"),
        )
        for scheme in SCHEMES:
            step(f"{scheme.capitalize()}, {setup} passages: a rehearsal")
            judge_batch(f"{scheme}, {setup}", scheme=scheme, pool=setup)
    step("What the comparison comes to, as the button of its page computes it")
    compute_figures()


def judge_batch(name: str, *, scheme: str, pool: str) -> None:
    batch = (*IN_STUDY, "--batch", name)
    touchstone(
        *("open_batch", *IN_STUDY, "--name", name, "--scheme", scheme, "--pool", pool),
        *("--judgements", "3", "--guideline", file(f"guideline-{scheme}.md")),
    )
    touchstone("rehearse", *batch, "--annotators", "4", "--accuracy", "0.8", "--seed", "1")
    touchstone("close_batch", *batch)


def compute_figures() -> None:
    # They read models, which are there once Django is set up.
    from accounts.models import Study  # noqa: PLC0415
    from jobs.actions import execution, jobs  # noqa: PLC0415

    study = Study.objects.get(slug="compared")
    about = {"kind": "comparison_of_study", "key": study.slug, "params": {}}
    execution.run(jobs.start(study=study, **about, by=study.created_by))
    touchstone("jobs", *IN_STUDY, "--most", "1")
