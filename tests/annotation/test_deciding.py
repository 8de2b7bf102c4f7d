"""Which answers there are to decide between."""

from annotation import deciding
from tests.annotation.rounds import answered


def test_the_same_answers_are_the_same_versions_whoever_gave_which_first():
    first, *others = (answered(2, text=text) for text in ("Oil.", "Gas.", "Coal."))

    one, other = (deciding.versions(first, given) for given in (others, reversed(others)))

    assert one == other
    assert [each.content.answer for each in one] == ["Oil.", "Coal.", "Gas."]
    assert deciding.sha256(one) == deciding.sha256(other)
