"""The scores of a data set's answers with what they can be cut by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from corpus.models import COMPETING, Answer, Dataset, Turn
from corpus.records import turn_id
from exports.question_results import figures
from exports.question_results.cuts import (
    CUTS,
    OF_QUESTIONS,
    OF_SCORES,
    REFUSAL,
    Choice,
    CutError,
)
from exports.question_results.differences import Difference, Differences, greatest
from exports.question_results.figures import Results, Scored
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions.run_measures import scorers as sorted_scorers
from scoring.models import Scorer
from scoring.reference_free import is_refusal

# What turns are drawn together by: their document, else their conversation.
UNITS = {True: "document", False: "conversation"}
MIXED = "cluster"
AT_ONCE = 500  # answers whose texts one query reads


@dataclass(frozen=True)
class Source:
    """What a data set offers.

    turns     by key the values of the cuts by questions, and with what it is drawn together as `cluster`
    cuts      those by questions of which some question has a value, and those by scores
    measures  the scorers of each metric that has scores, by the name of the evaluator
    """

    dataset: Dataset
    turns: Mapping[int, Mapping[str, str]]
    cuts: tuple[str, ...]
    measures: Mapping[str, Mapping[str, Scorer]]

    @property
    def is_cut_by_questions(self) -> bool:
        return any(cut in OF_QUESTIONS for cut in self.cuts)

    @property
    def cluster(self) -> str:
        """Return what the turns are drawn together by."""
        has_document = {bool(values["document"]) for values in self.turns.values()}
        return MIXED if len(has_document) > 1 else UNITS[has_document.pop()]

    def label(self, measure: str, evaluator: str = "") -> str:
        """Return the measure's name for people: by that evaluator, where it has scores of it, else by all."""
        there = self.measures[measure]
        scorers = [there[evaluator]] if evaluator in there else there.values()
        return ", ".join(dict.fromkeys(scorer.label for scorer in scorers))

    def pair(self, measure: str, first: str = "", second: str = "") -> tuple[str, str] | None:
        """Return two evaluators with scores of the measure, each in the place where it is named; None if there are not two.

        In the place of one that is not named, or has no scores, is the first other one. Of one that is named twice too.
        """
        there = self.measures.get(measure, {})
        if len(there) < 2:
            return None
        if first not in there:
            first = next(name for name in there if name != second)
        if second not in there or second == first:
            second = next(name for name in there if name != first)
        return first, second

    def scorers(self, choice: Choice) -> dict[str, Scorer]:
        """Return the scorers of the choice by evaluator. Raises CutError."""
        there = self.measures.get(choice.measure)
        if there is None:
            known = ", ".join(self.measures) or "none"
            raise CutError(f"there are no scores of {choice.measure}: there are {known}")
        if choice.evaluator and choice.evaluator not in there:
            raise CutError(
                f"{choice.evaluator} has no scores of {choice.measure}: there are {', '.join(there)}"
            )
        if choice.evaluator:
            return {choice.evaluator: there[choice.evaluator]}
        if len(there) > 1 and "evaluator" not in choice.by:
            raise CutError(
                f"{', '.join(there)} have scores of {choice.measure}: name one, or cut by evaluator"
            )
        return dict(there)


def source(dataset: Dataset) -> Source:
    turns = dict(_turns(dataset))
    known = {cut for values in turns.values() for cut, value in values.items() if value}
    cuts = tuple(cut for cut in CUTS if cut in known or cut in OF_SCORES)
    by_metric: dict[str, list[Scorer]] = {}
    for scorer in sorted_scorers(dataset):
        by_metric.setdefault(scorer.metric, []).append(scorer)
    measures = {metric: _by_evaluator(found) for metric, found in by_metric.items()}
    return Source(dataset, turns, cuts, measures)


def _turns(dataset: Dataset) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each turn with the values of its cuts, and with what is drawn together as `cluster`."""
    rows = Turn.objects.of(dataset).values_list("pk", "meta", "part", "conversation__key")
    for pk, meta, part, conversation in rows.iterator():
        document = meta.get("document", "")
        yield (
            pk,
            {
                **{cut: meta.get(cut, "") for cut in ("type", "section", "kind")},
                "document": document,
                "maker": meta.get("maker", {}).get("model", ""),
                "part": part,
                "cluster": document or f"\0{conversation}",
            },
        )


def _by_evaluator(scorers: Sequence[Scorer]) -> dict[str, Scorer]:
    """Return the scorers by name, with their version where two have one name."""
    names = [scorer.name for scorer in scorers]
    return {
        scorer.name if names.count(scorer.name) == 1 else scorer.short: scorer for scorer in scorers
    }


def n_values(source: Source, choice: Choice) -> int:
    """Return how many scores there are at most: for each scorer one of each answer."""
    return len(source.scorers(choice)) * _answers(source.dataset).count()


def is_at_once(source: Source, choice: Choice) -> bool:
    """Return whether the scores are few enough to be read while somebody waits."""
    return n_values(source, choice) <= scoring_queries.MOST_ANSWERS_AT_ONCE


def are_two_at_once(source: Source) -> bool:
    """Return whether the scores of two evaluators are few enough for that."""
    return 2 * _answers(source.dataset).count() <= scoring_queries.MOST_ANSWERS_AT_ONCE


def scored(source: Source, choice: Choice) -> Scored:
    """Return the values with their cells and clusters. Raises CutError."""
    rows = list(_answers(source.dataset).values_list("pk", "turn_id", "run__name").iterator())
    refusal = _refusals(source.dataset) if "refusal" in choice.by else {}
    cells: list[tuple[str, ...]] = []
    clusters: list[str] = []
    values: list[float] = []
    not_scored: set[int] = set()
    for evaluator, scorer in source.scorers(choice).items():
        by_answer = score_queries.values(source.dataset, scorer)
        for pk, turn, run in rows:
            if pk not in by_answer:
                not_scored.add(pk)
                continue
            known = {
                **source.turns[turn],
                "run": run,
                "evaluator": evaluator,
                "refusal": refusal.get(pk, ""),
            }
            cells.append(tuple(known[cut] for cut in choice.by))
            clusters.append(known["cluster"])
            values.append(by_answer[pk])
    return Scored(cells, clusters, values, len(not_scored), source.cluster)


def _refusals(dataset: Dataset) -> dict[int, str]:
    """Return what each answer is called in the cut by refusal."""
    texts = _answers(dataset).values_list("pk", "text").iterator()
    return {pk: REFUSAL[is_refusal(text)] for pk, text in texts}


def _answers(dataset: Dataset) -> QuerySet[Answer]:
    """Return the answers of the runs that compete, without order."""
    answers = Answer.objects.of_systems(dataset).filter(run__kind__in=COMPETING)
    return answers.order_by("run__name", "pk")


def results(source: Source, choice: Choice) -> Results:
    """Return the means in all cells. Raises CutError."""
    evaluators = list(source.scorers(choice))  # refuses a measure that is not there
    return figures.results(
        str(source.dataset),
        choice,
        source.label(choice.measure, choice.evaluator),
        evaluators,
        scored(source, choice),
    )


def differences(
    source: Source, measure: str, pair: tuple[str, str], *, most: int | None = None
) -> Differences:
    """Return the answers on which these evaluators differ, or the first `most` of them. Raises CutError."""
    if pair[0] == pair[1]:
        raise CutError("name two evaluators")
    scorers = [source.scorers(Choice((), measure, name))[name] for name in pair]
    first, second = (score_queries.values(source.dataset, scorer) for scorer in scorers)
    both = [
        pk
        for pk in _answers(source.dataset).values_list("pk", flat=True)
        if pk in first and pk in second
    ]
    shown = greatest(((pk, first[pk] - second[pk]) for pk in both), most)
    answers = _with_texts(shown)
    turns = {each.turn_id for each in answers.values()}
    references = scoring_queries.references(source.dataset, turns)
    return Differences(
        dataset=str(source.dataset),
        measure=measure,
        label=source.label(measure, pair[0]),
        first=pair[0],
        second=pair[1],
        n_both=len(both),
        rows=[
            _difference(answers[pk], references.get(answers[pk].turn_id, []), first[pk], second[pk])
            for pk in shown
        ],
    )


def _with_texts(keys: Sequence[int]) -> dict[int, Answer]:
    found: dict[int, Answer] = {}
    for start in range(0, len(keys), AT_ONCE):
        answers = Answer.objects.filter(pk__in=keys[start : start + AT_ONCE])
        found |= {each.pk: each for each in answers.select_related("run", "turn__conversation")}
    return found


def _difference(
    answer: Answer, references: Sequence[str], first: float, second: float
) -> Difference:
    turn = answer.turn
    return Difference(
        turn=turn.pk,
        turn_id=turn_id(turn.conversation.key, turn.number),
        run=answer.run.name,
        first=first,
        second=second,
        difference=first - second,
        is_refusal=is_refusal(answer.text),
        question=turn.question,
        reference=" | ".join(references),
        answer=answer.text,
    )
