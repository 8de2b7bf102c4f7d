"""A study in which nothing was imported can be deleted, and no other."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actions import invitations, members, studies
from accounts.actions.studies import DeletedStudyNameError
from accounts.models import Role, Study, User
from accounts.permissions import NotAllowedError
from annotation.actions import checks, study_copies
from annotation.models import ComprehensionCheck
from audit import wording
from audit.models import Event
from exports.deletions.actions import DeletionError, delete_study
from jobs.actions import jobs
from jobs.models import Job
from tests.commands.command_calls import StudyCommands
from tests.factories import BatchFactory, DatasetFactory, UserFactory
from tests.jobs.clients import client_of


@pytest.fixture
def root(db) -> User:
    return UserFactory(username="root", is_superuser=True)


@pytest.fixture
def empty(alice, mallory) -> Study:
    """A study with a second member, an invitation and nothing else."""
    study = studies.create_study(slug="empty", title="Nothing yet", requester=alice)
    members.add_member(study=study, user=mallory, roles=[Role.ANNOTATOR], by=alice)
    invitations.invite(
        study=study,
        role=Role.ANNOTATOR,
        n_most=1,
        expires_at=timezone.now() + timedelta(days=1),
        note="",
        by=alice,
    )
    return study


def delete(study, by=None):
    delete_study(study=study, by=by or study.created_by)


def test_an_empty_study_is_deleted_with_its_people_and_invitations(empty):
    delete(empty)

    assert not Study.objects.filter(slug="empty").exists()


def test_a_copy_without_data_is_deleted_with_its_guidelines_and_settings(study, alice):
    BatchFactory(pool__dataset=DatasetFactory(study=study))
    copy = study_copies.copy_study(study=study, slug="copy", title="Copy", by=alice)
    assert copy.guidelines.exists()
    assert copy.batch_presets.exists()

    delete(copy)

    assert not Study.objects.filter(slug="copy").exists()


def test_the_history_of_the_installation_keeps_that_it_was_there(empty, root):
    delete(empty)

    event = Event.objects.get(verb="deleted")
    assert (event.study, event.target, event.actor) == ("", "study empty", "alice")
    assert wording.summary("deleted", event.details) == f"it had the id {event.details['id']}"
    assert "deleted study empty" in client_of(root).get(reverse("house_history")).text
    assert Event.objects.filter(study="empty", verb="created").exists()


def test_no_other_study_gets_its_short_name_and_history(empty, mallory, root):
    delete(empty)

    with pytest.raises(DeletedStudyNameError, match="a study empty was deleted, and its history"):
        studies.create_study(slug="empty", title="Another", requester=mallory)
    page = client_of(root).post(
        reverse("study_new"), {"slug": "empty", "title": "Another", "requester": "root"}
    )
    assert "A study of this short name was deleted: its history keeps the name." in page.text
    assert not Study.objects.filter(slug="empty").exists()


def test_a_study_with_a_data_set_is_not_deleted(empty):
    DatasetFactory(study=empty, name="everyday")

    with pytest.raises(DeletionError, match=r"empty is not empty\. Data sets: everyday@1$"):
        delete(empty)


def test_a_study_in_which_a_job_is_at_work_is_not_deleted(empty, alice):
    job = Job.objects.create(study=empty, kind="import_dataset", key="k", created_by=alice)
    with pytest.raises(DeletionError, match=f"The job {job.pk} "):
        delete(empty)

    jobs.cancel(job=job, by=alice)
    delete(empty)


def test_nobody_but_a_requester_deletes_it(empty, mallory, root):
    for person in (mallory, root):
        with pytest.raises(NotAllowedError):
            delete(empty, by=person)


def test_the_page_says_what_goes_and_deletes_it(empty, alice):
    client, address = client_of(alice), reverse("study_delete", args=["empty"])
    assert address in client.get(reverse("study_settings", args=["empty"])).text

    page = client.get(address).text
    assert "Members who lose their roles: mallory." in page
    assert "Deleted with it: invitations (1)." in page
    assert "You are requester of no other study" in page

    assert "The study “Nothing yet” is deleted." in client.post(address, follow=True).text


def test_the_page_names_what_is_in_a_study(study, alice):
    DatasetFactory(study=study, name="everyday")
    client, address = client_of(alice), reverse("study_delete", args=[study.slug])

    page = client.get(address).text

    assert "It is not empty, and cannot be deleted. It can be archived." in page
    assert "Delete the study</button>" not in page
    assert "Nothing was deleted: lighthouses is not empty." in (
        client.post(address, follow=True).text
    )


def test_a_command_deletes_it(empty):
    assert StudyCommands("empty").run("delete_study") == {
        "study": "empty",
        "id": empty.pk,
        "deleted": True,
    }


def test_questions_that_a_discarded_draft_left_go_with_the_study(empty, alice):
    check = checks.check_of(empty, "Is it lit?\n(x) yes\n( ) no", alice)

    delete(empty)

    assert not ComprehensionCheck.objects.filter(pk=check.pk).exists()
