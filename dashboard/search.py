"""The search page of a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Item
from corpus.models import Answer, Turn
from dashboard import search_queries
from dashboard.search_queries import ANSWERS, ITEMS, LAST_PAGE, PER_PAGE, QUESTIONS, excerpt

FIRST = 10  # rows of a kind where all kinds are shown
TITLES = {QUESTIONS: "Questions", ANSWERS: "Answers of runs", ITEMS: "Items of batches"}


@dataclass(frozen=True)
class Line:
    """A row with its texts, in which the words are marked."""

    row: Any
    texts: list[SafeString]


@dataclass(frozen=True)
class Group:
    """The rows of a kind. `all_href` leads to all of them, where this page shows the first ones only."""

    kind: str
    title: str
    lines: list[Line]
    all_href: str


@require_safe
@guards.study(Role.REQUESTER, Role.ADJUDICATOR)
def search(request: StudyRequest, study: Study) -> HttpResponse:
    """Show what has all words of the address's `q`: the first rows of each kind, or a page of one `kind`."""
    text = request.GET.get("q", "").replace("\0", "").strip()
    words = search_queries.words_of(text)
    kinds = search_queries.kinds_for(request.roles)
    kind = request.GET.get("kind", "")
    chosen = kind if kind in kinds else ""
    context: dict[str, Any] = {"text": text, "kinds": kinds, "chosen": chosen}
    if words:
        context |= _one(request, chosen, words) if chosen else _all(request, kinds, words)
    return render(request, "dashboard/search.html", context)


def _all(request: StudyRequest, kinds: Sequence[str], words: Sequence[str]) -> dict[str, Any]:
    groups = []
    for kind in kinds:
        found = _found(request, kind, words, page=1, most=FIRST)
        all_href = _address(words, kind, 1) if found.has_more else ""
        groups.append(Group(kind, TITLES[kind], _lines(found.rows, words), all_href))
    return {"groups": groups}


def _one(request: StudyRequest, kind: str, words: Sequence[str]) -> dict[str, Any]:
    page = _page_number(request.GET.get("page", ""))
    found = _found(request, kind, words, page=page, most=PER_PAGE)
    first = (page - 1) * PER_PAGE + 1
    return {
        "groups": [Group(kind, TITLES[kind], _lines(found.rows, words), "")],
        "all_kinds_href": f"?{urlencode({'q': ' '.join(words)})}",
        "first": first,
        "last": first + len(found.rows) - 1,
        "previous_href": _address(words, kind, page - 1) if page > 1 else "",
        "next_href": _address(words, kind, page + 1) if found.has_more and page < LAST_PAGE else "",
    }


def _found(
    request: StudyRequest, kind: str, words: Sequence[str], *, page: int, most: int
) -> search_queries.Found:
    return search_queries.found(
        kind, request.study, words, reader=request.user, roles=request.roles, page=page, most=most
    )


def _page_number(text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) < 5
    return min(max(int(text), 1), LAST_PAGE) if is_number else 1


def _address(words: Sequence[str], kind: str, page: int) -> str:
    return f"?{urlencode({'q': ' '.join(words), 'kind': kind, 'page': page})}"


def _lines(rows: Sequence[Any], words: Sequence[str]) -> list[Line]:
    return [Line(row, [excerpt(text, words) for text in _texts(row)]) for row in rows]


def _texts(row: Turn | Answer | Item) -> list[str]:
    if isinstance(row, Turn):
        return list(dict.fromkeys(row.wordings))
    if isinstance(row, Answer):
        return [row.text]
    return [row.payload["question"], *(answer["text"] for answer in row.payload["answers"])]
