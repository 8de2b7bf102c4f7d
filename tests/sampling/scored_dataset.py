"""A small data set with answers and imported scores, for pools to be drawn from."""

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from accounts.models import Study
from corpus.models import Answer, Dataset, RunKind
from jobs.models import Job
from sampling.actions import evidence, pool_draws
from sampling.actions.evidence import EvidenceRule
from sampling.models import Candidate, Pool
from sampling.pools.rule import Rule
from scoring.actions import score_imports
from tests.corpus.imports import (
    answer,
    create_dataset,
    create_demo_dataset,
    create_run,
    passage_table,
    turn,
)

TURNS = [
    turn(1, "A touchstone is a dark stone.", rewrite="What is a touchstone?"),
    turn(2, "As dark as coal.", rewrite="What colour is it?"),
    turn(3, rewrite="Who invented it?"),
]
PASSAGES = passage_table(
    ("1_1", "touch", "A touchstone is a small dark tablet. It is used to test gold. Slate serves."),
    ("1_1", "menu", "Home. About us. Contact."),
    ("1_2", "colour", "Most of them are black. Some are green."),
)
# By run: the answer to each turn and its score, None where it has none.
ANSWERS = {
    "alder": [(" A tablet to test gold.", 0.95), ("Black.", 0.9), ("Nobody knows.", None)],
    "birch": [("gold: a tablet to TEST", 0.85), ("Green.", 0.81), ("", None)],
    "cedar": [("A tablet to test gold.", 0.95), ("Slate.", 0.8), ("Nobody knows.", None)],
    "dogwood": [("A dark stone is a touchstone!", 0.99), ("", None), ("It was Archimedes.", None)],
    "echo": [
        ("What is a touchstone?", 0.9),
        ("What colour is it?", 0.7),
        ("Who invented it?", None),
    ],
    "fir": [("A fish.", 0.2), ("Blacks", 0.89), ("A fish.", None)],
}
RULE = Rule(scorer="paper", threshold=0.8, min_candidates=1)


def create_scored_dataset(study: Study, folder: Path, *, order: list[str] | None = None) -> Dataset:
    """Import the data set, its runs in this order, and the scores of a scorer "paper"."""
    dataset = create_dataset(study, folder, TURNS, passages=PASSAGES)
    for name in order or list(ANSWERS):
        answers = [answer(number, text) for number, (text, _) in enumerate(ANSWERS[name], start=1)]
        kind = RunKind.BASELINE if name == "echo" else RunKind.SYSTEM
        create_run(dataset, folder, answers, name=name, kind=kind)
    scores = {
        name: [
            (f"1_{n}", score) for n, (_, score) in enumerate(answers, start=1) if score is not None
        ]
        for name, answers in ANSWERS.items()
    }
    import_scores(dataset, folder, scores)
    return dataset


def import_scores(
    dataset: Dataset, folder: Path, given: Mapping[str, list[tuple[str, float]]]
) -> None:
    """Scores of a scorer "paper": by run, turn and value."""
    path = folder / "scores.csv"
    rows = [f"{turn},{name},{value}" for name, scores in given.items() for turn, value in scores]
    path.write_text("\n".join(["id,run,sas", *rows]) + "\n", encoding="utf-8")
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer="paper",
        records=score_imports.read(path, metric="sas"),
        file=path.name,
        by=dataset.created_by,
    )


def draw_pool(dataset: Dataset, rule: Rule = RULE, *, name: str = "pool") -> Pool:
    pool, _ = pool_draws.draw(
        study=dataset.study, dataset=dataset, name=name, rule=rule, by=dataset.created_by
    )
    return pool


def demo_pool(study: Study, folder: Path, *, n_turns: int | None = None) -> Pool:
    """Draw a pool of the answers of three systems to the first n questions of the demonstration, or to all."""
    everyday = create_demo_dataset(study, "alder", "birch", "cedar")
    given = {
        name: [(answer.turn.key, 0.9) for answer in answers_of(everyday, name)[:n_turns]]
        for name in ("alder", "birch", "cedar")
    }
    import_scores(everyday, folder, given)
    return draw_pool(everyday)


def answers_of(dataset: Dataset, run: str) -> QuerySet[Answer]:
    answers = dataset.runs.get(name=run).answers
    return answers.select_related("turn__conversation")


def evidence_rule(**changes: Any) -> EvidenceRule:
    """By overlap alone, unless told otherwise."""
    return EvidenceRule(
        **{"batch": "plausibility", "scorer": "none", "sas_threshold": None, **changes}
    )


def begin_evidence(
    drawn: Pool,
    rule: EvidenceRule | None = None,
    *,
    name: str = "evidence",
    model: object = "none",
    texts: Container[str] | None = None,
    is_rehearsal: bool = False,
) -> Job:
    """The job that finds the evidence of a pool's candidates, or of those with these texts."""
    candidates = Candidate.objects.filter(pool=drawn).select_related("turn__conversation")
    return evidence.begin(
        study=drawn.study,
        dataset=drawn.dataset,
        name=name,
        plausible=[each for each in candidates if texts is None or each.text in texts],
        rule=rule or evidence_rule(),
        model=str(model),
        is_rehearsal=is_rehearsal,
        by=drawn.created_by,
    )
