"""Two studies on the demonstration data, made by the project's own commands in one process.

`rehearsed` goes the whole way with simulated annotators and ends with a release; `demo` has an open
batch that waits for people. Each command is printed as it can be copied into a shell.
"""

import json
import os
import shlex
import sys
from io import StringIO
from pathlib import Path

import django
from django.core.management import call_command

HERE = Path(__file__).resolve().parent
PASSWORD = "try-touchstone"  # noqa: S105  of made-up people, on this machine
PEOPLE = {"alice": "requester", "carol": "adjudicator", "bob": "annotator", "dora": "annotator"}


def step(title: str) -> None:
    sys.stdout.write(f"\n== {title} ==\n")
    sys.stdout.flush()


def touchstone(*args: str, stdin: str = "") -> None:
    sys.stdout.write(f"$ .venv/bin/python manage.py {shlex.join(args)}\n")
    sys.stdout.flush()
    before, sys.stdin = sys.stdin, StringIO(stdin)
    try:
        call_command(*args)
    finally:
        sys.stdin = before


def told(*args: str) -> dict[str, object]:
    """What a command says with --json."""
    out = StringIO()
    call_command(*args, "--json", stdout=out)
    found: dict[str, object] = json.loads(out.getvalue())
    return found


def file(name: str) -> str:
    return str((HERE / name).relative_to(Path.cwd()))


def people() -> None:
    step("People")
    for name in PEOPLE:
        touchstone("create_user", name, "--password-stdin", stdin=f"{PASSWORD}\n")


def data(study: str, title: str) -> None:
    """A study with the data set, the runs, their scores and a pool."""
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


def rehearsed(release: Path) -> None:
    """From the pool to a release, with simulated people."""
    in_study = ("--study", "rehearsed")
    step("Are the answers plausible? A rehearsal with six simulated annotators")
    judged("plausibility", pool="candidates", judgements="2", rule="unanimous")

    step("One of the disputes is adjudicated")
    disputes = told("disputes", *in_study, "--batch", "plausibility")["disputes"]
    assert isinstance(disputes, list)  # noqa: S101  what the command promises
    touchstone(
        *("adjudicate", *in_study, "--item", disputes[0]["item"], "--label", "plausible"),
        *("--by", "carol", "--reason", "It answers the question"),
    )

    step("Are the plausible ones faithful to the evidence?")
    touchstone("find_evidence", *in_study, "--batch", "plausibility", "--name", "evidence")
    judged("faithfulness", pool="evidence", judgements="3", rule="majority")

    step("The release")
    touchstone(
        *("release", *in_study, "--dataset", "everyday", "--out", str(release)),
        *("--rehearsal", "--set-aside-disputes"),
    )
    touchstone("show_release", str(release))


def judged(scheme: str, *, pool: str, judgements: str, rule: str) -> None:
    batch = ("--study", "rehearsed", "--batch", scheme)
    touchstone(
        *("open_batch", "--study", "rehearsed", "--name", scheme, "--scheme", scheme),
        *("--pool", pool, "--judgements", judgements),
        *("--guideline", file(f"guideline-{scheme}.md")),
    )
    touchstone("rehearse", *batch, "--annotators", "6", "--accuracy", "0.9", "--seed", "1")
    touchstone("close_batch", *batch)
    touchstone("settle", *batch, "--rule", rule)


def waiting() -> None:
    """An open batch, and people who can judge it."""
    step("A batch that waits for people")
    for name in ("bob", "dora"):
        touchstone("add_member", "--study", "demo", "--role", "annotator", name)
    touchstone(
        *("open_batch", "--study", "demo", "--name", "first round", "--scheme", "plausibility"),
        *("--pool", "candidates", "--judgements", "2"),
        *("--guideline", file("guideline-plausibility.md")),
    )


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.path.insert(0, str(HERE.parent))
    os.chdir(HERE.parent)
    django.setup()
    touchstone("migrate", "--verbosity", "0")
    people()
    data("rehearsed", "Everyday knowledge, rehearsed")
    rehearsed(Path(os.environ["TOUCHSTONE_DATA"]) / "release")
    data("demo", "Everyday knowledge")
    waiting()


if __name__ == "__main__":
    main()
