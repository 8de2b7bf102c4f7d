"""Annotators on their pages: computed by a job, ranked with reasons, one of them looked at, paused."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from annotation.actions import (
    claims,
    guideline_readings,
    judgements,
    pauses,
    rehearsals,
    reviews,
)
from annotation.models import Batch, Judgement, Pause
from exports.annotators import queries as annotator_queries
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.desk import NOW, after, submit
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports.judged_batches import close_batch, reject, settle_batch
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part
from tests.stats.annotators.simulated_people import LABELS


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def batch(study) -> Batch:
    """Forty questions with one item each, every item for three people."""
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=3, claim_seconds=600)
    for position in range(1, 41):
        ItemFactory(batch=batch, position=position, n_wanted=3, n_open=3)
    return batch


def work(batch, person, label_at):
    """The person judges everything that they are handed, twenty seconds apart."""
    for number, assignment in enumerate(claims.claim(batch=batch, by=person, n=40, now=NOW)):
        submit(assignment, label_at(number), after(20 * number))


@part
def judged(batch, study, alice) -> Batch:
    """Bob and dora say the same; eve presses any key in turn."""
    for name in ("bob", "dora"):
        who = member(study, name, Role.ANNOTATOR, by=alice)
        work(batch, who, lambda n: "malformed" if n % 10 == 5 else "plausible")
    work(batch, member(study, "eve", Role.ANNOTATOR, by=alice), lambda n: LABELS[n % 3])
    return batch


def page(client, name, *args, **query):
    reply = client.get(reverse(name, args=args), query)
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def compute_figures(client, batch):
    client.post(reverse("batch_annotators_start", args=[batch.study.slug, batch.pk]))
    execution.run(Job.objects.get(kind="annotators_of_batch"))


def members(study):
    return dict(study.memberships.values_list("user__username", "pk"))


def test_before_anybody_judged_there_is_nothing_to_compute(client, batch, bob):
    for name, args in (("batch_annotators", [batch.pk]), ("quality_annotators", [])):
        text = words(page(client, name, batch.study.slug, *args))
        assert "Nobody has judged anything" in text
        assert "Compute" not in text
        reply = client.post(reverse(f"{name}_start", args=[batch.study.slug, *args]), follow=True)
        assert "there is nothing to compute" in reply.text
    assert not Job.objects.exists()
    one = page(client, "batch_annotator", batch.study.slug, batch.pk, members(batch.study)["bob"])
    assert "There are no judgements here yet" in one


def test_who_presses_any_key_is_first_with_the_reason_in_words(client, judged):
    compute_figures(client, judged)

    text = page(client, "batch_annotators", judged.study.slug, judged.pk)

    assert "Nobody is refused automatically" in text
    assert "1 annotator to check" in words(text)
    rows = re.findall(r"<tr>\s*<td class=\"number\">(\d)</td>\s*<th.*?>(\w+)</a>", text, re.DOTALL)
    assert next((rank, name) for rank, name in rows) == ("1", "eve")
    assert "agreed with others in 38 % of 80 pairs, where those others agree" in words(text)
    assert "from 120 judgements. Up to date." in words(text)


def test_a_person_has_figures_pictures_a_confusion_and_every_signal(client, judged):
    compute_figures(client, judged)
    eve = members(judged.study)["eve"]

    text = page(client, "batch_annotator", judged.study.slug, judged.pk, eve)

    said = words(text)
    assert "Reasons to check" in said
    look = reverse("review_work", args=[judged.study.slug, judged.pk])
    assert f"{look}?person=" in text
    assert client.get(re.search(r'href="([^"]*\?person=[^"]*)"', text)[1]).status_code == 200
    assert text.count('<figcaption class="small">Agreement with others</figcaption>') == 1
    assert text.count("<svg") == 2
    assert "style=" not in text
    # Across: implausible, malformed, plausible. Of 36 that both others said plausible of she said so of 13.
    assert "plausible 12 11 13 All labels given 13 13 14" in said
    assert (
        "none of the items that the annotator judged is a control item or was adjudicated" in said
    )
    assert "undefined: each screen shows one answer" in said


def test_the_study_has_all_batches_but_rehearsals(client, judged):
    other = BatchFactory(pool=judged.pool, name="play", is_rehearsal=True)
    client.post(reverse("quality_annotators_start", args=[judged.study.slug]))
    execution.run(Job.objects.get(kind="annotators_of_study"))

    text = words(page(client, "quality_annotators", judged.study.slug))

    assert "from 120 judgements." in text
    assert other.name not in text
    eve = members(judged.study)["eve"]
    one = page(client, "quality_annotator", judged.study.slug, eve)
    assert reverse("annotator_pause", args=[judged.study.slug, judged.pk, eve]) in one
    assert "Reasons to check" in one


def test_a_rehearsal_says_that_nobody_is_meant(client, pool, alice):
    batch = launched(pool)
    rehearsals.rehearse(batch=batch, n_annotators=3, accuracy=0.9, seed=1, by=alice)
    compute_figures(client, batch)

    text = words(page(client, "batch_annotators", batch.study.slug, batch.pk))

    assert "Simulated people judged" in text
    assert "3 annotators" in text


def test_what_came_since_is_said_and_the_figures_stay(client, judged):
    compute_figures(client, judged)
    said = Judgement.objects.filter(assignment__annotator__username="eve").last()
    judgements.take_back(judgement=said, by=said.assignment.annotator, now=after(900))

    text = words(page(client, "batch_annotators", judged.study.slug, judged.pk))

    assert "from 120 judgements." in text
    since = "only 119 of 120 judgements count now, and 1 judgement withdrawal was recorded."
    assert f"Since then {since}" in text


@pytest.mark.parametrize(
    ("sort", "first"),
    [("annotator", "bob"), ("-annotator", "eve"), ("agreement", "eve"), ("x", "eve")],
)
def test_the_table_sorts_by_its_columns(client, judged, sort, first):
    compute_figures(client, judged)

    text = page(client, "batch_annotators", judged.study.slug, judged.pk, sort=sort)

    assert re.search(r"<tbody>.*?<th scope=\"row\">\s*<a [^>]*>(\w+)", text, re.DOTALL)[1] == first


def table(client, name, *args):
    reply = client.get(reverse(name, args=args))
    text = b"".join(reply.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_table_to_keep_has_every_number(client, judged):
    assert table(client, "batch_annotators_table", judged.study.slug, judged.pk) == []
    compute_figures(client, judged)

    rows = table(client, "batch_annotators_table", judged.study.slug, judged.pk)

    assert next(row["name"] for row in rows) == "eve"
    assert rows[0]["items"] == "40"
    assert float(rows[0]["agreement"]) == pytest.approx(15 / 40)
    assert rows[0]["reasons"].startswith("agreed with others in 38 %")
    assert float(rows[0]["active_seconds"]) == 40 * 7.5


def test_recall_where_an_adjudicator_gave_the_label(client, judged, carol):
    settle_batch(close_batch(judged), rule="majority")
    item = judged.items.get(position=6)  # malformed, say bob and dora; eve: malformed too
    reviews.adjudicate(item=item, label="malformed", reason="look", by=carol)
    compute_figures(client, judged)

    (row, *_) = [
        row
        for row in table(client, "batch_annotators_table", judged.study.slug, judged.pk)
        if row["name"] == "bob"
    ]

    assert row["recall_adjudication_plausibility_malformed_found"] == "1"
    assert float(row["recall_adjudication_plausibility_malformed_low"]) == pytest.approx(
        0.1465, abs=0.01
    )


def test_late_and_refused_work_is_work_but_agreement_does_not_rest_on_it(judged):
    said = Judgement.objects.filter(assignment__annotator__username="eve")
    reject(said[0])
    reviews.exclude(item=said[1].assignment.item, reason="confusing", by=judged.created_by)

    found = annotator_queries.entries([judged])

    eve = judged.study.memberships.get(user__username="eve").pseudonym
    own = [each for each in found if each.worker == eve]
    assert len(own) == 40
    assert sum(each.is_counted for each in own) == 38


def test_what_a_screen_shows_is_counted_and_what_unfolds_is_not():
    payload = {
        "question": "Who keeps the light?",
        "context": ["Which light?", "The old one."],
        "answers": [{"number": 1, "text": "Green does."}],
        "evidence": ["Green kept it.", "For years."],
    }

    assert annotator_queries.n_words_on_screen(payload) == 4 + 2 + 3 + 2


def test_a_person_is_paused_with_a_reason_and_resumed_on_their_page(client, judged):
    eve = members(judged.study)["eve"]
    where = [judged.study.slug, judged.pk, eve]
    asked = client.get(reverse("annotator_pause", args=where))
    assert "It shows no figures and no reason" in words(asked.text)

    reply = client.post(
        reverse("annotator_pause", args=where), {"where": "batch", "reason": "any key"}, follow=True
    )

    assert reply.redirect_chain[0][0] == reverse("batch_annotator", args=where)
    assert "eve gets no more items of" in words(reply.text)
    assert "any key" in reply.text
    for name, args in (("batch_annotators", [judged.pk]), ("quality_annotators", [])):
        text = words(page(client, name, judged.study.slug, *args))
        assert "Paused eve" in text
        assert "by alice: any key" in text
    assert "paused" in page(client, "batch", judged.study.slug, judged.pk)
    reply = client.post(reverse("annotator_resume", args=where), {"reason": "sorry"}, follow=True)
    assert "eve gets items of" in words(reply.text)
    assert not Pause.objects.filter(replaced_by=None, is_paused=True).exists()


def test_a_pause_without_a_reason_asks_again_and_one_that_stands_is_said(client, judged):
    where = [judged.study.slug, judged.pk, members(judged.study)["eve"]]

    assert client.post(reverse("annotator_pause", args=where)).status_code == 400
    client.post(reverse("annotator_pause", args=where), {"where": "batch", "reason": "any key"})
    again = client.post(
        reverse("annotator_pause", args=where), {"where": "batch", "reason": "any key"}, follow=True
    )

    assert "Nothing was changed: eve is paused already" in words(again.text)


def test_a_pause_of_the_whole_study_is_the_first_choice_and_says_what_becomes_of_what_they_hold(
    client, judged
):
    study, eve = judged.study, members(judged.study)["eve"]
    where = [study.slug, judged.pk, eve]
    asked = client.get(reverse("annotator_pause", args=where)).text
    assert re.search(r'value="study"[^>]* checked', asked)
    assert "What they hold now goes to other annotators" in words(asked)

    done = client.post(
        reverse("annotator_pause", args=where), {"where": "study", "reason": "spam"}, follow=True
    )

    assert "eve gets no more items of the whole study." in words(done.text)
    assert "Paused in the whole study" in words(done.text)
    of_study = words(page(client, "quality_annotators", study.slug))
    assert of_study.count("by alice: spam") == 1
    client.post(reverse("annotator_resume", args=where), {"reason": "sorry"})
    assert not Pause.objects.filter(replaced_by=None, is_paused=True).exists()


def test_the_desk_of_a_paused_person_says_so_without_figures_or_reason(batch, bob, alice):
    browser = Client()
    browser.force_login(bob, backend="accounts.backends.RealPeopleBackend")
    pauses.pause(batch=batch, annotator=bob, reason="one key, sixty times", by=alice)

    end = browser.get(reverse("desk", args=[batch.study.slug, batch.pk]))
    work_page = browser.get(reverse("work"))

    assert "Your work in this batch was paused by the organisers" in words(end.text)
    assert "Please wait" in words(end.text)
    assert f"Paused {batch.name}" in words(work_page.text)
    for text in (end.text, work_page.text):
        assert "one key" not in text
        assert "alice" not in text


def test_the_desk_of_who_was_paused_in_the_midst_says_it_beside_the_item(batch, bob, alice):
    browser = Client()
    browser.force_login(bob, backend="accounts.backends.RealPeopleBackend")
    claims.claim(batch=batch, by=bob)
    pauses.pause(batch=batch, annotator=bob, reason="one key", by=alice)
    guideline_readings.confirm(batch=batch, by=bob)

    desk = browser.get(reverse("desk", args=[batch.study.slug, batch.pk]))
    fed = browser.post(
        reverse("desk_feed", args=[batch.study.slug, batch.pk]),
        {"submissions": [], "wanted": 3},
        content_type="application/json",
    ).json()

    assert 'data-state="wait"' in desk.text
    assert '<p class="note" data-when="wait">' in desk.text
    assert fed["batch"]["state"] == "wait"
