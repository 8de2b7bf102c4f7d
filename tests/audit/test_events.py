"""The record of what was done outlives what it speaks of."""

from audit import events
from audit.models import Event
from tests.factories import StudyFactory, UserFactory


def test_record_says_who_did_what_to_what(study, alice):
    events.record(study=study, by=alice, verb="renamed", target=study, old="Lamps")

    event = Event.objects.get(verb="renamed")
    assert (event.study, event.actor, event.target) == ("lighthouses", "alice", "study lighthouses")
    assert event.details == {"old": "Lamps"}
    assert str(event) == "alice renamed study lighthouses"


def test_an_act_outside_any_study_is_recorded_without_one(alice):
    assert events.record(study=None, by=alice, verb="created", target=alice).study == ""


def test_a_target_with_an_endless_name_is_cut_and_does_not_stop_the_act(study, alice):
    class Stone:
        def __str__(self):
            return "x" * 500

    assert len(events.record(study=study, by=alice, verb="cut", target=Stone()).target) == 200


def test_an_event_stays_when_its_study_and_its_actor_are_gone(db):
    study, user = StudyFactory(slug="short-lived"), UserFactory(username="guest")
    events.record(study=study, by=user, verb="looked", target=study)

    study.delete()
    user.delete()

    assert str(Event.objects.get()) == "guest looked study short-lived"


def test_events_come_in_the_order_in_which_they_happened(study, alice):
    verbs = ["opened", "paused", "closed"]
    for verb in verbs:
        events.record(study=study, by=alice, verb=verb, target=study)

    assert [event.verb for event in Event.objects.all()] == ["created", *verbs]
