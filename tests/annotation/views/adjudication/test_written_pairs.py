"""The pages on which an adjudicator decides between the answers of two rounds, without a script and without names."""

import re

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.models import Role
from annotation.actions import batches, withdrawn_batches, written_decisions
from annotation.models import Adjudication, Judgement
from annotation.queries import written_pairs
from tests.access.table import address_of
from tests.annotation.desk_pages import client_of, text_of
from tests.annotation.differing import (
    CHANGED,
    FIRST,
    KEPT,
    SKIPPED,
    THIRD,
    item,
    second_round_said,
)
from tests.annotation.rounds import CONFIRMED
from tests.commands.command_calls import command_error, run_command
from tests.conftest import member
from tests.exports.judged_batches import reject
from tests.parts import part

HOSTILE = '<script>alert(1)</script> & \u202e=1+1 مرحبا "x"'


@part
def batch(study, folder, bob, dora):
    """A question that was changed, one that was kept, and one that was skipped."""
    return second_round_said(study, folder, bob, dora, CHANGED, KEPT, SKIPPED)


@pytest.fixture
def client(carol):
    return client_of(carol)


def queue(batch):
    return reverse("written_pairs", args=[batch.study.slug, batch.pk])


def page_of(item):
    return reverse("item", args=[item.batch.study.slug, item.public_id])


def told(page):
    """What one reads below the navigation: no tokens and no addresses."""
    main = page.content.decode().partition("<main")[2]
    return " ".join(strip_tags(f"<main{main}").split())


def act(item, name="item_adjudicate"):
    return reverse(name, args=[item.batch.study.slug, item.public_id])


def fields(page):
    """What the form of the decision has, as a browser without a script sends it."""
    form = page.context["adjudicate"]
    seen = page.context["pair"].newest
    third = {f"third.{name}": value for name, value in form.third.items()}
    between = page.context["pair"].sha256
    return third | {"seen": str(seen.pk if seen else 0), "between": between, "reason": "so"}


def third_fields(response):
    return {f"third.{name}": value for name, value in response.items()}


def test_an_adjudicator_goes_from_the_disputes_through_all_questions_that_differ(client, batch):
    disputes = client.get(reverse("disputes", args=[batch.study.slug]))
    assert queue(batch) in disputes.content.decode()
    listed = client.get(queue(batch))
    assert "0 decided, 2 open" in text_of(listed)
    assert [row[0] for row in listed.context["rows"]] == [item(batch, 1), item(batch, 3)]
    assert page_of(item(batch, 1)) in listed.content.decode()

    page = client.get(page_of(item(batch, 1)))
    first = client.post(act(item(batch, 1)), fields(page) | {"label": "second"})
    assert first.url == page_of(item(batch, 3))
    page = client.get(first.url)
    assert "Skips the question: The question is unclear" in text_of(page)
    last = client.post(act(item(batch, 3)), fields(page) | {"label": "first"}, follow=True)

    assert "2 decided, 0 open" in text_of(last)
    assert [row[3] for row in last.context["rows"]] == ["answer 2", "answer 1"]
    assert "None is open" in text_of(client.get(queue(batch) + "?show=open"))


def test_both_answers_stand_beside_one_another_marked_by_token_and_without_names(client, batch):
    page = client.get(page_of(item(batch)))

    shown = page.content.decode()
    assert "<mark>" in shown
    sides = page.context["answer_sides"]
    assert [each.ticked for each in sides] == [["2", "5"], ["2", "3", "5"]]
    assert [each.only for each in sides] == [[], ["3"]]
    ticked = {each.number: each.versions for each in page.context["sentences"] if each.versions}
    assert ticked == {2: [1, 2], 3: [2], 5: [1, 2]}
    for person in ("bob", "dora"):
        pseudonym = batch.study.memberships.get(user__username=person).pseudonym
        assert not re.search(rf"\b({person}|{re.escape(pseudonym)})\b", told(page))


def test_a_third_answer_is_written_from_one_of_them_with_ticks_and_confirmations(client, batch):
    page = client.get(page_of(item(batch)) + "?take=first")
    form = page.context["adjudicate"]
    assert form["label"].value() == "third"
    assert form.third["answer"] == page.context["pair"].versions[0].content.answer
    href = act(item(batch))
    assert "third.concise" not in fields(page)
    sent = fields(page) | {"label": "third"} | third_fields(CONFIRMED)

    same = client.post(href, sent)
    assert same.status_code == 400
    assert "it is answer 1 as it stands" in text_of(same)
    wrong = client.post(href, sent | third_fields(THIRD) | {"third.concise": ""})
    assert "“concise” is not ticked" in text_of(wrong)
    assert THIRD["answer"] in text_of(wrong)
    unticked = {f"third.s.1.{n}": "" for n in (2, 5)} | third_fields(THIRD)
    client.post(href, sent | unticked)

    assert Adjudication.objects.get().response == THIRD


def test_text_of_ones_own_is_not_dropped_by_taking_another_answer(client, batch):
    page = client.get(page_of(item(batch)))
    sent = fields(page) | {"label": "first", "third.answer": "Only gas."}

    refused = client.post(act(item(batch)), sent)

    assert "Something of your own is written" in text_of(refused)
    assert "Only gas." in text_of(refused)
    assert not Adjudication.objects.exists()


def test_what_was_decided_is_changed_with_a_confirmation_and_undone(client, batch):
    sent = fields(client.get(page_of(item(batch)))) | {"label": "first"}
    client.post(act(item(batch)), sent)
    page = client.get(page_of(item(batch)))
    assert "Decided: answer 1 stands" in text_of(page)
    sent = fields(page) | {"label": "second"}

    assert "Tick this to change" in text_of(client.post(act(item(batch)), sent))
    client.post(act(item(batch)), sent | {"confirm": "on"})
    page = client.get(page_of(item(batch)))
    assert "Decided: answer 2 stands" in text_of(page)
    newest = page.context["pair"].newest
    href = act(item(batch), "item_retract")
    undone = client.post(href, {"seen": str(newest.pk)}, follow=True)

    assert "Undone: answer 1 stands" in text_of(undone)
    words = told(undone)
    assert "carol decided: the second answer" in words
    assert "carol undid the decision for the second answer" in words


def test_an_answer_rejected_while_the_form_is_open_is_told_and_the_text_is_shown(
    client, batch, carol
):
    page = client.get(page_of(item(batch)))
    sent = fields(page) | {"label": "third"} | third_fields(THIRD)
    reject(Judgement.objects.get(assignment__item=item(batch)))

    reply = client.post(act(item(batch)), sent)

    assert reply.status_code == 400
    assert "do not count any more" in text_of(reply)
    assert THIRD["answer"] in text_of(reply)
    assert not Adjudication.objects.exists()


def test_a_decision_made_meanwhile_is_told_and_what_was_written_stays_in_the_form(
    client, batch, study, alice
):
    sent = fields(client.get(page_of(item(batch)))) | third_fields(THIRD) | {"label": "third"}
    sent |= {"third.s.1.5": ""}
    eve = member(study, "eve", Role.ADJUDICATOR, by=alice)
    written_decisions.decide(item=item(batch), label="first", reason="so", by=eve)

    reply = client.post(act(item(batch)), sent)

    assert reply.status_code == 400
    assert "eve decided it meanwhile, as first" in text_of(reply)
    assert "Tick this to change" not in text_of(reply)
    assert reply.context["adjudicate"].third["answer"] == THIRD["answer"]
    assert reply.context["adjudicate"]["confirm"].label == "Change the decision (answer 1)"
    client.post(act(item(batch)), fields(reply) | sent_again(reply) | {"label": "third"})
    assert Adjudication.objects.last().response == THIRD


def sent_again(page):
    """What a refused form has and a browser sends with the tick that it asks for."""
    return {"confirm": "on", "third.began": page.context["adjudicate"].began}


def test_the_same_decision_sent_twice_is_one_and_goes_on_twice(client, batch):
    sent = fields(client.get(page_of(item(batch)))) | {"label": "first"}

    replies = [client.post(act(item(batch)), sent) for _ in range(2)]

    assert [each.status_code for each in replies] == [302, 302]
    assert Adjudication.objects.count() == 1


def test_an_answer_changed_meanwhile_is_all_that_is_told_and_the_untouched_box_is_nobodys_own(
    client, batch
):
    page = client.get(page_of(item(batch)))
    sent = fields(page) | {"third.began": page.context["adjudicate"].began}
    judgement = Judgement.objects.filter(assignment__item=item(batch))
    judgement.update(response=judgement.get().response | {"answer": "Coal."})

    for label in ("first", "second-3"):
        reply = client.post(act(item(batch)), sent | {"label": label})
        errors = reply.context["adjudicate"].errors
        assert [*errors] == ["__all__"]
        assert "changed meanwhile: read the answers as they are now" in str(errors)
    sent |= fields(reply) | {"third.began": reply.context["adjudicate"].began, "label": "first"}
    client.post(act(item(batch)), sent)

    assert Adjudication.objects.get().label == "first"


@pytest.mark.parametrize("name", ["seen", "between"])
def test_a_form_that_does_not_say_what_was_seen_decides_nothing(client, batch, name):
    sent = fields(client.get(page_of(item(batch)))) | {"label": "first"}
    del sent[name]

    reply = client.post(act(item(batch)), sent)

    assert reply.status_code == 400
    assert "Nothing was changed" in text_of(reply)
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize("said", [{"outcome": "unanswerable"}, SKIPPED])
def test_another_outcome_needs_no_emptied_box_and_words_of_ones_own_are_not_dropped(
    client, batch, said
):
    page = client.get(page_of(item(batch)))
    sent = fields(page) | {"label": "third"} | third_fields(said)

    own = client.post(act(item(batch)), sent | {"third.answer": "Only gas."})
    assert own.status_code == 400
    assert "Only gas." in text_of(own)
    assert "Write another, from" not in text_of(own)
    assert client.post(act(item(batch)), sent).status_code == 302

    assert Adjudication.objects.get().response == said


def test_another_answer_can_be_begun_from_a_refused_page(client, batch):
    sent = fields(client.get(page_of(item(batch)))) | {"label": "first", "reason": ""}

    refused = client.post(act(item(batch)), sent)

    links = re.findall(r'href="([^"#]*)[?]take=', refused.content.decode())
    assert links == [page_of(item(batch))] * 2


@pytest.mark.parametrize(("said", "is_shown"), [(KEPT, False), (CHANGED, True), (SKIPPED, True)])
def test_disputes_lead_to_the_rounds_in_which_something_was_not_kept_and_read_no_answers(
    study, tmp_path, bob, dora, client, monkeypatch, said, is_shown
):
    batch = second_round_said(study, tmp_path, bob, dora, said)
    monkeypatch.setattr(written_pairs, "_pairs", None)

    page = client.get(reverse("disputes", args=[study.slug]))

    assert (queue(batch) in page.content.decode()) == is_shown


def third_panel(page):
    """The words of the panel with an answer that an adjudicator wrote; "" without one."""
    found = re.search(r'<section class="panel answer-third".*?</section>', page, re.DOTALL)
    return " ".join(strip_tags(found[0]).split()) if found else ""


def test_an_answer_that_an_adjudicator_wrote_is_read_by_all_also_once_it_stands_no_more(
    client, batch, carol, alice
):
    written_decisions.decide(item=item(batch), label="third", response=THIRD, reason="so", by=carol)
    readers = (client, client_of(alice))
    for reader in readers:
        panel = third_panel(reader.get(page_of(item(batch))).content.decode())
        assert panel == "Another answer, which stands Oil, then gas. Ticked: 2, 3."
    assert f"the third answer: “{THIRD['answer']}”" in text_of(client.get(page_of(item(batch))))

    judgement = Judgement.objects.filter(assignment__item=item(batch))
    judgement.update(response=judgement.get().response | {"answer": "Coal."})
    outdated = [third_panel(each.get(page_of(item(batch))).content.decode()) for each in readers]
    reject(judgement.get())
    gone = [third_panel(each.get(page_of(item(batch))).content.decode()) for each in readers]

    words = "Another answer, decided before, which stands no more Oil, then gas. Ticked: 2, 3."
    assert outdated == gone == [words] * 2


def test_texts_that_differ_in_white_space_alone_are_said_to(study, tmp_path, bob, dora, client):
    spaced = CHANGED | {"answer": FIRST["answer"].replace(" ", "  ", 1)}
    batch = second_round_said(study, tmp_path, bob, dora, spaced, CHANGED)

    said = ["in white space alone" in text_of(client.get(page_of(item(batch, n)))) for n in (1, 2)]

    assert said == [True, False]


def test_while_the_first_round_is_withdrawn_the_list_says_so(batch, alice, client):
    withdrawn_batches.withdraw(batch=batch.first_round, reason="wrong pool", by=alice)

    page = client.get(queue(batch))

    assert "Nothing is decided now" in text_of(page)
    assert "No answer of this batch differs" not in text_of(page)


def test_the_next_question_is_the_one_after_and_at_the_end_an_earlier_one(
    study, tmp_path, bob, dora, client
):
    batch = second_round_said(study, tmp_path, bob, dora, CHANGED, CHANGED, KEPT, SKIPPED)
    went = [item(batch, 2)]
    for _ in range(3):
        sent = fields(client.get(page_of(went[-1]))) | {"label": "first"}
        reply = client.post(act(went[-1]), sent)
        went += [each for each in batch.items.all() if page_of(each) == reply.url]

    assert went == [item(batch, 2), item(batch, 4), item(batch, 1)]
    assert reply.url == queue(batch)


def test_no_more_answers_are_read_than_up_to_the_next_open_question(
    study, tmp_path, bob, dora, carol, monkeypatch
):
    batch = second_round_said(study, tmp_path, bob, dora, CHANGED, CHANGED, CHANGED)
    monkeypatch.setattr(written_pairs, "AT_ONCE", 1)
    read = []
    pairs_of = written_pairs._pairs
    monkeypatch.setattr(
        written_pairs, "_pairs", lambda items: read.extend(items) or pairs_of(items)
    )

    assert written_pairs.next_open(item(batch), carol) == item(batch, 2)
    assert read == [item(batch, 2)]


@pytest.mark.parametrize("act", ["adjudicate", "retract"])
def test_a_program_is_told_the_page_on_which_it_is_decided(client, batch, carol, act):
    written_decisions.decide(item=item(batch), label="first", reason="so", by=carol)
    names = {"study": batch.study.slug, "item": item(batch).public_id}
    href = address_of(f"api_item_{act}", names)

    reply = client.post(href, {"label": "first", "reason": "so"}, content_type="application/json")

    assert reply.status_code == 404
    assert page_of(item(batch)) in reply.json()["detail"]


def test_who_may_not_decide_reads_why_and_has_no_form(batch, alice, bob, carol, study):
    requester = client_of(alice).get(page_of(item(batch)))
    assert "Adjudicators settle items; you are not one" in text_of(requester)
    eve = member(study, "eve", Role.ADJUDICATOR, by=alice)
    batches.reopen(batch=batch, by=alice)
    page = client_of(eve).get(page_of(item(batch)))
    assert "answers are decided once it is closed" in text_of(page)
    for reply in (requester, page):
        assert 'id="adjudicate"' not in reply.content.decode()
    assert "Nothing is decided now" in text_of(client_of(eve).get(queue(batch)))


def test_a_second_round_in_which_all_was_kept_has_an_empty_list(study, tmp_path, bob, dora, client):
    batch = second_round_said(study, tmp_path, bob, dora, KEPT)

    assert "No answer of this batch differs" in text_of(client.get(queue(batch)))
    assert "there is nothing to decide" in text_of(client.get(page_of(item(batch))))
    assert client.get(queue(batch.first_round)).status_code == 404


def test_hostile_texts_are_shown_as_they_are(study, tmp_path, bob, dora, client):
    batch = second_round_said(study, tmp_path, bob, dora, CHANGED | {"answer": HOSTILE})
    page = client.get(page_of(item(batch)))
    sent = fields(page) | {"label": "third", "third.answer": f"{HOSTILE}\r\n\r\n!"}
    sent |= third_fields(CONFIRMED)

    wrong = client.post(act(item(batch)), sent | {"reason": ""})
    client.post(act(item(batch)), sent)

    for reply in (page, wrong):
        assert "<script>alert" not in reply.content.decode()
    assert Adjudication.objects.get().response["answer"] == f"{HOSTILE}\n\n!"
    assert written_pairs.pair_of(item(batch)).decision


def test_the_command_takes_one_of_the_answers_and_refuses_a_third(batch, carol):

    of_item = ("--study", batch.study.slug, "--by", "carol", "--item", str(item(batch).public_id))
    refused = command_error("adjudicate", *of_item, "--label", "third", "--reason", "so")
    made = run_command("adjudicate", *of_item, "--label", "second", "--reason", "so")

    assert "write it on the page of the item" in refused
    assert made["response"]["answer"] == CHANGED["answer"]
