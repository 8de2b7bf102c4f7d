"""Which line goes into which file of written answers, and the README beside them. Imports no Django."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from exports.written import outputs, standing
from exports.written.answers import WrittenAnswer, by_question, is_written, n_people
from exports.written.outputs import Question
from exports.written.standing import Decisions

ROUND_1 = "round1.jsonl"
FOLDER = "answers/"  # of the parts, whose names are those of imported files
UNNAMED = "questions.jsonl"
ADJUDICATED = "adjudicated.jsonl"


def lines(
    questions: Iterable[Question], answers: Collection[WrittenAnswer], asked: Collection[int]
) -> Iterator[tuple[str, str]]:
    """Yield the file and the line of each question, in the order of the data set; nothing of one that nobody wrote to.

    Of a question that nobody was asked about the line stays as it was imported if it says that the passages do not
    answer the question; else there is none.
    """
    found, number_of = by_question(answers), outputs.numbers(list(answers))
    for question in questions:
        own = found.get(question.turn, [])
        part = f"{FOLDER}{question.part or UNNAMED}"
        if is_written(own):
            line = outputs.line(question, outputs.outputs(own, number_of))
            yield (part if n_people(own) > 1 else ROUND_1), line
        elif question.turn not in asked and outputs.is_imported_unanswerable(question.line):
            yield part, question.line


def adjudicated(
    questions: Iterable[Question], answers: Collection[WrittenAnswer], decisions: Decisions
) -> bytes:
    """The file with one line, and one output, for each question of several people that has an answer, in the order of
    the data set. A question that was left out in the end, or is open, has no line.
    """
    found, number_of = by_question(answers), outputs.numbers(list(answers))
    lines = []
    for question in questions:
        own = found.get(question.turn, [])
        if is_written(own) and n_people(own) > 1:
            stands = standing.standing(own, decisions)
            if stands and not stands.is_left_out:
                line = outputs.line(question, [stands.output(own, number_of)])
                lines.append(f"{line}\n")
    return "".join(lines).encode("utf-8")


def contents(found: Iterable[tuple[str, str]]) -> Mapping[str, bytes]:
    """The files by name; round1.jsonl is there also if it is empty."""
    by_file: dict[str, list[str]] = {ROUND_1: []}
    for name, line in found:
        by_file.setdefault(name, []).append(f"{line}\n")
    return {name: "".join(by_file[name]).encode("utf-8") for name in sorted(by_file)}


README = """\
# Written answers

People wrote these answers from passages, in one round or two. Text is as it was typed, but for Unicode's form NFC and \
line ends, which are LF.

- `answers/`: one line a question that more than one person worked on, as in CLAP-NQ's files, in the parts and the \
order in which the questions were imported. An answer that the second person kept is one output with both annotators \
and round 2; one that was changed is two outputs; a skip of the second round is an output without a text. Lines of \
questions that nobody was asked about, and whose file says that the passages do not answer them, are as imported.
- `round1.jsonl`: the same for questions that one person alone worked on.
- `adjudicated.jsonl`: one answer a question, of those that more than one person worked on: the one that all of them gave, \
or that an adjudicator decided for (`meta.decision`: agreed, first, second or third; a third one has no annotator, and round \
3). Who skipped a question in the first round is left out of that, if others answered. Questions that are open, those \
that the decision leaves out, and those of which several answers stand (several people answered in the first round, and \
what became of it differs) have no line.
- `written.csv`: one row a person, question and round, also what was skipped.
- `figures.json`: counts, and agreement of the two rounds: of the answers that were changed, and of all. Figures of \
the first kind are conditioned on a change; in both the second person had seen the first answer.
- `columns.md`: what each column holds; `manifest.json`: sources, settings of the batches, sha256 of every other file.

Annotators are numbers in the order of their pseudonyms, which `written.csv` has.
"""
