"""An item can be looked at while people judge it."""

from itertools import count

import pytest
from django.db import connection

from accounts.models import Role
from annotation.queries import item_history, verdict_provenance
from tests.annotation.desk import judge
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory


@pytest.mark.parametrize(
    "read",
    [
        item_history.current_judgements,
        item_history.history_lines,
        verdict_provenance.item_lines,
    ],
)
def test_an_item_that_is_judged_between_any_two_queries_can_be_read(study, alice, read):
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=50)
    item = ItemFactory(batch=batch)
    people = (member(study, f"annotator-{n}", Role.ANNOTATOR, by=alice) for n in count())
    judge(batch, next(people))
    n_judged = 0

    def somebody_judges(execute, sql, params, many, context):
        nonlocal n_judged
        result = execute(sql, params, many, context)
        connection.execute_wrappers.remove(somebody_judges)  # who judges asks too
        judge(batch, next(people))
        connection.execute_wrappers.append(somebody_judges)
        n_judged += 1
        return result

    with connection.execute_wrapper(somebody_judges):
        found = read(item)

    assert found
    assert n_judged > 2
