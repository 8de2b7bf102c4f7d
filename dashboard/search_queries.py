"""Search in the texts of a study: questions, answers of runs, items of batches.

Every word must occur, in any order. Nothing is counted: rows are read in the order of an index until a page is full, so
that a frequent word is found at once among very many answers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.html import escape
from django.utils.safestring import SafeString

from accounts.models import Role, Study, User
from annotation.models import Batch, BatchState, Item, ItemAnswer
from annotation.queries import adjudication_access
from corpus.models import Answer, Dataset, Run, Turn
from pages.letter_cases import spellings
from pages.listing import LONGEST_SEARCH, MOST_WORDS

PER_PAGE = 50
LAST_PAGE = 1_000
BEFORE, LONGEST_EXCERPT = 80, 300  # characters
QUESTIONS, ANSWERS, ITEMS = "questions", "answers", "items"


@dataclass(frozen=True)
class Found:
    """Some rows that match. `has_more` says whether others follow."""

    rows: Sequence[Any]
    has_more: bool


def words_of(text: str) -> list[str]:
    """Return the words to search for: the first ones of a text that is longer than can be searched for."""
    return text.replace("\0", "")[:LONGEST_SEARCH].split()[:MOST_WORDS]


def kinds_for(roles: set[Role]) -> list[str]:
    """Return what people with these roles can search: adjudicators see no run."""
    return [QUESTIONS, ANSWERS, ITEMS] if Role.REQUESTER in roles else [ITEMS]


def found(
    kind: str,
    study: Study,
    words: Sequence[str],
    *,
    reader: User,
    roles: set[Role],
    page: int = 1,
    most: int = PER_PAGE,
) -> Found:
    """Return the page of rows of a kind in which every word occurs."""
    rows: QuerySet[Any]
    if kind == QUESTIONS:
        rows = _questions(study, words)
    elif kind == ANSWERS:
        rows = _answers(study, words)
    else:
        rows = _items(study, words, reader, roles)
    start = (page - 1) * most
    taken = list(rows[start : start + most + 1])
    return Found(taken[:most], len(taken) > most)


def _all_occur(words: Iterable[str], *fields: str) -> Q:
    condition = Q()
    for word in words:
        condition &= _occurs(word, *fields)
    return condition


def _occurs(word: str, *fields: str) -> Q:
    condition = Q()
    for field, spelling in product(fields, spellings(word)):
        condition |= Q(**{f"{field}__icontains": spelling})
    return condition


def _questions(study: Study, words: Sequence[str]) -> QuerySet[Turn]:
    datasets = list(Dataset.objects.filter(study=study).values_list("pk", flat=True))
    turns = Turn.objects.filter(conversation__dataset__in=datasets)
    matching = turns.filter(_all_occur(words, "question", "rewrite"))
    return matching.select_related("conversation__dataset").order_by("conversation_id", "number")


def _answers(study: Study, words: Sequence[str]) -> QuerySet[Answer]:
    runs = list(Run.objects.filter(dataset__study=study).values_list("pk", flat=True))
    matching = Answer.objects.filter(_all_occur(words, "text"), run__in=runs)
    related = matching.select_related("run__dataset", "turn__conversation")
    return related.order_by("run_id", "turn_id")


def _items(study: Study, words: Sequence[str], reader: User, roles: set[Role]) -> QuerySet[Item]:
    """The items by their question and the answers that they show, as on the page of a batch's items.

    Left out are control items, and items that would tell an adjudicator of a label to be given a second time.
    """
    batches = Batch.objects.filter(study=study).exclude(state=BatchState.DRAFT)
    items = Item.objects.real().filter(batch__in=list(batches.values_list("pk", flat=True)))
    for word in words:
        answers = ItemAnswer.objects.filter(_occurs(word, "candidate__text"), item=OuterRef("pk"))
        items = items.filter(_occurs(word, "turn__question", "turn__rewrite") | Exists(answers))
    if Role.ADJUDICATOR in roles:
        hidden = adjudication_access.items_hidden_from(reader, study).exclude(came_from=None)
        items = items.exclude(pk__in=hidden.values("pk"))
    return items.select_related("batch").order_by("batch_id", "position")


def excerpt(text: str, words: Sequence[str]) -> SafeString:
    """Return the part of a text around the first word that is searched for, with all of them marked."""
    pattern = re.compile(
        "|".join(map(re.escape, sorted(words, key=len, reverse=True))), re.IGNORECASE
    )
    first = pattern.search(text) if words else None
    start = max(0, first.start() - BEFORE) if first else 0
    shown = text[start : start + LONGEST_EXCERPT]
    parts = ["…" if start else ""]
    end = 0
    for match in pattern.finditer(shown) if words else ():
        parts += [escape(shown[end : match.start()]), f"<mark>{escape(match[0])}</mark>"]
        end = match.end()
    parts += [escape(shown[end:]), "…" if start + LONGEST_EXCERPT < len(text) else ""]
    return SafeString("".join(parts))
