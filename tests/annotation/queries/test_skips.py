"""What is promised of the reasons for which items of a batch were skipped."""

from annotation.actions import claims, judgements
from annotation.queries import batch_workers, skips
from tests.annotation.desk_pages import client_of, text_of
from tests.factories import BatchFactory, ItemFactory


def skip(batch, person, choice="", reason=""):
    (held,) = claims.claim(batch=batch, by=person)
    judgements.skip(assignment=held, choice=choice, reason=reason, by=person)


def test_skips_are_counted_by_reason_in_their_batch_alone(batch, items, bob, dora):
    other = BatchFactory(pool__dataset__study=batch.study)
    ItemFactory(batch=other)
    skip(batch, bob, "Offensive")
    skip(batch, bob, reason="no idea")
    skip(batch, dora, "Offensive", "a slur")
    skip(other, bob, "Offensive")

    people = batch_workers.people_who_skipped(batch_workers.activity_by_person(batch))

    assert skips.skips_by_reason(batch, people) == [("Offensive", 2), ("", 1)]


def test_the_page_of_the_batch_says_why_items_were_skipped(batch, items, alice, bob):
    skip(batch, bob, "Needs an expert")
    skip(batch, bob, reason="no idea")

    page = client_of(alice).get(f"/studies/{batch.study.slug}/batches/{batch.pk}/")

    said = "Skipped: <bdi>in words only</bdi> 1 · <bdi>Needs an expert</bdi> 1."
    assert said in text_of(page)
