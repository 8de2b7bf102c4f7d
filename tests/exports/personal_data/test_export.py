"""The file of what is kept about a person: whole, theirs alone, and as blind as the pages."""

import io
import json

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.urls import reverse

from accounts.actions import consent, members, sign_ins, studies, tokens
from accounts.models import Role, User
from annotation.actions import (
    adjudicator_preferences,
    batches,
    claims,
    flags,
    judgements,
    messages,
    notices,
    pauses,
    reviews,
)
from annotation.actions.settlement import settle
from annotation.models import Batch, SourcesShown
from exports.models import Erratum, Release
from exports.personal_data import actions, document
from tests.accounts.background import ask, say
from tests.accounts.phones import Phone
from tests.annotation.desk import judge
from tests.commands.command_calls import command_error, run_command
from tests.factories import BatchFactory, DatasetFactory, ItemFactory
from tests.jobs.clients import client_of


@pytest.fixture
def batch(study) -> Batch:
    return BatchFactory(
        name="everyday",
        pool__dataset=DatasetFactory(study=study),
        reward="0.5",
        currency="EUR",
    )


def exported(person: User) -> dict:
    file = io.BytesIO()
    actions.write(user=person, file=file)
    return json.loads(file.getvalue())


@pytest.mark.database
def test_what_an_annotator_said_was_told_and_agreed_to_is_in_it(study, alice, bob, batch):
    studies.describe_study(study=study, by=alice, consent="I take part.")
    consent.agree(study=study, text_sha256=consent.sha256("I take part."), by=bob)
    say(ask(study), bob, "Often", "At home")
    ItemFactory(batch=batch)
    made = judge(batch, bob)
    flag = judgements.flag(assignment=made.assignment, message="It is cut off.", by=bob)
    flags.answer(flag=flag, text="It is whole now.", by=alice)
    pauses.pause(batch=batch, annotator=bob, reason="kept among organisers", by=alice)

    said = exported(bob)

    assert said["format"] == "touchstone-personal-data-1"
    assert said["account"]["user_name"] == "bob"
    (one,) = said["studies"]
    assert (one["study"], one["pseudonym"]) == (
        "lighthouses",
        study.memberships.get(user=bob).pseudonym,
    )
    assert [each["role"] for each in one["roles"]] == ["annotator"]
    assert [each["text"] for each in said["consents"]] == ["I take part."]
    assert [(each["question"], each["answer"]) for each in said["background_answers"]] == [
        ("Do you sail?", "Often"),
        ("Where did you learn it?", "At home"),
    ]
    (item,) = said["items"]
    (judgement,) = item["judgements"]
    assert judgement["response"] == made.response
    assert item["question"] == made.assignment.item.payload["question"]
    assert item["flags"][0]["message"] == "It is cut off."
    assert item["flags"][0]["answers"][0]["text"] == "It is whole now."
    (work,) = said["batches"]
    assert (work["n_judged"], work["earned"], work["currency"]) == (1, "0.5000", "EUR")
    assert work["is_paused_for_you"]
    assert [each["is_paused"] for each in said["pauses"]] == [True]


def test_messages_notices_and_refused_pay_are_in_the_file(study, alice, bob, batch):
    ItemFactory(batch=batch)
    judgement = judge(batch, bob)
    asked = messages.send(study=study, batch=batch, text="When is it paid?", by=bob)
    messages.answer(message=asked, text="On Friday.", by=alice)
    notices.dismiss(notice=notices.write(batch=batch, text="A holiday.", by=alice), by=bob)
    review = reviews.review(
        judgement=judgement,
        is_paid=False,
        paid_code="random answers",
        paid_reason="",
        is_counted=True,
        counted_code="good",
        counted_reason="",
        by=alice,
    )
    messages.reply_to_refusal(refusal=review.act, text="I read it.", by=bob)

    of_bob, of_alice = exported(bob), exported(alice)

    assert [each["text"] for each in of_bob["messages"]] == ["When is it paid?", "I read it."]
    assert of_bob["messages"][0]["answers"][0]["text"] == "On Friday."
    assert of_bob["messages"][1]["replies_to_refusal_of"]
    assert [each["text"] for each in of_bob["notices_dismissed"]] == ["A holiday."]
    (refused,) = of_bob["refused_pay"]
    assert refused["reasons"] == {"answers were given without reading": 1}
    assert [each["text"] for each in of_alice["answers_to_messages"]] == ["On Friday."]
    assert [each["text"] for each in of_alice["notices"]] == ["A holiday."]


def test_what_was_skipped_taken_back_or_only_handed_is_in_it(study, bob, batch):
    for _ in range(3):
        ItemFactory(batch=batch)
    taken_back = judge(batch, bob)
    judgements.take_back(judgement=taken_back, by=bob)
    *_, skipped = claims.claim(batch=batch, by=bob, n=2)
    judgements.skip(assignment=skipped, choice="Wrong language", reason="not my language", by=bob)
    claims.claim(batch=batch, by=bob, n=2)

    items = exported(bob)["items"]

    assert sorted(each["state"] for each in items) == ["claimed", "claimed", "skipped"]
    assert [each["skip_choice"] for each in items if each["skip_choice"]] == ["Wrong language"]
    assert [each["skip_reason"] for each in items if each["skip_reason"]] == ["not my language"]
    assert [each["taken_back_at"] is not None for item in items for each in item["judgements"]] == [
        True
    ]
    assert sum("question" in each for each in items) == 2  # the third was never looked at


def test_no_secret_of_the_account_and_nobody_else_is_in_it(study, alice, bob, dora, batch):
    alice.set_password("brass-lamp-1811")
    alice.save()
    _, secret = tokens.make(name="nightly", days=9, by=alice)
    client_of(alice)
    ItemFactory(batch=batch)
    for person in (bob, dora):
        judge(batch, person)

    of_alice, of_bob = (json.dumps(exported(each)) for each in (alice, bob))

    assert "nightly" in of_alice
    assert json.loads(of_alice)["sessions"][0]["ends_at"]
    for kept in (secret, tokens.sha256(secret), alice.password):
        assert kept not in of_alice
    for name in ("alice", "dora"):
        assert name not in of_bob


def test_what_an_organiser_decided_and_wrote_is_in_it(study, alice, bob, dora, carol, batch):
    item = ItemFactory(batch=batch)
    first = judge(batch, bob, label="plausible")
    judge(batch, dora, label="implausible")
    why = {"paid_reason": "done with care", "counted_reason": "done with care"}
    reviews.review(judgement=first, is_paid=True, is_counted=True, **why, by=carol)
    batches.close(batch=batch, by=alice)
    settle(batch=batch, rule="unanimous", by=alice)
    reviews.adjudicate(item=item, label="plausible", reason="The guild is meant.", by=carol)

    said = exported(carol)

    assert {each["kind"]: each["text"] for each in said["decisions"]} == {
        "adjudication": "The guild is meant.",
        "review": "done with care; done with care",
    }
    assert [each["act"] for each in said["acts"]] == ["reviewed", "adjudicated"]
    assert "bob" not in json.dumps(said)


def test_an_erratum_is_in_the_file_of_who_noted_it_and_of_nobody_else(study, alice, carol):
    made = Release.objects.create(
        study=study,
        dataset=DatasetFactory(study=study),
        number=3,
        is_rehearsal=False,
        manifest={},
        created_by=carol,
    )
    about = {"answer_id": "1_1:00", "answer": "A stone.", "reason": "The wrong year."}
    Erratum.objects.create(release=made, noted_by=alice, **about)

    (found,) = [each for each in exported(alice)["decisions"] if each["kind"] == "erratum"]

    assert found == {
        "kind": "erratum",
        "study": "lighthouses",
        "release": 3,
        "answer_id": "1_1:00",
        "at": found["at"],
        "text": "The wrong year.",
    }
    assert "The wrong year." not in json.dumps(exported(carol))


def test_what_an_adjudicator_was_shown_and_wishes_not_to_be_shown_is_in_it(carol, batch):
    SourcesShown.objects.create(batch=batch, shown_to=carol)
    adjudicator_preferences.hide_votes(hides=True, by=carol)

    said = exported(carol)

    assert [each["batch"] for each in said["runs_shown"]] == ["everyday"]
    assert said["hides_labels_before_deciding"]


def test_the_details_of_an_act_are_for_who_may_read_the_history(study, alice, carol):
    members.add_member(study=study, user=carol, roles=[Role.REQUESTER], by=alice)
    studies.describe_study(study=study, by=alice, title="Beacons")
    assert exported(alice)["acts"][-1]["details"]["after"] == {"title": "Beacons"}

    membership = study.memberships.get(user=alice)
    members.change_roles(membership=membership, roles=[Role.ANNOTATOR], by=carol)

    acts = exported(alice)["acts"]
    assert acts[-1]["act"] == "described"
    assert all(each.keys() == {"at", "study", "act"} for each in acts if each["study"])
    assert [each["act"] for each in exported(alice)["acts_about_you"]] == ["granted", "took back"]


def test_failed_sign_ins_are_in_it_with_their_network_only_for_they_may_be_somebody_else_s(
    study, bob
):
    AccessAttempt.objects.create(
        username="bob", ip_address="192.0.2.1", user_agent="Firefox", failures_since_start=3
    )

    (failed,) = exported(bob)["failed_sign_ins"]

    assert failed.keys() == {"at", "address", "n_failures"}
    assert (failed["address"], failed["n_failures"]) == ("192.0.2.0/24", 3)


def test_sign_ins_are_in_it_with_their_addresses_once(study, bob):
    sign_ins.record(by=bob, address="192.0.2.7")
    sign_ins.record_failure(name="bob", address="198.51.100.7")

    said = exported(bob)

    assert [each["act"] for each in said["sign_ins"]] == ["failed to sign in as", "signed in"]
    assert all(each["address"] for each in said["sign_ins"])
    assert said["acts"] == said["acts_about_you"] == []


# How each table that refers to a user is in the file: its section, or the act that says it. A table
# that is added is added here, and to the sections in exports/personal_data/, or it is said why not.
SECTIONS = {
    "accounts.ApiToken.user": "api_tokens",
    "accounts.SecondFactor.user": "second_factor",
    "accounts.Invitation.created_by": "invitations",
    "accounts.Membership.user": "studies",
    "annotation.Adjudication.adjudicated_by": "decisions",
    "annotation.Assignment.annotator": "items",
    "annotation.CheckAttempt.taken_by": "checks_of_guidelines",
    "annotation.Cursor.annotator": "batches",
    "annotation.Exclusion.excluded_by": "decisions",
    "annotation.FlagAnswer.answered_by": "decisions",
    "annotation.GuidelineReading.read_by": "guidelines_read",
    "annotation.Message.sent_by": "messages",
    "annotation.MessageAnswer.answered_by": "answers_to_messages",
    "annotation.Note.noted_by": "decisions",
    "annotation.Notice.written_by": "notices",
    "annotation.NoticeDismissal.dismissed_by": "notices_dismissed",
    "annotation.Pause.annotator": "pauses",
    "annotation.Review.reviewed_by": "decisions",
    "annotation.Standing.user": "qualifications",
    "annotation.Reservation.annotator": "reservations",
    "annotation.SecondAdjudication.adjudicated_by": "decisions",
    "annotation.SourcesShown.shown_to": "runs_shown",
    "annotation.AdjudicatorPreference.adjudicator": "hides_labels_before_deciding",
    "annotation.UnclearMark.marked_by": "decisions",
    "annotation.Withdrawal.withdrawn_by": "items",
    "exports.Erratum.noted_by": "decisions",
    "exports.PrecisionJudgement.judged_by": "decisions",
}
ACTS = {
    "accounts.Invitation.revoked_by": "revoked",
    "accounts.Membership.added_by": "granted",
    "accounts.RoleGrant.granted_by": "granted",
    "accounts.Study.created_by": "created",
    "annotation.AnalysisPlan.frozen_by": "froze the plan of",
    "annotation.Batch.closed_by": "closed",
    "annotation.BatchWithdrawal.withdrawn_by": "withdrew",
    "annotation.Batch.created_by": "created",
    "annotation.ComprehensionCheck.created_by": "created",
    "annotation.ExtraRound.asked_by": "asked for more",
    "annotation.Guideline.created_by": "created",
    "annotation.GuidelineVersion.created_by": "changed the guideline of",
    "annotation.Key.created_by": "added controls",
    "annotation.Message.read_by": "read",
    "annotation.Pause.paused_by": "paused an annotator of",
    "annotation.Qualification.created_by": "created",
    "annotation.Retraction.retracted_by": "took back",
    "annotation.ReviewAct.reviewed_by": "reviewed in bulk",
    "annotation.SecondDraw.drawn_by": "drew second looks",
    "annotation.Standing.by": "granted",
    "annotation.Reservation.reserved_by": "reserved items of",
    "annotation.Reservation.ended_by": "released items of",
    "annotation.Verdict.decided_by": "settled",
    "corpus.Dataset.created_by": "imported",
    "corpus.Run.created_by": "imported",
    "corpus.RunChange.changed_by": "changed the description of",
    "corpus.RunWithdrawal.withdrawn_by": "withdrew",
    "exports.PrecisionAudit.drawn_by": "drew",
    "exports.PrimaryComparison.named_by": "named the primary comparison",
    "exports.Release.created_by": "released",
    "exports.ReleaseWithdrawal.withdrawn_by": "withdrew",
    "jobs.Job.created_by": "started",
    "sampling.Pool.created_by": "drew",
    "sampling.PoolWithdrawal.withdrawn_by": "withdrew",
    "corpus.DatasetWithdrawal.withdrawn_by": "withdrew",
    "accounts.Study.archived_by": "archived",
}
# Django's own, of which nothing is used.
UNUSED = {"accounts.User_groups.user", "accounts.User_user_permissions.user"}


def test_every_table_that_refers_to_a_user_is_in_the_file(study, alice):
    referring = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if field.related_model is User
    }

    assert referring == {*SECTIONS, *ACTS, *UNUSED}
    assert set(SECTIONS.values()) | {"acts"} <= exported(alice).keys()


# Its bytes


def test_entries_are_written_one_by_one_as_they_are_read():
    class Written(io.BytesIO):
        pass

    file, seen = Written(), []

    def entries():
        for number in range(3):
            seen.append(file.getvalue().count(b"\n"))
            yield {"number": number}

    document.write(file, {"format": "f", "items": entries(), "none": iter(())})

    assert seen == [2, 3, 4]
    assert json.loads(file.getvalue()) == {
        "format": "f",
        "items": [{"number": 0}, {"number": 1}, {"number": 2}],
        "none": [],
    }


# The page


def test_everybody_downloads_what_is_kept_about_them_and_nobody_else_s(study, bob, dora, batch):
    page = client_of(bob).get(reverse("account")).content.decode()
    reply = client_of(bob).get(reverse("own_data"))

    assert f'href="{reverse("own_data")}"' in page
    assert reply["Content-Type"] == "application/json"
    assert 'filename="touchstone-my-data.json"' in reply["Content-Disposition"]
    assert json.loads(reply.getvalue())["account"]["user_name"] == "bob"


# The command


def test_an_administrator_writes_the_same_into_a_file(study, bob, tmp_path):
    path = tmp_path / "bob.json"

    said = run_command("export_user", "bob", path)

    assert said == {"user": "bob", "file": str(path), "bytes": path.stat().st_size}
    assert json.loads(path.read_text())["account"] == exported(bob)["account"]
    assert command_error("export_user", "bob", path) == f"there is a file {path} already"


def test_a_file_that_cannot_be_written_whole_is_not_left(study, bob, tmp_path, monkeypatch):
    path = tmp_path / "bob.json"

    def disk_is_full(file, sections):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(document, "write", disk_is_full)

    assert "(No space left on device)" in command_error("export_user", "bob", path)
    assert not path.exists()
    missing = tmp_path / "nowhere" / "bob.json"
    assert "cannot be written (No such file" in command_error("export_user", "bob", missing)


def test_the_page_gives_nothing_of_a_study_whose_second_factor_one_lacks(study, alice):
    study.requires_second_factor = True
    study.save()
    client = client_of(alice)

    refused = client.get(reverse("own_data"))

    assert refused.status_code == 403
    assert "The study Lighthouses requires a second factor" in refused.content.decode()
    Phone(alice)
    given = client_of(User.objects.get(pk=alice.pk)).get(reverse("own_data"))
    assert json.loads(given.getvalue())


def test_the_page_gives_annotators_theirs_whatever_the_study_requires_of_others(study, bob):
    study.requires_second_factor = True
    study.save()

    assert json.loads(client_of(bob).get(reverse("own_data")).getvalue())
