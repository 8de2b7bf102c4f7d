"""A data set of the SCAI-QReCC shared task: truth, questions and passages.

The files are checked against each other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from corpus import digests
from corpus.problems import ImportProblems, Problem
from corpus.readers import passages, scai_questions, scai_truth
from corpus.readers.base import Beat, DatasetFormat, Part, ReadDataset, describe
from corpus.records import (
    DatasetRecords,
    PassageRecord,
    QuestionRecord,
    TurnRecord,
    with_questions,
)

Record = TypeVar("Record")

# Conversations of the shared task have at most a dozen turns.
MANY_TURNS = 30

TRUTH = """\
[{"Conversation_no": 7, "Turn_no": 1, "Truth_rewrite": "What are tides?",
  "Truth_passages": ["tides_p0"],
  "Truth_answer": "The rising and falling of the sea."}]
"""
QUESTIONS = """\
[{"Conversation_no": 7, "Turn_no": 1, "Question": "What are tides?"},
 {"Conversation_no": 7, "Turn_no": 2,
  "Question": "And how fast do they rise?"}]
"""
PASSAGES = """\
turn_id	passage_id	passage
7_1	tides_p0	Twice a day the sea rises and falls.
7_2	fundy_p0	In the Bay of Fundy the tide rises 2.5 metres an hour.
"""


def read(
    *,
    truth: Path,
    questions: Path | None = None,
    passages_file: Path | None = None,
    beat: Beat = lambda: None,
) -> ReadDataset:
    """Return the data set in the files of the shared task. `beat` is called between the steps.

    Raises ImportProblems with every problem of every file, or, if each is valid by itself, with
    every problem between them.
    """
    wrong: list[ImportProblems] = []
    turns = _records_of(scai_truth.read, truth, wrong)
    beat()
    question_records = (
        _records_of(scai_questions.read, questions, wrong) if questions is not None else None
    )
    offered = _records_of(passages.read, passages_file, wrong) if passages_file is not None else ()
    beat()
    if wrong:
        raise ImportProblems.of_files(wrong)
    warnings = () if question_records is None else _missing_questions(turns, question_records)
    turns = with_questions(turns, question_records or ())
    problems = [
        *_without_question(turns, truth.name, questions.name if questions else ""),
        *_on_other_turns(offered, turns, passages_file.name if passages_file else ""),
    ]
    if problems:
        raise ImportProblems(problems)
    files = [describe(path) for path in (truth, questions, passages_file) if path is not None]
    warnings = (*warnings, *_one_conversation(turns))
    return ReadDataset(DatasetRecords(turns, offered), files, warnings)


def _records_of(
    read_file: Callable[[Path], tuple[Record, ...]], path: Path, wrong: list[ImportProblems]
) -> tuple[Record, ...]:
    """Return the records of the file, or none if it has problems, which are added to `wrong`."""
    try:
        return read_file(path)
    except ImportProblems as problems:
        wrong.append(problems)
        return ()


def _missing_questions(
    turns: Iterable[TurnRecord], questions: Iterable[QuestionRecord]
) -> tuple[str, ...]:
    """Return a warning if the questions file lacks turns of the truth, which is allowed."""
    known = {question.turn_id for question in questions if question.question}
    missing = [turn.turn_id for turn in turns if turn.turn_id not in known]
    if not missing:
        return ()
    return (
        f"{len(missing)} turns of the truth have no question in the questions file:"
        f" {digests.first_names(missing)}",
    )


def _one_conversation(turns: Sequence[TurnRecord]) -> Iterator[str]:
    """Yield a warning if very many turns are one conversation: perhaps separate questions were meant."""
    conversations = {turn.conversation for turn in turns}
    if len(turns) >= MANY_TURNS and len(conversations) == 1:
        yield (
            f"all {len(turns)} turns are one conversation, {conversations.pop()}: intervals take the turns of a"
            " conversation together, so results will have none. Give separate questions a Conversation_no each"
        )


def _without_question(turns: Iterable[TurnRecord], truth: str, questions: str) -> Iterator[Problem]:
    for turn in turns:
        if not (turn.rewrite or turn.question):
            file, field = (truth, "Truth_rewrite") if turn.source else (questions, "Question")
            message = "has neither rewrite nor question"
            yield Problem(file, "record", turn.index, field, turn.turn_id, message)


def _on_other_turns(
    offered: Iterable[PassageRecord], turns: Iterable[TurnRecord], file: str
) -> Iterator[Problem]:
    known = {turn.turn_id for turn in turns}
    for each in offered:
        if each.turn_id is not None and each.turn_id not in known:
            message = "is not a turn of the data set"
            yield Problem(file, "row", each.index, "turn_id", each.turn_id, message)


def _read(files: Mapping[str, Path], beat: Beat) -> ReadDataset:
    return read(
        truth=files["truth"],
        questions=files.get("questions"),
        passages_file=files.get("passages"),
        beat=beat,
    )


FORMAT = DatasetFormat(
    name="scai",
    title="Shared task (SCAI-QReCC)",
    parts=(
        Part(
            name="truth",
            label="Truth",
            help_text="JSON, a list with a record for each turn: Conversation_no, Turn_no, Truth_rewrite (the"
            " question so that it stands alone), Truth_passages (ids, may be empty) and Truth_answer (blank"
            " where no answer is known).",
            example=TRUTH,
            option_help="one TRUTH.json",
        ),
        Part(
            name="questions",
            label="Questions",
            help_text="JSON, the questions as they were asked: Conversation_no, Turn_no, Question. A turn"
            " without one is shown with its Truth_rewrite.",
            example=QUESTIONS,
            is_required=False,
            metavar="Q.json",
            option_help="the questions as asked; default: the rewrites of the truth",
        ),
        Part(
            name="passages",
            label="Passages",
            help_text="A table separated by tabs with the header turn_id, passage_id, passage and, if you like,"
            " url: each row offers a passage for a turn. Or JSON Lines with id, contents (or text) and, if you"
            " like, url: texts of passages that runs cite.",
            example=PASSAGES,
            is_required=False,
            metavar="P.tsv",
            option_help="a table of passages offered for turns, or JSON Lines; default: only those cited by"
            " runs, without text",
        ),
    ),
    read=_read,
)
