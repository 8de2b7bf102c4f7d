"""The values of a data set's runs by one scorer, turn by turn, ready to be averaged."""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan

from corpus.models import Answer, Dataset, Run, RunKind, Turn
from corpus.records import turn_id
from scoring import queries as scoring_queries
from scoring.denominators import Denominator, MeasuredTurn, counted, is_measured
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
    """What every scorer's values are put into: the runs that compete, and the turns in their order."""

    dataset: Dataset
    runs: Sequence[Run]
    turns: Mapping[int, MeasuredTurn]  # by primary key
    clusters: Sequence[str]  # each turn's conversation
    references: Mapping[int, tuple[str, ...]]


def competing(dataset: Dataset, only: Collection[int] | None = None) -> list[Run]:
    """The data set's systems and baselines, or those named, in one order everywhere."""
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("pk")
    return list(runs if only is None else runs.filter(pk__in=only))


def layout(runs: Sequence[Run]) -> Layout:
    setups: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        setups.setdefault(run.setup, []).append(place)
    return Layout(setups, pairs_of_systems(runs))


def frame(dataset: Dataset, only: Collection[int] | None = None) -> Frame:
    """Of all runs that compete, or those named."""
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
    return Frame(dataset, competing(dataset, only), turns, clusters, references)


def pairs_of_systems(runs: Sequence[Run]) -> list[tuple[int, int]]:
    """The places of each system's run on original and of its run on rewritten questions.

    A system is known by team and name. One that has neither, or several runs of a setup, has no pair.
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
    """What the scorer's means are over. What nothing is worth is known of the measures of here only:
    any other counts where it was given."""
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
    frame = _as_known_to(scorer, frame)
    given, waiting = _given(frame, scorer, beat)
    inputs, when_empty = inputs_of(scorer), _when_empty(frame, scorer)
    found: dict[Denominator, list[RunValues]] = {each: [] for each in denominators}
    for run in frame.runs:
        beat()
        own = {
            turn.key: value
            for turn, value in zip(frame.turns.values(), given[run.pk], strict=True)
            if not isnan(value)
        }
        for denominator, of_runs in found.items():
            asked = [
                (turn, waits)
                for turn, waits in zip(frame.turns.values(), waiting[run.pk], strict=True)
                if is_measured(turn, inputs, denominator)
            ]
            n_waiting = sum(waits for _, waits in asked)
            over = counted(
                own,
                (turn for turn, waits in asked if not waits),
                inputs=inputs,
                denominator=denominator,
                when_empty=when_empty,
            )
            of_runs.append(
                RunValues(
                    array("d", (over.values.get(turn.key, nan) for turn in frame.turns.values())),
                    n_not_given=over.n_filled,
                    n_not_scored=n_waiting,
                    reason="no score yet" if n_waiting else WITHOUT[inputs],
                )
            )
    return found


def _as_known_to(scorer: Scorer, frame: Frame) -> Frame:
    """With the turns that have relevant passages also where these were derived, if the scorer does."""
    if not scorer.derives_relevance:
        return frame
    relevant = scoring_queries.relevant(frame.dataset, derived=True)
    turns = {pk: replace(turn, has_relevant=pk in relevant) for pk, turn in frame.turns.items()}
    return replace(frame, turns=turns)


def _given(
    frame: Frame, scorer: Scorer, beat: Callable[[], None]
) -> tuple[dict[int, "array[float]"], dict[int, bytearray]]:
    """By run and turn: its value, NaN where it has none, and whether an answer waits for its score."""
    n_turns = len(frame.turns)
    given = {run.pk: array("d", [nan]) * n_turns for run in frame.runs}
    waiting = {run.pk: bytearray(n_turns) for run in frame.runs}
    places = {pk: place for place, pk in enumerate(frame.turns)}
    for part in _parts(list(frame.turns)):
        beat()
        scored = scoring_queries.scored(frame.dataset, scorer, part)
        answers = Answer.objects.of_systems(frame.dataset).filter(turn__in=part)
        for pk, run_id, of_turn in answers.values_list("pk", "run_id", "turn_id").iterator():
            # A run that has come since the frame was made is not in it.
            if pk not in scored or run_id not in given:
                continue
            value = scored[pk]
            if value is None:
                waiting[run_id][places[of_turn]] = 1
            else:
                given[run_id][places[of_turn]] = value
    return given, waiting


def _parts(turns: Sequence[int]) -> Iterator[Sequence[int]]:
    return (turns[start : start + TURNS_AT_ONCE] for start in range(0, len(turns), TURNS_AT_ONCE))


def _when_empty(frame: Frame, scorer: Scorer) -> Callable[[str], float]:
    """What an empty answer is worth on a turn: not 0 where the reference has no token either."""
    measure = MEASURES.get(scorer.metric)
    if measure is None or measure.inputs is not Inputs.REFERENCES:
        return lambda turn: 0.0
    worth = {
        frame.turns[pk].key: measure.value("", texts) or 0.0
        for pk, texts in frame.references.items()
    }
    return worth.__getitem__
