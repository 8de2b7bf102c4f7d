"""Select the contents of a comparison of runs: questions, answers and passages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from corpus.actions.bulk_rows import REFERENCE_RUN
from corpus.models import Answer, Dataset, Run, RunKind
from corpus.queries import turn_ids
from sampling import eligible_questions, passage_setups
from sampling.actions.pools import PoolError
from sampling.comparisons import questions
from sampling.comparisons.questions import DrawnQuestions
from sampling.comparisons.rule import ComparisonRule, LeftOut
from sampling.eligible_questions import Eligible
from sampling.passage_setups import TurnPassages
from sampling.pools.selection import State
from scoring.queries import MOST_KEYS_PER_QUERY
from scoring.text_hashes import stripped, text_sha256

WHY_LEFT_OUT = {
    LeftOut.MISSED: "some chosen run has no answer to it, or too few say something",
    LeftOut.SILENT: "no chosen run says anything",
    LeftOut.NO_PASSAGE: "the setup has no passage with text for it",
}


@dataclass(frozen=True)
class Outlook:
    """The eligible questions, and those that a rule would draw."""

    rule: ComparisonRule
    runs: tuple[Run, ...]
    eligible: Eligible
    drawn: DrawnQuestions

    @property
    def counts(self) -> dict[str, Any]:
        """The counts of questions and runs, which the pool stores."""
        borders = self.drawn.length_borders
        return {
            "n_turns": len(self.drawn.probabilities),
            "n_eligible": len(self.eligible.questions),
            "strata": [asdict(each) for each in self.drawn.strata],
            "length_borders": None if borders is None else list(borders),
            "left_out": {why.value: n for why, n in self.eligible.left_out.items()},
            "n_missed": self.eligible.n_missed,
            "warnings": [*self.drawn.warnings, *left_out_in_words(self.eligible.left_out)],
        }


@dataclass(frozen=True)
class DrawnText:
    """A distinct text of a turn with the answers that have it."""

    turn: int
    text: str
    inclusion_probability: float
    answers: tuple[int, ...]


@dataclass(frozen=True)
class ComparisonSelection:
    """The contents of the pool: texts by turn, empty answers, and the passages of each turn."""

    rule: ComparisonRule
    texts: tuple[DrawnText, ...]
    empty: tuple[int, ...]
    passages: Mapping[int, TurnPassages]
    counts: dict[str, Any]


def runs_of(dataset: Dataset, rule: ComparisonRule) -> list[Run]:
    """Return the rule's runs, sorted by name.

    Raises PoolError if one is unknown, or none is a system or baseline.
    """
    if dataset.withdrawn_objection:
        raise PoolError(dataset.withdrawn_objection)
    comparable = dataset.runs.counting().exclude(kind=RunKind.EXTRACTED)
    by_name = {run.name: run for run in comparable}
    competing = [run.name for run in passage_setups.systems(by_name.values())]
    if not competing:
        raise PoolError(f"the dataset {dataset} has no runs to compare: import them first")
    names = set(competing if rule.runs is None else rule.runs)
    if unknown := sorted(names - by_name.keys()):
        raise PoolError(f"the dataset {dataset} has no run {', '.join(unknown)}")
    if rule.references:
        names |= {
            run.name
            for run in by_name.values()
            if run.kind == RunKind.REFERENCE
            and not run.tier
            and (rule.references is True or run.name == REFERENCE_RUN)
        }
    chosen = [by_name[name] for name in sorted(names)]
    if not passage_setups.systems(chosen):
        raise PoolError("only references are chosen: name a run that competes too")
    if rule.answered_by == "two" and len(passage_setups.systems(chosen)) == 1:
        raise PoolError("one run is chosen: no question can be answered by two")
    return chosen


def rule_with_runs(rule: ComparisonRule, runs: Sequence[Run]) -> ComparisonRule:
    """The rule with its runs named, so that runs imported later are not part of it."""
    return replace(rule, runs=tuple(run.name for run in runs))


def outlook(dataset: Dataset, rule: ComparisonRule) -> Outlook:
    """Return the contents of the draw. Raises PoolError if the rule names an unknown run."""
    runs = runs_of(dataset, rule)
    eligible = eligible_questions.eligible(dataset, rule, runs)
    drawn = questions.draw(rule.questions, eligible.questions)
    return Outlook(rule_with_runs(rule, runs), tuple(runs), eligible, drawn)


def choose(dataset: Dataset, rule: ComparisonRule) -> ComparisonSelection:
    """Draw by the rule. Reads all answers of its runs. Raises PoolError if it draws nothing."""
    preview = outlook(dataset, rule)
    if not preview.drawn.probabilities:
        raise PoolError(_why_nothing_drawn(dataset, preview.eligible))
    keys = turn_ids(dataset)
    chances = {keys[turn]: chance for turn, chance in preview.drawn.probabilities.items()}
    turns = sorted(chances)
    texts, empty = _texts(preview.runs, chances)
    passages = passage_setups.passages(dataset, rule.setup, rule.top, preview.runs, turns)
    counts = _counts(preview, texts, empty, passages)
    return ComparisonSelection(preview.rule, tuple(texts), tuple(empty), passages, counts)


def _why_nothing_drawn(dataset: Dataset, eligible: Eligible) -> str:
    left_out = left_out_in_words(eligible.left_out)
    if eligible.questions:
        return "no question is drawn: of the kinds that are asked for none is eligible"
    return f"no question of the dataset {dataset} is eligible: {'; '.join(left_out)}"


def left_out_in_words(left_out: Mapping[LeftOut, int]) -> list[str]:
    """Return a sentence for each reason, with the number of questions that it left out."""
    return [
        f"{n} {'question is' if n == 1 else 'questions are'} left out: {WHY_LEFT_OUT[why]}"
        for why, n in left_out.items()
        if n
    ]


def _texts(runs: Sequence[Run], chances: Mapping[int, float]) -> tuple[list[DrawnText], list[int]]:
    """Return the distinct texts of these turns, and the empty answers.

    The order does not depend on that of the runs.
    """
    answers_by_text: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    empty: list[int] = []
    turns = sorted(chances)
    for start in range(0, len(turns), MOST_KEYS_PER_QUERY):
        answers = Answer.objects.filter(
            run__in=runs, turn__in=turns[start : start + MOST_KEYS_PER_QUERY]
        )
        for pk, turn, raw in answers.order_by("pk").values_list("pk", "turn_id", "text"):
            text = stripped(raw)
            if text:
                answers_by_text[turn, text_sha256(text), text].append(pk)
            else:
                empty.append(pk)
    texts = [
        DrawnText(turn, text, chances[turn], tuple(answers))
        for (turn, _, text), answers in sorted(answers_by_text.items())
    ]
    return texts, empty


def _counts(
    preview: Outlook,
    texts: Sequence[DrawnText],
    empty: Sequence[int],
    passages: Mapping[int, TurnPassages],
) -> dict[str, Any]:
    n_drawn = sum(len(text.answers) for text in texts)
    return preview.counts | {
        "n_candidates": len(texts),
        "n_answers": {State.DRAWN.value: n_drawn, State.EMPTY.value: len(empty)},
        "n_passages": sum(len(turn_passages.passages) for turn_passages in passages.values()),
        "n_passages_without_text": sum(
            turn_passages.n_without_text for turn_passages in passages.values()
        ),
        "n_turns_without_passages": sum(
            not turn_passages.passages for turn_passages in passages.values()
        ),
    }
