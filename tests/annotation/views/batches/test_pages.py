"""The requester's batches on pages: what can be made, opened, watched, ended, settled and led on."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches as acts
from annotation.actions import drafts, judgements, locks, reviews, settlement
from annotation.actions.batches import BatchError
from annotation.models import (
    Batch,
    BatchState,
    FlagAnswer,
    Guideline,
)
from audit.models import Event
from jobs.models import Job
from sampling.models import Pool, Purpose
from tests.annotation.desk import claim_one, judge
from tests.annotation.pools import evidence_pool_of, pool_of
from tests.cases import all_cases
from tests.factories import BatchFactory, ItemFactory, PoolFactory
from tests.jobs.clients import client_of
from tests.parts import part
from tests.times import without_time_elements

HOSTILE = "<script>alert('x')</script>"


@part
def pool(study) -> Pool:
    return pool_of(study)


@pytest.fixture
def client(alice) -> Client:
    return client_of(alice)


def address(name: str, study, batch=None) -> str:
    parts = {"study": study.slug} | ({"batch": batch.pk} if batch else {})
    return reverse(name, kwargs=parts)


def filled(drawn, **more) -> dict:
    """What the form sends, on a pool; `more` are fields that say something else."""
    return {
        "name": "first round",
        "scheme": "plausibility",
        "pool": drawn.pk,
        "guideline": "# Rules\n\nBe *kind*.",
        "judgements": 2,
        "grouping": "question",
        "claim_minutes": 30,
        "shows_context": "on",
        "seed": 1,
    } | more


@part
def draft(study, pool, alice) -> Batch:
    client_of(alice).post(address("batch_new", study), filled(pool))
    return study.batches.get()


@part
def settled(study, alice, bob, dora) -> Batch:
    batch = BatchFactory(pool__dataset__study=study)
    ItemFactory(batch=batch)
    judge(batch, bob)
    judge(batch, dora)
    acts.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    return batch


# Making one


def test_without_a_pool_one_is_sent_to_draw_one(study, client):
    assert client.get(address("batch_new", study)).url == address("pools", study)


def test_the_form_makes_a_draft_with_everything_it_says(study, pool, client, alice):
    sent = filled(pool, largest_share=40, deadline="2999-01-01T12:30", claim_minutes=7, seed=9)

    response = client.post(address("batch_new", study), sent)

    batch = study.batches.get()
    assert response.url == address("batch", study, batch)
    assert (batch.state, batch.created_by) == (BatchState.DRAFT, alice)
    assert (batch.claim_seconds, batch.largest_share, batch.seed) == (420, 0.4, 9)
    assert batch.deadline_at.isoformat() == "2999-01-01T12:30:00+00:00"
    assert batch.guideline.text == "# Rules\n\nBe *kind*."


def test_the_form_sets_how_many_items_people_hold_and_the_reasons_to_skip(study, pool, client):
    sent = filled(pool, items_ahead=12, skip_reasons=" Too  long \r\n\r\nOffensive")

    client.post(address("batch_new", study), sent)

    batch = study.batches.get()
    assert (batch.prefetch_depth, batch.skip_reasons) == (12, ["Too long", "Offensive"])
    page = client.get(address("batch_edit", study, batch))
    assert page.context["form"]["items_ahead"].value() == 12
    shown = client.get(address("batch", study, batch)).text
    assert "Too long · Offensive" in shown


def test_people_hold_ten_minutes_of_work_where_nothing_is_said(study, pool, client):
    client.post(address("batch_new", study), filled(pool, expected_seconds=60))

    batch = study.batches.get()
    assert batch.prefetch_depth == 10
    page = client.get(address("batch_edit", study, batch))
    assert page.context["form"]["items_ahead"].value() is None


def test_the_form_begins_with_the_pool_asked_for_and_the_guideline_of_last_time(
    study, pool, client, alice
):
    acts.create_and_launch(
        study=study, name="before", scheme="plausibility", pool=pool, by=alice, guideline="As ever."
    )

    page = client.get(address("batch_new", study), {"pool": pool.pk}).text

    assert f'<option value="{pool.pk}" selected' in page
    assert "As ever." in page


def test_a_faithfulness_batch_begins_with_the_studys_last_guideline_of_its_scheme(
    study, pool, client, alice
):
    def begun() -> str:
        page = client.get(address("batch_new", study), {"pool": evidence.pk})
        return str(page.context["form"]["guideline"].value())

    evidence = evidence_pool_of(pool)
    made = {"study": study, "by": alice}
    acts.create(name="1", scheme="plausibility", pool=pool, guideline="Of sense.", **made)
    assert "Of sense." not in begun()

    faithful = {"scheme": "faithfulness", "pool": evidence} | made
    acts.create(name="2", guideline="Of proof.", **faithful)
    acts.create(name="3", guideline="Of better proof.", **faithful)
    acts.create(name="4", guideline="", **faithful)

    assert "Of better proof." in begun()


@pytest.mark.parametrize("asked", ["999", "x", "-1", "", "9" * 5000])
def test_a_pool_that_is_none_is_passed_over(study, pool, client, asked):
    assert client.get(address("batch_new", study), {"pool": asked}).status_code == 200


@all_cases(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 101),
        ("scheme", "beauty"),
        ("pool", "999"),
        ("judgements", "0"),
        ("judgements", "101"),
        ("claim_minutes", "0"),
        ("items_ahead", "0"),
        ("items_ahead", "101"),
        ("skip_reasons", "\n".join("abcdefghij")),
        ("skip_reasons", "x" * 61),
        ("skip_reasons", "Offensive\noffensive"),
        ("largest_share", "0"),
        ("largest_share", "101"),
        ("deadline", "soon"),
        ("deadline", "2001-01-01T00:00"),
        ("deadline", "9999-12-31T23:59-12:00"),
        ("seed", "x"),
        ("reward", "0.06"),
        ("reward", "-1"),
        ("currency", "USD"),
        ("currency", "XXX"),
        ("expected_seconds", "0"),
        ("guideline", "a\0b"),
    ],
)
def test_what_cannot_be_meant_is_said_at_the_form_and_nothing_is_made(
    study, pool, client, field, value
):
    response = client.post(address("batch_new", study), filled(pool, **{field: value}))

    assert response.status_code == 400
    assert "errorlist" in response.text
    assert not study.batches.exists()


def test_a_deadline_with_an_offset_is_kept_as_the_moment_that_it_names(study, pool, client):
    client.post(address("batch_new", study), filled(pool, deadline="2999-01-01T00:00+05:00"))

    assert study.batches.get().deadline_at == datetime(2998, 12, 31, 19, tzinfo=UTC)


def test_a_name_that_is_taken_is_said(study, pool, client, draft):
    response = client.post(address("batch_new", study), filled(pool))

    assert response.status_code == 400
    assert "there is a batch first round already" in response.text


def test_the_way_to_a_batch_does_not_call_its_scheme_by_the_name_of_another_batch(
    study, client, draft
):
    page = client.get(address("batch", study, draft)).text
    crumbs = page.split('<p class="crumbs">')[1].split("</p>")[0]

    assert "scheme: plausibility" in crumbs


def test_a_pool_that_does_not_fit_the_scheme_is_said(study, pool, client):
    evidence_pool_of(pool)

    response = client.post(address("batch_new", study), filled(pool, scheme="faithfulness"))

    assert "needs a pool of evidence" in response.text


def test_only_schemes_that_a_pool_of_the_study_is_for_are_offered(study, pool, client):
    page = client.get(address("batch_new", study))

    assert [name for name, _ in page.context["form"].fields["scheme"].choices] == ["plausibility"]
    assert f"{pool.name} (answers)" in page.text


def test_a_pool_of_another_study_cannot_be_chosen(study, pool, client):
    other = PoolFactory(purpose=Purpose.ANSWERS)

    assert client.post(address("batch_new", study), filled(other)).status_code == 400


def test_the_guideline_is_previewed_and_nothing_is_made(study, pool, client):
    sent = filled(pool, preview="1", guideline=f"*kind* {HOSTILE}")

    page = client.post(address("batch_new", study), sent).text

    assert "<em>kind</em>" in page
    assert HOSTILE not in page
    assert not study.batches.exists()


# A draft


def test_a_draft_can_be_changed(study, pool, client, draft):
    client.post(address("batch_edit", study, draft), filled(pool, name="other", judgements=3))

    draft.refresh_from_db()
    assert (draft.name, draft.judgements_per_item) == ("other", 3)
    assert Event.objects.filter(verb="changed").exists()


def test_what_opened_is_frozen(study, pool, client, draft, alice):
    acts.launch(batch=draft, by=alice)

    assert client.get(address("batch_edit", study, draft)).status_code == 302
    with pytest.raises(BatchError, match="is open, not draft"):
        drafts.edit(batch=draft, name="n", scheme="plausibility", pool=pool, guideline="", by=alice)


def test_a_draft_can_be_discarded_and_its_name_is_free(study, pool, client, draft):
    assert (
        "Discard the draft “first round”?"
        in client.get(address("batch_discard", study, draft)).text
    )

    client.post(address("batch_discard", study, draft))

    assert not study.batches.exists()
    assert client.post(address("batch_new", study), filled(pool)).status_code == 302


@pytest.mark.parametrize("act", ["batch_discard", "batch_open", "batch_edit"])
def test_a_draft_that_another_tab_discards_in_this_moment_is_said(
    study, pool, client, draft, alice, monkeypatch, act
):
    """The page has found the draft; it is gone when it is to be locked."""

    def meanwhile(pk):
        Batch.objects.filter(pk=pk).delete()
        return Batch.objects.get(pk=pk)

    monkeypatch.setattr(locks, "locked_batch", meanwhile)

    reply = client.post(address(act, study, draft), filled(pool), follow=True)

    assert "the draft first round was discarded in this moment" in reply.text


def test_what_opened_cannot_be_discarded(study, client, draft, alice):
    acts.launch(batch=draft, by=alice)

    client.post(address("batch_discard", study, draft))

    assert study.batches.exists()


def test_the_preview_shows_the_items_in_the_order_in_which_they_will_stand(
    study, client, draft, alice
):
    before = client.get(address("batch_preview", study, draft)).context["payloads"]

    acts.launch(batch=draft, by=alice)

    after = client.get(address("batch_preview", study, draft)).context["payloads"]
    assert before == after
    assert len(before) == 5


# Its life


def test_opening_says_what_follows_and_then_does_it(study, client, draft):
    page = client.get(address("batch_open", study, draft)).text
    assert "6 items are created, and 12 judgements asked for" in page
    assert draft.items.count() == 0

    client.post(address("batch_open", study, draft))

    draft.refresh_from_db()
    assert (draft.state, draft.items.count()) == (BatchState.OPEN, 6)


def test_pausing_resuming_closing_and_opening_again(study, client, draft, alice):
    acts.launch(batch=draft, by=alice)
    for act, state in (
        ("pause", "paused"),
        ("resume", "open"),
        ("close", "closed"),
        ("reopen", "open"),
    ):
        assert client.get(address(f"batch_{act}", study, draft)).status_code == 200
        client.post(address(f"batch_{act}", study, draft))
        draft.refresh_from_db()
        assert draft.state == state


def test_the_deadline_of_an_open_batch_is_changed_on_a_page_of_its_own(study, client, draft, alice):
    acts.launch(batch=draft, by=alice)
    href = address("batch_deadline", study, draft)
    assert f'href="{href}"' in client.get(address("batch", study, draft)).text

    client.post(href, {"deadline_at": "2999-01-01T12:30"})
    draft.refresh_from_db()
    assert draft.deadline_at == datetime(2999, 1, 1, 12, 30, tzinfo=UTC)
    assert 'value="2999-01-01T12:30"' in client.get(href).text

    page = client.post(href, {"deadline_at": ""}, follow=True)
    draft.refresh_from_db()
    assert draft.deadline_at is None
    assert "The deadline of “first round” is set." in page.text


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("soon", "Enter a valid date/time."),
        ("2001-01-01T00:00", "This time has passed: no items could be assigned."),
        ("9999-12-31T23:59-12:00", "Enter a valid date/time."),
    ],
)
def test_a_deadline_that_cannot_be_is_said_at_the_form(study, client, draft, alice, said, answer):
    acts.launch(batch=draft, by=alice)

    refused = client.post(address("batch_deadline", study, draft), {"deadline_at": said})

    assert refused.status_code == 400
    assert answer in refused.text
    assert not Event.objects.filter(verb="set the deadline").exists()


def test_the_deadline_of_a_draft_or_a_closed_batch_is_not_changed_there(
    study, client, draft, alice
):
    href = address("batch_deadline", study, draft)
    assert "The batch is draft: change the draft." in client.get(href, follow=True).text

    acts.launch(batch=draft, by=alice)
    acts.close(batch=draft, by=alice)

    assert "The batch is closed: open it again first." in client.post(href, follow=True).text
    assert f'href="{href}"' not in client.get(address("batch", study, draft)).text


@pytest.mark.parametrize("act", ["none", "pause", "close"])
def test_that_the_deadline_has_passed_stands_on_the_batchs_page_until_it_is_closed(
    study, client, draft, alice, act
):
    acts.launch(batch=draft, by=alice)
    href = address("batch", study, draft)
    Batch.objects.update(deadline_at=datetime(2999, 1, 2, 3, 4, tzinfo=UTC))
    assert "no items are assigned" not in client.get(href).text

    Batch.objects.update(deadline_at=datetime(2020, 1, 2, 3, 4, tzinfo=UTC))
    if act != "none":
        getattr(acts, act)(batch=draft, by=alice)

    said = "The deadline, 2020-01-02 03:04 UTC, has passed: no items are assigned."
    assert (said in without_time_elements(client.get(href).text)) == (act != "close")


@pytest.mark.parametrize(("act", "state"), [("batch_resume", "paused"), ("batch_reopen", "closed")])
def test_opening_after_the_deadline_says_that_nobody_is_handed_an_item(
    study, client, draft, alice, act, state
):
    acts.launch(batch=draft, by=alice)
    (acts.pause if state == "paused" else acts.close)(batch=draft, by=alice)
    assert "assigned to annotators" in client.get(address(act, study, draft)).text

    Batch.objects.update(deadline_at=datetime(2020, 1, 2, 3, 4, tzinfo=UTC))

    page = without_time_elements(client.get(address(act, study, draft)).text)
    assert "assigned to annotators" not in page
    assert "its deadline, 2020-01-02 03:04 UTC, has passed" in page


def test_what_cannot_be_done_now_is_said_on_the_batchs_page(study, client, draft):
    response = client.post(address("batch_pause", study, draft), follow=True)

    assert "Nothing was changed: the batch first round is draft, not open." in response.text


def test_settling_needs_a_rule_and_says_what_became_of_the_items(study, client, alice, bob, dora):
    batch = BatchFactory(pool__dataset__study=study)
    ItemFactory(batch=batch)
    judge(batch, bob)
    judge(batch, dora)
    assert client.get(address("batch_settle", study, batch)).status_code == 302
    acts.close(batch=batch, by=alice)

    assert client.post(address("batch_settle", study, batch), {}).status_code == 400
    sent = {"rule": "unanimous"}
    response = client.post(address("batch_settle", study, batch), sent, follow=True)

    assert "1 items decided, 0 in dispute, 0 set aside." in response.text
    assert "settled" in response.text


def test_the_page_shows_who_did_what(study, client, bob, batch, items):
    judge(batch, bob)
    claim_one(batch, bob)

    page = client.get(address("batch", study, batch))

    (worker,) = page.context["workers"]
    assert (worker.name, worker.n_judged, worker.n_claimed) == ("bob", 1, 1)
    assert worker.median_seconds == 7.5
    line = page.context["line"]
    assert (line.n_wanted, line.n_counted, line.n_claimed, line.n_left) == (6, 1, 1, 4)


def test_what_is_excluded_is_neither_asked_for_nor_left(study, client, alice, bob, batch, items):
    judge(batch, bob)

    reviews.exclude(item=items[0], reason="confusing", by=alice)

    line = client.get(address("batch", study, batch)).context["line"]
    assert (line.n_items, line.n_wanted, line.n_counted, line.n_left) == (3, 5, 1, 4)


# People at work


def test_who_was_handed_nothing_here_is_not_at_work(study, client, alice, batch, items, bob, dora):
    judge(batch, bob)
    other = BatchFactory(pool=batch.pool)
    ItemFactory(batch=other)
    judge(other, dora)

    assert [
        each.name for each in client.get(address("batch", study, batch)).context["workers"]
    ] == ["bob"]


# The moving part


def test_the_moving_part_moves_only_while_the_batch_is_open(study, client, alice, batch, items):
    assert "every 10s" in client.get(address("batch_progress", study, batch)).text

    acts.pause(batch=batch, by=alice)

    assert "every 10s" not in client.get(address("batch_progress", study, batch)).text


def test_a_page_of_batches_asks_as_much_of_the_database_for_three_as_for_thirty(
    study, client, django_assert_num_queries
):
    def make(n):
        for _ in range(n):
            ItemFactory(batch=BatchFactory(pool__dataset__study=study))

    make(3)
    with django_assert_num_queries(9):
        client.get(address("batches", study))
    make(27)
    with django_assert_num_queries(9):
        client.get(address("batches", study))


def test_a_batchs_page_asks_as_much_for_one_annotator_as_for_two(
    study, client, bob, dora, batch, items, django_assert_max_num_queries
):
    judge(batch, bob)
    with django_assert_max_num_queries(21):
        client.get(address("batch", study, batch))
    judge(batch, dora)
    judge(batch, bob)
    with django_assert_max_num_queries(21):
        client.get(address("batch", study, batch))


def test_hostile_names_are_shown_harmlessly(study, client, pool):
    client.post(address("batch_new", study), filled(pool, name=HOSTILE))

    for page in (
        client.get(address("batches", study)),
        client.get(address("batch", study, study.batches.get())),
    ):
        assert HOSTILE not in page.text
        assert "&lt;script&gt;" in page.text


# On to faithfulness


def test_the_plausible_answers_are_led_on(study, client, settled, monkeypatch):
    woken = []
    monkeypatch.setattr("jobs.tasks.work_on.delay", woken.append)
    page = client.get(address("evidence_new", study, settled)).text
    assert "1 answer of" in page

    sent = {
        "name": "evidence",
        "threshold": 0.3,
        "scorer": "all-MiniLM-L6-v2",
        "max_words": 200,
        "seed": 1,
    }
    response = client.post(address("evidence_new", study, settled), sent)

    job = Job.objects.get()
    assert response.url == reverse("job", kwargs={"study": study.slug, "job": job.pk})
    assert (job.kind, job.key) == ("find_evidence", "evidence")


def test_the_form_says_each_scorer_s_own_threshold_and_why_it_is_that(study, client, settled):
    page = client.get(address("evidence_new", study, settled)).text

    assert "0.68 for the one that comes along: on the shared task" in page
    assert "0.8 for a cross-encoder, as in the paper" in page


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("modules.json", "[]", 0.68),
        ("config.json", '{"architectures": ["BertForSequenceClassification"]}', 0.8),
    ],
    ids=["bi-encoder", "cross-encoder"],
)
def test_without_a_threshold_the_pool_has_that_of_its_scorer_s_kind(
    study, client, settled, monkeypatch, tmp_path, name, content, expected
):
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)
    (tmp_path / name).write_text(content)

    for pool, said in (("own", ""), ("told", "0.5")):
        sent = {"name": pool, "threshold": 0.3, "scorer": tmp_path, "max_words": 200, "seed": 1}
        client.post(address("evidence_new", study, settled), sent | {"sas_threshold": said})

    thresholds = {pool.name: pool.rule.get("sas_threshold") for pool in study.pools.all()}
    assert (thresholds["own"], thresholds["told"]) == (expected, 0.5)


def test_a_model_that_is_not_there_is_said_in_one_sentence(study, client, settled):
    said = {"name": "evidence", "threshold": 0.3, "scorer": "none", "max_words": 200, "seed": 1}

    page = client.post(address("evidence_new", study, settled), said).text

    assert "There is no folder none" in page
    assert ".." not in page.partition("There is no folder none")[2].partition("</")[0]


def test_without_plausible_answers_the_page_says_what_is_missing(study, client, batch):
    page = client.get(address("evidence_new", study, batch)).text

    assert "close and settle it first" in page


# Flags


@pytest.fixture
def flag(study, batch, item, bob):
    held = claim_one(batch, bob)
    return judgements.flag(assignment=held, message=f"Odd. {HOSTILE}", by=bob)


def test_a_flag_is_read_and_answered(study, client, flag):
    page = client.get(address("flags", study)).text
    assert "Odd. &lt;script&gt;" in page
    assert "bob" not in page.split("<main")[1]

    where = reverse("flag_answer", kwargs={"study": study.slug, "flag": flag.pk})
    client.post(where, {"text": "Judge it as it stands."})

    assert FlagAnswer.objects.get().text == "Judge it as it stands."
    assert "Judge it as it stands." in client.get(address("flags", study)).text


def test_an_empty_answer_is_refused_in_words(study, client, flag):
    where = reverse("flag_answer", kwargs={"study": study.slug, "flag": flag.pk})

    response = client.post(where, {"text": "  "}, follow=True)

    assert "Nothing was sent: the answer is empty" in response.text
    assert not FlagAnswer.objects.exists()


def test_no_flags_is_said(study, client):
    assert "No item has been flagged." in client.get(address("flags", study)).text


def test_equal_guidelines_are_one_row(study, pool, client, draft):
    client.post(address("batch_new", study), filled(pool, name="second"))

    assert Guideline.objects.filter(study=study).count() == 1


def test_nobody_is_invited_to_a_batch_that_was_closed_before_anybody_judged(client, batch, alice):
    acts.close(batch=batch, by=alice)

    page = client.get(address("batch", batch.study, batch)).content.decode()

    assert "Nobody was assigned an item." in page
    assert "not judged" in page
    assert "Invite annotators" not in page
    assert "not assigned yet" not in page
