"""The first screens of a draft are those that annotators get first."""

import pytest

from annotation.actions import batches
from annotation.design.screens import batch_screens, first_screens
from tests.annotation.pools import evidence_pool_of, pool_of


@pytest.mark.parametrize("grouping", ["question", "fewest", "none"])
@pytest.mark.parametrize("n", [1, 2, 5, 99])
def test_the_first_screens_are_the_first_of_all(study, alice, grouping, n):
    draft = batches.create(
        study=study,
        name="draft",
        scheme="plausibility",
        pool=pool_of(study),
        grouping=grouping,
        by=alice,
    )

    assert first_screens(draft, n) == batch_screens(draft)[:n] != []


def test_where_evidence_is_shown_they_are_the_first_that_have_some(study, alice):
    pool = evidence_pool_of(pool_of(study), without=1)
    draft = batches.create(study=study, name="draft", scheme="faithfulness", pool=pool, by=alice)

    having = [screen for screen in batch_screens(draft) if screen.payload["evidence"]]
    for n in (1, 3, 99):
        assert first_screens(draft, n) == having[:n] != []
