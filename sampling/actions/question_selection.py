"""What a comparison of runs holds: which questions, whose answers to them, and which passages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from corpus.models import Answer, Dataset, Run, RunKind
from corpus.queries import turn_ids
from sampling import eligible_questions, passage_setups
from sampling.actions.pools import PoolError
from sampling.comparisons import questions
from sampling.comparisons.questions import DrawnQuestions
from sampling.comparisons.rule import ComparisonRule, LeftOut
from sampling.eligible_questions import Eligible
from sampling.passage_setups import Shown
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
    """What a rule would draw of what is eligible."""

    rule: ComparisonRule
    runs: tuple[Run, ...]
    eligible: Eligible
    drawn: DrawnQuestions

    @property
    def counts(self) -> dict[str, Any]:
        """What is known before an answer is looked at; a pool keeps it."""
        borders = self.drawn.length_borders
        return {
            "n_turns": len(self.drawn.probabilities),
            "n_eligible": len(self.eligible.questions),
            "strata": [asdict(each) for each in self.drawn.strata],
            "length_borders": None if borders is None else list(borders),
            "left_out": {why.value: n for why, n in self.eligible.left_out.items()},
            "n_missed": self.eligible.n_missed,
            "warnings": [*self.drawn.warnings, *in_words(self.eligible.left_out)],
        }


@dataclass(frozen=True)
class Text:
    """A distinct text of a turn, with the answers that say it."""

    turn: int
    text: str
    inclusion_probability: float
    answers: tuple[int, ...]


@dataclass(frozen=True)
class Chosen:
    """What is written: texts by turn, answers that say nothing, and the passages of each turn."""

    rule: ComparisonRule
    texts: tuple[Text, ...]
    empty: tuple[int, ...]
    passages: Mapping[int, Shown]
    counts: dict[str, Any]


def runs_of(dataset: Dataset, rule: ComparisonRule) -> list[Run]:
    """The runs that the rule chooses, by name. Raises PoolError where one is not there, or none competes."""
    there = {run.name: run for run in dataset.runs.all()}
    competing = [run.name for run in passage_setups.systems(there.values())]
    if not competing:
        raise PoolError(f"the dataset {dataset} has no runs to compare: import them first")
    names = set(competing if rule.runs is None else rule.runs)
    if unknown := sorted(names - there.keys()):
        raise PoolError(f"the dataset {dataset} has no run {', '.join(unknown)}")
    if rule.references:
        names |= {run.name for run in there.values() if run.kind == RunKind.REFERENCE}
    chosen = [there[name] for name in sorted(names)]
    if not passage_setups.systems(chosen):
        raise PoolError("only references are chosen: name a run that competes too")
    if rule.answered_by == "two" and len(passage_setups.systems(chosen)) == 1:
        raise PoolError("one run is chosen: no question can be answered by two")
    return chosen


def resolved(rule: ComparisonRule, runs: Sequence[Run]) -> ComparisonRule:
    """The rule with the runs that it means now: later ones are not of this comparison."""
    return replace(rule, runs=tuple(run.name for run in runs))


def outlook(dataset: Dataset, rule: ComparisonRule) -> Outlook:
    """What the rule would draw. Raises PoolError where it names runs that are not there."""
    runs = runs_of(dataset, rule)
    found = eligible_questions.eligible(dataset, rule, runs)
    drawn = questions.draw(rule.questions, found.questions)
    return Outlook(resolved(rule, runs), tuple(runs), found, drawn)


def choose(dataset: Dataset, rule: ComparisonRule) -> Chosen:
    """What the rule draws. Reads all that its runs answered. Raises PoolError where it draws nothing."""
    found = outlook(dataset, rule)
    if not found.drawn.probabilities:
        raise PoolError(_nothing(dataset, found.eligible))
    keys = turn_ids(dataset)
    chances = {keys[turn]: chance for turn, chance in found.drawn.probabilities.items()}
    turns = sorted(chances)
    texts, empty = _texts(found.runs, chances)
    passages = passage_setups.passages(dataset, rule.setup, rule.top, found.runs, turns)
    counts = _counts(found, texts, empty, passages)
    return Chosen(found.rule, tuple(texts), tuple(empty), passages, counts)


def _nothing(dataset: Dataset, found: Eligible) -> str:
    left_out = in_words(found.left_out)
    if found.questions:
        return "no question is drawn: of the kinds that are asked for none is eligible"
    return f"no question of the dataset {dataset} is eligible: {'; '.join(left_out)}"


def in_words(left_out: Mapping[LeftOut, int]) -> list[str]:
    """How many questions were left out for each reason that there was."""
    return [
        f"{n} {'question is' if n == 1 else 'questions are'} left out: {WHY_LEFT_OUT[why]}"
        for why, n in left_out.items()
        if n
    ]


def _texts(runs: Sequence[Run], chances: Mapping[int, float]) -> tuple[list[Text], list[int]]:
    """The distinct texts of these turns, in an order that tells nothing of the runs; the empty answers."""
    said: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    empty: list[int] = []
    turns = sorted(chances)
    for start in range(0, len(turns), MOST_KEYS_PER_QUERY):
        answers = Answer.objects.filter(
            run__in=runs, turn__in=turns[start : start + MOST_KEYS_PER_QUERY]
        )
        for pk, turn, raw in answers.order_by("pk").values_list("pk", "turn_id", "text"):
            text = stripped(raw)
            if text:
                said[turn, text_sha256(text), text].append(pk)
            else:
                empty.append(pk)
    texts = [
        Text(turn, text, chances[turn], tuple(answers))
        for (turn, _, text), answers in sorted(said.items())
    ]
    return texts, empty


def _counts(
    found: Outlook, texts: Sequence[Text], empty: Sequence[int], passages: Mapping[int, Shown]
) -> dict[str, Any]:
    n_drawn = sum(len(text.answers) for text in texts)
    return found.counts | {
        "n_candidates": len(texts),
        "n_answers": {State.DRAWN.value: n_drawn, State.EMPTY.value: len(empty)},
        "n_passages": sum(len(shown.passages) for shown in passages.values()),
        "n_passages_without_text": sum(shown.n_untold for shown in passages.values()),
        "n_turns_without_passages": sum(not shown.passages for shown in passages.values()),
    }
