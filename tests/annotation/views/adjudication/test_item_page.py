"""The adjudicator's pages: what they show, what they hide, and what their buttons do."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.actions import members, studies
from accounts.models import Role, Study
from annotation.actions import batches, judgements, notes, reviews, settlement
from annotation.models import Adjudication, Batch, Item, Verdict, VerdictState
from annotation.queries import answer_sources, dispute_queue, item_history
from annotation.review_decisions import ReviewError
from tests.annotation.desk import NOW, claim_one, judge, submission
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory, RunFactory
from tests.parts import part

HOSTILE = "<script>alert('x')</script>"


@part
def closed(study, alice, bob, dora):
    """A closed and settled batch: the first item in dispute, the second one plausible."""
    batch = BatchFactory(pool__dataset__study=study, name="first round")
    for position in (1, 2):
        ItemFactory(batch=batch, position=position)
    for person, said in ((bob, ("plausible", "plausible")), (dora, ("malformed", "plausible"))):
        for label in said:
            judge(batch, person, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    return batch


@pytest.fixture
def elsewhere(alice, carol) -> Study:
    """Another study with nothing in dispute, in which carol adjudicates too."""
    study = studies.create_study(slug="elsewhere", title="Lighthouses", requester=alice)
    members.add(study=study, user=carol, roles=[Role.ADJUDICATOR], by=alice)
    return study


@pytest.fixture
def disputed(closed) -> Item:
    return closed.items.get(position=1)


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


def address(name: str, study, item=None) -> str:
    parts = {"study": study.slug} | ({"item": item.public_id} if item else {})
    return reverse(name, kwargs=parts)


def texts(response) -> str:
    return response.content.decode()


# The queue


def test_the_queue_shows_what_is_in_dispute_with_its_votes(study, carol, disputed):
    page = texts(signed_in(carol).get(address("disputes", study)))

    assert "1 item on which annotators disagree" in page
    assert disputed.payload["question"] in page
    assert "1 malformed" in page
    assert "1 plausible" in page


def test_an_empty_queue_says_when_something_comes(elsewhere, carol):
    page = texts(signed_in(carol).get(address("disputes", elsewhere)))

    assert "Nothing is in dispute" in page


def test_an_empty_queue_names_the_items_that_were_set_aside(study, alice, closed, disputed):
    settlement.set_aside_disputes(batch=closed, by=alice)

    page = signed_in(alice).get(address("disputes", study)).text
    items = f"{reverse('batch_items', args=[study.slug, closed.pk])}?verdict=set%20aside"
    listing = signed_in(alice).get(items).context["listing"]

    assert "Nothing is in dispute" in page
    assert f'<a href="{items}">1 item of “{closed.name}”</a>' in page
    assert [each.pk for each in listing.page] == [disputed.pk]


def test_the_most_disputed_stand_first(study, alice, carol, disputed):
    crowd = [member(study, f"a{number}", Role.ANNOTATOR, by=alice) for number in range(3)]
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=3)
    ItemFactory(batch=batch, n_wanted=3, n_open=3)
    for person, label in zip(crowd, ("plausible", "plausible", "malformed"), strict=True):
        judge(batch, person, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)

    found = dispute_queue.disputed_items(dispute_queue.dispute_queue(study, carol), carol)
    shares = [max(each.votes.values()) / sum(each.votes.values()) for each in found]

    assert shares == [1 / 2, 2 / 3]


def test_a_batch_can_be_chosen(study, carol, closed):
    client = signed_in(carol)

    assert "1 item " in texts(client.get(address("disputes", study), {"batch": closed.pk}))
    assert "0 items" in texts(client.get(address("disputes", study), {"batch": "999"}))


def test_the_queue_asks_as_many_questions_of_the_database_for_one_item_as_for_ten(
    study, alice, bob, dora, carol, django_assert_num_queries
):
    def disputes(n):
        batch = BatchFactory(pool__dataset__study=study)
        for position in range(1, n + 1):
            ItemFactory(batch=batch, position=position)
        for person, label in ((bob, "plausible"), (dora, "malformed")):
            for _ in range(n):
                judge(batch, person, label)
        batches.close(batch=batch, by=alice)
        settlement.settle(batch=batch, rule="unanimous", by=alice)

    disputes(1)
    client = signed_in(carol)
    with django_assert_num_queries(18):
        client.get(address("disputes", study))
    disputes(10)
    with django_assert_num_queries(18):
        client.get(address("disputes", study))


def test_what_items_show_is_read_of_one_page_in_the_order_of_the_whole_queue(
    elsewhere, alice, carol, monkeypatch
):
    monkeypatch.setattr("annotation.views.adjudication.disputes.PER_PAGE", 2)
    eve, fay = (member(elsewhere, name, Role.ANNOTATOR, by=alice) for name in ("eve", "fay"))
    batch = BatchFactory(pool__dataset__study=elsewhere)
    items = [ItemFactory(batch=batch, position=position) for position in range(1, 6)]
    for person, label in ((eve, "plausible"), (fay, "malformed")):
        for _ in items:
            judge(batch, person, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)

    with CaptureQueriesContext(connection) as asked:
        order = dispute_queue.dispute_queue(elsewhere, carol)
    pages = [
        signed_in(carol).get(address("disputes", elsewhere), {"page": n}).context["disputes"]
        for n in (1, 2, 3)
    ]

    assert not [each for each in asked if "payload" in each["sql"]]
    assert [[each.item.position for each in page] for page in pages] == [[1, 2], [3, 4], [5]]
    assert [entry.item for entry in order] == [item.pk for item in items]
    assert dispute_queue.next_dispute(elsewhere, carol) == items[0]
    assert dispute_queue.next_dispute(elsewhere, eve) is None


# The item


def test_judgements_stand_side_by_side_without_a_name(study, carol, disputed):
    page = texts(signed_in(carol).get(address("item", study, disputed)))

    assert "<strong>A</strong>" in page
    assert "<strong>B</strong>" in page
    assert "bob" not in page
    assert "dora" not in page
    assert "Annotator A" in page


def test_the_source_has_the_score_of_the_draw(study, alice, carol, disputed):
    candidate = disputed.answers.get().candidate
    RunFactory(dataset=candidate.pool.dataset, name="sentinel-run")

    assert answer_sources.access(disputed, alice) == answer_sources.Access.HIDDEN
    reviews.adjudicate(item=disputed, label="plausible", reason="It answers.", by=carol)

    assert answer_sources.access(disputed, alice) == answer_sources.Access.SHOWN
    assert answer_sources.source_of(disputed).score == candidate.score


def test_settling_leads_on_to_the_next_dispute(study, alice, bob, dora, carol, closed, disputed):
    batch = BatchFactory(pool__dataset__study=study)
    second = ItemFactory(batch=batch)
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    client = signed_in(carol)
    said = {"label": "implausible", "reason": "Another lighthouse."}

    first = client.post(address("item_adjudicate", study, disputed), said)
    last = client.post(address("item_adjudicate", study, second), said)

    assert first.url == address("item", study, second)
    assert last.url == address("disputes", study)
    verdict = Verdict.objects.current().get(item=disputed)
    assert (verdict.label, verdict.adjudication.reason) == ("implausible", "Another lighthouse.")


@pytest.mark.parametrize(
    "sent", [{}, {"label": "plausible"}, {"reason": "x"}, {"label": "other", "reason": "x"}]
)
def test_what_is_missing_is_said_and_nothing_is_settled(study, carol, disputed, sent):
    response = signed_in(carol).post(address("item_adjudicate", study, disputed), sent)

    assert response.status_code == 400
    assert 'class="errorlist"' in texts(response)
    assert not Adjudication.objects.exists()


def test_a_reason_of_spaces_is_none(study, carol, disputed):
    sent = {"label": "plausible", "reason": "   "}

    response = signed_in(carol).post(address("item_adjudicate", study, disputed), sent)

    assert response.status_code == 400
    assert not Adjudication.objects.exists()


def test_who_was_handed_the_item_reads_why_they_cannot_settle_it(study, alice, dora, disputed):
    member_of = study.memberships.get(user=dora)
    member_of.grants.create(role=Role.ADJUDICATOR, granted_by=alice)
    client = signed_in(dora)

    assert "somebody else has to settle it" in texts(client.get(address("item", study, disputed)))
    sent = {"label": "plausible", "reason": "mine"}
    response = client.post(address("item_adjudicate", study, disputed), sent)

    assert response.status_code == 400
    assert "nobody adjudicates their own" in texts(response)


def test_in_an_open_batch_nothing_is_settled_yet(study, carol, batch, item):
    page = texts(signed_in(carol).get(address("item", study, item)))

    assert "items are settled once it is closed" in page
    assert "Nobody judged it." in page


def test_excluding_and_taking_in_again(study, carol, disputed):
    client = signed_in(carol)

    client.post(address("item_exclude", study, disputed), {"exclude-reason": "Not a question."})
    assert "Excluded item" in texts(client.get(address("item", study, disputed)))

    client.post(address("item_readmit", study, disputed), {"readmit-reason": "It is one."})
    page = texts(client.get(address("item", study, disputed)))
    assert "excluded it" in page
    assert "included it again" in page
    assert "Not a question." in page


def test_of_two_who_decide_from_pages_of_the_same_time_the_second_is_told(
    study, alice, carol, disputed
):
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    first, second = signed_in(carol), signed_in(erin)
    href = address("item_adjudicate", study, disputed)
    seen = {"seen": str(first.get(address("item", study, disputed)).context["verdict"].pk)}
    first.post(href, seen | {"label": "plausible", "reason": "It answers."})

    refused = second.post(href, seen | {"label": "malformed", "reason": "It does not."})

    stands = Verdict.objects.current().get(item=disputed)
    assert (stands.label, stands.decided_by) == ("plausible", carol)
    assert "carol decided it meanwhile, as plausible" in texts(refused)
    # Who has read that and sends the form again has seen it.
    assert f'name="seen" value="{stands.pk}"' in texts(refused)


@pytest.mark.parametrize("act", ["adjudicate", "exclude", "readmit", "note"])
def test_the_address_of_a_refused_form_leads_back_to_the_item(study, carol, disputed, act):
    client, href = signed_in(carol), address(f"item_{act}", study, disputed)
    assert client.post(href, {}).status_code == 400

    assert client.get(href).url == address("item", study, disputed)


def test_who_was_handed_the_item_can_neither_leave_it_out_nor_take_it_in(
    study, alice, dora, carol, disputed
):
    study.memberships.get(user=dora).grants.create(role=Role.ADJUDICATOR, granted_by=alice)
    client = signed_in(dora)
    page, reason = address("item", study, disputed), {"exclude-reason": "Mine."}

    assert "Only somebody else can exclude" in texts(client.get(page))
    assert "Exclude the item" not in texts(client.get(page))
    refused = client.post(address("item_exclude", study, disputed), reason)
    assert refused.status_code == 400
    assert "nobody excludes or readmits their own" in texts(refused)

    reviews.exclude(item=disputed, reason="Not a question.", by=carol)
    assert "Take it in again</summary>" not in texts(client.get(page))
    refused = client.post(address("item_readmit", study, disputed), {"readmit-reason": "Mine."})
    assert "nobody excludes or readmits their own" in texts(refused)
    assert disputed.exclusions.count() == 1


def test_an_adjudicated_item_that_is_taken_in_again_is_said_to_be_settled(study, carol, disputed):
    reviews.adjudicate(item=disputed, label="plausible", reason="It answers.", by=carol)
    reviews.exclude(item=disputed, reason="Not a question.", by=carol)

    sent = {"readmit-reason": "It is one."}
    page = signed_in(carol).post(address("item_readmit", study, disputed), sent, follow=True)

    assert "It is settled as plausible, as it was adjudicated." in texts(page)
    assert "Settle the batch once more" not in texts(page)


def test_excluding_needs_a_reason(study, carol, disputed):
    response = signed_in(carol).post(address("item_exclude", study, disputed), {})

    assert response.status_code == 400
    assert not disputed.exclusions.exists()


def test_a_note_stands_in_the_history_and_decides_nothing(study, carol, disputed):
    client = signed_in(carol)

    client.post(address("item_note", study, disputed), {"note-text": HOSTILE})

    page = texts(client.get(address("item", study, disputed)))
    assert "&lt;script&gt;alert" in page
    assert HOSTILE not in page
    assert Verdict.objects.current().get(item=disputed).state == VerdictState.DISPUTED


def test_a_note_that_is_sent_twice_stands_once(carol, alice, disputed):
    for by in (carol, carol, alice):
        notes.note(item=disputed, text="Which mason?", by=by)
    notes.note(item=disputed, text="The first.", by=alice)

    assert [note.noted_by for note in disputed.notes.all()] == [carol, alice, alice]


def test_an_empty_note_is_refused(carol, disputed):
    with pytest.raises(ReviewError, match="the note is empty"):
        notes.note(item=disputed, text=" ", by=carol)


def test_asking_again_pressed_twice_asks_for_one_judgement(study, alice, closed, disputed):
    client = signed_in(alice)
    page = client.get(address("item", study, disputed))
    sent = {"n_asked": str(page.context["n_asked"])}

    client.post(address("item_ask_again", study, disputed), sent)
    second = client.post(address("item_ask_again", study, disputed), sent, follow=True)

    disputed.refresh_from_db()
    assert (disputed.n_wanted, disputed.n_open) == (3, 1)
    assert "one more was asked for already" in texts(second)


def test_nothing_more_can_be_asked_of_an_excluded_item(study, alice, closed, disputed):
    client, page = signed_in(alice), address("item", study, disputed)
    assert "Ask for one more judgement" in texts(client.get(page))

    reviews.exclude(item=disputed, reason="Not a question.", by=alice)

    assert "Ask for one more judgement" not in texts(client.get(page))
    refused = client.post(address("item_ask_again", study, disputed), follow=True)
    assert "is excluded: readmit it first" in texts(refused)


def test_the_page_says_that_nobody_is_left_to_judge_the_item(study, alice, closed, disputed):
    client, page = signed_in(alice), address("item", study, disputed)
    everybody_saw_it = texts(client.get(page))
    member(study, "erin", Role.ANNOTATOR, by=alice)

    assert "Nobody is left to judge it" in everybody_saw_it
    assert "Nobody is left to judge it" not in texts(client.get(page))


@pytest.mark.parametrize("is_past", [False, True])
def test_asking_again_after_the_deadline_says_what_is_missing(
    study, alice, closed, disputed, is_past
):
    deadline_at = timezone.now() + timedelta(hours=-1 if is_past else 1)
    Batch.objects.update(deadline_at=deadline_at)

    page = signed_in(alice).post(address("item_ask_again", study, disputed), follow=True)

    assert "One more judgement is asked for" in texts(page)
    assert ("the item is not assigned until you set a later one" in texts(page)) == is_past


def test_asking_again_opens_the_batch_and_is_the_requesters(study, alice, carol, closed, disputed):
    assert signed_in(carol).post(address("item_ask_again", study, disputed)).status_code == 403

    signed_in(alice).post(address("item_ask_again", study, disputed))

    closed.refresh_from_db()
    assert closed.state == "open"


def test_the_history_tells_everything_in_order(study, alice, bob, dora, carol):
    batch = BatchFactory(pool__dataset__study=study)
    item = ItemFactory(batch=batch)
    held = claim_one(batch, bob)
    first = judgements.submit(
        assignment=held, submission=submission(comment="Hm."), by=bob, now=NOW
    )
    judgements.flag(assignment=held, message="Which lighthouse?", by=bob)
    judgements.take_back(judgement=first, by=bob)
    judge(batch, bob, "malformed")
    judge(batch, dora, "plausible")
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)

    told = [(line.who, line.what) for line in item_history.history_lines(item)]

    assert ("Annotator A", "said plausible") in told
    assert ("Annotator A", "took plausible back") in told
    assert ("Annotator A", "said malformed") in told
    assert ("Annotator A", "flagged it") in told
    assert ("Annotator B", "said plausible") in told
    assert told[-1] == ("carol", "adjudicated it as plausible")
    assert told[-2][1].endswith("in dispute (1 malformed, 1 plausible)")


def test_letters_go_on_after_z():
    assert [item_history.letter(n) for n in (0, 25, 26, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AZ", "BA", "ZZ", "AAA")
    ]
