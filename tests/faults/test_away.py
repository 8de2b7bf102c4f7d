"""People go away with items on their screens, and come back when their claims have ended."""

import pytest

from tests.faults.annotators import Browser, browsers
from tests.faults.servers import served

pytestmark = [pytest.mark.faults, pytest.mark.database]


def judge_all(browser: Browser, *, fetches: bool) -> list[str]:
    """What is at hand goes out together; the ids of the judgements."""
    ids = [browser.judge() for _ in range(len(browser.ahead))]
    assert browser.exchange(fetches=fetches)
    return ids


def test_who_comes_back_finds_the_places_that_nobody_took_and_is_told_what_came_late(installation):
    work = installation.create_work(n_items=40, n_people=3, judgements_per_item=1)
    with served(installation) as server, browsers(server.port, work) as (overtaken, alone, other):
        for person in (overtaken, alone):
            assert person.exchange()
            assert len(person.ahead) == work.depth
        an_hour_passes(installation)
        # The first places that are free again are those of who went first.
        assert other.exchange()
        taken = judge_all(other, fetches=False)

        in_place = judge_all(alone, fetches=True)
        late = judge_all(overtaken, fetches=True)

        assert outcomes(other, taken) == ["saved"] * work.depth
        assert outcomes(overtaken, late) == ["late"] * work.depth
        assert all("after the time limit" in overtaken.outcomes[each].words for each in late)
        assert outcomes(alone, in_place) == ["saved"] * work.depth
        # And they go on.
        more = [*judge_all(overtaken, fetches=False), *judge_all(alone, fetches=False)]

    books = installation.batch_contents()
    surplus = {each.client_id for each in books.judgements if each.is_surplus}
    counted = [each.client_id for each in books.judgements if not each.is_surplus]
    assert surplus == set(late)
    assert sorted(counted) == sorted([*taken, *in_place, *more])
    assert len(more) == 2 * work.depth
    assert books.n_full == len(counted)


def an_hour_passes(installation):
    """Every claim is past its time."""
    installation.query("UPDATE annotation_assignment SET expires_at = claimed_at")


def outcomes(browser, ids):
    return [browser.outcomes[each].outcome for each in ids]
