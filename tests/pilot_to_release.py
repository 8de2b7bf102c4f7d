"""The study of docs/pilot-to-release.md, what its people answer, and the page read as steps."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from accounts.models import Study, User
from annotation import schemes
from annotation.actions import claims
from annotation.models import Batch, Item
from corpus.models import Answer
from tests.annotation.desk import submission, submit_with_first_part
from tests.browser import label_rule, small_dataset

PAGE = Path(__file__).resolve().parent.parent / "docs" / "pilot-to-release.md"
STUDY, DATASET, SCORER = "lighthouses", "beacons", "cross-encoder"
CAREFUL, CARELESS = ("ann", "ben", "cid"), ("dan", "eve")
RUNS = ("alder", "birch", "cedar", "dogwood")


def steps() -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each step."""
    parts = re.split(r"^## \d+\. (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def commands(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


def labels_of_pages(text: str) -> set[str]:
    """The names in italics of what a page has, in the part of a step that goes by pages."""
    by_pages = re.search(r"\*\*By pages\.\*\*(.*?)(?=\n\n|\Z)", text, re.DOTALL)
    return set(re.findall(r"\*([^*]+)\*", by_pages[1])) if by_pages else set()


def _run(*words: str) -> None:
    call_command(*words, stdout=StringIO())


def create_study(folder: Path) -> Study:
    """The data of the demonstration, four runs of it, and scores by which all answers are likely correct."""
    for name in ("alice", "carol", *CAREFUL, *CARELESS):
        _run("create_user", name)
    _run("create_study", STUDY, "--title", "Lighthouses", "--requester", "alice")
    _run("add_member", "--study", STUDY, "--role", "adjudicator", "carol")
    for name in (*CAREFUL, *CARELESS):
        _run("add_member", "--study", STUDY, "--role", "annotator", name)
    data = small_dataset.DEMO
    of_data = ("--study", STUDY, "--dataset", DATASET)
    _run(
        *("import_dataset", "--study", STUDY, "--name", DATASET, "--format", "scai"),
        *(str(data / "truth.json"), "--questions", str(data / "questions-original.json")),
        *("--passages", str(data / "passages.tsv")),
    )
    for run in RUNS:
        _run("import_run", *of_data, "--name", run, str(data / "runs" / f"{run}.json"))
    _import_scores(folder / "scores.csv", of_data)
    return Study.objects.get(slug=STUDY)


def _import_scores(path: Path, of_data: tuple[str, ...]) -> None:
    answers = (
        Answer.objects.filter(run__name__in=RUNS).exclude(text="").select_related("turn", "run")
    )
    rows = [f"{each.turn.key},{each.run.name},0.9" for each in answers]
    path.write_text("\n".join(["id,run,sas", *rows]) + "\n", encoding="utf-8")
    _run("import_scores", *of_data, "--metric", "sas", "--scorer", SCORER, str(path))


def label(scheme: str, text: str, name: str) -> str:
    """What the person answers: the careful read, dan draws lots and eve presses one key."""
    labels = schemes.get(scheme).labels
    if name == "dan":
        return labels[hashlib.sha256(f"dan: {text}".encode()).digest()[0] % len(labels)]
    return labels[-1] if name == "eve" else label_rule.label_of(scheme, text)


def judge_all(batch: Batch) -> Counter[str]:
    """Everybody in turn judges an item, until nobody is handed one; return how many each person judged."""
    done: Counter[str] = Counter()
    people = list(User.objects.filter(username__in=(*CAREFUL, *CARELESS)).order_by("username"))
    while people:
        people = [person for person in people if _judges_one(batch, person)]
        done.update(person.username for person in people)
    return done


def _judges_one(batch: Batch, person: User) -> bool:
    try:
        held = claims.claim(batch=batch, by=person)
    except claims.NothingToClaimError:
        return False
    for assignment in held:
        text = assignment.item.payload["answers"][0]["text"]
        submit_with_first_part(
            assignment=assignment,
            submission=submission(label(batch.scheme, text, person.username), scheme=batch.scheme),
            by=person,
        )
    return bool(held)


def disputes(batch: str) -> list[tuple[Item, str]]:
    """Return each item in dispute and what a careful reader says of it."""
    out = StringIO()
    call_command("disputes", "--study", STUDY, "--batch", batch, "--json", stdout=out)
    ids = [each["item"] for each in json.loads(out.getvalue())["disputes"]]
    items = Item.objects.filter(public_id__in=ids).select_related("batch")
    return [
        (item, label_rule.label_of(item.batch.scheme, item.payload["answers"][0]["text"]))
        for item in items
    ]
