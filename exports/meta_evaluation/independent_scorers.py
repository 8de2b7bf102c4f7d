"""The scorers of a data set that do not rest on the judgements of its study."""

from corpus.models import Dataset
from scoring import score_queries
from scoring.models import Scorer


def rests_on_own_judgements(dataset: Dataset) -> bool:
    """Return whether the accepted answers among its references are those of a release of its own study.

    Measured against these a plausible answer is like itself, whatever the measure.
    """
    return bool(dataset.release.get("study") == dataset.study.slug)


def independent_scorers(dataset: Dataset) -> tuple[list[Scorer], list[Scorer]]:
    """Return the scorers with scores that do not rest on the study's own judgements, and those that do."""
    found, is_circular = score_queries.scorers(dataset), rests_on_own_judgements(dataset)
    return (
        [scorer for scorer in found if not (is_circular and scorer.marks)],
        [scorer for scorer in found if is_circular and scorer.marks],
    )
