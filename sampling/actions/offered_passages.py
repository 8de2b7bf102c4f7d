"""The questions of a data set with the passages that are offered for each, from which pools with passages are drawn."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q

from corpus.models import Dataset, Offer, Turn, turn_key
from sampling.actions.pools import PoolError


@dataclass(frozen=True)
class Offered:
    """A passage that is offered for a question."""

    passage: int
    docid: str
    n_sentences: int
    has_text: bool


@dataclass(frozen=True)
class Question:
    """A question by its id in files, with its primary key and the passages that its truth names."""

    key: str
    turn: int
    truth: tuple[str, ...]


def parts_of(dataset: Dataset) -> list[str]:
    """Return the files of the data set's split, sorted; [] if it has one file only."""
    parts = Turn.objects.of(dataset).order_by().values_list("part", flat=True).distinct()
    return sorted(part for part in parts if part)


def questions_of(dataset: Dataset, parts: Collection[str]) -> list[Question]:
    """Return the questions of these parts, or of all. Raises PoolError if there are none, or a part is unknown."""
    known = parts_of(dataset)
    if unknown := sorted(set(parts) - set(known)):
        there_are = f"it has {', '.join(known)}" if known else "it has no parts"
        raise PoolError(f"the dataset {dataset} has no part {', '.join(unknown)}; {there_are}")
    turns = Turn.objects.of(dataset)
    if parts:
        turns = turns.filter(part__in=parts)
    rows = turns.annotate(key_in_files=turn_key()).values_list(
        "key_in_files", "pk", "truth_passages"
    )
    found = [Question(key, pk, tuple(truth)) for key, pk, truth in rows]
    if not found:
        raise PoolError(f"the dataset {dataset} has no questions")
    return found


def offered_passages(dataset: Dataset) -> Mapping[int, list[Offered]]:
    """Return the offered passages, by turn."""
    offers = (
        Offer.objects.filter(turn__conversation__dataset=dataset)
        .annotate(has_text=Q(passage__text__isnull=False))
        .order_by("turn", "position")
    )
    by_turn: dict[int, list[Offered]] = defaultdict(list)
    rows = offers.values_list(
        "turn_id", "passage_id", "passage__docid", "passage__sentences", "has_text"
    )
    for turn, passage, docid, sentences, has_text in rows.iterator():
        n_sentences = sum(bool(each.strip()) for each in sentences)
        by_turn[turn].append(Offered(passage, docid, n_sentences, has_text))
    return by_turn
