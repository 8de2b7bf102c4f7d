"""The files of a batch of curation: questions.csv, few_shot.jsonl and curation.json."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db.models import Count

from annotation.models import Batch
from corpus.models import Conversation
from exports.curation import queries
from exports.curation.acceptance import acceptance
from exports.curation.columns import QuestionRow
from exports.curation.queries import Curated
from exports.writers import csv_table, json_file
from exports.writers.folders import new_folder

QUESTIONS, FEW_SHOT, REPORT = "questions.csv", "few_shot.jsonl", "curation.json"


def write(batch: Batch, out: Path) -> list[str]:
    """Write the files into a new folder, which appears whole or not at all. Raises ReleaseError."""
    questions = queries.curated(batch)
    with new_folder(out) as folder:
        csv_table.write(folder.path / QUESTIONS, QuestionRow, queries.rows(batch, questions))
        (folder.path / FEW_SHOT).write_text("".join(few_shot(questions)), encoding="utf-8")
        json_file.write(folder.path / REPORT, report(questions))
        folder.deliver()
    return [QUESTIONS, FEW_SHOT, REPORT]


def few_shot(questions: Sequence[Curated]) -> Iterator[str]:
    """Lines of the promoted questions, by type and in the order of the data set, as a prompt shows them."""
    promoted = [each for each in questions if each.is_promoted and each.texts is not None]
    keys = {each.turn.conversation_id for each in promoted}
    turns = Count("turns")
    of_several = Conversation.objects.filter(pk__in=keys).annotate(n=turns).filter(n__gt=1)
    several = set(of_several.values_list("pk", flat=True))
    for each in sorted(promoted, key=lambda each: each.type):
        turn = each.turn
        key = turn.key if turn.conversation_id in several else turn.conversation.key
        yield json.dumps({"id": key, **_example(each)}, ensure_ascii=False) + "\n"


def _example(each: Curated) -> dict[str, str]:
    texts = each.texts or {}
    return {
        "type": each.type,
        "section": each.turn.meta.get("section", ""),
        "text": "\n\n".join(queries.passages(each.item)),
        "question": texts["question"],
        "answer": texts.get("answer", ""),
        "proof": texts.get("proof", ""),
    }


def report(questions: Sequence[Curated]) -> dict[str, Any]:
    """The acceptance of the decided questions, and the agreement on all that were judged."""
    return {
        "acceptance": [asdict(each) for each in acceptance(queries.decided(questions))],
        "agreement": [each.to_dict() for each in queries.agreement_on(questions)],
    }
