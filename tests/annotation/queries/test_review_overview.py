"""What reviewers see of each person: annotation/queries/review_overview.py."""

from statistics import median

import pytest

from annotation import schemes
from annotation.actions import bulk_reviews, settlement
from annotation.models import Judgement, Verdict
from annotation.queries import review_overview
from annotation.review_decisions import Decision
from tests.annotation import judged_batches
from tests.parts import part

pytestmark = pytest.mark.database
NOT_COUNTED = Decision(False, "random answers", "", False, "random answer", "")


@part
def judged(study, alice, bob, dora):
    judged = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=judged.batch, rule="unanimous", by=alice)
    return judged


def refuse(judged, *judgements) -> None:
    plan = {judgement.pk: NOT_COUNTED for judgement in judgements}
    bulk_reviews.decide(batch=judged.batch, decisions=plan, by=judged.batch.created_by)


def summaries(batch) -> dict[str, review_overview.Person]:
    members = list(batch.study.memberships.select_related("user"))
    found = review_overview.person_summaries(batch, members, are_known=True)
    return {each.name: each for each in found}


def recounted(batch, person) -> tuple[int, float | None, int, int]:
    """Judged, median seconds, equal pairs and pairs of the person, by asking of each judgement by itself."""
    scheme = schemes.get(batch.scheme)
    own = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    own = own.filter(assignment__annotator=person)
    seconds = [each.active_seconds for each in own]
    counted = Judgement.objects.counted()
    n_equal = n_pairs = 0
    for each in counted.filter(pk__in=own.values("pk")):
        others = counted.filter(assignment__item=each.assignment.item_id).exclude(pk=each.pk)
        n_pairs += len(others)
        n_equal += sum(scheme.words(each.response) == scheme.words(o.response) for o in others)
    return len(seconds), median(seconds) if seconds else None, n_equal, n_pairs


def assert_as_recounted(batch) -> None:
    people = summaries(batch)
    for member in batch.study.memberships.select_related("user"):
        found = people[member.user.username]
        numbers = (found.n_judged, found.median_seconds, found.n_equal, found.n_pairs)
        assert numbers == recounted(batch, member.user)


def test_what_was_read_once_is_what_each_judgement_says_by_itself(judged):
    assert any(person.n_pairs for person in summaries(judged.batch).values())
    assert_as_recounted(judged.batch)


def test_neither_surplus_nor_refused_judgements_make_pairs(judged):
    before = sum(person.n_pairs for person in summaries(judged.batch).values())
    refuse(judged, judged.of(judged.fay)[0])
    last = Judgement.objects.filter(pk=judged.of(judged.fay)[-1].pk)
    last.update(is_surplus=True)

    assert sum(person.n_pairs for person in summaries(judged.batch).values()) < before
    assert_as_recounted(judged.batch)


def test_items_make_pairs_before_they_have_a_verdict(judged):
    before = summaries(judged.batch)
    Verdict.objects.filter(item__batch=judged.batch).delete()

    assert summaries(judged.batch) == before


def test_reviews_of_a_person_are_counted_by_what_they_decide(judged):
    refuse(judged, *judged.of(judged.fay)[:2])

    fay = summaries(judged.batch)[judged.fay.username]

    assert (fay.n_reviewed, fay.n_not_counted, fay.n_not_paid) == (2, 2, 2)
