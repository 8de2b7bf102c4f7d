"""Answers that several batches ask about, in words."""

from collections.abc import Iterable, Sequence

from annotation.queries.repeated_answers import Decided, Differing, Undecided

WHICH_COUNTS = (
    "An adjudicated verdict counts first, then that of the batch made last; what is set aside or"
    " disputed replaces no verdict."
)


def decided_sentences(found: Sequence[Decided], n_answers: int) -> list[str]:
    """Say before a batch opens which of its answers have a verdict already."""
    if not found:
        return []
    batches = ", ".join(f"{each.n} in “{each.batch}”" for each in found)
    return [
        f"Of its {n_answers} answers some have a verdict already: {batches}."
        f" They are judged again. {WHICH_COUNTS}"
    ]


def undecided_sentences(found: Iterable[Undecided]) -> list[str]:
    """Say before a batch opens which of its answers another batch asks about too."""
    return [
        f"{each.n} of its answers {'is' if each.n == 1 else 'are'} asked about in “{each.batch}” too,"
        " and not decided there yet: annotators can get the same answer in both."
        for each in found
    ]


def differing_sentences(found: Iterable[Differing]) -> list[str]:
    """Say which batches decided the same answer with unlike verdicts."""
    return [
        f"{each.n} {'answer has' if each.n == 1 else 'answers have'} one verdict for {each.scheme} in"
        f" “{each.earlier}” and another in “{each.later}”, made later. {WHICH_COUNTS}"
        for each in found
    ]
