"""What is promised of answers to flags: annotation/actions/flags.py."""

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import flags, judgements
from annotation.models import Flag
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.annotation.desk import NOW, after, claim_one


@pytest.fixture
def flag(batch, item, bob) -> Flag:
    return judgements.flag(assignment=claim_one(batch, bob), message="cut off?", by=bob, now=NOW)


def test_an_answer_stands_with_its_time_and_who_gave_it(flag, alice, time_machine):
    time_machine.move_to(after(60), tick=False)

    flags.answer(flag=flag, text="  Yes: skip it.\n", by=alice)

    given = flag.answers.get()
    assert (given.text, given.answered_at, given.answered_by) == ("Yes: skip it.", after(60), alice)


def test_an_answer_leaves_an_event(flag, study, carol):
    flags.answer(flag=flag, text="Skip it", by=carol)

    event = Event.objects.get(verb="answered")
    assert (event.actor, event.study, event.target) == ("carol", study.slug, f"flag {flag}")
    assert event.details == {"text": "Skip it"}


def test_an_answer_that_is_sent_twice_stands_once(flag, alice):
    first = flags.answer(flag=flag, text="Skip it", by=alice)

    assert flags.answer(flag=flag, text=" Skip it ", by=alice) == first
    assert list(flag.answers.all()) == [first]


def test_a_second_answer_stands_beside_the_first(flag, alice, carol):
    first = flags.answer(flag=flag, text="Skip it", by=alice)
    second = flags.answer(flag=flag, text="No, judge it", by=carol)

    assert list(flag.answers.all()) == [first, second]


@pytest.mark.parametrize("text", ["", " \n", "x" * 1001])
def test_an_answer_that_says_nothing_or_too_much_is_refused(flag, alice, text):
    with pytest.raises(ReviewError, match="the answer "):
        flags.answer(flag=flag, text=text, by=alice)

    assert not flag.answers.exists()


def test_annotators_and_strangers_answer_nothing(flag, bob, dora, mallory):
    for person in (bob, dora, mallory):
        with pytest.raises(NotAllowedError):
            flags.answer(flag=flag, text="Skip it", by=person)

    assert not flag.answers.exists()
