"""What is promised of checks of the guideline: annotation/actions/checks.py, annotation/queries/checks.py."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import batches, checks, drafts, returned_drafts
from annotation.actions.batches import BatchError
from annotation.actions.checks import CheckError
from annotation.models import Batch, CheckAttempt, ComprehensionCheck
from annotation.queries import checks as queries
from tests.annotation.pools import pool_of
from tests.factories import BatchFactory

TEXT = "Which is malformed?\n( ) a wrong answer\n(x) asdf\n> It cannot be read.\n\nIs it lit?\n(x) yes\n( ) no"
RIGHT, WRONG = [1, 0], [0, 0]


@pytest.fixture
def batch(study, alice) -> Batch:
    return batches.create_and_launch(
        study=study, name="full", scheme="plausibility", pool=pool_of(study), by=alice, check=TEXT
    )


def take(batch, by, answers, number=1):
    return checks.take(batch=batch, number=number, answers=answers, by=by)


def test_it_is_due_until_all_answers_are_right(batch, bob, dora):
    assert queries.is_due(batch, bob)
    assert not take(batch, bob, WRONG).is_passed
    assert queries.is_due(batch, bob)

    assert take(batch, bob, RIGHT, number=2).is_passed

    assert not queries.is_due(batch, bob)
    assert queries.is_due(batch, dora)
    assert queries.failed_batches([batch], bob) == set()


def test_after_two_attempts_nobody_goes_on(batch, bob):
    take(batch, bob, WRONG)
    take(batch, bob, WRONG, number=2)

    assert queries.failed_batches([batch], bob) == {batch.pk}
    with pytest.raises(CheckError, match="the 2 attempts are used up"):
        take(batch, bob, RIGHT, number=3)


def test_a_batch_whose_questions_somebody_answered_is_no_draft_again(batch, alice, bob):
    """Else other questions could be asked, of which these answers would be said to be right or wrong."""
    take(batch, bob, WRONG)

    with pytest.raises(BatchError, match="somebody answered the questions on its guideline"):
        returned_drafts.return_to_draft(batch=batch, by=alice)


def test_nothing_is_answered_in_a_batch_that_is_over(batch, alice, bob):
    batches.close(batch=batch, by=alice)

    with pytest.raises(CheckError, match="the batch full is closed"):
        take(batch, bob, RIGHT)


def test_a_page_that_is_sent_twice_is_one_attempt(batch, bob):
    take(batch, bob, WRONG)

    with pytest.raises(CheckError, match="sent already"):
        take(batch, bob, WRONG)

    assert CheckAttempt.objects.count() == 1


@pytest.mark.parametrize("answers", [[], [1], [1, 2], [-1, 0], [1, 0, 0]])
def test_what_is_no_choice_is_refused(batch, bob, answers):
    with pytest.raises(CheckError, match="answer every question with one of its choices"):
        take(batch, bob, answers)


def test_a_batch_without_a_check_asks_nothing_and_costs_no_query(study, bob):
    batch = BatchFactory(pool__dataset__study=study)

    with CaptureQueriesContext(connection) as captured:
        assert not queries.is_due(batch, bob)
        assert queries.failed_batches([batch], bob) == set()

    assert len(captured) == 0


def test_equal_questions_are_one_row_and_other_questions_another(study, alice, batch):
    pool = pool_of(study, key="8")
    same = batches.create(
        study=study, name="same", scheme="plausibility", pool=pool, by=alice, check=TEXT + "\n"
    )
    other = drafts.edit(
        batch=batches.create(study=study, name="o", scheme="plausibility", pool=pool, by=alice),
        name="other",
        scheme="plausibility",
        pool=pool,
        guideline="",
        check=TEXT.replace("lit", "dark"),
        by=alice,
    )

    assert same.comprehension_check == batch.comprehension_check
    assert other.comprehension_check != batch.comprehension_check
    assert ComprehensionCheck.objects.count() == 2


def test_a_text_that_cannot_be_read_is_refused(study, alice):
    with pytest.raises(CheckError, match="the check of the guideline: line 1: a choice has no"):
        batches.create(
            study=study,
            name="full",
            scheme="plausibility",
            pool=pool_of(study),
            by=alice,
            check="(x) a",
        )


def test_figures_count_first_attempts(batch, bob, dora):
    take(batch, bob, WRONG)
    take(batch, bob, RIGHT, number=2)
    take(batch, dora, RIGHT)

    assert [(each.n, each.n_right) for each in queries.figures(batch)] == [(2, 1), (2, 2)]
    (row,) = queries.attempts_in(batch.study, [bob.pk])[bob.pk]
    assert (row.number, row.is_passed) == (2, True)
