"""What people agree to: accounts/actions/consent.py."""

import pytest
from django.db import IntegrityError, transaction

from accounts.actions import consent, members, studies
from accounts.actions.consent import ConsentChangedError
from accounts.models import Consent, ConsentText, Membership, Role

TEXT = "We keep what you judge for ten years."


@pytest.fixture
def study_with_consent(study):
    study.consent = TEXT
    study.save(update_fields=["consent"])
    return study


def agree(study, person):
    return consent.agree(study=study, text_sha256=consent.sha256(study.consent), by=person)


def test_a_study_without_a_text_asks_for_nothing(study, bob):
    assert not consent.is_needed(bob, study)
    assert agree(study, bob) is None
    assert not Consent.objects.exists()


def test_consent_is_needed_until_it_is_given(study_with_consent, bob, dora):
    assert consent.is_needed(bob, study_with_consent)

    agree(study_with_consent, bob)

    assert not consent.is_needed(bob, study_with_consent)
    assert consent.is_needed(dora, study_with_consent)


def test_the_wording_is_kept_with_the_time(study_with_consent, bob):
    agree(study_with_consent, bob)

    given = consent.current_consent(bob, study_with_consent)
    assert (given.text.text, given.text.sha256) == (TEXT, consent.sha256(TEXT))
    assert given.consented_at is not None


def test_a_changed_text_is_asked_for_again_and_the_old_consent_stays(study_with_consent, bob):
    agree(study_with_consent, bob)
    study_with_consent.consent = "We keep it for ever."
    study_with_consent.save(update_fields=["consent"])

    assert consent.is_needed(bob, study_with_consent)
    agree(study_with_consent, bob)

    assert [each.text.text for each in Consent.objects.all()] == [TEXT, "We keep it for ever."]


def test_a_text_that_comes_back_was_agreed_to_already(study_with_consent, bob):
    agree(study_with_consent, bob)
    study_with_consent.consent = "Another"
    assert consent.is_needed(bob, study_with_consent)

    study_with_consent.consent = TEXT
    assert not consent.is_needed(bob, study_with_consent)


def test_nobody_agrees_to_what_they_have_not_read(study_with_consent, bob):
    with pytest.raises(ConsentChangedError):
        consent.agree(study=study_with_consent, text_sha256=consent.sha256("An older text"), by=bob)

    assert not Consent.objects.exists()


def test_agreeing_twice_is_agreeing_once(study_with_consent, bob, dora):
    for person in (bob, bob, dora):
        agree(study_with_consent, person)

    assert Consent.objects.count() == 2
    assert ConsentText.objects.count() == 1


def test_a_consent_is_for_one_study(study_with_consent, bob, alice):
    second = studies.create_study(slug="lamps", title="Lamps", requester=alice)
    second.consent = TEXT
    second.save(update_fields=["consent"])
    members.add(study=second, user=bob, roles=[Role.ANNOTATOR], by=alice)

    agree(study_with_consent, bob)

    assert consent.is_needed(bob, second)


def test_an_outsider_agrees_to_nothing(study_with_consent, mallory):
    assert consent.is_needed(mallory, study_with_consent)
    with pytest.raises(Membership.DoesNotExist):
        agree(study_with_consent, mallory)


def test_it_is_asked_for_with_one_query(study_with_consent, bob, django_assert_num_queries):
    with django_assert_num_queries(1):
        consent.is_needed(bob, study_with_consent)


@pytest.mark.database
def test_a_wording_is_kept_once_and_agreed_to_once(study_with_consent, bob):
    given = agree(study_with_consent, bob)

    with pytest.raises(IntegrityError), transaction.atomic():
        Consent.objects.create(membership=given.membership, text=given.text)
    with pytest.raises(IntegrityError), transaction.atomic():
        ConsentText.objects.create(study=study_with_consent, sha256=given.text.sha256, text=TEXT)
