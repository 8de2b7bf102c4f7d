"""Which item decides an answer that several batches of a scheme asked about (docs/adr/0002)."""

# What says more of an answer comes first. A set-aside item says no more than one without a verdict.
STRENGTH = {"decided": 2, "disputed": 1}

# Compared as a whole: of the items of an answer the one with the greatest has the say.
Precedence = tuple[bool, int, bool, int, int]
LEAST: Precedence = (False, -1, False, -1, -1)


def precedence(*, state: str, source: str, stands: bool, batch_rank: int, item: int) -> Precedence:
    """Return the precedence of an item among those of its scheme that show the same answer.

    `state` and `source` are of its verdict, empty if there is none; `stands` is false where the
    plausibility verdict that it came from has changed; `batch_rank` counts the batches in the order
    in which they were made.
    """
    is_adjudicated = source == "adjudication"
    return stands, STRENGTH.get(state, 0), is_adjudicated, batch_rank, item
