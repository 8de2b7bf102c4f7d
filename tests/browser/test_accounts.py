"""Coming in by the browser: the first one, people who are invited, forgotten passwords."""

import pytest
from playwright.sync_api import expect

from accounts.actions import first_steps, invitations, members, studies, users
from accounts.models import Role, Study, User
from accounts.permissions import roles
from tests.accounts.invitations import create_invitation
from tests.browser import axe
from tests.browser.conftest import PHONE
from tests.conftest import member
from tests.factories import UserFactory

PASSWORD = "brass-lamp-1811"
HOSTILE = "<img src=x onerror=alert(1)>" + "w" * 150


@pytest.fixture
def study_with_consent(study) -> Study:
    study.description = "Who built them?"
    study.consent = "## Your data\n\nWe keep *what you judge*."
    study.save(update_fields=["description", "consent"])
    return study


def choose_password(page, label="Password"):
    page.get_by_label(label, exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)


def assert_fits(page):
    """On a phone nothing stands beyond the edge."""
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_first_one_makes_themselves_administrator_and_a_study(page, live_server):
    page.goto("/")
    expect(page.get_by_role("heading", name="Welcome to Touchstone")).to_be_visible()
    assert axe.violations(page) == []

    page.goto(f"/first-steps/?token={first_steps.link_token()}")
    page.get_by_label("User name").fill("erin")
    choose_password(page)
    assert axe.violations(page) == []
    page.get_by_role("button", name="Create the account").click()

    page.get_by_role("link", name="New study").click()
    assert axe.violations(page) == []
    page.get_by_label("Title").fill("Lamps")
    page.get_by_label("Short name").fill("lamps")
    page.get_by_role("button", name="Create the study").click()

    page.wait_for_url("**/studies/lamps/")
    assert roles(User.objects.get(username="erin"), Study.objects.get()) == {Role.REQUESTER}


def test_an_invitation_goes_from_the_requester_to_the_work_of_somebody_new(
    page, context, sign_in, study_with_consent, alice
):
    sign_in(alice)
    page.goto(f"/studies/{study_with_consent.slug}/people/")
    page.get_by_role("link", name="Invite people").click()
    assert axe.violations(page) == []
    page.get_by_label("Note").fill(HOSTILE)
    page.get_by_role("button", name="Create the link").click()
    link = page.get_by_label("The link of the new invitation").input_value()
    assert axe.violations(page) == []
    assert_fits(page)

    context.clear_cookies()
    page.goto(link)
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    assert axe.violations(page) == []
    assert_fits(page)
    page.get_by_label("User name").fill("erin")
    choose_password(page)
    page.get_by_label("I have read this and agree.").check()
    page.get_by_role("button", name="Agree and join").click()

    page.wait_for_url("**/work/")
    expect(page.get_by_text("Welcome to Lighthouses: you are annotator.")).to_be_visible()
    assert roles(User.objects.get(username="erin"), study_with_consent) == {Role.ANNOTATOR}


def test_a_link_is_copied_by_its_button(page, context, sign_in, study, alice):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/people/invitations/")
    page.get_by_role("button", name="Create the link").click()

    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_text("Copied.")).to_be_visible()
    link = page.get_by_label("The link of the new invitation").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_a_forgotten_password_is_set_by_a_link_without_a_script(browser, live_server, study, alice):
    bob = users.create_user(name="bob", password="forgotten-1702")
    members.add(study=study, user=bob, roles=[Role.ANNOTATOR], by=alice)
    users.create_user(name="root", password=PASSWORD, is_administrator=True)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/house/")
    page.get_by_label("User name").fill("root")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Password link for bob").click()
    page.get_by_role("button", name="Create the link").click()
    link = page.get_by_label("The link").input_value()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()

    page.goto(link)
    choose_password(page, "New password")
    page.get_by_role("button", name="Set the password").click()

    expect(page.get_by_text("Your password is set, and you are signed in.")).to_be_visible()
    expect(page.get_by_role("link", name="bob")).to_be_visible()
    context.close()


def test_the_pages_of_people_are_in_order(page, sign_in, study_with_consent, alice):
    bob = member(study_with_consent, "bob", Role.ANNOTATOR, by=alice)
    long = member(study_with_consent, "x" * 150, Role.ADJUDICATOR, by=alice)
    elsewhere = studies.create_study(slug="lamps", title="Lamps", requester=long)
    members.add(study=elsewhere, user=long, roles=[Role.REQUESTER], by=long)
    invitation, _ = create_invitation(study_with_consent, note=HOSTILE)
    first, last = (study_with_consent.memberships.get(user=person).pk for person in (bob, long))
    sign_in(alice)

    for path in (
        "people/",
        "people/?q=nobody",
        f"people/{first}/",
        f"people/{first}/password-link/",
        f"people/{last}/password-link/",
        "people/invitations/",
        f"people/invitations/{invitation.pk}/revoke/",
        "settings/",
        "consent/",
    ):
        page.goto(f"/studies/{study_with_consent.slug}/{path}")
        assert axe.violations(page) == [], path
        assert_fits(page)


def test_the_pages_of_ones_own_are_in_order(page, sign_in, study_with_consent, bob):
    sign_in(bob)

    for path in ("/account/", f"/studies/{study_with_consent.slug}/consent/"):
        page.goto(path)
        assert axe.violations(page) == [], path
        assert_fits(page)


def test_the_administrators_pages_are_in_order(page, sign_in, study_with_consent):
    root = UserFactory(username="root", is_superuser=True)
    UserFactory(username="x" * 150)
    Study.objects.update(title="w" * 200)
    sign_in(root)

    for path in (
        "/house/",
        "/house/?users_kind=simulated&studies_q=nothing",
        "/house/users/new/",
        f"/house/users/{root.pk}/password-link/",
        f"/house/studies/{study_with_consent.slug}/",
        "/studies/new/",
    ):
        page.goto(path)
        assert axe.violations(page) == [], path
        assert_fits(page)


def test_the_pages_that_say_no_are_in_order(context, settings, study, alice):
    settings.AXES_ENABLED = True
    invitation, token = create_invitation(study)
    invitations.revoke(invitation=invitation, by=alice)
    # Not the page of the other tests: a browser reports the status of these pages as an error.
    page = context.new_page()

    for path, said in (
        (f"/join/{token}/", "This invitation cannot be used"),
        ("/password/nonsense/", "This link does not work any more"),
    ):
        page.goto(path)
        expect(page.get_by_role("heading", name=said)).to_be_visible()
        assert axe.violations(page) == [], path

    page.goto("/sign-in/")
    assert axe.violations(page) == []
    for number in range(5):
        page.get_by_label("User name").fill("alice")
        page.get_by_label("Password").fill(f"wrong {number}")
        page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("in 15 minutes")).to_be_visible()
    assert axe.violations(page) == []
