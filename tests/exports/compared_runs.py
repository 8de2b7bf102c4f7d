"""Runs compared by people, small enough to compute on paper: three runs, three questions, three annotators.

    1, 2   answerable; every run says something else. 3   not; alder and cedar say the same, that they do not know

Preferences on 1 and 2 are the worked example of stats.pairwise.win_rate (A alder, B birch, C cedar); nobody
compares the answers to 3. Ratings of alder on 1 and 2 are the worked example of stats.ratings; birch
has 2 and 2 throughout, cedar 4 and 4. On 3 everything is rated 1 and 1, and two of three say that "I do not
know." says that it does not know.
"""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accounts.models import Study, User
from annotation.actions import claims, judgements
from annotation.models import Assignment, Batch
from corpus.actions import datasets
from corpus.models import Dataset
from corpus.readers import clapnq
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Pool
from tests.annotation.desk import NOW, submit_with_first_part
from tests.annotation.pools import launched
from tests.corpus.reader_files import write_file
from tests.corpus.test_readers_clapnq import jsonl, output, question
from tests.sampling.comparison_dataset import add_run, draw_comparison
from tests.stats.pairwise.preferences import WORKED

RUNS = ("alder", "birch", "cedar")
REFERENCES = {"1": "One.", "2": "Two.", "3": ""}
UNKNOWN = "I do not know."
TEXTS = {
    "alder": {"1": "A one.", "2": "A two.", "3": UNKNOWN},
    "birch": {"1": "Birch one.", "2": "Birch two, too.", "3": "It is three."},
    "cedar": {"1": "Cedar one.", "2": "Cedar two.", "3": UNKNOWN},
}
CITED = {"1": ["w1", "w2"], "2": ["w2"], "3": ["w1", "w2"]}
PASSAGES = {"w1": "A one is first.", "w2": "A two comes next."}
# Of alder's answers the faithful and the appropriate of each annotator.
ALDER = {"1": ((4, 4), (4, 2), (1, 4)), "2": ((2, 4), (4, 4), (3, 3))}
FLAT = {"birch": (2, 2), "cedar": (4, 4)}

_client_ids = (f"compared-{number}" for number in itertools.count())
Responder = Callable[[Assignment, int], dict[str, str] | None]


def create_compared_dataset(study: Study, folder: Path, names: tuple[str, ...] = RUNS) -> Dataset:
    """The runs of TEXTS under these names."""
    lines = jsonl(
        *(
            question(
                key,
                input=f"what is {key}",
                passages=[
                    {
                        "title": f"Page {key}",
                        "text": f"About {key}. ",
                        "sentences": [f"About {key}."],
                    }
                ],
                output=[output(text)],
            )
            for key, text in REFERENCES.items()
        )
    )
    read = clapnq.read_parts(paths=[write_file(folder, lines, "dev.jsonl")])
    datasets.save(study=study, name="numbers", read=read, by=study.created_by, format="clapnq")
    dataset = study.datasets.by_name("numbers")
    for name, texts in zip(names, TEXTS.values(), strict=False):
        given = {
            key: (text, [{"id": docid, "text": PASSAGES[docid]} for docid in CITED[key]])
            for key, text in texts.items()
        }
        add_run(dataset, folder, name, given)
    return dataset


def draw_comparison_pool(dataset: Dataset, setup: str = "gold", **rule: Any) -> Pool:
    top = 2 if setup == "retrieved" else None
    made = ComparisonRule(setup=setup, top=top, references=False, **rule)
    return draw_comparison(dataset, made, name=setup)


def open_batch(pool: Pool, scheme: str, **settings: Any) -> Batch:
    name = settings.pop("name", f"{scheme} {pool.name}")
    settings = {"judgements_per_item": 3, "prefetch_depth": 20} | settings
    return launched(pool, scheme=scheme, name=name, **settings)


def judge_batch(batch: Batch, people: list[User], respond: Responder) -> Batch:
    """Judge every item as each of the people; where `respond` returns None the item stays claimed."""
    for number, person in enumerate(people):
        for assignment in claims.claim(batch=batch, by=person, now=NOW, n=20):
            response = respond(assignment, number)
            if response is not None:
                submission = judgements.Submission(
                    client_id=next(_client_ids), response=response, shown_at=NOW, active_seconds=9.0
                )
                submit_with_first_part(
                    assignment=assignment, submission=submission, by=person, now=NOW
                )
    return batch


def key_of(assignment: Assignment) -> str:
    return assignment.item.turn.conversation.key


def run_of(key: str, text: str) -> str:
    """The first run with this answer."""
    return next(run for run in RUNS if TEXTS[run][key] == text)


def ratings(assignment: Assignment, number: int) -> dict[str, str]:
    """The ratings of annotator number 0, 1 or 2."""
    key, payload = key_of(assignment), assignment.item.payload
    said = {"confidence": "4"}
    for answer in payload["answers"]:
        n, run = answer["number"], run_of(key, answer["text"])
        f, a = (1, 1) if key == "3" else ALDER[key][number] if run == "alder" else FLAT[run]
        said |= {f"faithful.{n}": str(f), f"appropriate.{n}": str(a)}
        if answer["text"] == UNKNOWN and number < 2:
            said[f"unknown.{n}"] = "yes"
        if len(payload["passages"]) > 1 and f >= 3:
            said[f"supports.{n}.1"] = "yes"
    if len(payload["passages"]) > 1:
        for passage in payload["passages"]:
            said[f"relevant.{passage['number']}"] = _relevance_of(passage["text"], number)
    return said


def _relevance_of(text: str, number: int) -> str:
    """All find the first passage relevant, only annotator number 0 the second."""
    return "relevant" if text == PASSAGES["w1"] or number == 0 else "irrelevant"


def relevance(assignment: Assignment, number: int) -> dict[str, str]:
    passages = assignment.item.payload["passages"]
    return {f"relevant.{each['number']}": _relevance_of(each["text"], number) for each in passages}


def preference(assignment: Assignment, number: int) -> dict[str, str] | None:
    """The preference in the worked example; None for question 3."""
    key, payload = key_of(assignment), assignment.item.payload
    if key == "3":
        return None
    texts = {each["number"]: each["text"] for each in payload["answers"]}
    letters = {n: run_of(key, text)[0].upper() for n, text in texts.items()}
    who = WORKED[key]["".join(sorted(letters.values()))][number]
    left, _ = judgements.screen_order(assignment, assignment.item.batch)
    said = "tie" if who == "=" else "left" if letters[left] == who else "right"
    return {"preference": said}


def tie(assignment: Assignment, number: int) -> dict[str, str]:
    return {"preference": "tie"}


def preference_for_alder(assignment: Assignment, number: int) -> dict[str, str]:
    """Prefer alder's answer; between two others the left one."""
    key, payload = key_of(assignment), assignment.item.payload
    texts = {each["number"]: each["text"] for each in payload["answers"]}
    order = judgements.screen_order(assignment, assignment.item.batch)
    of_right = run_of(key, texts[order[1]])
    return {"preference": "right" if of_right == "alder" else "left"}


def flat_ratings(assignment: Assignment, number: int) -> dict[str, str]:
    """Everything 3, whatever the runs are called."""
    said = {"confidence": "3"}
    for answer in assignment.item.payload["answers"]:
        said |= {f"faithful.{answer['number']}": "3", f"appropriate.{answer['number']}": "3"}
    return said


def pool_of_one(dataset: Dataset) -> Pool:
    rule = ComparisonRule(setup="gold", runs=("alder",), references=False)
    return draw_comparison(dataset, rule, name="one")
