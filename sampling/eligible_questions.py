"""The questions that a comparison may draw (sampling.comparisons.rule), as plain values."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from corpus.models import Answer, Dataset, Run, Turn
from sampling import passage_setups
from sampling.comparisons.questions import Question
from sampling.comparisons.rule import ComparisonRule, LeftOut
from sampling.passage_setups import systems
from scoring.text_hashes import stripped


@dataclass
class Eligible:
    """The eligible questions, the number of others by reason, and of missing answers by run."""

    questions: list[Question] = field(default_factory=list)
    left_out: dict[LeftOut, int] = field(default_factory=lambda: dict.fromkeys(LeftOut, 0))
    n_missed: dict[str, int] = field(default_factory=dict)


@dataclass
class _AnswersByTurn:
    """The number of systems with an answer and with a text by turn; the turns with any text."""

    n_answers: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    n_with_text: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    with_text: set[int] = field(default_factory=set)


def eligible(dataset: Dataset, rule: ComparisonRule, runs: Sequence[Run]) -> Eligible:
    """Return the questions that the rule may draw, and why others are left out.

    Reads all answers of these runs.
    """
    by_turn, result = _answers_by_turn(runs), Eligible()
    answerable = _answerable(dataset)
    with_passages = passage_setups.turns_with_passages(dataset, rule.setup, runs)
    n_runs, n_turns = len(systems(runs)), 0
    for turn in Turn.objects.of(dataset).defer("source", "record", "truth_passages"):
        n_turns += 1
        why = _why_left_out(turn.pk, rule, by_turn, n_runs, with_passages)
        if why is None:
            result.questions.append(
                Question(turn.key, turn.pk in answerable, turn.part, turn.standalone)
            )
        else:
            result.left_out[why] += 1
    result.n_missed = {run.name: n_turns - run.n_answers for run in systems(runs)}
    return result


def _answers_by_turn(runs: Sequence[Run]) -> _AnswersByTurn:
    result = _AnswersByTurn()
    required = {run.pk for run in systems(runs)}
    rows = Answer.objects.filter(run__in=runs).order_by().values_list("turn_id", "run_id", "text")
    for turn, run, text in rows.iterator():
        has_text = bool(stripped(text))
        if has_text:
            result.with_text.add(turn)
        if run in required:
            result.n_answers[turn] += 1
            result.n_with_text[turn] += has_text
    return result


def _answerable(dataset: Dataset) -> set[int]:
    """Return the turns with a reference that is not empty."""
    references = Answer.objects.references(dataset).order_by().values_list("turn_id", "text")
    return {turn for turn, text in references.iterator() if stripped(text)}


def _why_left_out(
    turn: int,
    rule: ComparisonRule,
    by_turn: _AnswersByTurn,
    n_runs: int,
    with_passages: Collection[int],
) -> LeftOut | None:
    is_missed = (
        by_turn.n_answers[turn] < n_runs
        if rule.answered_by == "all"
        else by_turn.n_with_text[turn] < 2
    )
    if is_missed:
        return LeftOut.MISSED
    if turn not in by_turn.with_text:
        return LeftOut.SILENT
    if turn not in with_passages and not rule.keeps_without_passages:
        return LeftOut.NO_PASSAGE
    return None
