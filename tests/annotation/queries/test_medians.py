"""The median of active seconds, found by the database as by Python: annotation/queries/medians.py."""

from statistics import median

import pytest

from annotation.models import Judgement
from annotation.queries.medians import Median
from tests.annotation import judged_batches
from tests.parts import part

pytestmark = pytest.mark.database

PERSON = "assignment__annotator"


@part
def judged(study, alice, bob, dora):
    return judged_batches.create_judged_batch(study, alice, bob, dora)


def of(rows):
    return rows.order_by().aggregate(found=Median("active_seconds"))["found"]


def took(seconds):
    """As many judgements as there are numbers, which took so long."""
    keys = list(Judgement.objects.order_by("pk").values_list("pk", flat=True)[: len(seconds)])
    for pk, each in zip(keys, seconds, strict=True):
        Judgement.objects.filter(pk=pk).update(active_seconds=each)
    return Judgement.objects.filter(pk__in=keys)


@pytest.mark.parametrize(
    "seconds",
    [(7.5,), (9, 2), (30, 2, 11.25), (0.1, 0.2, 0.3, 1e6), (0, 0), (1e-7, 123456789.012345)],
)
def test_it_is_the_middle_one_or_the_mean_of_the_middle_two(judged, seconds):
    assert of(took(seconds)) == pytest.approx(median(seconds), rel=1e-14)


def test_without_rows_there_is_none(judged):
    assert of(Judgement.objects.none()) is None
    assert of(Judgement.objects.filter(pk=0)) is None


def test_each_group_has_its_own(judged):
    expected = {}
    for person, seconds in Judgement.objects.values_list(PERSON, "active_seconds"):
        expected.setdefault(person, []).append(seconds)

    groups = Judgement.objects.order_by().values_list(PERSON).annotate(Median("active_seconds"))

    assert dict(groups) == pytest.approx({each: median(rows) for each, rows in expected.items()})
    assert len(expected) > 1
