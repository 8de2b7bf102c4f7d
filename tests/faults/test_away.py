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
    work = installation.create_work(n_items=40, n_people=3, judgements_per_item=1, n_controls=6)
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
        # A control item has room for everybody, whoever judged it meanwhile.
        gone = items_of(installation, other, taken) - controls(installation)
        overtaken_in = [each for each in late if items_of(installation, overtaken, [each]) & gone]
        assert len(overtaken_in) > work.depth / 2
        expected = ["late" if each in overtaken_in else "saved" for each in late]
        assert outcomes(overtaken, late) == expected
        assert all(
            "after the time limit" in overtaken.outcomes[each].words for each in overtaken_in
        )
        assert outcomes(alone, in_place) == ["saved"] * work.depth
        # And they go on.
        more = [*judge_all(overtaken, fetches=False), *judge_all(alone, fetches=False)]

    books = installation.batch_contents()
    surplus = {each.client_id for each in books.judgements if each.is_surplus}
    counted = [each.client_id for each in books.judgements if not each.is_surplus]
    assert surplus == set(overtaken_in)
    assert sorted(counted) == sorted({*taken, *in_place, *late, *more} - surplus)
    assert len(more) == 2 * work.depth
    of_controls = {each.client_id for each in books.judgements if each.assignment in books.controls}
    assert of_controls
    assert books.n_full == len(set(counted) - of_controls)
    assert (books.n_verdicts, books.n_of_controls) == (books.n_items, 0)


def an_hour_passes(installation):
    """Every claim is past its time."""
    installation.query("UPDATE annotation_assignment SET expires_at = claimed_at")


def items_of(installation, browser, ids):
    """The keys of the items that these judgements are of."""
    names = {each.replace("-", "") for each in (browser.outcomes[name].assignment for name in ids)}
    rows = installation.query("SELECT public_id, item_id FROM annotation_assignment")
    return {item for name, item in rows if str(name).replace("-", "") in names}


def controls(installation):
    return {
        pk for (pk,) in installation.query("SELECT id FROM annotation_item WHERE n_wanted IS NULL")
    }


def outcomes(browser, ids):
    return [browser.outcomes[each].outcome for each in ids]
