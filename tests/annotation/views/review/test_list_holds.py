"""The list that a decision is made on is the list on the page that it was sent from."""

import re

import pytest
from django.urls import reverse

from tests.annotation import campaign as made
from tests.annotation.desk_pages import client_of, text_of


@pytest.fixture
def campaign(study, alice, bob, dora) -> made.Campaign:
    return made.build(study, alice, bob, dora)


def test_all_that_a_narrowed_list_shows_are_decided_on_and_no_others(campaign, alice, study):
    client = client_of(alice)
    pseudonym = study.memberships.get(user=campaign.fay).pseudonym
    kwargs = {"study": study.slug, "batch": campaign.batch.pk}
    page = text_of(client.get(reverse("review_work", kwargs=kwargs), {"person": pseudonym}))
    form = page.split('id="review"')[1].split("</form>")[0]
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))

    said = {"all": "1", "paid": "no: random answers", "counted": "no: random answer"}
    preview = client.post(reverse("review_decide", kwargs=kwargs), hidden | said)

    chosen = preview.context["hidden_fields"]["chosen"].split(",")
    assert {int(each) for each in chosen} == {each.pk for each in campaign.of(campaign.fay)}
