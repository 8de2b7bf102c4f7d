"""The compact letter display of pairwise tests: things share a letter if no test tells them apart.

Piepho (2004), Journal of Computational and Graphical Statistics 13:456-466, insert and absorb:

    begin with one column that has everybody
    insert   for each significant pair, each column that has both becomes two, without the one and
             without the other
    absorb   a column that lies within another is left out

At the end two things share a column if and only if their difference is not significant. The columns
are all largest sets without a significant pair, so the order of the pairs does not matter.

Wrong: taking a shared letter for equality. It says only that no difference was found.
"""

from collections.abc import Iterable, Sequence
from string import ascii_letters

# Beyond, the letters would say less than the list of pairs.
MOST_LETTERS = len(ascii_letters)
# On the way there may be more columns than at the end, and in the worst case exponentially many.
MOST_COLUMNS = 1_000


def letters(
    ordered: Sequence[str], significant: Iterable[tuple[str, str]]
) -> dict[str, str] | None:
    """Return the letters of each thing, `a` for the column with the first of `ordered`.

    Pairs with a thing that is not in `ordered` are passed over. Returns None if there are more than
    MOST_LETTERS columns, or too many on the way.

    >>> letters(["w", "x", "y"], [("w", "y")])
    {'w': 'a', 'x': 'ab', 'y': 'b'}
    """
    places = {name: place for place, name in enumerate(ordered)}
    columns = [(1 << len(ordered)) - 1] if ordered else []
    for one, other in significant:
        if one in places and other in places:
            columns = _absorbed(_inserted(columns, 1 << places[one], 1 << places[other]))
            if len(columns) > MOST_COLUMNS:
                return None
    if len(columns) > MOST_LETTERS:
        return None
    members = sorted(
        [place for place in places.values() if column >> place & 1] for column in columns
    )
    named = list(zip(ascii_letters, members, strict=False))
    return {
        name: "".join(letter for letter, column in named if place in column)
        for name, place in places.items()
    }


def _inserted(columns: Sequence[int], one: int, other: int) -> list[int]:
    """Return the columns, as sets of bits, each without one of the two."""
    both = one | other
    split = [column for column in columns if column & both == both]
    kept = [column for column in columns if column & both != both]
    return [*kept, *(column & ~one for column in split), *(column & ~other for column in split)]


def _absorbed(columns: Sequence[int]) -> list[int]:
    """Return the columns that lie within no other; of equal ones, one."""
    distinct = sorted(set(columns), key=lambda column: (-column.bit_count(), column))
    kept: list[int] = []
    for column in distinct:
        if not any(column & larger == column for larger in kept):
            kept.append(column)
    return kept
