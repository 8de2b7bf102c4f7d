"""The truth of the SCAI-QReCC shared task.

`[{"Conversation_no", "Turn_no", "Truth_rewrite": str, "Truth_passages": [passage id],
"Truth_answer": str}]`, all five required; a blank `Truth_answer` means that there is no truth for
the turn. An extended truth is read as its original: other fields are ignored.
"""

from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.fields import Fields, SwappedFiles, Turns
from corpus.readers.strict_json import objects
from corpus.records import TurnRecord

KEYS = ("Conversation_no", "Turn_no", "Truth_rewrite", "Truth_passages", "Truth_answer")


def read(path: Path, *, name: str = "") -> tuple[TurnRecord, ...]:
    report = Report(name or path.name, "record")
    turns, swapped = Turns(), SwappedFiles("Truth_answer", "Question", "questions file")
    records = tuple(
        turn_record(Fields(values, report, index), turns)
        for index, values in swapped.look_at(objects(path, report))
    )
    swapped.require_none(report)
    report.finish()
    return records


def turn_record(fields: Fields, turns: Turns) -> TurnRecord:
    """Return the turn of a record of the file, after its number was taken."""
    conversation, number = turns.take(fields)
    return TurnRecord(
        conversation=conversation,
        number=number,
        question="",
        rewrite=fields.text_unless_blank("Truth_rewrite"),
        reference=fields.text_unless_blank("Truth_answer"),
        truth_passages=_truth_passages(fields),
        source={key: value for key, value in fields.values.items() if key in KEYS},
        index=fields.index,
    )


def _truth_passages(fields: Fields) -> tuple[str, ...]:
    """Return the ids in their order, without duplicates."""
    field = "Truth_passages"
    if not fields.required(field):
        return ()
    ids = fields.values[field]
    if not isinstance(ids, list):
        fields.problem(field, "is not a list of passage ids", json_excerpt(ids))
        return ()
    return tuple(dict.fromkeys(fields.as_identifier(field, docid) for docid in ids))
