"""The pages of qualifications: made, granted, revoked, suggested."""

import pytest
from django.urls import reverse

from accounts.models import Role
from annotation.actions import claims
from annotation.models import Assignment, Qualification, Standing
from annotation.queries import standings
from tests.annotation.desk import claim_one
from tests.annotation.desk_pages import client_of, text_of
from tests.annotation.trust import grant, group, open_batch, qualification, settled_batch
from tests.conftest import member


@pytest.fixture
def requester(alice):
    return client_of(alice)


@pytest.fixture
def trusted(study):
    return qualification(study)


def href(asked: Qualification, name: str = "qualification") -> str:
    return reverse(name, args=[asked.study.slug, asked.pk])


def decide(client, asked, act, *people, reason="careful", **more):
    members = asked.study.memberships.filter(user__in=people)
    ticked = [str(each.pk) for each in members]
    data = {"act": act, "reason": reason, "person": ticked, **more}
    return client.post(href(asked, "qualification_decide"), data)


def test_a_qualification_is_made_with_its_rule(requester, study):
    reply = requester.post(
        reverse("qualification_new", args=[study.slug]),
        {
            "name": "trusted",
            "kind": "rule",
            "accuracy": "0.8",
            "recall": "malformed 0.6\n\ncannot_say 0.5",
            "min_answers": "12",
            "confidence": "0.95",
            "attempts": "2",
        },
    )

    made = Qualification.objects.get()
    assert reply.url == href(made)
    assert made.rule == {
        "min_answers": 12,
        "accuracy": 0.8,
        "recall": {"malformed": 0.6, "cannot_say": 0.5},
        "confidence": 0.95,
        "attempts": 2,
        "acts": False,
    }


def test_a_group_is_made_without_one(requester, study):
    requester.post(reverse("qualification_new", args=[study.slug]), {"name": "g", "kind": "group"})

    assert Qualification.objects.get().is_group


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"recall": "malformed"}, "Line 1: write a label and a share"),
        ({"recall": "malformed 7"}, "recall: malformed: 7.0 is not a share"),
        ({"name": "trusted"}, "there is a qualification trusted already"),
    ],
)
def test_what_makes_no_sense_is_refused_and_says_why(sent, says, requester, study, trusted):
    data = {"name": "new", "kind": "rule", "recall": "", **sent}

    reply = requester.post(reverse("qualification_new", args=[study.slug]), data)

    assert reply.status_code == 400
    assert says in text_of(reply)
    assert Qualification.objects.count() == 1


def test_the_ticked_people_are_granted_it_and_the_list_says_so(
    requester, study, trusted, bob, dora, alice
):
    assert decide(requester, trusted, "grant", bob, dora).status_code == 302

    rows = Standing.objects.filter(state="granted", by=alice, reason="careful")
    assert {each.user for each in rows} == {bob, dora}
    listed = text_of(requester.get(reverse("qualifications", args=[study.slug])))
    assert '<td class="number">2</td>' in listed
    people = text_of(requester.get(reverse("people", args=[study.slug])))
    assert people.count('<span class="tag good">granted</span>') == 2


def test_the_page_of_people_has_no_column_while_nothing_is_decided(requester, study, trusted, bob):
    page = text_of(requester.get(reverse("people", args=[study.slug])))
    assert '<th scope="col"> Qualifications' not in page


def test_revoking_says_how_many_claims_went_back(requester, study, trusted, bob):
    grant(trusted, bob)
    claims.claim(batch=open_batch(study, trusted), by=bob, n=2)

    decide(requester, trusted, "revoke", bob)

    page = text_of(requester.get(href(trusted)))
    assert "is revoked of 1 person; 2 open claims went back to others" in page
    assert not Assignment.objects.claimed().exists()


def test_nobody_ticked_no_reason_or_one_who_holds_it_changes_nothing(requester, trusted, bob, dora):
    grant(trusted, bob)
    nobody = decide(requester, trusted, "grant")
    unreasoned = decide(requester, trusted, "grant", dora, reason=" ")
    again = decide(requester, trusted, "grant", bob, dora)

    assert [each.status_code for each in (nobody, unreasoned, again)] == [400, 400, 400]
    assert "Nobody is ticked" in text_of(nobody)
    assert "bob holds trusted already" in text_of(again)
    assert Standing.objects.count() == 1


def test_somebody_of_another_study_or_an_organiser_cannot_be_ticked(
    requester, trusted, carol, mallory
):
    assert decide(requester, trusted, "grant", carol, mallory).status_code == 400
    data = {"act": "grant", "reason": "x", "person": ["9" * 40, "x", "\0"]}
    assert requester.post(href(trusted, "qualification_decide"), data).status_code == 400
    assert not Standing.objects.exists()


@pytest.fixture
def pilot(study, bob, dora, alice):
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    return settled_batch(study, {bob: "p" * 12, dora: "p" * 12, fay: "i" * 12}), fay


def test_the_rules_suggestion_stands_beside_each_person_and_decides_nothing(
    requester, trusted, pilot
):
    batch, _ = pilot

    page = text_of(requester.get(f"{href(trusted)}?from={batch.pk}"))

    assert "0 of 12" in page
    assert '<span class="tag warn">do not grant</span>' in page
    assert "Let the rule decide" not in page
    assert not Standing.objects.exists()


def test_a_decision_keeps_what_the_rule_said(requester, trusted, pilot, bob):
    batch, fay = pilot

    decide(requester, trusted, "grant", fay, **{"from": str(batch.pk)})

    evidence = Standing.objects.get(user=fay).evidence
    assert (evidence["decision"], evidence["batch_name"]) == ("failed", "pilot")


def test_a_rule_that_is_set_to_act_decides_at_the_press_of_a_button(requester, study, pilot):
    batch, fay = pilot
    acting = qualification(study, "acting", acts=True)
    assert "Let the rule decide" in text_of(requester.get(f"{href(acting)}?from={batch.pk}"))

    requester.post(href(acting, "qualification_apply"), {"from": str(batch.pk)})

    assert {user: row.state for user, row in standings.current(acting).items()} == {
        fay.pk: "failed"
    }
    assert "not granted by the rule" in text_of(requester.get(href(acting)))


def test_a_label_that_the_batch_lacks_is_named_on_the_page(requester, study, pilot):
    batch, _ = pilot
    odd = qualification(study, "odd", recall={"unfaithful": 0.5})

    page = text_of(requester.get(f"{href(odd)}?from={batch.pk}"))

    assert "The rule cannot be used on this batch" in page
    assert "has no label unfaithful" in page


def test_a_group_shows_no_rule(requester, study, pilot):
    page = text_of(requester.get(href(group(study))))

    assert "The rule says" not in page
    assert "a group without a rule" in page.lower()


def test_the_number_of_queries_does_not_grow_with_people(
    requester, study, trusted, pilot, alice, django_assert_max_num_queries
):
    batch, _ = pilot
    address = f"{href(trusted)}?from={batch.pk}"
    with django_assert_max_num_queries(40) as before:
        requester.get(address)
    for number in range(12):
        grant(trusted, member(study, f"person{number}", Role.ANNOTATOR, by=alice))

    with django_assert_max_num_queries(len(before)):
        requester.get(address)


def test_opening_a_batch_that_nobody_may_work_on_warns(requester, study, trusted, bob):
    draft = open_batch(study, trusted, n_items=0, state="draft")
    address = reverse("batch_open", args=[study.slug, draft.pk])

    assert "Nobody who annotates holds “trusted” yet" in text_of(requester.get(address))
    grant(trusted, bob)
    assert "Annotators who hold “trusted” can begin at once: there are 1" in text_of(
        requester.get(address)
    )


def test_the_page_of_an_open_batch_says_for_whom_it_is(requester, study, trusted, bob):
    batch = open_batch(study, trusted)
    grant(trusted, bob)
    claim_one(batch, bob)

    page = text_of(requester.get(reverse("batch", args=[study.slug, batch.pk])))

    assert f'<a href="{href(trusted)}" dir="auto">trusted</a>' in page
    assert "frozen since it opened" in page
