"""What a release would change is said before; a batch that was opened by mistake changes nothing."""

import pytest
from django.urls import reverse

from annotation.actions import withdrawn_batches
from corpus.actions import withdrawn_runs
from exports.models import Release
from exports.releases.changes import Change, Changes, gained_sentence
from exports.releases.choice import Choice
from exports.releases.queries import changes
from tests.annotation.pools import launched
from tests.exports.judged_batches import (
    close_batch,
    find_evidence,
    judge_and_settle,
    release,
    settle_batch,
)
from tests.exports.releases.stored_release import folder_of
from tests.jobs.clients import client_of

pytestmark = pytest.mark.usefixtures("releases_of_parts")


def test_the_release_after_a_batch_opened_by_mistake_has_the_same_accepted_answers(
    plausibility, bob, dora, tmp_path
):
    judge_and_settle(
        launched(find_evidence(plausibility), scheme="faithfulness"), bob, dora, label="faithful"
    )
    release(plausibility, tmp_path / "before")

    settle_batch(close_batch(launched(plausibility.pool, name="by mistake")))
    release(plausibility, tmp_path / "after")

    for name in ("gold.json", "silver.json"):
        before, after = (tmp_path / folder / name for folder in ("before", "after"))
        assert after.read_bytes() == before.read_bytes()
    assert b"Truth_answers_alternative" in before.read_bytes()


@pytest.fixture
def release_page(study, alice):
    return lambda: client_of(alice).get(reverse("release_changes", args=[study.slug])).text


def test_a_first_release_says_that_it_is_one_and_what_it_has(plausibility, release_page):
    assert "This is the first release, with 0 gold and 3 silver answers." in release_page()


def test_the_page_of_a_new_release_asks_for_its_changes_once_it_is_shown(
    study, alice, plausibility, django_assert_max_num_queries
):
    client, where = client_of(alice), reverse("release_changes", args=[study.slug])
    with django_assert_max_num_queries(18):
        page = client.get(reverse("release_new", args=[study.slug])).text
    part = client.get(where, headers={"HX-Request": "true"}).text

    assert f'hx-get="{where}?dataset={plausibility.pool.dataset_id}" hx-trigger="load"' in page
    assert "This is the first release" not in page
    assert "This is the first release" in part
    assert "<html" not in part


def test_a_release_for_which_faithfulness_was_never_asked_says_why_it_has_no_gold(
    plausibility, release_page, bob, dora
):
    words = "Faithfulness was not asked about, hence no answer is gold"
    before = " ".join(release_page().split())
    judge_and_settle(
        launched(find_evidence(plausibility), scheme="faithfulness"), bob, dora, label="faithful"
    )

    assert f"{words}: the 3 plausible ones are silver" in before
    assert reverse("evidence_new", args=[plausibility.study.slug, plausibility.pk]) in before
    assert words not in release_page()


def test_the_page_of_a_new_release_says_that_nothing_would_change(
    plausibility, first_release, release_page
):
    settle_batch(close_batch(launched(plausibility.pool, name="by mistake")))

    assert "Nothing changes: the same gold and silver answers as in release 1." in release_page()


def test_answers_that_another_batch_decided_otherwise_are_named_before_the_release(
    plausibility, first_release, release_page, bob, dora
):
    n = plausibility.items.count()
    judge_and_settle(launched(plausibility.pool, name="again"), bob, dora, label="malformed")

    page = release_page()

    assert f"{n} silver answers fewer than in release 1: {n} no longer accepted." in page
    assert page.count(f"malformed in “again”, which decides instead of “{plausibility.name}”") == n


@pytest.mark.parametrize(
    ("gold", "silver", "words"),
    [
        (-1, 0, "As many silver answers as before, and 1 gold answer fewer than in release 4:"),
        (2, -1, "2 gold answers more and 1 silver answer fewer than in release 4:"),
        (0, 0, "As many gold and as many silver answers as in release 4:"),
    ],
)
def test_the_gain_of_each_tier_is_one_sentence(gold, silver, words):
    moved = Change("1_1", "A stone.", "gold", "", "withdrawn")
    found = Changes(4, [moved], {"gold": gold, "silver": silver}, {"gold": 1, "silver": 1})

    assert gained_sentence(found) == f"{words} 1 no longer accepted."


def test_the_changes_named_are_those_that_the_release_makes(
    plausibility, bob, dora, alice, tmp_path
):
    dataset = plausibility.pool.dataset
    release(plausibility, tmp_path / "before")
    faithful = launched(find_evidence(plausibility), scheme="faithfulness")
    judge_and_settle(faithful, bob, dora, label="faithful")

    found = changes(Choice(dataset))
    made = release(plausibility, tmp_path / "after").report["accepted"]

    assert {(each.before, each.after, each.why) for each in found.changes} == {
        ("silver", "gold", f"faithful in “{faithful.name}”")
    }
    assert found.gained["gold"] == made["gold"]


def test_answers_of_a_withdrawn_batch_are_no_longer_accepted(
    plausibility, first_release, release_page, alice
):
    other = launched(plausibility.pool, name="again")
    withdrawn_batches.withdraw(batch=plausibility, reason="The wrong guideline.", by=alice)

    assert f"“{plausibility.name}” was withdrawn" in release_page()
    assert f"“{other.name}”" not in release_page()


def test_a_release_whose_files_are_gone_is_said(first_release, release_page):
    (folder_of(Release.objects.get()) / "silver.json").unlink()

    assert "its files cannot be read" in release_page()


def test_what_withdrawn_runs_alone_gave_is_no_longer_accepted(plausibility, alice, tmp_path):
    dataset = plausibility.pool.dataset
    before = release(plausibility, tmp_path / "before").report["accepted"]["silver"]
    for run in dataset.runs.order_by("name")[:5]:
        withdrawn_runs.withdraw(run=run, reason="Sent twice.", by=alice)

    found = changes(Choice(dataset))
    after = release(plausibility, tmp_path / "after").report["accepted"]["silver"]

    assert after < before
    assert found.gained["silver"] == after - before
