"""A withdrawn release keeps its files, says that it is withdrawn, and is compared with no later one."""

import pytest
from django.test import override_settings
from django.urls import reverse

from accounts.actions.withdrawals import WithdrawalError
from accounts.permissions import NotAllowedError
from annotation.actions import withdrawn_batches
from audit import wording
from audit.models import Event
from dashboard.progress import study_progress
from exports.models import ReleaseWithdrawal
from exports.releases.choice import Choice
from exports.releases.queries import changes
from exports.withdrawals import actions, queries
from tests.annotation.pools import launched
from tests.api.programs import Program
from tests.commands.command_calls import StudyCommands
from tests.exports.judged_batches import judge_and_settle, release
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")


@part
def made(plausibility, first_release):
    return plausibility.study.releases.get(number=1)


@part
def second(made, plausibility, bob, dora, folder, releases_folder):
    """A release without the silver answers of the first."""
    judge_and_settle(launched(plausibility.pool, name="again"), bob, dora, label="malformed")
    with override_settings(RELEASES=releases_folder):
        release(plausibility, folder / "second")
    return plausibility.study.releases.get(number=2)


def withdraw(release, by=None):
    return actions.withdraw_release(
        release=release, reason="wrong <labels>", by=by or release.created_by
    )


def bring_back(release):
    return actions.bring_release_back(release=release, reason="no", by=release.created_by)


def where(release):
    return [release.study.slug, release.number]


def test_each_withdrawal_and_return_is_a_row_with_a_reason_and_an_event(made):
    withdraw(made)
    bring_back(made)

    rows = ReleaseWithdrawal.objects.filter(release=made)
    assert [(row.is_withdrawn, row.reason) for row in rows] == [
        (True, "wrong <labels>"),
        (False, "no"),
    ]
    events = list(Event.objects.filter(target="release 1").order_by("pk"))
    assert [wording.action_in_words(each.verb, each.target) for each in events] == [
        "withdrew release 1",
        "brought back release 1",
    ]


def test_the_next_release_is_compared_with_the_newest_that_stands(made, second, plausibility):
    n = plausibility.items.count()
    choice = Choice(plausibility.pool.dataset)
    assert changes(choice).since == 2

    withdraw(second)

    found = changes(choice)
    assert (found.since, found.withdrawn, len(found.of_kind("gone"))) == (1, [2], n)
    page = client_of(made.created_by).get(reverse("release_changes", args=[made.study.slug])).text
    assert f"{n} silver answers fewer than in release 1: {n} no longer accepted." in page
    assert "Release 2 is withdrawn, so this is not compared with it." in page

    bring_back(second)
    withdraw(made)
    assert (changes(choice).since, changes(choice).withdrawn) == (2, [])


def test_where_no_release_stands_it_is_not_called_the_first(made):
    withdraw(made)

    page = client_of(made.created_by).get(reverse("release_changes", args=[made.study.slug])).text

    assert "This is the first release" not in page
    assert "No earlier release stands. This one has 0 gold and 3 silver answers." in page
    assert "Release 1 is withdrawn, so this is not compared with it." in page


def test_the_study_leads_to_a_new_release_where_none_stands(made):
    assert study_progress(made.study).releases == [False]
    withdraw(made)
    assert study_progress(made.study).releases == []


def test_it_is_withdrawn_and_brought_back_by_its_pages(made):
    client = client_of(made.created_by)

    asked = client.get(reverse("release_withdraw", args=where(made))).text
    assert "Withdraw release 1?" in asked
    done = client.post(
        reverse("release_withdraw", args=where(made)), {"reason": "wrong <labels>"}, follow=True
    ).text
    assert "Release 1 is withdrawn." in done
    assert "Withdrawn by <bdi>alice</bdi> on " in done
    assert "wrong &lt;labels&gt;" in done

    listed = client.get(reverse("releases", args=[made.study.slug])).text
    assert '<span class="tag warn">withdrawn</span> <bdi>wrong &lt;labels&gt;</bdi>' in listed
    only = client.get(reverse("releases", args=[made.study.slug]), {"withdrawn": "no"}).text
    assert "No release matches" in only

    client.post(reverse("release_bring_back", args=where(made)), {"reason": "r"})
    assert "Withdrawn by" not in client.get(reverse("release", args=where(made))).text


def test_its_files_stay_as_they_were(made):
    client = client_of(made.created_by)
    address = reverse("release_file", args=[*where(made), "silver.json"])
    before = client.get(address).getvalue()

    withdraw(made)

    assert client.get(address).getvalue() == before
    assert client.get(reverse("release_zip", args=where(made))).getvalue().startswith(b"PK")


def test_the_api_says_when_by_whom_and_why(made):
    address = f"studies/{made.study.slug}/releases/"
    assert Program(made.created_by).get(address).json()["results"][0]["withdrawn"] is None

    withdraw(made)

    for found in (
        Program(made.created_by).get(address).json()["results"][0],
        Program(made.created_by).get(f"{address}1/").json(),
    ):
        assert (found["withdrawn"]["by"], found["withdrawn"]["reason"]) == (
            "alice",
            "wrong <labels>",
        )


def test_commands_withdraw_it_and_bring_it_back(made):
    commands = StudyCommands(made.study.slug)
    named = ("--release", "1", "--reason", "r")

    assert commands.run("withdraw", *named) == {"release": "1", "is_withdrawn": True}
    assert commands.error("withdraw", *named) == "release 1 is withdrawn already"
    assert commands.run("bring_back", *named) == {"release": "1", "is_withdrawn": False}
    assert commands.error("bring_back", *named) == "release 1 is not withdrawn"
    assert "has no release 7" in commands.error("withdraw", "--release", "7", "--reason", "r")


def test_a_withdrawn_release_still_says_what_it_contains_and_that_it_is_withdrawn(
    made, plausibility
):
    withdraw(made)
    withdrawn_batches.withdraw(batch=plausibility, reason="r", by=made.created_by)

    assert queries.rests_on_batch(plausibility)[-1] == (
        "Releases that contain it, which do not change: 1 (withdrawn)."
    )


def test_only_a_requester_withdraws_a_release_and_nobody_twice(made, bob):
    with pytest.raises(NotAllowedError):
        withdraw(made, by=bob)
    withdraw(made)
    with pytest.raises(WithdrawalError, match="release 1 is withdrawn already"):
        withdraw(made)
