"""The studies on everyday knowledge.

`rehearsed` runs from the data to a release, `demo` waits for people.
"""

from pathlib import Path

from demo.commands import file, step, summary, touchstone


def import_data(study: str, title: str) -> None:
    """Create a study with the data set, the runs, their scores and a pool."""
    step(f"The study {study}: data, runs, scores and a pool of likely correct, distinct answers")
    touchstone("create_study", study, "--title", title, "--requester", "alice")
    touchstone("add_member", "--study", study, "--role", "adjudicator", "carol")
    files = ("--questions", file("questions-original.json"), "--passages", file("passages.tsv"))
    in_study = ("--study", study)
    touchstone(
        *("import_dataset", *in_study, "--name", "everyday", "--format", "scai"),
        *(file("truth.json"), *files),
    )
    for run in ("alder", "birch", "cedar", "dogwood", "echo"):
        kind = ("--kind", "baseline") if run == "echo" else ()
        touchstone(
            *("import_run", *in_study, "--dataset", "everyday", "--name", run, *kind),
            file(f"runs/{run}.json"),
        )
    touchstone("score", *in_study, "--dataset", "everyday")
    touchstone(
        *("draw_pool", *in_study, "--dataset", "everyday", "--name", "candidates"),
        *("--scorer", "all-MiniLM-L6-v2", "--threshold", "0.62", "--min-candidates", "3"),
    )


def rehearse_study(release: Path) -> None:
    """Rehearse the steps from the pool to a release."""
    in_study = ("--study", "rehearsed")
    step("Are the answers plausible? A rehearsal with six simulated annotators")
    judge_batch("plausibility", pool="candidates", judgements="2", rule="unanimous")

    step("One of the disputes is adjudicated")
    disputes = summary("disputes", *in_study, "--batch", "plausibility")["disputes"]
    assert isinstance(disputes, list)  # noqa: S101  what the command promises
    touchstone(
        *("adjudicate", *in_study, "--item", disputes[0]["item"], "--label", "plausible"),
        *("--by", "carol", "--reason", "It answers the question"),
    )

    step("Are the plausible ones faithful to the evidence?")
    touchstone("find_evidence", *in_study, "--batch", "plausibility", "--name", "evidence")
    judge_batch("faithfulness", pool="evidence", judgements="3", rule="majority")

    step("The release")
    touchstone(
        *("release", *in_study, "--dataset", "everyday", "--out", str(release)),
        *("--rehearsal", "--set-aside-disputes"),
    )
    touchstone("show_release", str(release))


def ask_further(release: Path) -> None:
    """Rehearse what comes after a first release: pairs of its answers, sentences as answers, and a second one."""
    in_study = ("--study", "rehearsed")
    step("How do accepted answers of a question relate? Pairs of them, drawn at random")
    touchstone("draw_pairs", *in_study, "1", "--name", "pairs", "--n", "20")
    judge_batch("relation", pool="pairs", judgements="3", rule="majority")

    step("Sentences that support the references can be answers, too: as a run, drawn and judged")
    touchstone(
        *("find_reference_evidence", *in_study, "--dataset", "everyday"),
        *("--name", "evidence of references"),
    )
    touchstone(
        *("draw_spans", *in_study, "--pool", "evidence of references"),
        *("--name", "sentences", "--most", "1"),
    )
    touchstone("score", *in_study, "--dataset", "everyday", "--metric", "sas")
    touchstone(
        *("draw_pool", *in_study, "--dataset", "everyday", "--name", "sentences"),
        *("--runs", "sentences", "--scorer", "all-MiniLM-L6-v2", "--threshold", "0.62"),
        *("--min-candidates", "1"),
    )
    judge_batch(
        "plausibility", name="sentences", pool="sentences", judgements="2", rule="unanimous"
    )

    step("The next release: with relations.csv, and with the sentences that were found plausible")
    touchstone(
        *("release", *in_study, "--dataset", "everyday", "--out", str(release)),
        *("--rehearsal", "--set-aside-disputes"),
    )


def judge_batch(scheme: str, *, pool: str, judgements: str, rule: str, name: str = "") -> None:
    """Rehearse a batch, called as its scheme if it has no other name."""
    batch = ("--study", "rehearsed", "--batch", name or scheme)
    touchstone(
        *("open_batch", "--study", "rehearsed", "--name", name or scheme, "--scheme", scheme),
        *("--pool", pool, "--judgements", judgements),
        *("--guideline", file(f"guideline-{scheme}.md")),
    )
    touchstone("rehearse", *batch, "--annotators", "6", "--accuracy", "0.9", "--seed", "1")
    touchstone("close_batch", *batch)
    touchstone("settle", *batch, "--rule", rule)


def open_batches() -> None:
    """Open batches, and add people who can judge them."""
    in_study = ("--study", "demo")
    step("A batch that waits for people")
    for name in ("bob", "dora"):
        touchstone("add_member", *in_study, "--role", "annotator", name)
    touchstone(
        *("open_batch", *in_study, "--name", "first round", "--scheme", "plausibility"),
        *("--pool", "candidates", "--judgements", "2"),
        *("--guideline", file("guideline-plausibility.md")),
    )
    step("The answers to four questions side by side: to rate, and to say which is better")
    touchstone(
        *("draw_comparison", *in_study, "--dataset", "everyday", "--name", "side by side"),
        *("--runs", "alder", "birch", "cedar", "dogwood", "--setup", "retrieved", "--top", "2"),
        *("--answerable", "3", "--unanswerable", "1", "--seed", "7"),
    )
    for name, scheme, design in (
        ("ratings", "rating", ()),
        ("preferences", "preference", ("--opponents", "2")),
    ):
        touchstone(
            *("open_batch", *in_study, "--name", name, "--scheme", scheme, *design),
            *("--pool", "side by side", "--judgements", "2"),
            *("--guideline", file(f"guideline-{scheme}.md")),
        )
