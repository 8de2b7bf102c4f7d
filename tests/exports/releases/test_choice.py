"""Which batches a release takes can be chosen; what is left out is said in it."""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import batches, reviews, withdrawn_batches
from annotation.models import Judgement
from exports.releases import actions as release_actions
from exports.releases.choice import Choice, choice_of_names
from exports.releases.queries import changes
from exports.writers.errors import ReleaseError
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.pools import launched
from tests.exports.judged_batches import (
    judge_and_settle,
    judge_batch,
    manifest_of,
    reject,
    release,
)
from tests.jobs.clients import client_of
from tests.parts import part


@part
def again(plausibility, bob, dora):
    """A second batch on the same answers, which finds them malformed."""
    return judge_and_settle(launched(plausibility.pool, name="again"), bob, dora, label="malformed")


@pytest.fixture
def page(study):
    return reverse("release_new", args=[study.slug])


@pytest.fixture
def effect(study):
    return reverse("release_changes", args=[study.slug])


@pytest.fixture
def client(alice, settings, tmp_path, monkeypatch):
    settings.RELEASES = tmp_path / "releases"
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)
    return client_of(alice)


def test_a_batch_left_out_has_no_say(plausibility, again, tmp_path):
    whole = release(plausibility, tmp_path / "whole").report["accepted"]
    chosen = release(plausibility, tmp_path / "chosen", left_out=["again"]).report["accepted"]

    assert (whole["silver"], chosen["silver"]) == (0, 3)


def test_a_release_says_what_it_leaves_out(plausibility, again, tmp_path):
    report = release(plausibility, tmp_path / "chosen", left_out=["again"]).report

    entry = {"name": "again", "scheme": "plausibility", "state": "closed"}
    assert report["left_out"] == ["again"]
    assert manifest_of(tmp_path / "chosen")["left_out"] == [entry]
    assert json.loads((tmp_path / "chosen/report.json").read_text())["left_out"] == ["again"]
    assert [each["name"] for each in manifest_of(tmp_path / "chosen")["batches"]] == [
        plausibility.name
    ]


def test_a_release_of_everything_says_nothing_of_a_choice(plausibility, tmp_path):
    report = release(plausibility, tmp_path / "whole").report

    assert "left_out" not in report
    assert "left_out" not in manifest_of(tmp_path / "whole")


def test_an_open_batch_that_is_left_out_is_no_obstacle(plausibility, bob, tmp_path):
    judge_batch(launched(plausibility.pool, name="still open"), bob)
    with pytest.raises(ReleaseError, match=r"still open \(open\).* or leave them out"):
        release(plausibility, tmp_path / "refused")

    made = release(plausibility, tmp_path / "made", left_out=["still open"])

    assert made.report["accepted"]["silver"] == 3
    assert manifest_of(tmp_path / "made")["left_out"][0]["state"] == "open"


def test_a_faithfulness_batch_without_its_origin_is_refused(plausibility, faithfulness, tmp_path):
    with pytest.raises(ReleaseError, match=r"which is left out: leave .* out too, or take"):
        release(plausibility, tmp_path / "out", left_out=[plausibility.name])


def test_a_release_of_nothing_is_refused(plausibility, tmp_path):
    with pytest.raises(ReleaseError, match=r"every closed real batch of .* is left out"):
        release(plausibility, tmp_path / "out", left_out=[plausibility.name])


def test_what_is_decided_in_a_batch_left_out_meanwhile_does_not_matter(
    plausibility, again, alice, tmp_path
):
    dataset = plausibility.pool.dataset
    draft = release_actions.prepare(
        study=dataset.study, dataset=dataset, by=alice, left_out=["again"]
    )
    batches.reopen(batch=again, by=alice)

    assert release_actions.record(draft=draft).number == 1


def test_names_are_taken_or_left_out(plausibility, again):
    dataset = plausibility.pool.dataset

    only = choice_of_names(dataset, is_rehearsal=False, only=[plausibility.name])
    without = choice_of_names(dataset, is_rehearsal=False, without=["again"])

    assert only == without == Choice(dataset, left_out=("again",))
    assert choice_of_names(dataset, is_rehearsal=False) == Choice(dataset)


def test_a_name_that_no_release_could_take_is_refused(plausibility, again, alice):
    withdrawn_batches.withdraw(batch=again, reason="The wrong guideline.", by=alice)

    with pytest.raises(ReleaseError, match="has no real batch again, nobody that a release"):
        choice_of_names(plausibility.pool.dataset, is_rehearsal=False, without=["again", "nobody"])


@pytest.mark.parametrize("left_out", [(), ("again",)])
def test_the_changes_named_are_those_that_a_release_of_the_choice_makes(
    plausibility, again, left_out, tmp_path
):
    before = release(plausibility, tmp_path / "before").report["accepted"]
    found = changes(Choice(plausibility.pool.dataset, left_out=left_out))
    after = release(plausibility, tmp_path / "after", left_out=left_out).report["accepted"]

    assert found.accepted == after
    assert found.gained == {name: after[name] - before[name] for name in after}


def test_the_difference_follows_the_choice_in_the_address(
    plausibility, again, client, page, effect, tmp_path
):
    release(plausibility, tmp_path / "before")
    dataset = plausibility.pool.dataset_id

    whole = client.get(effect, {"dataset": dataset}).text
    chosen = client.get(effect, {"dataset": dataset, "without": "again"}).text

    assert "Nothing changes: the same gold and silver answers" in whole
    assert "3 silver answers more than in release 1: 3 newly accepted." in chosen
    assert "no: left out" in client.get(page, {"dataset": dataset, "without": "again"}).text


def test_the_button_leads_to_the_difference_without_a_release(plausibility, again, client, page):
    sent = {"dataset": plausibility.pool.dataset_id, "without": "again", "show": "1"}

    response = client.post(page, sent)

    assert response.url == f"{page}?dataset={plausibility.pool.dataset_id}&without=again"
    assert not Job.objects.filter(kind="release").exists()


def test_what_was_ticked_after_the_difference_was_shown_is_shown_first(
    plausibility, again, client, page
):
    dataset = plausibility.pool.dataset_id
    sent = {"dataset": dataset, "without": "again", "seen": f"dataset={dataset}"}

    response = client.post(page, sent, follow=True)

    assert "The choice was changed since its effect was shown" in response.text
    assert not Job.objects.filter(kind="release").exists()


def test_the_choice_that_was_shown_is_released(plausibility, again, client, page, study):
    dataset = plausibility.pool.dataset_id
    sent = {"dataset": dataset, "without": "again", "seen": f"dataset={dataset}&without=again"}

    client.post(page, sent)
    execution.run(Job.objects.get(kind="release"))

    assert study.releases.get().manifest["left_out"][0]["name"] == "again"


def row_of(text: str, name: str) -> str:
    """Return the words of the batch's row in the table of batches to choose from."""
    row = next(each for each in text.split("<tr>") if f">{name}</a>" in each)
    return " ".join(re.sub("<[^>]*>", " ", row).split())


def test_the_page_says_of_a_batch_with_work_that_is_open_that_it_holds_the_release_up(
    plausibility, bob, client, page
):
    begun = judge_batch(launched(plausibility.pool, name="begun"), bob)
    launched(plausibility.pool, name="untouched")
    sent = {"dataset": plausibility.pool.dataset_id}

    text = client.get(page).text
    refused = client.post(page, sent).text
    chosen = client.get(page, sent | {"without": "begun"}).text

    assert (
        "no release yet: it has work and is not closed. Close and settle it, or leave it out"
        in row_of(text, "begun")
    )
    assert "no: not closed, and nobody has begun" in row_of(text, "untouched")
    assert row_of(text, plausibility.name).endswith("settled yes")
    assert "begun (open). Close and settle them first, or leave them out" in refused
    assert "no: left out" in row_of(chosen, "begun")
    assert begun.state == "open"


def test_the_page_counts_the_items_of_a_batch_that_are_set_aside(
    plausibility, bob, dora, alice, client, page
):
    item = plausibility.items.first()
    reviews.exclude(item=item, reason="unreadable", by=alice)

    text = client.get(page).text

    assert "closed, settled, 1 item set aside" in row_of(text, plausibility.name).replace(" ,", ",")
    assert "?verdict=set%20aside" in text


def test_the_page_says_of_a_batch_that_is_not_settled_that_it_holds_the_release_up(
    plausibility, bob, dora, alice, client, page
):
    closed = launched(plausibility.pool, name="unsettled")
    judge_batch(closed, bob)
    batches.close(batch=closed, by=alice)

    text = client.get(page).text
    refused = client.post(page, {"dataset": plausibility.pool.dataset_id}).text

    why = "is closed but not settled. Settle it first, or leave it out"
    assert f"no release yet: it {why}" in row_of(text, "unsettled")
    assert f"the batch unsettled {why}" in refused


def test_the_page_says_of_a_batch_that_was_changed_after_it_was_settled_that_it_holds_the_release_up(
    plausibility, client, page
):
    reject(Judgement.objects.filter(assignment__item__batch=plausibility).first())

    text = client.get(page).text
    refused = client.post(page, {"dataset": plausibility.pool.dataset_id}).text

    why = "was changed after it was settled: 1 of its items would end otherwise now"
    assert f"no release yet: it {why}" in row_of(text, plausibility.name)
    assert f"the batch {plausibility.name} {why}" in refused


def test_the_page_asks_as_often_of_more_batches(
    plausibility, bob, dora, client, page, django_assert_num_queries
):
    with CaptureQueriesContext(connection) as of_one:
        client.get(page)
    more = [launched(plausibility.pool, name=name) for name in ("second", "third")]
    for batch in more:
        judge_and_settle(batch, bob, dora)

    with django_assert_num_queries(len(of_one)):
        text = client.get(page).text

    for batch in (plausibility, *more):
        assert "closed, settled" in row_of(text, batch.name)
        assert "yes" in row_of(text, batch.name)


def test_a_batch_that_is_not_there_cannot_be_left_out(plausibility, client, page):
    response = client.get(page, {"dataset": plausibility.pool.dataset_id, "without": "nobody"})

    assert "There is no batch “nobody” to leave out." in response.text
    assert client.post(page, {"without": "nobody"}).status_code == 400


def test_answers_decided_differently_name_batches_labels_and_which_counts(
    plausibility, again, client, effect
):
    text = " ".join(client.get(effect).text.split())

    assert f"<bdi>{plausibility.name}</bdi>: plausible" in text
    assert "<bdi>again</bdi>: malformed" in text
    assert text.count("<td> <bdi>again</bdi> </td>") == 3


def made(client, page, study, dataset, **more):
    client.post(page, {"dataset": dataset, **more})
    execution.run(Job.objects.filter(kind="release").latest("pk"))
    return client.get(reverse("release", args=[study.slug, 1]))


def test_a_release_says_on_its_page_which_answers_were_decided_differently(
    plausibility, again, client, page, study
):
    text = " ".join(made(client, page, study, plausibility.pool.dataset_id).text.split())

    assert "3 answers of several batches have different labels" in text
    assert f"<bdi>{plausibility.name}</bdi>: plausible" in text
    assert text.count("<td> <bdi>again</bdi> </td>") == 3
    shown = plausibility.items.first().answers.get().candidate.text
    assert f'<td class="text" dir="auto">{shown}</td>' in text


def test_a_release_says_on_its_page_what_it_leaves_out(plausibility, again, client, page, study):
    dataset = plausibility.pool.dataset_id

    text = made(client, page, study, dataset, without="again").text

    assert "Left out by choice: <bdi>again</bdi>." in text
    assert "decided differently" not in text.lower()
