"""What is promised of an archived study: annotation/actions/archived_studies.py."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.actions import invitations, members, studies
from accounts.actions.invitations import InvitationEndedError
from accounts.models import Role, Study
from accounts.permissions import ArchivedError, NotAllowedError
from annotation.actions import archived_studies, batches, claims
from annotation.actions.archived_studies import ArchiveError
from annotation.views.desk import my_work
from audit.models import Event
from jobs.actions import jobs
from tests.annotation.pools import launched, pool_of
from tests.commands.command_calls import StudyCommands
from tests.factories import UserFactory
from tests.jobs.clients import client_of


def archive(study, by=None):
    return archived_studies.archive(study=study, by=by or study.created_by)


def bring_back(study):
    return archived_studies.bring_back(study=study, by=study.created_by)


@pytest.fixture
def closed(study):
    """A batch that was closed, with all of its items open still."""
    batch = launched(pool_of(study))
    return batches.close(batch=batch, by=study.created_by)


def test_an_archived_study_says_since_when_and_by_whom_and_has_an_event(study, alice):
    archived = archive(study)

    assert archived.is_archived
    assert archived.archived_by == alice
    bring_back(study)
    archived.refresh_from_db()
    assert not archived.is_archived
    verbs = Event.objects.filter(target=f"study {study}").order_by("pk")
    assert [each.verb for each in verbs][-2:] == ["archived", "brought back"]


def test_no_action_changes_an_archived_study(study, alice):
    pool = pool_of(study)
    archive(study)

    with pytest.raises(ArchivedError, match="the study lighthouses is archived"):
        launched(pool)
    with pytest.raises(ArchivedError):
        studies.describe_study(study=study, by=alice, title="Other")
    with pytest.raises(ArchivedError):
        members.add_member(study=study, user=UserFactory(), roles=[Role.ANNOTATOR], by=alice)
    with pytest.raises(ArchivedError):
        jobs.start(study=study, kind="score", key="x", params={}, by=alice)
    assert not study.batches.exists()


def test_what_was_read_before_the_study_was_archived_does_not_help(study, alice):
    before = Study.objects.get(pk=study.pk)
    archive(study)

    with pytest.raises(ArchivedError):
        studies.describe_study(study=before, by=alice, title="Other")


def test_nobody_judges_in_an_archived_study(closed, bob):
    archive(closed.study)
    closed.study.refresh_from_db()

    with pytest.raises(ArchivedError):
        claims.claim(batch=closed, by=bob)


def test_nobody_joins_an_archived_study(study, alice, mallory):
    _, token = invitations.invite(
        study=study,
        role=Role.ANNOTATOR,
        n_most=1,
        expires_at=timezone.now() + timedelta(days=1),
        note="",
        by=alice,
    )
    archive(study)

    with pytest.raises(InvitationEndedError, match="is archived: nobody can join"):
        invitations.join(token=token, consent_sha256="", by=mallory)


def test_a_study_with_an_open_or_paused_batch_is_not_archived_and_names_it(study, alice):
    first = launched(pool_of(study), name="first")
    second = launched(pool_of(study, key="8"), name="second")
    batches.pause(batch=second, by=alice)

    with pytest.raises(ArchiveError, match="close “first”, “second” first"):
        archive(study)

    for batch in (first, second):
        batches.close(batch=batch, by=alice)
    assert archive(study).is_archived


def test_a_study_in_which_somebody_holds_an_item_is_not_archived(study, alice, bob):
    batch = launched(pool_of(study))
    claims.claim(batch=batch, by=bob)
    batches.close(batch=batch, by=alice)

    with pytest.raises(ArchiveError, match="a claim is still open, until"):
        archive(study)


def test_a_study_with_a_job_at_work_is_not_archived(study, alice):
    job = jobs.start(study=study, kind="score", key="x", params={}, by=alice)

    with pytest.raises(ArchiveError, match=f"wait for the job {job.pk} "):
        archive(study)


def test_only_a_requester_archives_a_study_and_brings_it_back(study, bob):
    with pytest.raises(NotAllowedError):
        archive(study, by=bob)
    archive(study)
    with pytest.raises(NotAllowedError):
        archived_studies.bring_back(study=study, by=bob)


def test_a_study_is_archived_once(study):
    archive(study)
    with pytest.raises(ArchiveError, match="archived already"):
        archive(study)
    bring_back(study)
    with pytest.raises(ArchiveError, match="is not archived"):
        bring_back(study)


def test_the_database_keeps_that_somebody_archived_it(study):
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(archived_at=timezone.now())


# Commands


def test_commands_refuse_to_change_an_archived_study_and_say_why(study, closed, bob):
    commands = StudyCommands(study.slug)
    assert commands.run("archive_study") == {"study": "lighthouses", "is_archived": True}

    error = commands.error("add_member", "bob", "--role", "annotator")
    assert "the study lighthouses is archived, so nothing in it can be changed" in error
    assert "grant the role" not in commands.error("ask_more", "--batch", closed, "--judgements", 4)

    assert commands.run("bring_back_study")["is_archived"] is False


# Pages


def test_my_work_leaves_an_archived_study_out(closed, bob):
    assert [line.batch for line in my_work.batch_lines(bob)] == [closed]

    archive(closed.study)

    assert my_work.batch_lines(bob) == []


def test_the_home_lists_archived_studies_folded_at_the_end(study, alice):
    studies.create_study(slug="bridges", title="Bridges", requester=alice)
    archive(study)

    page = client_of(alice).get(reverse("home")).content.decode()

    assert "Archived: 1 study" in page
    assert page.index("Bridges") < page.index("<details>") < page.index("Lighthouses")


def test_every_page_of_an_archived_study_says_so(study, alice):
    client, page = client_of(alice), reverse("datasets", args=[study.slug])
    assert "This study is archived" not in client.get(page).content.decode()

    archive(study)

    said = client.get(page).content.decode()
    assert "This study is archived since" in said
    assert reverse("study_bring_back", args=[study.slug]) in said


def test_a_study_is_archived_and_brought_back_by_its_pages(study, alice):
    client, where = client_of(alice), [study.slug]
    settings = client.get(reverse("study_settings", args=where)).content.decode()
    assert reverse("study_archive", args=where) in settings

    asked = client.get(reverse("study_archive", args=where)).content.decode()
    assert "Archive “Lighthouses”?" in asked
    client.post(reverse("study_archive", args=where))
    study.refresh_from_db()
    assert study.is_archived
    refused = client.post(reverse("study_settings", args=where), {"title": "Other"})
    assert refused.status_code == 403
    assert "is archived, so nothing in it can be changed" in refused.content.decode()

    client.post(reverse("study_bring_back", args=where))
    study.refresh_from_db()
    assert not study.is_archived


def test_the_page_says_what_is_closed_first(study, alice):
    launched(pool_of(study), name="first")

    page = client_of(alice).get(reverse("study_archive", args=[study.slug]), follow=True)

    assert "This study cannot be archived: batches are not closed: close “first” first." in (
        page.content.decode()
    )


def test_the_pages_of_an_archived_study_say_so_and_offer_what_it_still_takes(study, alice):
    client = client_of(alice)
    archive(study)

    assert "This study is archived since" in client.get(reverse("people", args=[study.slug])).text
    for address in ("study_bring_back", "study_copy"):
        assert '<form method="post">' in client.get(reverse(address, args=[study.slug])).text


def test_the_lists_of_an_archived_study_offer_no_import_and_no_draw(study, alice):
    pool_of(study)
    client = client_of(alice)
    offered = {
        "datasets": "dataset_import",
        "runs": "run_import",
        "pools": "pool_new",
        "batches": "batch_new",
        "releases": "release_new",
        "study": "dataset_import",
    }

    def links():
        pages = {name: client.get(reverse(name, args=[study.slug])).text for name in offered}
        return {
            name for name in offered if reverse(offered[name], args=[study.slug]) in pages[name]
        }

    assert links() >= {"datasets", "pools", "releases"}
    archive(study)
    assert links() == set()
