"""The rule by which people of these tests label an answer, so that two journeys have the same labels."""

import hashlib

from annotation import schemes

REASON = "So says the rule"  # of the one who settles what they disagree on

# Of 256: how many of the texts are said to be what the scheme's first label says, and how many of them
# the one who doubts sees otherwise.
N_FIRST, N_DOUBTED = 180, 50


def label_of(scheme: str, text: str, *, doubts: bool = False) -> str:
    """The label that follows from the answer's text; with `doubts`, for some texts the next label."""
    first, second, third = schemes.get(scheme).labels
    kind, doubt, *_ = hashlib.sha256(f"{scheme}: {text.strip()}".encode()).digest()
    said = first if kind < N_FIRST else (second, third)[kind % 2]
    if doubts and doubt < N_DOUBTED:
        return {first: second, second: third, third: first}[said]
    return said
