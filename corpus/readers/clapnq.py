"""Questions of CLAP-NQ, JSON Lines as in KILT, with their passages and answers.

`{"id": str, "input": str, "passages": [{"title", "text", "sentences": [str]}], "output":
[{"answer", "selected_sentences": [str], "meta": {…}}]}`. The first answer is the reference, further
ones are additional references; none or a blank one means that the passages do not answer the
question.

Some spellings of its README are converted to the form of the files: a number as `id`, null as
`answer` and sentences that end with "&". `record` is the line in that form; a line that already has
it is kept byte for byte.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpus import clapnq
from corpus.problems import ImportProblems, Problem, Report, json_excerpt
from corpus.readers.base import (
    TURN_NUMBER,
    Beat,
    DatasetFormat,
    Part,
    ReadDataset,
    describe,
    in_places,
    truth_of_question,
)
from corpus.readers.encoding import is_utf8
from corpus.readers.fields import Fields
from corpus.readers.strict_json import JsonObject, objects_by_line
from corpus.records import DatasetRecords, PassageRecord, TurnRecord, turn_id

# A question a line, so the line is long.
EXAMPLE = (
    '{"id":"7","input":"what are tides",'
    '"passages":[{"title":"Tide","text":"The sea rises. It falls.",'
    '"sentences":["The sea rises.","It falls."]}],'
    '"output":[{"answer":"The sea rising and falling.",'
    '"selected_sentences":["The sea rises.","It falls."],'
    '"meta":{"annotator":[1],"has_minimal_answer":false,'
    '"non_consecutive":false,"round":1,"skip":false}}]}\n'
)


def read(path: Path, *, name: str = "") -> DatasetRecords:
    report = Report(name or path.name, "line")
    turns: list[TurnRecord] = []
    passages: list[PassageRecord] = []
    if is_utf8(path, report):
        known: dict[str, int] = {}
        for line, values in objects_by_line(path, report):
            fields = Fields(_in_the_files_form(values), report, line)
            key = fields.unique_identifier("id", known)
            offered = _passages(fields, key)
            turns.append(_turn(fields, key, offered, part=path.name))
            passages += offered
        if not (known or report.n):
            report.add("there is no line with a question")
    report.finish()
    return DatasetRecords(tuple(turns), tuple(passages))


def _turn(fields: Fields, key: str, offered: list[PassageRecord], *, part: str) -> TurnRecord:
    question = fields.text_unless_blank("input")
    if not question and fields.is_sound:
        fields.problem("input", "says nothing")
    answers = _answers(fields)
    reference, *others = answers or [""]
    docids = tuple(passage.docid for passage in offered) if reference else ()
    return TurnRecord(
        conversation=key,
        number=TURN_NUMBER,
        question=question,
        rewrite="",
        reference=reference,
        truth_passages=docids,
        source=truth_of_question(key, question, docids, reference),
        index=fields.index,
        other_references=tuple(others),
        record=clapnq.line_of(fields.values) if fields.is_sound else "",
        part=part,
    )


def _passages(fields: Fields, key: str) -> list[PassageRecord]:
    return [
        _passage(each, f"{key}-{number}", turn_id(key, TURN_NUMBER))
        for number, each in enumerate(_objects(fields, "passages"), start=1)
    ]


def _passage(fields: Fields, docid: str, turn: str) -> PassageRecord:
    """Return the passage.

    Passages have no ids: theirs is the question's and the passage's position.
    """
    return PassageRecord(
        docid=docid,
        text=fields.text("text"),
        url="",
        turn_id=turn,
        index=fields.index,
        title=fields.optional_text("title"),
        sentences=_texts(fields, "sentences"),
    )


def _answers(fields: Fields) -> list[str]:
    """Return the answers in the order of the file, without blank ones."""
    outputs = _objects(fields, "output")
    answers = [each.text_unless_blank("answer") for each in outputs]
    for each in outputs:
        _texts(each, "selected_sentences")
    return [answer for answer in dict.fromkeys(answers) if answer]


def _objects(fields: Fields, field: str) -> list[Fields]:
    values = fields.values.get(field)
    if not fields.required(field):
        return []
    if not isinstance(values, list):
        fields.problem(field, "is not a list of objects", json_excerpt(values))
        return []
    found = []
    for number, value in enumerate(values, start=1):
        within = f"{field}[{number}]"
        if isinstance(value, dict):
            found.append(Fields(value, fields.report, fields.index, within=within))
        else:
            fields.problem(within, "is not an object", json_excerpt(value))
    return found


def _texts(fields: Fields, field: str) -> tuple[str, ...]:
    """Return the texts of an optional list."""
    values = fields.values.get(field)
    if values is None:
        return ()
    if not isinstance(values, list):
        fields.problem(field, "is not a list of texts", json_excerpt(values))
        return ()
    return tuple(fields.holdable(field, value) for value in values)


def _in_the_files_form(values: Mapping[str, Any]) -> JsonObject:
    """Return the record with the README's other spellings converted.

    Unknown ones stay, to be reported.
    """
    record = dict(values)
    if isinstance(record.get("id"), int) and not isinstance(record["id"], bool):
        record["id"] = str(record["id"])
    passages, outputs = record.get("passages"), record.get("output")
    if isinstance(passages, list):
        record["passages"] = [_without_marks(each, "sentences") for each in passages]
    if isinstance(outputs, list):
        record["output"] = [_answered(each) for each in outputs]
    return record


def _answered(output: Any) -> Any:
    if not isinstance(output, dict):
        return output
    mended = _without_marks(output, "selected_sentences")
    return {**mended, "answer": ""} if mended.get("answer", "") is None else mended


def _without_marks(holder: Any, field: str) -> Any:
    """Return the sentences without the final "&", if every one ends with it."""
    sentences = holder.get(field) if isinstance(holder, dict) else None
    if not (isinstance(sentences, list) and sentences and all(map(_is_marked, sentences))):
        return holder
    return {**holder, field: [each.rstrip()[:-1].rstrip() for each in sentences]}


def _is_marked(sentence: object) -> bool:
    return isinstance(sentence, str) and sentence.rstrip().endswith("&")


def read_parts(*, paths: Sequence[Path], beat: Beat = lambda: None) -> ReadDataset:
    """Read the files of CLAP-NQ that are parts of one data set, each named after its file.

    Raises ImportProblems with every problem of every file, or between them.
    """
    wrong: list[ImportProblems] = []
    if of_one_name := list(_of_one_name(paths)):
        wrong.append(ImportProblems(of_one_name))
    parts: list[DatasetRecords] = []
    for path in paths:
        try:
            parts.append(read(path))
        except ImportProblems as problems:
            wrong.append(problems)
        beat()
    if wrong:
        raise ImportProblems.of_files(wrong)
    if asked_twice := list(_asked_twice(parts)):
        raise ImportProblems(asked_twice)
    turns = tuple(turn for part in parts for turn in part.turns)
    offered = tuple(passage for part in parts for passage in part.passages)
    return ReadDataset(DatasetRecords(turns, offered), [describe(path) for path in paths])


def _of_one_name(paths: Sequence[Path]) -> Iterator[Problem]:
    """Yield a problem for each file name that occurs twice: parts are named after their files."""
    names = [path.name for path in paths]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        message = "is the name of two files: a part of a data set is called after its file"
        yield Problem(name, "line", None, "", "", message)


def _asked_twice(parts: Iterable[DatasetRecords]) -> Iterator[Problem]:
    first: dict[str, TurnRecord] = {}
    for turn in (turn for part in parts for turn in part.turns):
        known = first.setdefault(turn.turn_id, turn)
        if known is not turn:
            message = f"is already in line {known.index} of {known.part}"
            yield Problem(
                turn.part, "line", turn.index, "id", json_excerpt(turn.conversation), message
            )


FORMAT = DatasetFormat(
    name="clapnq",
    title="CLAP-NQ",
    parts=(
        Part(
            name="questions",
            label="Questions",
            help_text="JSON Lines, a question a line: id, input, passages (each with its title, text and"
            " sentences) and output (the answers written for it, none or a blank one where the passages do"
            " not answer it). Several files are parts of one data set, such as the answerable and the"
            " unanswerable questions.",
            example=EXAMPLE,
            is_several=True,
            option_help="files of CLAP-NQ",
        ),
    ),
    read=lambda files, beat: read_parts(paths=in_places(files), beat=beat),
)
