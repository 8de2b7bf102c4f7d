"""A scheme of labels whose items end with no verdict: its judgements are in a release, which waits for no settlement."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation import schemes
from annotation.actions import reviews
from annotation.models import Batch
from annotation.schemes import ChoiceScheme, Option, SchemeRole
from exports.management.commands.release import warnings
from exports.rows.answers import answer_rows
from exports.rows.exclusions import EXCLUDED, answers_without_exclusions
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.shown_answers import released_batches
from tests.annotation.desk import judge
from tests.annotation.pools import launched
from tests.exports.judged_batches import (
    answers_of,
    close_batch,
    judge_batch,
    release,
    settle_batch,
)
from tests.recomputed_tables import table

TONE = ChoiceScheme(
    name="tone",
    asks="How does the response sound?",
    options=(Option("friendly", "1", "Friendly"), Option("curt", "2", "Curt")),
    prevalence={"friendly": 0.5, "curt": 0.5},
)


@pytest.fixture(autouse=True)
def _with_tone(monkeypatch):
    monkeypatch.setitem(schemes._schemes, TONE.name, TONE)
    monkeypatch.setattr("dashboard.progress._is_scored", lambda study: True)


@pytest.fixture
def tone(pool, bob, dora) -> Batch:
    """Closed: everything is friendly."""
    return close_batch(judge_batch(launched(pool, scheme="tone"), bob, dora, label="friendly"))


@pytest.fixture
def page(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    def text_of(name, study, **where):
        reply = client.get(reverse(name, kwargs={"study": study.slug, **where}))
        assert reply.status_code == 200
        return reply.text

    return text_of


def test_it_only_labels_and_its_items_end_with_no_verdict():
    assert TONE.role == SchemeRole.LABEL
    assert not TONE.has_verdict


def test_a_release_takes_it_as_it_is_and_no_answer_depends_on_it(
    plausibility, faithfulness, tone, tmp_path
):
    release(plausibility, tmp_path / "with")
    Batch.objects.filter(pk=tone.pk).update(is_rehearsal=True)  # out of the next release
    release(plausibility, tmp_path / "without")

    def of_tone(name):
        return [row for row in table(tmp_path / "with", name) if row["scheme"] == "tone"]

    assert {row["label"] for row in of_tone("judgements")} == {"friendly"}
    assert {row["state"] for row in of_tone("items")} == {""}
    assert {(row["label"], row["vote_share"]) for row in of_tone("soft_labels")} == {
        ("curt", "0.0"),
        ("friendly", "1.0"),
    }
    assert answers_of(tmp_path / "with") == answers_of(tmp_path / "without")


def test_an_excluded_item_of_it_changes_nothing_when_excluded_answers_are_taken_in(
    plausibility, tone, alice
):
    for batch in (plausibility, tone):
        reviews.exclude(item=batch.items.first(), reason="confusing", by=alice)
    dataset = settle_batch(plausibility).pool.dataset
    batches = list(released_batches(dataset, is_rehearsal=False))
    items = item_rows(batches)
    answers = answer_rows(dataset, batches, items)

    once_more = answers_without_exclusions(answers, items, judgement_rows(batches))

    assert tone in batches
    assert EXCLUDED in {row.plausibility for row in answers}
    assert {row.plausibility for row in once_more if row.answer_id} == {"plausible"}


def test_the_pages_say_that_it_is_in_a_release_and_ask_nobody_to_settle_it(page, tone):
    study = tone.study
    new, home, own = (
        page("release_new", study),
        page("study", study),
        page("batch", study, batch=tone.pk),
    )

    assert "out: the items end with no verdict" not in new
    assert "tone</a>" in new
    assert "not settled" not in new
    assert "Other labels" in home
    assert "Settle the" not in home
    assert reverse("batch_settle", args=[study.slug, tone.pk]) not in home
    assert reverse("compared", args=[study.slug, tone.pk]) not in own
    assert warnings(study) == []


def test_work_on_it_that_is_not_closed_is_named_by_a_release(plausibility, pool, bob, tmp_path):
    judge(launched(pool, scheme="tone"), bob, "curt")

    with pytest.raises(Exception, match=r"not closed: tone \(open\)"):
        release(plausibility, tmp_path / "out")
