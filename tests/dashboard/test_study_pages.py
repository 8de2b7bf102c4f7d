"""What the pages of a study have in common: its navigation, and its description in words."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actions import members
from accounts.models import Role
from annotation.actions import batches as acts
from annotation.actions import settlement
from annotation.models import Assignment, Flag
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def navigation(client, study) -> str:
    page = client.get(reverse("study", args=[study.slug])).text
    return page.partition('aria-label="Study"')[2].partition("</nav>")[0]


def test_the_description_is_shown_as_markdown_and_in_lists_as_plain_words(client, study):
    study.description = "**CoQA-Eval 2026** <b>&"
    study.save()

    assert "<strong>CoQA-Eval 2026</strong>" in client.get(reverse("study", args=[study.slug])).text
    home = client.get(reverse("home")).text
    assert "CoQA-Eval 2026 &lt;b&gt;&amp;" in home
    assert "**" not in home


def test_a_requester_finds_disputes_and_flags_where_there_are_any(client, study, alice, bob, dora):
    batch = BatchFactory(pool__dataset__study=study)
    ItemFactory(batch=batch)
    assert "Disputes" not in navigation(client, study)
    assert "Flags" not in navigation(client, study)

    judge(batch, bob, label="plausible")
    judge(batch, dora, label="implausible")
    acts.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    assignment = Assignment.objects.first()
    Flag.objects.create(assignment=assignment, message="?", flagged_at=timezone.now())

    assert reverse("disputes", args=[study.slug]) in navigation(client, study)
    assert reverse("flags", args=[study.slug]) in navigation(client, study)


def test_whoever_is_adjudicator_too_has_each_link_once(client, study, alice):
    members.change_roles(
        membership=study.memberships.get(user=alice),
        roles=[Role.REQUESTER, Role.ADJUDICATOR],
        by=alice,
    )

    assert navigation(client, study).count(">Disputes<") == 1
    assert navigation(client, study).count(">Search<") == 1
