"""The values of a data set's runs by one scorer, turn by turn, ready to be averaged."""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan

from corpus.models import Answer, Dataset, References, Run, Turn
from corpus.records import turn_id
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.denominators import Denominator, MeasuredTurn, averaged_values, is_measured
from scoring.figures import ORIGINAL, REWRITTEN, SETUPS, Layout, RunValues
from scoring.models import Metric, Scorer
from scoring.registry import MEASURES, Inputs

# Whose answers' texts are held at once.
TURNS_AT_ONCE = 2_000
WITHOUT = {
    Inputs.REFERENCES: "no answer on a turn with a reference",
    Inputs.REWRITE: "no rewrite on a turn whose truth has one",
    Inputs.PASSAGES: "no answer that cites a passage of which the text is known",
    Inputs.ALONE: "no answer with a score",
    Inputs.RETRIEVAL: "no ranking on a turn with a relevant passage",
}


@dataclass(frozen=True)
class Frame:
    """The axes of the matrix, the same for every scorer: the competing runs and the ordered turns."""

    dataset: Dataset
    runs: Sequence[Run]
    turns: Mapping[int, MeasuredTurn]  # by primary key
    clusters: Sequence[str]  # each turn's conversation
    references: Mapping[int, tuple[str, ...]]


def competing_runs(dataset: Dataset, only: Collection[int] | None = None) -> list[Run]:
    """The data set's systems and baselines, or those of `only`, in a fixed order."""
    runs = dataset.runs.counting().competing().order_by("pk")
    return list(runs if only is None else runs.filter(pk__in=only))


def layout(runs: Sequence[Run]) -> Layout:
    setups: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        setups.setdefault(run.setup, []).append(place)
    return Layout(setups, pairs_of_systems(runs))


def frame(dataset: Dataset, only: Collection[int] | None = None) -> Frame:
    """The frame of all competing runs, or of those of `only`."""
    of_turn = ("pk", "number", "rewrite", "truth_passages", "conversation__key")
    references = scoring_queries.references(dataset)
    turns: dict[int, MeasuredTurn] = {}
    clusters = []
    for pk, number, rewrite, passages, conversation in Turn.objects.of(dataset).values_list(
        *of_turn
    ):
        turns[pk] = MeasuredTurn(
            key=turn_id(conversation, number),
            number=number,
            has_reference=pk in references,
            has_rewrite=bool(rewrite.strip()),
            has_relevant=bool(passages),
        )
        clusters.append(conversation)
    return Frame(dataset, competing_runs(dataset, only), turns, clusters, references)


def pairs_of_systems(runs: Sequence[Run]) -> list[tuple[int, int]]:
    """Return the positions of each system's runs on original and on rewritten questions.

    A system is identified by team and name. One without either, or with several runs of a setup,
    has no pair.
    """
    found: dict[tuple[str, str], dict[str, list[int]]] = {}
    for place, run in enumerate(runs):
        if run.setup in SETUPS and (run.team or run.system):
            of_system = found.setdefault((run.team, run.system), {})
            of_system.setdefault(run.setup, []).append(place)
    return [
        (of_system[ORIGINAL][0], of_system[REWRITTEN][0])
        for of_system in found.values()
        if all(len(of_system.get(setup, ())) == 1 for setup in SETUPS)
    ]


def inputs_of(scorer: Scorer) -> Inputs:
    """Return the inputs that the scorer's means are over.

    Only measures of this program define the value of a missing answer; any other scorer counts
    where it gave a value.
    """
    is_known = scorer.metric in MEASURES or scorer.metric == Metric.SAS
    inputs = scoring_queries.inputs_of(scorer.metric) if is_known else Inputs.ALONE
    # What a ranking from elsewhere was held against is not known: not only truth names relevant passages.
    return Inputs.ALONE if inputs is Inputs.RETRIEVAL and scorer.study_id else inputs


def run_values(
    frame: Frame,
    scorer: Scorer,
    denominators: Sequence[Denominator],
    beat: Callable[[], None] = lambda: None,
) -> dict[Denominator, list[RunValues]]:
    """The values of each run by the scorer, in the frame's order."""
    frame = _frame_for_scorer(scorer, frame)
    values_by_run, waiting = _values_by_run(frame, scorer, beat)
    inputs, when_empty = inputs_of(scorer), _value_when_empty(frame, scorer)
    by_denominator: dict[Denominator, list[RunValues]] = {
        denominator: [] for denominator in denominators
    }
    for run in frame.runs:
        beat()
        own = {
            turn.key: value
            for turn, value in zip(frame.turns.values(), values_by_run[run.pk], strict=True)
            if not isnan(value)
        }
        for denominator, of_runs in by_denominator.items():
            measured = [
                (turn, waits)
                for turn, waits in zip(frame.turns.values(), waiting[run.pk], strict=True)
                if is_measured(turn, inputs, denominator)
            ]
            n_waiting = sum(waits for _, waits in measured)
            averaged = averaged_values(
                own,
                (turn for turn, waits in measured if not waits),
                inputs=inputs,
                denominator=denominator,
                when_empty=when_empty,
            )
            of_runs.append(
                RunValues(
                    array(
                        "d", (averaged.values.get(turn.key, nan) for turn in frame.turns.values())
                    ),
                    n_not_given=averaged.n_filled,
                    n_not_scored=n_waiting,
                    reason="no score yet" if n_waiting else WITHOUT[inputs],
                )
            )
    return by_denominator


def _frame_for_scorer(scorer: Scorer, frame: Frame) -> Frame:
    """The frame, with the references that the scorer measures against, and with turns of derived
    relevance counted as relevant if the scorer derives relevance.
    """
    if scorer.marks:
        chosen = References(scorer.references)
        references = scoring_queries.references(frame.dataset, None, chosen)
        return replace(frame, references=references)
    if not scorer.derives_relevance:
        return frame
    relevant = scoring_queries.relevant_docids(frame.dataset, derived=True)
    turns = {pk: replace(turn, has_relevant=pk in relevant) for pk, turn in frame.turns.items()}
    return replace(frame, turns=turns)


def _values_by_run(
    frame: Frame, scorer: Scorer, beat: Callable[[], None]
) -> tuple[dict[int, "array[float]"], dict[int, bytearray]]:
    """Return the value by run and turn (NaN for none), and whether an answer has no score yet."""
    n_turns = len(frame.turns)
    values = {run.pk: array("d", [nan]) * n_turns for run in frame.runs}
    waiting = {run.pk: bytearray(n_turns) for run in frame.runs}
    places = {pk: place for place, pk in enumerate(frame.turns)}
    for part in _parts(list(frame.turns)):
        beat()
        by_answer = score_queries.measurable_values(frame.dataset, scorer, part)
        answers = Answer.objects.of_systems(frame.dataset).filter(turn__in=part)
        for pk, run_id, of_turn in answers.values_list("pk", "run_id", "turn_id").iterator():
            # A run that has come since the frame was made is not in it.
            if pk not in by_answer or run_id not in values:
                continue
            value = by_answer[pk]
            if value is None:
                waiting[run_id][places[of_turn]] = 1
            else:
                values[run_id][places[of_turn]] = value
    return values, waiting


def _parts(turns: Sequence[int]) -> Iterator[Sequence[int]]:
    return (turns[start : start + TURNS_AT_ONCE] for start in range(0, len(turns), TURNS_AT_ONCE))


def _value_when_empty(frame: Frame, scorer: Scorer) -> Callable[[str], float]:
    """Return a function from turn to the value of an empty answer.

    It is not 0 if the reference has no token either.
    """
    measure = MEASURES.get(scorer.metric)
    if measure is None or measure.inputs is not Inputs.REFERENCES:
        return lambda turn: 0.0
    worth = {
        frame.turns[pk].key: measure.value("", texts) or 0.0
        for pk, texts in frame.references.items()
    }
    return worth.__getitem__
