"""The accepted answers of the release that a version of a data set has read back."""

from collections.abc import Iterable

from corpus.accepted import from_stored
from corpus.models import Dataset, Turn
from exports.rows.earlier_answers import Record


def earlier_answers(
    dataset: Dataset, *, is_rehearsal: bool, turns: Iterable[Turn] | None = None
) -> dict[str, list[Record]]:
    """Return by turn the accepted answers of the release that the version has read, as they are in it.

    Those of a rehearsal are in rehearsals only, and those of people in no rehearsal. `turns` limits them to these.
    """
    if not dataset.release or dataset.release["is_rehearsal"] != is_rehearsal:
        return {}
    if turns is None:
        turns = Turn.objects.of(dataset).exclude(accepted="")
    return {
        turn.key: [each.source for each in from_stored(turn.accepted)]
        for turn in turns
        if turn.accepted
    }
