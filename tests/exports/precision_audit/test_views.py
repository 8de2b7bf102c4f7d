"""The expert's pages: one answer after the other, blind; and what they say when there is nothing left."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role, RoleGrant, User
from annotation.models import Batch
from exports.models import PrecisionJudgement
from exports.precision_audit.queries import precision_rows
from tests.exports.precision_audit.test_actions import audit, draw_audit, gold, say  # noqa: F401


@pytest.fixture
def client(carol):
    client = Client()
    client.force_login(carol, backend="accounts.backends.RealPeopleBackend")
    return client


def address(audited):
    return reverse("precision_audit", args=[audited.study.slug, audited.pk])


def of_item(item):
    return reverse("precision_item", args=[item.audit.study.slug, item.audit_id, item.public_id])


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def judge(client, reply, label):
    """Send the form of the page with this label, as a browser would, and follow."""
    action = re.search(r'<form method="post" action="([^"]+/precision/[^"]+)"', reply.text)[1]
    scheme = re.search(r'name="scheme" value="([^"]+)"', reply.text)[1]
    return client.post(action, {"scheme": scheme, "label": label}, follow=True)


def test_it_shows_what_the_annotators_saw_and_nothing_of_what_they_said(client, audit):  # noqa: F811
    reply = client.get(address(audit))
    item = reply.context["item"]

    shown = item.plausibility_item.payload
    assert shown["question"] in reply.text
    assert shown["answers"][0]["text"] in words(reply.text)
    assert "Evidence" not in words(reply.text)
    for hidden in ("alder", "birch", "gold", "silver", "unanimous", "consensus"):
        assert hidden not in reply.text.replace(shown["answers"][0]["text"], "")
    assert "checked" not in reply.text


def test_gold_is_asked_for_its_faithfulness_once_it_is_plausible(client, audit):  # noqa: F811
    first = client.get(address(audit))

    second = judge(client, first, "plausible")

    assert second.context["item"] == first.context["item"]
    assert "Does the response follow from the evidence?" in second.text
    assert "Evidence" in words(second.text)
    third = judge(client, second, "faithful")
    assert third.context["item"] != first.context["item"]
    assert "1 of 3 judged" in words(third.text)


def test_in_the_end_all_are_judged(client, audit):  # noqa: F811
    reply = client.get(address(audit))
    while "scheme" in reply.context:
        reply = judge(client, reply, "malformed")

    assert "All are judged" in reply.text
    assert PrecisionJudgement.objects.count() == 3
    assert of_item(PrecisionJudgement.objects.latest("pk").item) in reply.text


def test_one_s_own_can_be_changed(client, audit, carol):  # noqa: F811
    item = audit.items.first()
    say(item, carol, "plausible", "faithful")

    reply = client.get(of_item(item))
    assert "You said <strong>faithful</strong>" in reply.text
    judge(client, reply, "irrelevant")
    judge(client, client.get(of_item(item), {"question": "plausibility"}), "malformed")

    said = PrecisionJudgement.objects.filter(replaced_by=None)
    assert {row.scheme: row.label for row in said} == {
        "plausibility": "malformed",
        "faithfulness": "irrelevant",
    }


def test_without_a_choice_the_page_says_what_is_missing(client, audit):  # noqa: F811
    item = audit.items.first()

    reply = client.post(of_item(item), {"scheme": "plausibility"})

    assert reply.status_code == 400
    assert "Choose one of these" in reply.text
    assert not PrecisionJudgement.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {"scheme": "plausibility", "label": "gold"},
        {"scheme": "rating", "label": "4"},
        {"scheme": "faithfulness", "label": "faithful"},
        {},
    ],
)
def test_what_no_page_sends_saves_nothing(client, audit, sent):  # noqa: F811
    reply = client.post(of_item(audit.items.first()), sent, follow=True)

    assert "Nothing was saved" in reply.text
    assert not PrecisionJudgement.objects.exists()


def test_another_expert_s_answer_is_not_theirs_to_change(client, audit, alice):  # noqa: F811
    item = audit.items.first()
    say(item, alice, "implausible")

    reply = client.get(of_item(item))

    assert 'id="audited"' not in reply.text
    assert "implausible" not in reply.text
    sent = {"scheme": "plausibility", "label": "plausible"}
    assert "another expert" in client.post(of_item(item), sent, follow=True).text


def test_who_had_a_part_in_all_is_told_that_others_go_on(audit, carol):  # noqa: F811
    for item in audit.items.all():
        item.plausibility_item.exclusions.create(
            is_excluded=True, reason="Confusing", excluded_by=carol
        )
    client = Client()
    client.force_login(carol, backend="accounts.backends.RealPeopleBackend")

    said = words(client.get(address(audit)).text)

    assert "3 answers wait for somebody else" in said
    assert "All are judged" not in said


def test_what_nobody_may_judge_is_counted_beside_the_share(audit, alice):  # noqa: F811
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    results = reverse("results", args=[audit.study.slug, audit.dataset_id])
    assert "cannot be audited" not in words(client.get(results).text)
    organising = [Role.ADJUDICATOR, Role.REQUESTER]
    held = RoleGrant.objects.filter(membership__study=audit.study, role__in=organising)
    for person in User.objects.filter(pk__in=held.values("membership__user")):
        audit.items.first().plausibility_item.exclusions.create(
            is_excluded=True, reason="Confusing", excluded_by=person
        )

    said = words(client.get(results).text)

    assert "1 answer of audit 1 cannot be audited" in said
    assert "0 of the 3 drawn are" in said


def test_the_list_says_how_far_each_audit_is(client, audit, carol):  # noqa: F811
    say(audit.items.first(), carol, "malformed")
    here = reverse("precision_audits", args=[audit.study.slug])

    said = words(client.get(here).text)

    assert re.search(r"Audit 1 \S+ \S+ \S+ UTC 1 of 3 2", said)


def test_before_a_sample_is_drawn_each_is_told_where(client, study, alice):
    here = reverse("precision_audits", args=[study.slug])
    assert "A requester draws it on the page of results" in client.get(here).text

    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    assert reverse("results_of_study", args=[study.slug]) in client.get(here).text


def test_an_answer_of_another_audit_is_not_there(client, audit, plausibility):  # noqa: F811
    other = draw_audit(plausibility)
    item = audit.items.first()
    here = reverse("precision_item", args=[audit.study.slug, other.pk, item.public_id])

    assert client.get(here).status_code == 404


def test_it_shows_markdown_as_the_annotators_saw_it(client, audit):  # noqa: F811
    Batch.objects.update(shows_markdown=True)

    assert '<div class="text markdown">' in client.get(address(audit)).text


def test_an_expert_writes_a_comment_which_the_page_and_the_table_of_a_release_have(client, audit):  # noqa: F811
    item = client.get(address(audit)).context["item"]
    said = {"scheme": "plausibility", "label": "implausible", "comment": " It names 1702. "}

    client.post(of_item(item), said)

    assert 'value="It names 1702."' in client.get(of_item(item)).text
    rows = precision_rows(audit.dataset, {}, is_rehearsal=False)
    assert [row.plausibility_comment for row in rows if row.plausibility] == ["It names 1702."]


def test_a_changed_comment_replaces_the_judgement_and_the_same_one_adds_nothing(client, audit):  # noqa: F811
    item = client.get(address(audit)).context["item"]

    for comment in ("Another year.", "Another year.", "Another year, 1702."):
        said = {"scheme": "plausibility", "label": "implausible", "comment": comment}
        client.post(of_item(item), said)

    comments = item.judgements.order_by("pk").values_list("comment", flat=True)
    assert list(comments) == ["Another year.", "Another year, 1702."]


def test_a_comment_that_is_too_long_is_refused_in_words(client, audit):  # noqa: F811
    item = client.get(address(audit)).context["item"]
    said = {"scheme": "plausibility", "label": "implausible", "comment": "x" * 1001}

    page = client.post(of_item(item), said, follow=True)

    assert "has 1001 characters" in page.text
    assert not item.judgements.exists()
