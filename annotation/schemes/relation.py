"""How two accepted answers of a question relate.

A label speaks of answer A, the first on the screen: `shorter` says that A is the shorter one, `more_detailed` that
A has more detail. Who saw the answers in the other order would have given the converse label. Files have the label of
the answer whose text has the first hash, so that they do not depend on the order of the screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.rehearsal import annotators
from annotation.schemes import payloads
from annotation.schemes.base import Option, Payload, Response, Row, SchemeRole, Shows
from annotation.schemes.choice import VerdictScheme

SAME, SHORTER, MORE_DETAILED = "same", "shorter", "more_detailed"
OTHER_ASPECT, CONTRADICTS, CANNOT_SAY = "other_aspect", "contradicts", "cannot_say"
CONVERSES = {SHORTER: MORE_DETAILED, MORE_DETAILED: SHORTER}


def converse(label: str) -> str:
    """The label of the same pair with its answers exchanged."""
    return CONVERSES.get(label, label)


@dataclass(frozen=True, kw_only=True)
class _Relation(VerdictScheme):
    def label_in_files(self, label: str, payload: Payload) -> str:
        """The label as that of the answer whose text has the first hash."""
        return label if _first_in_files(payload) == 1 else converse(label)

    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        """One row, about the answer whose text has the first hash, at its place on the screen."""
        number = _first_in_files(payload)
        label = self.label_in_files(self.label(response), payload)
        return [Row(question=self.name, label=label, answer_number=number, position=number)]

    def true_label(self, payload: Payload, order: Sequence[int], *, seed: int) -> str:
        """The true label in a rehearsal, drawn at random for the two texts in whatever order."""
        label = annotators.hidden_label(
            scheme=self.name,
            seed=seed,
            text_sha256=payloads.text_sha256(" ".join(sorted(_hashes(payload)))),
            prevalence=self.prevalence,
        )
        return self.label_in_files(label, payload)


def _hashes(payload: Payload) -> list[str]:
    return [payloads.text_sha256(each["text"]) for each in payload["answers"]]


def _first_in_files(payload: Payload) -> int:
    """The number of the answer whose text has the first hash: 1 or 2."""
    first, second = _hashes(payload)
    return 1 if first <= second else 2


SCHEME = _Relation(
    name="relation",
    role=SchemeRole.RELATION,
    asks="How do these two answers relate?",
    options=(
        Option(SAME, "1", "Both say the same"),
        Option(SHORTER, "2", "A is shorter"),
        Option(MORE_DETAILED, "3", "A has more detail"),
        Option(OTHER_ASPECT, "4", "Different aspects"),
        Option(CONTRADICTS, "5", "Contradiction"),
        Option(CANNOT_SAY, "0", "Cannot say"),
    ),
    accepted=SAME,
    prevalence={
        SAME: 0.4,
        SHORTER: 0.15,
        MORE_DETAILED: 0.15,
        OTHER_ASPECT: 0.2,
        CONTRADICTS: 0.05,
        CANNOT_SAY: 0.05,
    },
    shows=Shows.ORDERED_PAIR,
    expected_seconds=45,
)
