"""The form of a draft: what the scheme needs, where a guideline can start from, and costs from the sampling desk."""

import html
import json
import re
from decimal import Decimal

import pytest
from django.test import Client

from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import withdrawn_batches
from annotation.forms.draft_page import with_template
from annotation.models import Batch
from sampling.models import Purpose
from tests.annotation.pools import evidence_pool_of, pool_of
from tests.annotation.views.batches.test_pages import address, filled
from tests.factories import PoolFactory


@pytest.fixture
def pool(study):
    return pool_of(study)


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def form_page(client, study, **query) -> str:
    return client.get(address("batch_new", study), query).text


def test_the_labels_stand_beside_the_guideline_with_their_words_and_keys(study, pool, client):
    said = re.sub(r"\s+", " ", form_page(client, study))

    for option in schemes.get("plausibility").options:
        assert f"<kbd>{option.key}</kbd> {option.words}" in said
        assert f"({option.label})" in said


def test_every_scheme_has_a_guideline_to_start_from_that_names_its_labels():
    for name in schemes.names():
        template = schemes.get(name).guideline_template
        assert template.startswith("# ")
        assert "Examples" in template
        if schemes.get(name).has_fixed_labels:
            words = [{option.label, option.words} for option in schemes.get(name).options]
            assert all(any(f"· {one}**" in template for one in each) for each in words)


def test_a_scheme_without_a_template_has_an_empty_one(monkeypatch, tmp_path):
    monkeypatch.setattr("annotation.schemes.base.GUIDELINES", tmp_path)

    assert schemes.get("plausibility").guideline_template == ""


def test_the_template_of_the_chosen_scheme_is_put_into_the_box_and_nothing_is_saved(
    study, pool, client
):
    page = client.post(
        address("batch_new", study), filled(pool, name="", guideline="", template="1")
    )

    assert page.status_code == 200
    assert page.context["form"]["guideline"].value() == (
        schemes.get("plausibility").guideline_template
    )
    assert "errorlist" not in page.text
    assert not study.batches.exists()


def test_what_was_filled_in_stays_when_the_template_is_asked_for(study, pool, client):
    sent = filled(pool, guideline="", template="1", judgements=7, deadline="2999-01-01T12:30")
    del sent["shows_context"]

    form = client.post(address("batch_new", study), sent).context["form"]

    assert form["judgements"].value() == "7"
    assert not form["shows_context"].value()
    assert "2999-01-01T12:30" in str(form["deadline"])
    assert f'value="{pool.pk}"' in str(form["pool"])


def test_a_template_takes_nothing_away_that_was_written():
    template = schemes.get("rating").guideline_template

    assert with_template("Mine.\r\n", "rating") == f"Mine.\n\n{template}"
    assert with_template(" \r\n", "rating") == template


def test_the_template_of_another_scheme_gives_way():
    other = schemes.get("plausibility").guideline_template

    assert with_template(other, "rating") == schemes.get("rating").guideline_template


def test_opponents_are_marked_as_of_the_scheme_that_compares_answers(study, pool, client):
    page = form_page(client, study)

    _, after = page.split('<div data-schemes="preference">')
    assert 'name="opponents"' in after.split("</div>")[0]
    assert page.count("<div data-schemes=") == 1


def test_opponents_of_a_scheme_that_compares_nothing_are_not_stored(study, pool, client):
    client.post(address("batch_new", study), filled(pool, opponents=3))

    assert study.batches.get().opponents_per_answer is None


def test_every_visible_field_of_the_form_is_on_the_page_once(study, pool, client):
    page = client.get(address("batch_new", study))

    for field in page.context["form"].visible_fields():
        assert page.text.count(f'name="{field.html_name}"') == 1


def test_the_page_knows_which_pools_a_scheme_is_asked_about(study, pool, client):
    evidence_pool_of(pool)

    page = form_page(client, study)

    assert 'data-schemes="faithfulness" data-purpose="evidence"' in page
    assert page.count('data-purpose="answers"') == 2  # the pool, and the words of plausibility


def test_the_page_knows_the_newest_guideline_of_each_scheme(study, pool, client, alice):
    made = {"study": study, "by": alice, "pool": pool, "scheme": "plausibility"}
    acts.create(name="1", guideline="</script><b>As ever.", **made)

    page = form_page(client, study)

    newest = re.search(r'data-newest="(.*?)"', page)[1]
    assert json.loads(html.unescape(newest))["plausibility"] == "</script><b>As ever."


# Costs


def test_a_batch_begins_with_what_its_pool_was_drawn_with(study, client):
    """Not with what the newest batch cost: the pool is of a later choice."""
    older = pool_of(study, key="8")
    client.post(
        address("batch_new", study), filled(older, reward="1", currency="USD", expected_seconds=9)
    )
    costs = {"judgements": 3, "seconds": 20, "reward": "0.15", "currency": "EUR"}
    pool = PoolFactory(dataset=older.dataset, purpose=Purpose.ANSWERS, costs=costs)

    form = client.get(address("batch_new", study), {"pool": pool.pk}).context["form"]

    assert form["judgements"].value() == 3
    assert form["expected_seconds"].value() == 20
    assert (form["reward"].value(), form["currency"].value()) == ("0.15", "EUR")


def test_a_pool_without_costs_begins_with_those_of_the_newest_batch(study, pool, client):
    sent = filled(pool, reward="1", currency="USD", expected_seconds=9)
    client.post(address("batch_new", study), sent)

    form = client.get(address("batch_new", study), {"pool": pool.pk}).context["form"]

    assert (form["reward"].value(), form["currency"].value()) == ("1", "USD")
    assert Batch.objects.get().reward == Decimal(1)


def test_a_draft_begins_with_nothing_of_a_withdrawn_batch(study, pool, client, alice):
    sent = filled(pool, reward="1", currency="USD", guideline="By mistake.")
    client.post(address("batch_new", study), sent)
    acts.launch(batch=Batch.objects.get(), by=alice)
    withdrawn_batches.withdraw(batch=Batch.objects.get(), reason="by mistake", by=alice)

    form = client.get(address("batch_new", study), {"pool": pool.pk}).context["form"]

    assert not form["reward"].value()
    assert not form["guideline"].value()


def test_how_often_items_come_again_is_kept_and_shown_and_refused_where_it_makes_no_sense(
    study, pool, client
):
    refused = client.post(address("batch_new", study), filled(pool, repeat_every=1))
    assert "greater than or equal to 2" in refused.text

    client.post(address("batch_new", study), filled(pool, repeat_every=20))

    batch = study.batches.get()
    assert batch.repeat_every == 20
    page = " ".join(client.get(address("batch", study, batch)).text.split())
    assert re.search(r"Repeats</dt>\s*<dd[^>]*>\s*one item in 20", page)
