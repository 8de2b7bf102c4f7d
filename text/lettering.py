def letter(place: int) -> str:
    """Return the letters of an answer's place, counted from 0.

    >>> [letter(place) for place in (0, 1, 25, 26, 27, 701, 702)]
    ['A', 'B', 'Z', 'AA', 'AB', 'ZZ', 'AAA']
    """
    before, last = divmod(place, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)
