"""Qualifications: who is let in and who no longer, by a person or by the rule."""

import pytest
from django.core.exceptions import ValidationError

from accounts.actions import members
from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, drafts, judgements, qualifications
from annotation.actions.batches import BatchError
from annotation.actions.claims import NothingToClaimError
from annotation.actions.judgements import NotEditableError
from annotation.actions.qualifications import QualificationError
from annotation.models import Assignment, Batch, Judgement, Standing
from annotation.queries import standings
from annotation.queries.expected_labels import NotSettledError
from annotation.review_decisions import ReviewError
from audit.models import Event
from stats.qualification import Decision, RuleError
from tests.annotation.desk import assert_counts_match, claim_one, submission, submit
from tests.annotation.pools import launched
from tests.annotation.trust import (
    grant,
    group,
    open_batch,
    qualification,
    revoke,
    settled_batch,
)
from tests.conftest import member
from tests.factories import BatchFactory, UserFactory
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def trusted(study):
    return qualification(study)


@pytest.fixture
def full(study, trusted):
    return open_batch(study, trusted)


# Who claims


def test_a_batch_hands_items_only_to_who_holds_its_qualification(trusted, full, bob, dora):
    grant(trusted, bob)

    assert claim_one(full, bob)
    with pytest.raises(NothingToClaimError, match="dora does not hold the qualification"):
        claim_one(full, dora)
    assert not Assignment.objects.filter(annotator=dora).exists()


def test_a_group_without_a_rule_lets_in_whom_a_person_chose(study, bob, dora):
    first = group(study)
    batch = open_batch(study, first)
    grant(first, dora, reason="speaks Finnish")

    assert claim_one(batch, dora)
    with pytest.raises(NothingToClaimError):
        claim_one(batch, bob)


def test_a_batch_for_everybody_asks_nobody_for_anything(study, trusted, bob):
    assert claim_one(open_batch(study, None), bob)


def test_who_failed_is_not_let_in(trusted, full, bob):
    Standing.objects.create(qualification=trusted, user=bob, state="failed", reason="too few right")

    with pytest.raises(NothingToClaimError):
        claim_one(full, bob)


def test_the_newest_decision_holds(trusted, full, bob):
    grant(trusted, bob)
    revoke(trusted, bob)
    grant(trusted, bob, reason="we talked")

    assert claim_one(full, bob)
    states = Standing.objects.filter(user=bob).values_list("state", flat=True)
    assert list(states) == ["granted", "revoked", "granted"]


def test_a_claim_with_a_qualification_asks_a_dozen_times_as_one_without(
    trusted, full, bob, django_assert_num_queries
):
    grant(trusted, bob)
    submit(claim_one(full, bob))
    batch = Batch.objects.select_related("study").get(pk=full.pk)

    with django_assert_num_queries(12):
        claim_one(batch, bob)


def test_a_submission_with_a_qualification_asks_nine_times_as_one_without(
    trusted, full, bob, django_assert_num_queries
):
    grant(trusted, bob)
    held = claim_one(full, bob)

    with django_assert_num_queries(9):
        judgements.submit(assignment=held, submission=submission(), by=bob)


def test_simulated_people_need_no_qualification_in_a_rehearsal(study, trusted):
    batch = open_batch(study, trusted, is_rehearsal=True)
    simulated = UserFactory(username="sim-1", is_simulated=True)
    members.add(study=study, user=simulated, roles=[Role.ANNOTATOR], by=study.created_by)

    assert claim_one(batch, simulated)


# Revoked in the middle of work


def test_what_a_person_held_goes_back_and_what_they_judged_stays_counted(trusted, full, bob, dora):
    grant(trusted, bob, dora)
    submit(claim_one(full, bob))
    held = claims.claim(batch=full, by=bob, n=2)

    revocation = revoke(trusted, bob)

    assert revocation.n_given_back == 2
    assert_counts_match(full)
    assert full.items.filter(n_counted=1).count() == 1
    states = Assignment.objects.filter(pk__in=[each.pk for each in held])
    assert set(states.values_list("state", flat=True)) == {"expired"}
    assert {each.item for each in claims.claim(batch=full, by=dora, n=3)} >= {
        each.item for each in held
    }


def test_what_they_still_submit_is_kept_and_payable_but_not_counted(trusted, full, bob):
    grant(trusted, bob)
    held = claim_one(full, bob)
    revoke(trusted, bob)

    judgement = submit(held)

    assert judgement.is_surplus
    assert Judgement.objects.filter(assignment__annotator=bob).count() == 1
    assert_counts_match(full)


def test_they_cannot_take_a_judgement_back_any_more(trusted, full, bob):
    grant(trusted, bob)
    judgement = submit(claim_one(full, bob))
    revoke(trusted, bob)

    with pytest.raises(NotEditableError, match="you no longer work on this batch"):
        judgements.take_back(judgement=judgement, by=bob)
    assert_counts_match(full)


def test_claims_in_every_batch_that_asks_for_it_go_back_and_others_stay(study, trusted, full, bob):
    paused = open_batch(study, trusted)
    for_everybody = open_batch(study, None)
    grant(trusted, bob)
    for each in (full, paused, for_everybody):
        claim_one(each, bob)
    batches.pause(batch=paused, by=study.created_by)

    assert revoke(trusted, bob).n_given_back == 2
    claimed = Assignment.objects.claimed().get(annotator=bob)
    assert claimed.item.batch == for_everybody


def test_who_is_granted_again_goes_on_with_what_was_given_back(trusted, full, bob):
    grant(trusted, bob)
    held = claim_one(full, bob)
    revoke(trusted, bob)
    grant(trusted, bob, reason="we talked")

    assert claim_one(full, bob) == held


# Who decides


def test_all_are_granted_or_nobody(trusted, bob, dora, mallory):
    with pytest.raises(QualificationError, match="mallory does not annotate in the study"):
        grant(trusted, bob, mallory)
    with pytest.raises(QualificationError, match="somebody is named twice"):
        grant(trusted, bob, bob)
    assert not Standing.objects.exists()

    grant(trusted, bob, dora)
    with pytest.raises(QualificationError, match="bob holds trusted already"):
        grant(trusted, bob)


def test_organisers_and_simulated_people_hold_none(study, trusted, carol, alice):
    for person in (carol, alice):
        with pytest.raises(QualificationError, match="does not annotate"):
            grant(trusted, person)


def test_nobody_loses_what_they_do_not_hold_and_then_nobody_loses_anything(trusted, bob, dora):
    grant(trusted, bob)

    with pytest.raises(QualificationError, match="dora does not hold trusted"):
        revoke(trusted, bob, dora)
    assert standings.current(trusted)[bob.pk].state == "granted"


def test_it_takes_a_requester_and_a_reason(trusted, bob, carol, alice):
    with pytest.raises(NotAllowedError):
        qualifications.grant(qualification=trusted, people=[bob], reason="x", by=carol)
    with pytest.raises(NotAllowedError):
        qualifications.revoke(qualification=trusted, people=[bob], reason="x", by=bob)
    with pytest.raises(NotAllowedError):
        qualifications.create(study=trusted.study, name="other", rule={}, by=carol)
    with pytest.raises(ReviewError, match="reason"):
        grant(trusted, bob, reason=" ")
    assert not Standing.objects.exists()


def test_each_decision_is_an_event_that_names_the_person(trusted, bob, dora):
    grant(trusted, bob, dora)
    revoke(trusted, bob)

    rows = Event.objects.filter(target="qualification trusted", verb__in=["granted", "revoked"])
    assert [(each.verb, each.details["annotator"]) for each in rows] == [
        ("granted", "bob"),
        ("granted", "dora"),
        ("revoked", "bob"),
    ]


def test_a_qualification_has_a_name_of_its_own_and_a_rule_that_makes_sense(study, trusted, alice):
    with pytest.raises(QualificationError, match="there is a qualification trusted already"):
        qualification(study)
    with pytest.raises(QualificationError, match="accuracy: 2 is not a share"):
        qualification(study, "strict", accuracy=2)
    with pytest.raises(ValidationError):
        group(study, " ")


# The audience of a batch


def test_the_audience_is_set_while_the_batch_is_a_draft_and_frozen_after(study, tmp_path, alice):
    asked = qualification(study)
    pool = draw_pool(create_scored_dataset(study, tmp_path))
    draft = batches.create(
        study=study, name="full", scheme="plausibility", pool=pool, qualification=asked, by=alice
    )
    assert draft.qualification == asked
    changed = {"name": "full", "scheme": "plausibility", "pool": pool, "guideline": ""}
    assert drafts.edit(batch=draft, **changed, qualification=None, by=alice).qualification is None

    batches.launch(batch=draft, by=alice)

    with pytest.raises(BatchError, match="make another batch for another audience"):
        drafts.edit(batch=draft, **changed, qualification=asked, by=alice)


def test_a_qualification_of_another_study_is_refused(study, tmp_path):
    elsewhere = qualification(BatchFactory().study)
    pool = draw_pool(create_scored_dataset(study, tmp_path))

    with pytest.raises(BatchError, match="the qualification trusted is of another study"):
        launched(pool, name="full", qualification=elsewhere)


# The rule


@pytest.fixture
def pilot(study, bob, dora, alice):
    """Twelve items: fay agrees with bob and dora in all, gil in none."""
    fay, gil = (member(study, name, Role.ANNOTATOR, by=alice) for name in ("fay", "gil"))
    labels = {bob: "p" * 12, dora: "p" * 12, fay: "p" * 12, gil: "i" * 12}
    return settled_batch(study, labels), fay, gil


def test_the_rule_suggests_and_writes_nothing(study, trusted, pilot):
    batch, fay, gil = pilot

    said = standings.suggestions(trusted, batch)

    # Against bob and dora gil stands alone, and so nobody else has two others who agree.
    assert said[gil.pk].decision is Decision.FAILED
    assert said[gil.pk].reason.startswith("all answers: 0 of 12 right, at most 0.")
    assert fay.pk in said
    assert not Standing.objects.exists()


def test_a_rule_that_is_not_set_to_act_is_not_applied(trusted, pilot, alice):
    batch, *_ = pilot

    with pytest.raises(QualificationError, match="not set to act: it suggests"):
        qualifications.apply_rule(qualification=trusted, batch=batch, by=alice)


def test_a_rule_that_acts_grants_and_fails_with_its_evidence_and_not_twice(study, bob, dora, alice):
    acting = qualification(study, "acting", acts=True)
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    batch = settled_batch(study, {bob: "p" * 12, dora: "p" * 12, fay: "p" * 11 + "i"})

    rows = qualifications.apply_rule(qualification=acting, batch=batch, by=alice)

    # fay: 11 of 12. bob and dora have two others who agree in 11 items.
    assert {(row.user.username, row.state, row.by) for row in rows} == {
        ("bob", "granted", None),
        ("dora", "granted", None),
    }
    evidence = Standing.objects.get(user=bob).evidence
    assert (evidence["batch_name"], evidence["accuracy"]["n_right"]) == ("pilot", 11)
    assert qualifications.apply_rule(qualification=acting, batch=batch, by=alice) == []


def test_a_rule_takes_nothing_away_and_does_not_undo_a_revocation(study, bob, dora, alice):
    acting = qualification(study, "acting", acts=True)
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    batch = settled_batch(study, {bob: "p" * 12, dora: "p" * 12, fay: "i" * 12})
    grant(acting, fay, bob)
    revoke(acting, bob)

    qualifications.apply_rule(qualification=acting, batch=batch, by=alice)

    now = {each.user.username: each.state for each in standings.current(acting).values()}
    assert now == {"fay": "granted", "bob": "revoked"}


def test_a_person_may_try_as_often_as_the_rule_says(study, bob, dora, alice):
    acting = qualification(study, "acting", acts=True, attempts=2)
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    good, bad = "p" * 12, "i" * 12
    for number, given in enumerate((bad, bad, good), start=1):
        labels = {bob: good, dora: good, fay: given}
        batch = settled_batch(study, labels, name=f"pilot-{number}")
        qualifications.apply_rule(qualification=acting, batch=batch, by=alice)

    rows = Standing.objects.filter(user=fay)
    assert [row.state for row in rows] == ["failed", "failed", "failed"]
    assert rows.last().reason == "the 2 attempts that the rule allows are used up"


def test_a_rule_names_labels_that_its_batch_has(study, pilot):
    batch, *_ = pilot
    odd = qualification(study, "odd", recall={"unfaithful": 0.5})

    with pytest.raises(RuleError, match="recall: the scheme plausibility has no label unfaithful"):
        standings.suggestions(odd, batch)
    with pytest.raises(RuleError, match="first wave is a group without a rule"):
        standings.suggestions(group(study), batch)


def test_a_batch_that_is_not_settled_gives_no_suggestion(study, trusted):
    with pytest.raises(NotSettledError):
        standings.suggestions(trusted, open_batch(study, None))
