"""The list that a decision is made on is the list on the page that it was sent from."""

import re

import pytest
from django.urls import reverse

from tests.annotation import judged_batches
from tests.annotation.desk_pages import client_of, text_of


@pytest.fixture
def judged_batch(study, alice, bob, dora) -> judged_batches.JudgedBatch:
    return judged_batches.create_judged_batch(study, alice, bob, dora)


def test_all_that_a_narrowed_list_shows_are_decided_on_and_no_others(judged_batch, alice, study):
    client = client_of(alice)
    pseudonym = study.memberships.get(user=judged_batch.fay).pseudonym
    kwargs = {"study": study.slug, "batch": judged_batch.batch.pk}
    page = text_of(client.get(reverse("review_work", kwargs=kwargs), {"person": pseudonym}))
    form = page.split('id="review"')[1].split("</form>")[0]
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))

    said = {"all": "1", "paid": "no: random answers", "counted": "no: random answer"}
    preview = client.post(reverse("review_decide", kwargs=kwargs), hidden | said)

    chosen = preview.context["hidden_fields"]["chosen"].split(",")
    assert {int(each) for each in chosen} == {each.pk for each in judged_batch.of(judged_batch.fay)}
