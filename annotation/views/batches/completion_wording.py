"""Why a batch cannot be finished, in words."""

from dataclasses import dataclass

from annotation.queries.completion import Shortfall


@dataclass(frozen=True)
class Sentences:
    """The main sentence, and one for each reason."""

    main: str
    reasons: list[str]
    found: Shortfall


def before_opening(found: Shortfall) -> Sentences:
    main = (
        "The present annotators cannot finish it:"
        f" {found.n_missing:,} of {_judgements(found.n_left)} cannot be made by anybody."
    )
    return Sentences(main, _reasons(found), found)


def while_open(found: Shortfall) -> Sentences:
    left = f"{_judgements(found.n_left)} {'is' if found.n_left == 1 else 'are'} not assigned yet"
    if found.is_complete:
        main = f"{left}, and nobody can take {'it' if found.n_left == 1 else 'any of them'}."
    else:
        main = (
            f"The present annotators cannot finish it: {left},"
            f" and nobody can make {found.n_missing:,} of them."
        )
    return Sentences(main, _reasons(found), found)


def _judgements(n: int) -> str:
    return "1 judgement" if n == 1 else f"{n:,} judgements"


def _reasons(found: Shortfall) -> list[str]:
    """One sentence for each reason, with its number of judgements."""
    there_are = {0: "the study has no annotator", 1: "the study has one annotator"}.get(
        found.n_annotators, f"the study has {found.n_annotators:,} annotators"
    )
    reasons = [
        (
            found.by_share,
            "because of the maximum of items per annotator: annotators have taken, or would have"
            " taken, as many as each may",
        ),
        (found.by_pause, "because annotators are paused in this batch"),
        (
            found.by_skip,
            "because annotators skipped these items, and a skipped item does not return",
        ),
        (
            found.by_few,
            f"because too few people are there: {there_are}, and nobody judges an item twice",
        ),
    ]
    return [f"{n:,} {words}." for n, words in reasons if n]
