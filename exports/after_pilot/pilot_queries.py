"""What a pilot's judgements and verdicts say, read now."""

from collections import Counter
from collections.abc import Mapping

from annotation import schemes
from annotation.models import Batch
from annotation.queries import expected_labels
from annotation.queries.expected_labels import Answer
from exports.after_pilot import queries
from exports.after_pilot.shown import PilotFigures


def pilot_figures(batch: Batch) -> PilotFigures:
    """Return the figures. A batch of the shared task's size takes half a second of the processor."""
    answers: Mapping[int, list[Answer]] = {}
    why_none = ""
    try:
        answers = expected_labels.answers_by_person(batch)
    except (expected_labels.NotSettledError, schemes.WrongSchemeError) as error:
        why_none = str(error)
    return PilotFigures(
        queries.times(batch),
        queries.batch_yield(batch),
        queries.disputes(batch),
        {person: Counter(own) for person, own in answers.items()},
        queries.n_comments(batch),
        why_none,
    )
