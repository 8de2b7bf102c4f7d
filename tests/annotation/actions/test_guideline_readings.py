"""What is promised of reading guidelines: annotation/actions/guideline_readings.py."""

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import guideline_readings
from annotation.models import GuidelineReading
from tests.factories import BatchFactory, GuidelineFactory


def test_a_guideline_is_due_until_the_person_says_that_they_read_it(batch, bob, dora):
    assert guideline_readings.is_due(batch, bob)

    guideline_readings.confirm(batch=batch, by=bob)

    assert not guideline_readings.is_due(batch, bob)
    assert guideline_readings.is_due(batch, dora)


def test_said_twice_it_stands_once(batch, bob):
    assert guideline_readings.confirm(batch=batch, by=bob) == guideline_readings.confirm(
        batch=batch, by=bob
    )
    assert GuidelineReading.objects.count() == 1


def test_the_same_guideline_is_not_due_again_in_another_batch(batch, bob):
    again = BatchFactory(pool=batch.pool, guideline=batch.guideline)
    other = BatchFactory(pool=batch.pool)
    guideline_readings.confirm(batch=batch, by=bob)

    assert not guideline_readings.is_due(again, bob)
    assert guideline_readings.is_due(other, bob)


def test_an_empty_guideline_is_never_due(batch, bob):
    empty = BatchFactory(pool=batch.pool, guideline=GuidelineFactory(study=batch.study, text=" \n"))

    assert not guideline_readings.is_due(empty, bob)


def test_nobody_without_a_desk_reads_for_it(batch, alice, carol, mallory):
    for person in (alice, carol, mallory):
        with pytest.raises(NotAllowedError):
            guideline_readings.confirm(batch=batch, by=person)
