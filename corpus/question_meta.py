"""How a question was made: Turn.meta of a data set of the format `questions`. Without Django.

    {"type", "section", "kind", "document", "proof", "proof_status",
     "maker": {"model", "prompt", "prompt_sha256", "seed"}}

All are texts, "" where the file says nothing, but for `seed`, a whole number or None, and `proof_status`,
a quotes.PlaceStatus or "" without a proof. `kind` is that of the passage, and `document` what the passage is of: a
passage of no named document is one by itself, with its id. Turns of other formats have an empty dict.
"""

from collections.abc import Iterable, Sequence

from corpus import digests
from corpus.problems import ImportProblems, Problem, json_excerpt
from corpus.quotes import PlaceStatus
from corpus.records import TurnRecord

# The numbers of an import by the status that they count.
PROOFS = {
    PlaceStatus.FOUND: "n_proofs_found",
    PlaceStatus.FOLDED: "n_proofs_with_other_white_space",
    PlaceStatus.MISSING: "n_proofs_not_in_passage",
}


def types_of(text: str) -> list[str]:
    """Return the types of a list with commas, without outer white space: "closed, open"."""
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def require_types(turns: Iterable[TurnRecord], types: Sequence[str]) -> None:
    """Raise ImportProblems with every turn of another type, or of none."""
    known = ", ".join(types)
    problems = [
        Problem(
            turn.part,
            "line",
            turn.index,
            "type",
            json_excerpt(turn.meta.get("type", "")),
            f"is not one of the types asked for ({known})",
        )
        for turn in turns
        if turn.meta.get("type", "") not in types
    ]
    if problems:
        raise ImportProblems(problems)


def numbers(turns: Iterable[TurnRecord]) -> dict[str, int]:
    """Return how many proofs are in their passages and how many are not; empty if there are none."""
    found = [status for turn in turns if (status := turn.meta.get("proof_status"))]
    return {number: found.count(status) for status, number in PROOFS.items()} if found else {}


def missing_proofs(turns: Iterable[TurnRecord]) -> tuple[str, ...]:
    """Return a warning that names the questions whose proof is not in their passage; none without any."""
    missing = digests.first_names(
        turn.conversation
        for turn in turns
        if turn.meta.get("proof_status") == PlaceStatus.MISSING.value
    )
    if not missing.n:
        return ()
    what = (
        "1 proof is not in its passage"
        if missing.n == 1
        else f"{missing.n} proofs are not in their passages"
    )
    return (f"{what} and kept as it came: {missing}",)
