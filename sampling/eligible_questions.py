"""Which questions a comparison may draw (sampling.comparisons.rule), read from the database as plain values."""

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
    """The eligible questions; how many others were left out and why; how many each run has no answer to."""

    questions: list[Question] = field(default_factory=list)
    left_out: dict[LeftOut, int] = field(default_factory=lambda: dict.fromkeys(LeftOut, 0))
    n_missed: dict[str, int] = field(default_factory=dict)


@dataclass
class _Given:
    """By turn: how many of the runs that are waited for have an answer, and say something; whether any does."""

    n_given: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    n_said: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    is_said: set[int] = field(default_factory=set)


def eligible(dataset: Dataset, rule: ComparisonRule, runs: Sequence[Run]) -> Eligible:
    """Of every question of the data set whether the rule may draw it. Reads all that these runs answered."""
    given, found = _given(runs), Eligible()
    answerable = _answerable(dataset)
    with_passages = passage_setups.turns_with_passages(dataset, rule.setup, runs)
    n_runs, n_turns = len(systems(runs)), 0
    for turn in Turn.objects.of(dataset).defer("source", "record", "truth_passages"):
        n_turns += 1
        why = _why_left_out(turn.pk, rule, given, n_runs, with_passages)
        if why is None:
            found.questions.append(
                Question(turn.key, turn.pk in answerable, turn.part, turn.standalone)
            )
        else:
            found.left_out[why] += 1
    found.n_missed = {run.name: n_turns - run.n_answers for run in systems(runs)}
    return found


def _given(runs: Sequence[Run]) -> _Given:
    found = _Given()
    waited_for = {run.pk for run in systems(runs)}
    rows = Answer.objects.filter(run__in=runs).order_by().values_list("turn_id", "run_id", "text")
    for turn, run, text in rows.iterator():
        said = bool(stripped(text))
        if said:
            found.is_said.add(turn)
        if run in waited_for:
            found.n_given[turn] += 1
            found.n_said[turn] += said
    return found


def _answerable(dataset: Dataset) -> set[int]:
    """The turns of which some reference says something."""
    references = Answer.objects.references(dataset).order_by().values_list("turn_id", "text")
    return {turn for turn, text in references.iterator() if stripped(text)}


def _why_left_out(
    turn: int,
    rule: ComparisonRule,
    given: _Given,
    n_runs: int,
    with_passages: Collection[int],
) -> LeftOut | None:
    is_missed = (
        given.n_given[turn] < n_runs if rule.answered_by == "all" else given.n_said[turn] < 2
    )
    if is_missed:
        return LeftOut.MISSED
    if turn not in given.is_said:
        return LeftOut.SILENT
    if turn not in with_passages and not rule.keeps_without_passages:
        return LeftOut.NO_PASSAGE
    return None
