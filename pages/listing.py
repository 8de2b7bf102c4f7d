"""Lists that can be searched, filtered, sorted and paged, by the address alone.

A view says which columns there are and what each sorts by; the page writes the cells. Every state
is an address, so it can be bookmarked and shared, and works without a script.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, QueryDict

from pages.letter_cases import spellings

PER_PAGE = 50
# SQLite refuses a pattern of more than 50,000 bytes.
LONGEST_SEARCH = 1_000  # characters
MOST_WORDS = 20  # of them all must occur


@dataclass(frozen=True)
class Column:
    """A column: its heading, and the fields that it sorts by (none if it cannot sort)."""

    name: str
    label: str
    order: tuple[str, ...] = ()
    is_number: bool = False


@dataclass(frozen=True)
class Filter:
    """A filter of the list: {value: (label, condition)}. `none` is the label of no choice."""

    name: str
    label: str
    choices: Mapping[str, tuple[str, Q]]
    none: str = "all"


@dataclass(frozen=True)
class Heading:
    """A column as the page shows it: the address that sorts by it, and the current order."""

    column: Column
    href: str
    sorted: str  # ascending | descending | "" (the values of aria-sort)


class Listing:
    """The page of a queryset that the address asks for.

    Whatever the order, rows with equal `groups` (fields) stay together. `prefix` separates two
    lists on one page. `path` is the address of the whole page, where the request was for a part of
    it. `n_rows` is how many rows there are in all, if that is known. Invalid parameters give the first page, unsorted.
    """

    def __init__(
        self,
        request: HttpRequest,
        rows: QuerySet[Any],
        *,
        columns: Sequence[Column],
        search: Sequence[str] = (),
        filters: Sequence[Filter] = (),
        groups: Sequence[str] = (),
        per_page: int = PER_PAGE,
        prefix: str = "",
        path: str = "",
        n_rows: int | None = None,
    ) -> None:
        self.query = request.GET
        self.path = path or request.path
        self.columns = columns
        self.searchable = tuple(search)
        self.filters = filters
        self.groups = tuple(groups)
        self.prefix = prefix
        self._queryset = rows
        self._per_page = per_page
        self._n_rows = n_rows

    def parameter(self, name: str) -> str:
        """Return a parameter of the address without NUL, which no database can store."""
        return self.query.get(self.prefix + name, "").replace("\0", "").strip()

    @property
    def search_text(self) -> str:
        return self.parameter("q")[:LONGEST_SEARCH]

    @property
    def is_narrowed(self) -> bool:
        return bool(self.search_text) or any(self.chosen(each) for each in self.filters)

    def chosen(self, each: Filter) -> str:
        value = self.parameter(each.name)
        return value if value in each.choices else ""

    @cached_property
    def page(self) -> Page[Any]:
        paginator = Paginator(self.rows, self._per_page)
        if self._n_rows is not None and not self.is_narrowed:
            paginator.count = self._n_rows  # instead of counting them
        return paginator.get_page(self.parameter("page"))

    @property
    def rows(self) -> QuerySet[Any]:
        """Return the rows of all pages."""
        return self._ordered(self._narrowed())

    def _narrowed(self) -> QuerySet[Any]:
        rows = self._queryset
        if self.search_text and self.searchable:
            for word in self.search_text.split()[:MOST_WORDS]:
                matches = Q()
                for field, spelling in product(self.searchable, spellings(word)):
                    matches |= Q(**{f"{field}__icontains": spelling})
                rows = rows.filter(matches)
        for each in self.filters:
            if value := self.chosen(each):
                rows = rows.filter(each.choices[value][1])
        return rows

    def _ordered(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        column, is_down = self._sorted_by()
        if column is None:
            return rows if rows.ordered else rows.order_by("pk")
        order = [f"-{field}" if is_down else field for field in column.order]
        # The key last: pages must not overlap where values tie.
        return rows.order_by(*self.groups, *order, "pk")

    def _sorted_by(self) -> tuple[Column | None, bool]:
        sort = self.parameter("sort")
        sortable = {column.name: column for column in self.columns if column.order}
        return sortable.get(sort.removeprefix("-")), sort.startswith("-")

    @property
    def headings(self) -> list[Heading]:
        sorted_column, is_down = self._sorted_by()
        headings = []
        for column in self.columns:
            direction = (
                "" if column is not sorted_column else "descending" if is_down else "ascending"
            )
            sort = f"-{column.name}" if direction == "ascending" else column.name
            href = self.address(sort=sort, page="") if column.order else ""
            headings.append(Heading(column, href, direction))
        return headings

    def address(self, **changes: str) -> str:
        """Return this page's address with some parameters changed; empty ones are left out."""
        return self.address_at(self.path, **changes)

    def address_at(self, path: str, **changes: str) -> str:
        """Return `address` at another path."""
        query = QueryDict(mutable=True)
        query.update(dict(self._parameters()))
        for name, value in changes.items():
            if value:
                query[self.prefix + name] = value
            else:
                query.pop(self.prefix + name, None)
        return f"{path}?{query.urlencode()}" if query else path

    @property
    def previous_href(self) -> str:
        return self.address(page=str(self.page.previous_page_number()))

    @property
    def next_href(self) -> str:
        return self.address(page=str(self.page.next_page_number()))

    @property
    def all_href(self) -> str:
        """Return the address of the list without filters, in the current order."""
        return self.address(q="", page="", **{each.name: "" for each in self.filters})

    @property
    def hidden_inputs(self) -> list[tuple[str, str]]:
        """Return the parameters that the filters' form sends along unchanged."""
        own = {self.prefix + name for name in ("q", "page", *(each.name for each in self.filters))}
        return [(name, value) for name, value in self._parameters() if name not in own]

    def _parameters(self) -> list[tuple[str, str]]:
        """Return the parameters of the address; of repeated ones the last."""
        return [(name, str(value)) for name, value in self.query.items() if value]


class RowListing(Listing):
    """A listing of rows in memory: mappings, sorted by the values that a column names.

    Unsorted they keep their order. Rows without a value come last in either direction.
    """

    def __init__(
        self,
        request: HttpRequest,
        rows: Sequence[Mapping[str, Any]],
        *,
        columns: Sequence[Column],
        per_page: int = PER_PAGE,
    ) -> None:
        none: QuerySet[Any] = QuerySet()
        super().__init__(request, none, columns=columns, per_page=per_page)
        self._rows = rows

    @property
    def rows(self) -> Any:
        column, is_down = self._sorted_by()
        if column is None:
            return list(self._rows)

        def value(row: Mapping[str, Any]) -> list[Any]:
            return [row[name] for name in column.order]

        known = [row for row in self._rows if None not in value(row)]
        unknown = [row for row in self._rows if None in value(row)]
        return sorted(known, key=value, reverse=is_down) + unknown
