"""A small data set of the project's own with made questions: each with a text, an answer, a proof and a type."""

from collections.abc import Sequence
from typing import Any

from accounts.models import Study
from corpus.actions import datasets
from corpus.models import Dataset
from corpus.readers.base import ReadDataset
from corpus.records import DatasetRecords, PassageRecord, TurnRecord
from sampling.actions import curation_pools
from sampling.curation.rule import CurationRule
from sampling.models import Pool

TYPES = ("closed", "open", "recall")
SECTIONS = ("Results", "Method")
# What nobody who curates is told.
MODEL, PROMPT = "zq-model-qz", "zq-prompt-qz"


def proof(n: int) -> str:
    return f"Lamp {n} burns for {n} hours."


def made_question(n: int) -> TurnRecord:
    question, answer = f"How long does lamp {n} burn?", f"{n} hours"
    return TurnRecord(
        conversation=f"q{n:02}",
        number=1,
        question=question,
        rewrite="",
        reference=answer,
        truth_passages=(f"p{n}",),
        source={
            "Conversation_no": f"q{n:02}",
            "Turn_no": 1,
            "Truth_rewrite": question,
            "Truth_passages": [f"p{n}"],
            "Truth_answer": answer,
        },
        meta={
            "type": TYPES[n % len(TYPES)],
            "section": SECTIONS[n % len(SECTIONS)],
            "kind": "text",
            "document": "lamps.pdf",
            "proof": proof(n),
            "proof_status": "found",
            "maker": {"model": MODEL, "prompt": PROMPT, "prompt_sha256": "", "seed": 1},
        },
    )


def create_made_questions(study: Study, n: int = 3, *, name: str = "lamps") -> Dataset:
    return create_with_texts(study, [made_question(each) for each in range(n)], name=name)


def create_with_texts(
    study: Study, turns: Sequence[TurnRecord], *, name: str = "lamps", **more: Any
) -> Dataset:
    """A data set of these turns, each with the text that its proof is from; `more` is for ReadDataset."""
    passages = tuple(
        PassageRecord(
            docid=docid,
            text=f"The harbour has many lamps. {turn.meta['proof']} Oil is dear.",
            url="",
            turn_id=turn.turn_id,
            title="Lamps",
        )
        for turn in turns
        for docid in turn.truth_passages
    )
    read = ReadDataset(DatasetRecords(tuple(turns), passages), [], **more)
    datasets.save(study=study, name=name, read=read, by=study.created_by, format="questions")
    return study.datasets.by_name(name)


def draw_curation(dataset: Dataset, *, name: str = "curation", **rule: object) -> Pool:
    return curation_pools.draw_curation(
        study=dataset.study,
        dataset=dataset,
        name=name,
        rule=CurationRule(**rule),
        by=dataset.study.created_by,
    )
