"""The difference of a release from the one before it is stored when it is made, and is what is computed of the files."""

import pytest
from django.test import override_settings
from django.urls import reverse

from annotation.actions import reviews
from corpus.actions import run_descriptions
from exports.models import Release, ReleaseDifference
from exports.releases import stored_differences
from exports.releases.difference import difference
from exports.releases.difference_json import from_json, to_json
from exports.releases.reader import BrokenReleaseError
from tests.exports.judged_batches import release
from tests.exports.releases.stored_release import folder_of
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")


@part
def two(plausibility, alice, carol, first_release, folder, releases_folder):
    """Two releases: an answer is adjudicated between, and a run renamed."""
    item = plausibility.items.order_by("position").first()
    reviews.adjudicate(item=item, label="implausible", reason="No.", by=carol)
    dataset = plausibility.pool.dataset
    run = dataset.runs.exclude(kind="reference").first()
    run_descriptions.describe(dataset=dataset, wanted={run.pk: {"name": "elder"}}, by=alice)
    with override_settings(RELEASES=releases_folder):
        release(plausibility, folder / "2")
    return tuple(Release.objects.order_by("number"))


def computed(before, after):
    found = difference(*(stored_differences.source_of(each) for each in (before, after)))
    difference.cache_clear()
    return found


def must_not_be_computed(*sources):
    raise AssertionError("it is stored")


def test_what_is_stored_with_a_release_is_what_its_files_say(two, monkeypatch):
    expected = computed(*two)
    monkeypatch.setattr(stored_differences, "difference", must_not_be_computed)

    found = stored_differences.difference_of(*two)

    assert found == expected
    assert found.verdicts
    assert found.runs_renamed
    assert from_json(to_json(expected)) == expected


def test_the_first_release_stores_none(plausibility, tmp_path):
    release(plausibility, tmp_path / "1")

    assert not ReleaseDifference.objects.exists()


def test_other_pairs_and_what_another_version_stored_are_computed(two, plausibility, tmp_path):
    release(plausibility, tmp_path / "3")
    first, second, third = Release.objects.order_by("number")
    ReleaseDifference.objects.filter(after=second).update(version=0, contents={})

    for before, after in ((first, second), (first, third)):
        assert stored_differences.difference_of(before, after) == computed(before, after)
    assert ReleaseDifference.objects.filter(after=third).get().before == second


@pytest.mark.parametrize("name", ["silver.json", "items.csv", "report.json"])
def test_a_stored_difference_of_files_that_were_changed_is_not_shown(two, name):
    (folder_of(two[0]) / name).write_text("other")

    with pytest.raises(BrokenReleaseError, match="is not what was released"):
        stored_differences.difference_of(*two)


def test_a_release_after_one_whose_files_are_gone_is_made_and_stores_none(
    plausibility, study, alice, tmp_path
):
    release(plausibility, tmp_path / "1")
    (folder_of(Release.objects.get()) / "items.csv").unlink()

    release(plausibility, tmp_path / "2")

    assert not ReleaseDifference.objects.exists()
    page = client_of(alice).get(reverse("release_diff", args=[study.slug, 2, 1])).text
    assert "cannot be shown" in page
