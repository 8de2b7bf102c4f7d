"""What must hold whatever happened: what people were told is what stands there, once."""

from collections import Counter

from tests.faults.annotators import Panel
from tests.faults.places import Books, Place, Work


def assert_nothing_lost(place: Place, panel: Panel) -> None:
    """At this moment, with the server up or down."""
    told = set(panel.told())  # asked first: whatever it holds is stored by now
    assert told <= place.stored()


def assert_kept(place: Place, panel: Panel) -> Books:
    """When everybody has gone home: all of it, and nothing besides."""
    told = panel.told()
    books = place.books()
    times = Counter(each.client_id for each in books.judgements)
    assert set(times.values()) <= {1}
    assert times.keys() == told.keys()
    for each in books.judgements:
        expected = told[each.client_id]
        assert (expected.outcome, expected.label, expected.words) == ("saved", expected.said, "")
        assert (each.assignment, each.label, each.is_surplus) == (
            expected.assignment,
            expected.said,
            False,
        )
    return books


def assert_kept_and_full(place: Place, panel: Panel, work: Work) -> None:
    books = assert_kept(place, panel)
    assert len(books.judgements) == work.n_judgements
    assert books.n_full == books.n_items
