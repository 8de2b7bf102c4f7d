"""The page After the pilot, and the form on it."""

import re

from django.urls import reverse

from tests.annotation.desk_pages import text_of


def href(batch):
    return reverse("after_pilot", args=[batch.study.slug, batch.pk])


def words(reply):
    return " ".join(re.sub(r"<[^>]*>", " ", text_of(reply)).split())


def page(client, batch, **query):
    reply = client.get(href(batch), query)
    assert reply.status_code == 200
    return words(reply)


def opened(client, pilot, rest, *people, **more):
    members = pilot.study.memberships.filter(user__in=people)
    data = {
        "pool": str(rest.pk),
        "judgements": "2",
        "bar": "0.8",
        "name": "full",
        "new_name": "trusted",
        "reason": "right in the pilot",
        "person": [str(each.pk) for each in members],
    }
    return client.post(href(pilot), {**data, **more})
