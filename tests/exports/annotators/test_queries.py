"""The judgements of annotators as entries."""

from annotation.models import Judgement
from exports.annotators import queries


def test_a_comparison_of_two_answers_is_one_entry(preferred):
    entries = queries.entries([preferred])

    n_judgements = Judgement.objects.filter(assignment__item__batch=preferred).count()
    assert len(entries) == len({each.submission for each in entries}) == n_judgements
    assert all(each.is_pair for each in entries)
    assert {each.screen_label for each in entries} <= {"left", "right", "tie"}
    by_item = {
        item: {e.answer for e in entries if e.item == item} for item in {e.item for e in entries}
    }
    assert all(len(answers) == 1 for answers in by_item.values())


def test_other_judgements_have_an_entry_for_each_label(rated):
    entries = queries.entries([rated])

    assert len(entries) > len({each.submission for each in entries})
    assert not any(each.is_pair for each in entries)
