"""Precision audits in the database: what is drawn, who may judge it, what is kept and what is given out."""

import json

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import double_adjudication, retractions, reviews
from audit.models import Event
from exports.models import PrecisionAudit, PrecisionItem, PrecisionJudgement
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit import queries as precision_audit_queries
from exports.precision_audit.estimate import PrecisionError
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports.judged_batches import find_evidence, judge_and_settle, release
from tests.parts import part
from tests.recomputed_tables import table

pytestmark = pytest.mark.database


@part
def gold(plausibility, bob, dora):
    """Three gold answers."""
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    return judge_and_settle(batch, bob, dora, label="faithful")


@part
def audit(gold):
    return draw_audit(gold)


def draw_audit(batch, **sizes):
    sizes = sizes or {"gold": 50, "silver": 50}
    dataset = batch.pool.dataset
    return precision_audit_actions.draw(dataset=dataset, sizes=sizes, seed=1, by=dataset.created_by)


def say(item, by, *labels):
    for scheme, label in zip(("plausibility", "faithfulness"), labels, strict=False):
        precision_audit_actions.judge(item=item, scheme=scheme, label=label, by=by)


def test_what_is_accepted_is_drawn_with_the_items_that_made_it_so(audit, gold, plausibility):
    items = list(audit.items.all())

    assert (audit.number, audit.n_gold, audit.n_silver) == (1, len(items), 0)
    assert {item.plausibility_item.batch for item in items} == {plausibility}
    assert {item.faithfulness_item.batch for item in items} == {gold}
    assert Event.objects.filter(verb="drew a precision audit of").count() == 1


def test_plausible_answers_nobody_was_asked_further_about_are_silver(plausibility):
    audit = draw_audit(plausibility)

    assert (audit.n_gold, audit.n_silver) == (0, 3)
    assert {item.faithfulness_item for item in audit.items.all()} == {None}


def test_unfaithful_answers_are_not_drawn(faithfulness):
    with pytest.raises(PrecisionError, match="no answer is accepted yet"):
        draw_audit(faithfulness)
    assert not PrecisionAudit.objects.exists()


def test_each_audit_on_a_data_set_has_the_next_number(audit, gold):
    assert draw_audit(gold, gold=1).number == 2


def test_only_a_requester_draws(gold, carol):
    with pytest.raises(NotAllowedError):
        precision_audit_actions.draw(dataset=gold.pool.dataset, sizes={"gold": 1}, seed=1, by=carol)


def test_gold_is_asked_two_questions_and_silver_one(audit, carol):
    item = audit.items.first()

    say(item, carol, "plausible")
    assert (
        precision_audit_queries.next_scheme(item, precision_audit_queries.current_judgements(item))
        == "faithfulness"
    )
    say(item, carol, "plausible", "faithful")

    assert (
        precision_audit_queries.next_scheme(item, precision_audit_queries.current_judgements(item))
        == ""
    )


def test_an_answer_found_implausible_is_not_asked_further(audit, carol):
    item = audit.items.first()
    say(item, carol, "implausible")

    with pytest.raises(PrecisionError, match="not asked"):
        say(item, carol, "implausible", "faithful")


def test_a_correction_is_a_row_that_replaces_one_and_the_same_again_adds_none(audit, carol):
    item = audit.items.first()
    say(item, carol, "plausible")
    say(item, carol, "malformed")
    say(item, carol, "malformed")

    first, second = PrecisionJudgement.objects.all()
    assert (second.replaces, second.label) == (first, "malformed")
    assert precision_audit_queries.current_judgements(item)["plausibility"] == second


def test_nobody_audits_what_they_judged(audit, study, bob, alice):
    """Bob is adjudicator by now."""
    bob.memberships.get(study=study).grants.create(role=Role.ADJUDICATOR, granted_by=alice)

    with pytest.raises(PrecisionError, match="had a part"):
        say(audit.items.first(), bob, "plausible")
    progress = precision_audit_queries.progress(audit, bob)
    assert (progress.n_left_for_you, progress.n_influenced) == (0, 3)


def test_nobody_audits_an_answer_that_they_only_held_against_the_evidence(
    plausibility, study, dora, alice
):
    nils = member(study, "nils", Role.ANNOTATOR, by=alice)
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    judge_and_settle(batch, nils, dora, label="faithful")
    items = draw_audit(batch).items.all()

    assert precision_audit_queries.items_influenced_by(items, nils) == {item.pk for item in items}
    assert precision_audit_queries.items_influenced_by(items, alice) == set()


@pytest.mark.parametrize("act", ["adjudicated", "excluded", "reviewed"])
def test_nobody_audits_what_they_decided_about(plausibility, gold, carol, act):
    item = plausibility.items.first()
    if act == "adjudicated":
        reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)
    elif act == "excluded":
        reviews.exclude(item=item, reason="Confusing", by=carol)
        reviews.readmit(item=item, reason="Not so", by=carol)
    else:
        judgement = item.assignments.first().judgements.get()
        said = {"paid_reason": "fine", "counted_reason": "fine"}
        reviews.review(judgement=judgement, is_paid=True, is_counted=True, by=carol, **said)

    audited = audited_as_silver(item)

    assert precision_audit_queries.items_influenced_by([audited], carol) == {audited.pk}
    assert precision_audit_queries.items_influenced_by([audited], plausibility.created_by) == set()


def audited_as_silver(item):
    audit = PrecisionAudit.objects.create(
        study=item.batch.study,
        dataset=item.batch.pool.dataset,
        number=9,
        is_rehearsal=False,
        seed=1,
        n_gold=0,
        n_silver=1,
        drawn_by=item.batch.created_by,
    )
    return PrecisionItem.objects.create(audit=audit, tier="silver", plausibility_item=item)


@part
def settled_by_carol(plausibility, carol):
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)
    return item


def test_nobody_audits_what_they_took_back(settled_by_carol, study, alice):
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    retractions.retract(item=settled_by_carol, by=erin)
    audited = audited_as_silver(settled_by_carol)

    assert precision_audit_queries.items_influenced_by([audited], erin) == {audited.pk}


def test_nobody_audits_what_they_are_to_settle_or_settled_a_second_time(
    settled_by_carol, study, alice
):
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    audited = audited_as_silver(settled_by_carol)
    assert precision_audit_queries.items_influenced_by([audited], erin) == set()

    double_adjudication.draw(batch=settled_by_carol.batch, share=1, seed=1, by=alice)
    assert precision_audit_queries.items_influenced_by([audited], erin) == {audited.pk}
    assert precision_audit_queries.progress(audited.audit, erin).next is None

    double_adjudication.settle(item=settled_by_carol, label="plausible", reason="x", by=erin)
    assert precision_audit_queries.items_influenced_by([audited], erin) == {audited.pk}
    assert precision_audit_queries.items_influenced_by([audited], alice) == set()


def test_an_annotator_may_not_judge(audit, study, alice):
    with pytest.raises(NotAllowedError):
        say(audit.items.first(), member(study, "nils", Role.ANNOTATOR, by=alice), "plausible")


def test_of_two_experts_at_once_the_first_is_kept(audit, carol, alice):
    item = audit.items.first()
    say(item, carol, "plausible")

    with pytest.raises(PrecisionError, match="another expert"):
        say(item, alice, "malformed")
    with pytest.raises(IntegrityError), transaction.atomic():
        PrecisionJudgement.objects.create(
            item=item, scheme="plausibility", label="malformed", judged_by=alice
        )


@pytest.mark.parametrize(("scheme", "label"), [("plausibility", "faithful"), ("rating", "4")])
def test_what_is_no_label_is_refused(audit, carol, scheme, label):
    with pytest.raises(PrecisionError):
        precision_audit_actions.judge(
            item=audit.items.first(), scheme=scheme, label=label, by=carol
        )


def test_one_s_own_half_judged_answer_comes_first_another_s_last(audit, carol, alice):
    begun = precision_audit_queries.progress(audit, carol).next
    say(begun, carol, "plausible")

    assert precision_audit_queries.progress(audit, carol).next == begun
    assert precision_audit_queries.progress(audit, carol).last == begun
    assert precision_audit_queries.progress(audit, alice).next != begun


def test_a_release_holds_the_audits_and_their_shares(audit, carol, tmp_path):
    first, second, _third = audit.items.all()
    say(first, carol, "plausible", "faithful")
    say(second, carol, "implausible")

    out = tmp_path / "release"
    release(audit.items.first().plausibility_item.batch, out)

    rows = table(out, "precision")
    assert sorted((row["plausibility"], row["faithfulness"], row["holds"]) for row in rows) == [
        ("", "", ""),
        ("implausible", "", "false"),
        ("plausible", "faithful", "true"),
    ]
    (told,) = json.loads((out / "report.json").read_text(encoding="utf-8"))["precision"]
    assert (told["n_judged"], told["share"]["value"]) == (2, 0.5)
    assert "carol" not in (out / "precision.csv").read_text(encoding="utf-8")


def test_a_verdict_that_changes_after_the_draw_is_listed(audit, plausibility, carol, tmp_path):
    audited = audit.items.first()
    reviews.adjudicate(item=audited.plausibility_item, label="implausible", reason="No.", by=carol)

    told = release(plausibility, tmp_path / "release").report["precision"][0]

    assert told["n_drawn"] == 3
    assert [(each["tier"], each["tier_now"]) for each in told["changed"]] == [("gold", "")]
