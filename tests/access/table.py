"""What the table of every address and every person is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from tests.access.world import World

PEOPLE = (
    "anonymous",
    "annotator",
    "other_annotator",
    "adjudicator",
    "requester",
    "other_requester",
    "administrator",
)


@dataclass(frozen=True)
class Row:
    """One address: how it is called up, and the status that each person gets.

    `expected` has a status for each of PEOPLE, in that order. `options` gives the parts of the address
    and `data` what is sent, from the world; a POST with no data is one that the form refuses. The API is
    sent JSON.
    """

    expected: tuple[int, ...]
    options: Callable[[World], dict[str, Any]] = lambda world: {}
    method: str = "get"
    data: Callable[[World], dict[str, Any]] = lambda world: {}
    is_json: bool = False

    def sent(self, world: World) -> dict[str, Any]:
        """What the test client is called with, besides the address."""
        how = {"content_type": "application/json"} if self.is_json else {}
        return {"data": self.data(world), **how}


def in_study(world: World) -> dict[str, Any]:
    return {"study": world.study.slug}


def only(*people: str, allowed: int = 200, anonymous: int = 302) -> tuple[int, ...]:
    """Of a page in the study: allowed for these; other members 403, outsiders 404, the signed-out are
    sent to sign in."""
    inside = {"annotator", "adjudicator", "requester"}
    return tuple(
        allowed
        if person in people
        else anonymous
        if person == "anonymous"
        else 403
        if person in inside
        else 404
        for person in PEOPLE
    )


def address_of(name: str, options: dict[str, Any]) -> str:
    """The API has a name space of its own, so that nothing of it is loaded to find a page's address."""
    return reverse(f"api:{name}" if name.startswith("api_") else name, kwargs=options)
