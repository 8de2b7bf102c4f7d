"""An annotator's way through everything that the desk answers."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from annotation import schemes
from annotation.actions import claims, judgements
from annotation.models import Assignment, Batch, Judgement
from tests.annotation.desk import submission
from tests.annotation.desk_pages import address, form_data, open_desk
from tests.annotation.sheets import first_part, hidden_fields
from tests.blind.table import ANNOTATOR
from tests.blind.world import TOLD, World, something_whole
from tests.crawling import Crawler


def at_the_desk(person: Crawler, world: World) -> None:
    """All that the desk ever answers: consent, guidelines, judging, and everything that goes wrong."""
    batch, bob = world.asked, world.persons[ANNOTATOR]
    consent = person.client.get(reverse("consent", args=[world.study.slug]))
    (asked,) = consent.context["questions"].questions
    said = {"shown": asked.pk, f"question-{asked.pk}": "At home."}
    person.post(
        reverse("consent", args=[world.study.slug]),
        {"text": consent.context["sha256"], "next": "", **said},
    )
    person.get(reverse("own_background", args=[world.study.slug]))
    for each in (batch, world.led_on):
        person.get(address("desk", each))
        person.get(address("desk_guidelines", each))
        person.post(address("desk_guidelines", each))
    person.get(f"{address('desk', batch)}?item={world.control.public_id}")

    page = open_desk(person.client, batch)
    held = page.context["assignment"]
    submit = address("desk_submit", batch, held)
    person.get(address("desk", batch))
    person.post(submit, form_data(page, label=""))
    person.post(submit, form_data(page) | {"client_id": ""})
    person.post(address("desk_flag", batch, held), {"message": "Which lighthouse?"})
    sent = form_data(page)
    assert person.post(submit, sent).status == 302
    assert person.post(submit, sent | {batch.scheme: "malformed"}).status == 409
    assert person.post(submit, form_data(page) | {"client_id": "another"}).status == 409
    person.post(address("desk_skip", batch, held), {"reason": "too late for that"})
    person.post(address("desk_take_back", batch, held))
    person.post(submit, sent)  # a page from before
    person.post(submit, form_data(open_desk(person.client, batch)))

    skipped = open_desk(person.client, batch).context["assignment"]
    person.get(address("desk_skip", batch, skipped))
    person.post(address("desk_skip", batch, skipped), {"reason": "not my language"})
    person.post(address("desk_submit", batch, skipped), sent | {"client_id": "skipped"})

    page = open_desk(person.client, batch)
    late = page.context["assignment"]
    claims.expire_lapsed(batch=batch, now=timezone.now() + timedelta(days=1))
    while held := claims.claim(batch=batch, by=world.persons["third"]):
        judgements.submit(assignment=held[0], submission=submission(), by=held[0].annotator)
    person.post(address("desk_submit", batch, late), form_data(page))
    late.refresh_from_db()
    assert late.judgements.get().is_surplus

    while "assignment" in (page := person.client.get(address("desk", batch))).context:
        person.post(address("desk_submit", batch, page.context["assignment"]), form_data(page))
    assert "left" in page.context  # the end page
    person.get(address("desk", batch))
    person.get(address("desk_recent", batch))
    train(person, world)
    for other in (world.led_on, *world.labelled, *world.compared):
        judge(person, other)
    own = Judgement.objects.filter(assignment__annotator=bob)
    judged = {each.assignment.item.batch.scheme for each in own}
    assert judged == set(schemes.names()), (judged, schemes.names())
    others(person, world, bob.pk)


def judge(person: Crawler, batch: Batch) -> None:
    """An item, part by part without a script, sent again, taken back, and by the script's requests."""
    person.get(address("desk_guidelines", batch))
    person.post(address("desk_guidelines", batch))
    page = open_desk(person.client, batch)
    person.get(address("desk", batch))
    held = page.context["assignment"]
    submit = address("desk_submit", batch, held)
    sent = hidden_fields(page)
    assert person.post(submit, sent).status == 400
    said = something_whole(held)
    if schemes.get(batch.scheme).first_part(said, held.item.payload) is not None:
        first = first_part(said)
        assert person.post(submit, sent | first).status == 200
    assert person.post(submit, sent | said | {"part": "2"}).status == 302
    person.get(address("desk", batch))
    person.get(address("desk_recent", batch))
    person.post(address("desk_take_back", batch, held))
    person.get(address("desk", batch))
    person.send(address("desk_feed", batch), {"wanted": 1})
    again = {"client_id": "again", "shown_at": sent["shown_at"], "part": "2"}
    assert person.post(submit, again | said).status == 302
    person.get(address("desk", batch))


def train(person: Crawler, world: World) -> None:
    """The first item of a training: what was expected of it is told once it is judged, by either way."""
    batch = world.training
    (told,) = [
        each.word for each in world.secrets.all if each.kind == "explanation" and each.about == TOLD
    ]
    person.get(address("desk_guidelines", batch))
    person.post(address("desk_guidelines", batch))
    page = open_desk(person.client, batch)
    held = page.context["assignment"]
    person.get(address("desk", batch))
    person.get(f"{address('desk', batch)}?judged={held.public_id}")
    person.send(address("desk_feed", batch), {"wanted": 2})
    assert not [reply for reply in person.replies if told in reply.sent]
    sent = form_data(page, client_id="trained")
    assert person.post(address("desk_submit", batch, held), sent).status == 302
    assert told in person.get(f"{address('desk', batch)}?judged={held.public_id}").sent
    again = {
        "assignment": str(held.public_id),
        "client_id": sent["client_id"],
        "response": {batch.scheme: sent[batch.scheme]},
        "comment": "",
        "shown_at": sent["shown_at"],
        "active_seconds": 1.0,
    }
    assert told in person.send(address("desk_feed", batch), {"submissions": [again]}).sent
    person.post(address("desk_take_back", batch, held))
    person.get(address("desk_recent", batch))
    person.get(address("desk", batch))


def others(person: Crawler, world: World, own: int) -> None:
    """What was handed to other people, with forms that would be taken of them."""
    theirs = Assignment.objects.exclude(annotator=own).select_related("item__batch__study")
    for held in theirs.order_by("pk"):
        batch = held.item.batch
        person.get(f"{address('desk', batch)}?item={held.public_id}")
        sent = {"client_id": "x", "shown_at": "2026-03-02T09:00:00Z", batch.scheme: "plausible"}
        assert person.post(address("desk_submit", batch, held), sent).status == 403
        for name in ("desk_skip", "desk_flag", "desk_take_back"):
            said = {"reason": "mine", "message": "mine"}
            assert person.post(address(name, batch, held), said).status == 403
