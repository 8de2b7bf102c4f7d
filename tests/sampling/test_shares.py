"""The table of candidates by run says that shares add up to more than the whole only where they do."""

import pytest
from django.template.loader import render_to_string


@pytest.mark.parametrize(
    ("by_run", "n_candidates", "is_said"),
    [
        ([("ana", 3), ("ben", 2)], 5, False),
        ([("ana", 3, 6), ("ben", 3, 6)], 5, True),
        (
            [("ana", 1), ("ben", 1), ("cleo", 1)],
            3,
            False,
        ),  # thirds, none of which is a whole per cent
        ([("ana", 0)], 0, False),
        ([], 0, False),
    ],
)
def test_more_than_the_whole_is_said_where_a_candidate_is_credited_twice(
    by_run, n_candidates, is_said
):
    table = render_to_string(
        "sampling/pools/_shares.html", {"by_run": by_run, "n_candidates": n_candidates}
    )

    assert ("add up to more than 100 %" in table) == is_said
