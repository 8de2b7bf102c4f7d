"""What people agree to: accounts/actions/consent.py."""

import pytest
from django.db import IntegrityError, transaction

from accounts.actions import consent, members, studies
from accounts.actions.consent import ConsentChangedError
from accounts.models import Consent, ConsentText, Membership, Role

TEXT = "We keep what you judge for ten years."


@pytest.fixture
def asking(study):
    study.consent = TEXT
    study.save(update_fields=["consent"])
    return study


def agree(study, person):
    return consent.agree(study=study, text_sha256=consent.sha256(study.consent), by=person)


def test_a_study_without_a_text_asks_for_nothing(study, bob):
    assert not consent.is_needed(bob, study)
    assert agree(study, bob) is None
    assert not Consent.objects.exists()


def test_consent_is_needed_until_it_is_given(asking, bob, dora):
    assert consent.is_needed(bob, asking)

    agree(asking, bob)

    assert not consent.is_needed(bob, asking)
    assert consent.is_needed(dora, asking)


def test_the_wording_is_kept_with_the_time(asking, bob):
    agree(asking, bob)

    given = consent.current_consent(bob, asking)
    assert (given.text.text, given.text.sha256) == (TEXT, consent.sha256(TEXT))
    assert given.consented_at is not None


def test_a_changed_text_is_asked_for_again_and_the_old_consent_stays(asking, bob):
    agree(asking, bob)
    asking.consent = "We keep it for ever."
    asking.save(update_fields=["consent"])

    assert consent.is_needed(bob, asking)
    agree(asking, bob)

    assert [each.text.text for each in Consent.objects.all()] == [TEXT, "We keep it for ever."]


def test_a_text_that_comes_back_was_agreed_to_already(asking, bob):
    agree(asking, bob)
    asking.consent = "Another"
    assert consent.is_needed(bob, asking)

    asking.consent = TEXT
    assert not consent.is_needed(bob, asking)


def test_nobody_agrees_to_what_they_have_not_read(asking, bob):
    with pytest.raises(ConsentChangedError):
        consent.agree(study=asking, text_sha256=consent.sha256("An older text"), by=bob)

    assert not Consent.objects.exists()


def test_agreeing_twice_is_agreeing_once(asking, bob, dora):
    for person in (bob, bob, dora):
        agree(asking, person)

    assert Consent.objects.count() == 2
    assert ConsentText.objects.count() == 1


def test_a_consent_is_for_one_study(asking, bob, alice):
    second = studies.create_study(slug="lamps", title="Lamps", requester=alice)
    second.consent = TEXT
    second.save(update_fields=["consent"])
    members.add(study=second, user=bob, roles=[Role.ANNOTATOR], by=alice)

    agree(asking, bob)

    assert consent.is_needed(bob, second)


def test_an_outsider_agrees_to_nothing(asking, mallory):
    assert consent.is_needed(mallory, asking)
    with pytest.raises(Membership.DoesNotExist):
        agree(asking, mallory)


def test_it_is_asked_for_with_one_query(asking, bob, django_assert_num_queries):
    with django_assert_num_queries(1):
        consent.is_needed(bob, asking)


@pytest.mark.database
def test_a_wording_is_kept_once_and_agreed_to_once(asking, bob):
    given = agree(asking, bob)

    with pytest.raises(IntegrityError), transaction.atomic():
        Consent.objects.create(membership=given.membership, text=given.text)
    with pytest.raises(IntegrityError), transaction.atomic():
        ConsentText.objects.create(study=asking, sha256=given.text.sha256, text=TEXT)
