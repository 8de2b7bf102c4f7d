"""Forms around the desk can be sent without a script: each has the token that the server asks for."""

import re

from django.test import Client

from annotation.actions import guideline_readings
from tests.annotation.desk import judge
from tests.annotation.desk_pages import address, text_of


def test_a_judgement_is_taken_back_by_the_form_on_its_page(batch, bob, items):
    guideline_readings.confirm(batch=batch, by=bob)
    judged = judge(batch, bob).assignment
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob, backend="accounts.backends.RealPeopleBackend")
    page = text_of(client.get(address("desk_recent", batch)))
    (form,) = re.findall(rf'action="{address("desk_take_back", batch, judged)}">(.*?)</form>', page)
    token = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))

    sent = client.post(address("desk_take_back", batch, judged), token)

    assert sent.status_code == 302
    assert not judged.judgements.not_withdrawn().exists()
