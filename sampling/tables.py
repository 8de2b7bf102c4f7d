"""What selection and the search for evidence work on, read from the database as plain values."""

from collections import defaultdict
from collections.abc import Iterable

from corpus.models import Answer, Citation, Dataset, Offer, Turn
from sampling.evidence import Source
from sampling.models import Candidate, Fate
from sampling.selection import GivenAnswer, State, TurnAnswers
from scoring import tables as scoring_tables
from scoring.models import Scorer


def turn_answers(dataset: Dataset, scorer: Scorer) -> list[TurnAnswers]:
    """Every turn with the answers of all systems and baselines and their scores."""
    values = scoring_tables.values(dataset, scorer)
    references = scoring_tables.references(dataset)
    given: dict[int, list[GivenAnswer]] = defaultdict(list)
    answers = Answer.objects.of_systems(dataset)
    for pk, turn_id, run, text in answers.values_list("pk", "turn_id", "run__name", "text"):
        given[turn_id].append(GivenAnswer(run, text, values.get(pk)))
    return [
        TurnAnswers(
            turn=turn.key,
            questions=tuple(filter(None, (turn.question, turn.rewrite))),
            references=references.get(turn.pk, ()),
            answers=tuple(given[turn.pk]),
        )
        for turn in Turn.objects.of(dataset)
    ]


def answer_ids(dataset: Dataset) -> dict[tuple[str, str], int]:
    """The primary key of each answer, by turn and run."""
    answers = Answer.objects.of_systems(dataset).select_related("run", "turn__conversation")
    return {(answer.turn.key, answer.run.name): answer.pk for answer in answers}


def sources(turn_ids: Iterable[int], answer_ids: Iterable[int]) -> dict[int, dict[int, Source]]:
    """The passages with text that evidence may come from, by turn and primary key.

    Those offered for the turn, in their order, then those that the given answers cite.
    """
    found: dict[int, dict[int, Source]] = defaultdict(dict)
    offers = Offer.objects.filter(turn__in=list(turn_ids), passage__text__isnull=False)
    for offer in offers.select_related("passage").order_by("turn_id", "position"):
        found[offer.turn_id][offer.passage_id] = Source(
            offer.passage.docid, offer.passage.text or ""
        )
    cited = Citation.objects.filter(answer__in=list(answer_ids), passage__text__isnull=False)
    related = cited.select_related("passage", "answer")
    for citation in sorted(related, key=lambda each: (each.answer.turn_id, each.passage.docid)):
        source = Source(citation.passage.docid, citation.passage.text or "")
        found[citation.answer.turn_id].setdefault(citation.passage_id, source)
    return found


def credited_answers(candidates: Iterable[Candidate]) -> list[int]:
    """The answers that have the very text of these drawn candidates."""
    drawn = Fate.objects.filter(candidate__in=[each.pk for each in candidates], state=State.DRAWN)
    return list(drawn.values_list("answer_id", flat=True))
