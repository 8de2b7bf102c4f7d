"""What is promised of a guideline that changed since it was read: annotation/queries/guideline_diff.py."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import guideline_readings
from annotation.models import GuidelineReading
from annotation.queries import guideline_diff
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory, StudyFactory
from text.diff import Change

OLD = "# How to judge\n\nMind *the question*.\n\n1. One\n2. Two\n3. Three\n4. Four\n"
NEW = "# How to judge\n\nMind *every question*.\n\n1. One\n2. Two\n3. Three\n4. Four\n"


@pytest.fixture
def batch_with(study):
    """A batch of the study by a guideline with this text."""

    def made(text, scheme="plausibility", of=study):
        guideline = GuidelineFactory(study=of, scheme=scheme, text=text)
        return BatchFactory(pool__dataset__study=of, scheme=scheme, guideline=guideline)

    return made


@pytest.fixture
def old(batch_with, bob):
    """A batch by the old text, which bob has read."""
    batch = batch_with(OLD)
    guideline_readings.confirm(batch=batch, by=bob)
    return batch


def words(change):
    """The words that changed, added and removed."""
    pieces = [piece for part in change.parts for block in part.blocks for piece in block.pieces]
    return {
        kind.value: [piece.text for piece in pieces if piece.change == kind]
        for kind in (Change.REMOVED, Change.ADDED)
    }


def test_who_read_another_guideline_is_told_what_changed_since(old, batch_with, bob):
    change = guideline_diff.change_since_reading(batch_with(NEW), bob)

    assert words(change) == {"removed": ["the"], "added": ["every"]}
    assert change.read_at == GuidelineReading.objects.get().read_at


def test_who_read_none_is_told_of_no_change(old, batch_with, dora):
    assert guideline_diff.change_since_reading(batch_with(NEW), dora) is None


@pytest.mark.parametrize(
    "text",
    [OLD.replace("the question", "the\nquestion") + "\n\n", OLD.replace("1. One", "1.  One")],
    ids=["lines", "spaces"],
)
def test_where_only_white_space_differs_nothing_changed_but_it_is_read_anew(
    old, batch_with, bob, text
):
    batch = batch_with(text)

    assert guideline_diff.change_since_reading(batch, bob) is None
    assert guideline_readings.is_due(batch, bob)


def test_the_guideline_of_another_scheme_or_study_is_not_the_one_before(batch_with, bob, study):
    elsewhere = StudyFactory()
    for other in (batch_with(OLD, scheme="faithfulness"), batch_with(OLD, of=elsewhere)):
        GuidelineReading.objects.create(guideline=other.guideline, read_by=bob)

    assert guideline_diff.change_since_reading(batch_with(NEW), bob) is None


def test_after_it_was_read_the_change_stays_until_another_text_comes(old, batch_with, bob):
    new, newest = batch_with(NEW), batch_with(f"{NEW}\nNever guess.\n")
    guideline_readings.confirm(batch=new, by=bob)

    assert guideline_diff.change_since_reading(old, bob) is None
    assert words(guideline_diff.change_since_reading(new, bob))["added"] == ["every"]
    assert words(guideline_diff.change_since_reading(newest, bob))["added"] == ["Never guess."]


def test_the_latest_reading_counts_and_not_the_latest_text(old, batch_with, bob):
    newest = batch_with(f"{NEW}\nNever guess.\n")
    GuidelineReading.objects.create(
        guideline=newest.guideline, read_by=bob, read_at=timezone.now() - timedelta(days=9)
    )

    change = guideline_diff.change_since_reading(batch_with(NEW), bob)

    assert words(change) == {"removed": ["the"], "added": ["every"]}


# On the pages


def test_the_reading_page_shows_the_change_above_the_whole_text_and_is_still_confirmed(
    old, batch_with, bob
):
    batch = batch_with(NEW)
    ItemFactory(batch=batch)
    client = client_of(bob)

    page = client.get(address("desk_guidelines", batch))

    text = text_of(page)
    banner, article = text.split("<article")
    assert "The guideline has changed since you read it" in banner
    assert (
        '<del><span class="visually-hidden">removed: </span><span class="em">the</span>' in banner
    )
    assert (
        '<ins><span class="visually-hidden">added: </span><span class="em">every</span>' in banner
    )
    assert "<summary>3 unchanged paragraphs</summary>" in banner
    assert "<em>every question</em>" in article
    assert "I have read it: start" in article
    client.post(address("desk_guidelines", batch))
    drawer = text_of(open_desk(client, batch)).split('id="guidelines"')[1]
    assert "The guideline has changed since you read it" in drawer
    assert "<em>every question</em>" in drawer


def test_what_is_written_in_a_guideline_stays_text_in_the_difference(old, batch_with, bob):
    batch = batch_with(OLD.replace("the question", "<script>alert(1)</script> & <b>more</b>"))

    banner = text_of(client_of(bob).get(address("desk_guidelines", batch))).split("<article")[0]

    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in banner
    assert "<script>alert" not in banner
    assert "<b>" not in banner


def test_without_a_change_neither_page_says_anything_of_one(old, batch_with, bob, dora):
    new = batch_with(NEW)
    for batch in (old, new):
        ItemFactory(batch=batch)
    guideline_readings.confirm(batch=new, by=dora)
    found = [
        client_of(bob).get(address("desk_guidelines", old)),
        open_desk(client_of(bob), old),
        client_of(dora).get(address("desk_guidelines", new)),
        open_desk(client_of(dora), new),
    ]

    assert not any("has changed" in text_of(page) for page in found)
