"""The questions of the SCAI-QReCC shared task: `[{"Conversation_no", "Turn_no", "Question": str}]`."""

from pathlib import Path

from corpus.problems import Report
from corpus.readers.fields import Fields, SwappedFiles, Turns
from corpus.readers.strict_json import objects
from corpus.records import QuestionRecord


def read(path: Path, *, name: str = "") -> tuple[QuestionRecord, ...]:
    report = Report(name or path.name, "record")
    turns, swapped = Turns(), SwappedFiles("Question", "Truth_answer", "truth file")
    records = tuple(
        _question(Fields(values, report, index), turns)
        for index, values in swapped.look_at(objects(path, report))
    )
    swapped.require_none(report)
    report.finish()
    return records


def _question(fields: Fields, turns: Turns) -> QuestionRecord:
    conversation, number = turns.take(fields)
    return QuestionRecord(conversation, number, fields.text_unless_blank("Question"), fields.index)
