"""Constraints that are validated together: performance/constraints.py. They refuse what Django refuses."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import models

from annotation.models import Batch
from tests.factories import BatchFactory

pytestmark = pytest.mark.database

# What Django says of each, one query for each condition.
AS_DJANGO = models.Model.validate_constraints

FLAWS = [
    {},
    {"state": "elsewhere"},
    {"judgements_per_item": 0},
    {"largest_share": 1.5},
    {"reward": Decimal("0.1"), "currency": ""},
    {"reward": None, "currency": "EUR", "control_every": 1},
    {"purpose": "training", "repeat_every": 3},
    {"state": "closed"},
    {"routes": "all"},
    {"largest_share": 1.5, "routes": "\0"},
]


def said(validate, batch, **options) -> dict[str, list[str]]:
    try:
        validate(batch, **options)
    except ValidationError as error:
        return error.message_dict
    return {}


@pytest.fixture
def batch(db):
    return BatchFactory(name="lamps")


@pytest.mark.parametrize("flaws", FLAWS)
@pytest.mark.parametrize("exclude", [None, set(), {"reward"}, {"state", "judgements_per_item"}])
def test_the_same_is_said_as_django_says(batch, flaws, exclude):
    for name, value in flaws.items():
        setattr(batch, name, value)

    expected = said(AS_DJANGO, batch, exclude=exclude)

    assert said(Batch.validate_constraints, batch, exclude=exclude) == expected
    assert bool(expected) or not flaws or exclude


def test_a_name_that_another_has_is_refused(batch):
    other = BatchFactory(pool=batch.pool, name="wicks")
    other.name = "lamps"

    with pytest.raises(ValidationError, match="already exists"):
        other.validate_constraints()


def test_what_meets_all_of_them_is_asked_in_two_queries(batch, django_assert_num_queries):
    with django_assert_num_queries(2 + 2):  # all conditions, in a savepoint, and the name
        batch.validate_constraints()
