"""What is promised of marks on unclear guidelines: annotation/queries/guideline_issues.py and annotation/actions/guideline_marks.py."""

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import guideline_marks
from annotation.queries import guideline_issues
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.factories import BatchFactory, ItemFactory

TEXT = "# What is *plausible*\n\nKind.\n\n## Examples\n\nOne.\n\n# Malformed\n\n## Examples\n\nTwo."


@pytest.fixture
def batch(study):
    return BatchFactory(pool__dataset__study=study, guideline__text=TEXT)


@pytest.fixture
def items(batch):
    return [ItemFactory(batch=batch, position=position) for position in (1, 2)]


def counts(batch):
    return {each.words: each.n_items for each in guideline_issues.section_counts(batch)}


def test_the_sections_of_a_guideline_are_its_headings_in_order_each_by_a_name_of_its_own():
    assert guideline_issues.sections(TEXT) == [
        "What is plausible",
        "Examples",
        "Malformed",
        "Examples (2)",
    ]
    assert guideline_issues.sections("No heading at all.") == []


def test_a_heading_that_is_too_long_is_cut():
    (section,) = guideline_issues.sections("# " + "é" * 500)

    assert len(section) < 200


def test_marks_are_counted_by_section_and_the_whole_has_a_line_of_its_own(batch, items, carol):
    for item in items:
        guideline_marks.mark_unclear(item=item, section="Examples", by=carol)
    guideline_marks.mark_unclear(item=items[0], section="", by=carol)

    assert counts(batch) == {
        "the whole guideline": 1,
        "What is plausible": 0,
        "Examples": 2,
        "Malformed": 0,
        "Examples (2)": 0,
    }


def test_a_mark_is_taken_back_by_a_row_and_can_be_set_again(batch, items, carol, alice):
    item = items[0]
    first = guideline_marks.mark_unclear(item=item, section="Examples", by=carol)
    second = guideline_marks.mark_unclear(item=item, section="Examples", by=alice, is_unclear=False)

    assert (second.replaces, counts(batch)["Examples"]) == (first, 0)
    guideline_marks.mark_unclear(item=item, section="Examples", by=carol)
    assert counts(batch)["Examples"] == 1
    assert item.unclear_marks.count() == 3
    assert Event.objects.filter(verb="marked the guideline unclear").count() == 2
    assert Event.objects.filter(verb="unmarked the guideline").count() == 1


def test_the_same_mark_twice_is_one_and_what_is_not_marked_is_not_unmarked(items, carol):
    guideline_marks.mark_unclear(item=items[0], section="", by=carol)

    assert guideline_marks.mark_unclear(item=items[0], section="", by=carol) is None
    assert (
        guideline_marks.mark_unclear(item=items[1], section="", by=carol, is_unclear=False) is None
    )
    assert items[0].unclear_marks.count() == 1


def test_a_section_that_the_guideline_has_not_is_refused(items, carol):
    with pytest.raises(ReviewError, match="has no section Lighthouses"):
        guideline_marks.mark_unclear(item=items[0], section="Lighthouses", by=carol)


def test_annotators_mark_nothing(items, bob):
    with pytest.raises(NotAllowedError):
        guideline_marks.mark_unclear(item=items[0], section="", by=bob)
