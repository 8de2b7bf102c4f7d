"""scai_qrecc.json and negatives.json: the release in the form in which the shared task gave out its own.

The shared task's notebook (notebooks/scai-qrecc.ipynb of its repository) writes a list with an object for each
question that has a correct answer beside the reference, or evidence, in the order of the truth:

    {"ID": "7_2", "Question": the rewrite, "Answers": [the reference, the correct answers],
     "Evidence": {passage id: [sentences]}}

with an indentation of 4, other letters than ASCII as they are, and no newline at the end. Correct are the faithful
answers, then the extracted sentences that were found plausible, which need no other evidence than themselves, even
if a system gave the same text. The evidence is that of the reference, then that of the correct answers; a sentence is named once for a passage.

negatives.json has the same form: the unfaithful answers of each question that has any, without the reference, with
the evidence by which they were judged. The notebook reads them too, and writes no file of them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.schemes import GROUNDING
from corpus.accepted import EXTRACTED_FROM
from exports.releases.merge import ALTERNATIVE
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.derived_columns import ReferenceEvidenceRow
from exports.rows.earlier_answers import deciding_items
from exports.rows.tiers import GOLD

Json = dict[str, Any]
UNFAITHFUL = "unfaithful"


def files(
    silver: Sequence[Mapping[str, Any]],
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    evidence: Sequence[ReferenceEvidenceRow],
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the files by name, each as parts of its text. `silver` are the records of silver.json."""
    yield "scai_qrecc.json", parts(scai_qrecc(silver, evidence))
    yield "negatives.json", parts(negatives(silver, answers, items))


def scai_qrecc(
    silver: Iterable[Mapping[str, Any]], evidence: Iterable[ReferenceEvidenceRow]
) -> Iterator[Json]:
    """Yield the objects of scai_qrecc.json. `silver` are the records of silver.json."""
    of_reference: dict[str, list[tuple[str, str]]] = {}
    for span in evidence:
        of_reference.setdefault(span.turn_id, []).append((span.passage_id, span.text))
    for record in silver:
        correct = _correct_answers(record)
        sentences = [
            *of_reference.get(_turn_id(record), ()),
            *(each for answer in correct for each in _sentences(answer)),
        ]
        if correct or sentences:
            texts = [record["Truth_answer"], *(answer["answer"] for answer in correct)]
            yield _object(record, texts, sentences)


def negatives(
    silver: Iterable[Mapping[str, Any]], answers: Iterable[AnswerRow], items: Iterable[ItemRow]
) -> Iterator[Json]:
    """Yield the objects of negatives.json. `silver` are the records of silver.json."""
    deciding = deciding_items(items)
    unfaithful = {row.answer_id for row in answers if row.faithfulness == UNFAITHFUL}
    of_turn: dict[str, list[ItemRow]] = {}
    for answer in unfaithful:
        item = deciding[GROUNDING.name, answer]
        of_turn.setdefault(item.turn_id, []).append(item)
    for record in silver:
        found = sorted(of_turn.get(_turn_id(record), ()), key=lambda item: item.answer)
        if found:
            spans = [span for item in found for span in json.loads(item.evidence or "[]")]
            sentences = [(span["passage_id"], span["text"]) for span in spans]
            yield _object(record, [item.answer for item in found], sentences)


def parts(objects: Iterable[Json]) -> Iterator[str]:
    """Yield the text of a file in small parts."""
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=4)
    yield from encoder.iterencode(list(objects))


def _turn_id(record: Mapping[str, Any]) -> str:
    return f"{record['Conversation_no']}_{record['Turn_no']}"


def _correct_answers(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the gold answers, then the silver ones that are extracted sentences."""
    found = record[ALTERNATIVE]
    gold = [answer for answer in found if answer["tier"] == GOLD]
    others = [answer for answer in found if answer["tier"] != GOLD]
    return gold + [answer for answer in others if EXTRACTED_FROM in answer]


def _sentences(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((span["passage_id"], span["text"]) for span in answer["evidence"])
    yield from ((passage, answer["answer"]) for passage in answer.get(EXTRACTED_FROM, ()))


def _object(
    record: Mapping[str, Any], answers: Sequence[str], sentences: Iterable[tuple[str, str]]
) -> Json:
    evidence: dict[str, list[str]] = {}
    for passage, text in sentences:
        of_passage = evidence.setdefault(passage, [])
        if text not in of_passage:
            of_passage.append(text)
    return {
        "ID": _turn_id(record),
        "Question": record["Truth_rewrite"],
        "Answers": list(dict.fromkeys(answers)),
        "Evidence": evidence,
    }
