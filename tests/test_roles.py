"""Every act of an organiser asks for the role, whoever calls it: a page, the API or a command."""

import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from accounts.actions import (
    background,
    consent,
    invitations,
    locks,
    members,
    open_invitations,
    passwords,
    second_factors,
    sessions,
    sign_ins,
    studies,
    tokens,
    users,
    withdrawals,
)
from accounts.models import Invitation, Role, Study, User
from accounts.permissions import ArchivedError, NotAllowedError
from annotation.actions import (
    adjudicator_preferences,
    analysis_plans,
    answer_sources,
    archived_studies,
    batches,
    bulk_reviews,
    checks,
    claims,
    controls,
    desk_sync,
    double_adjudication,
    drafts,
    extra_judgements,
    first_parts,
    flags,
    guideline_marks,
    guideline_readings,
    guideline_versions,
    items,
    judgements,
    messages,
    notes,
    notices,
    open_batches,
    pause_rows,
    pauses,
    qualifications,
    reassignments,
    rehearsals,
    rehearsed_campaigns,
    reservations,
    reserved_places,
    retractions,
    returned_drafts,
    review_plans,
    reviews,
    scai_review_codes,
    second_rounds,
    settlement,
    study_copies,
    study_pauses,
    training,
    verdicts,
    withdrawn_batches,
    written_decisions,
)
from annotation.actions.rehearsed_batches import Plan
from annotation.models import Key, Qualification, ReviewAct
from corpus.actions import (
    bulk_rows,
    carry_over,
    dataset_descriptions,
    datasets,
    later_carry_over,
    run_descriptions,
    runs,
    withdrawn_runs,
)
from corpus.actions import checked_imports as sent
from corpus.problems import Report
from corpus.readers.ragas import RagasTable
from corpus.uploads import Upload
from exports.after_pilot import actions as after_pilot
from exports.comparison import actions as comparison_actions
from exports.comparison_releases import actions as comparison_releases
from exports.curation import actions as curation_actions
from exports.deletions import actions as deletions
from exports.errata import actions as errata
from exports.models import PrecisionAudit, PrecisionItem, Release
from exports.personal_data import actions as personal_data
from exports.precision_audit import actions as auditing_accepted
from exports.primary_comparison import actions as primary_comparison_actions
from exports.relations import actions as relation_actions
from exports.releases import actions as release_actions
from exports.withdrawals import actions as withdrawals_above
from exports.written import actions as written_actions
from jobs.actions import jobs
from sampling.actions import (
    answer_pairs,
    audit_samples,
    comparisons,
    curation_pools,
    evidence,
    extracted_answers,
    pool_chunks,
    pool_draws,
    reference_evidence,
    surveys,
    top_ups,
    writing_pools,
)
from sampling.actions.answer_pairs import PairSelection
from sampling.pairs.rule import PairDraw, PairRule
from scoring.actions import (
    calibration,
    ragas_scores,
    run_measures,
    run_tables,
    score_imports,
    score_jobs,
)
from scoring.actions.calibration import TwoStages
from scoring.models import Scorer
from tests.annotation.desk import judge
from tests.factories import BatchFactory, DatasetFactory, ItemFactory, RunFactory

ROOT = Path(__file__).parent.parent

Act = Callable[..., Any]

# What is done by people without a role of an organiser, and where their right is asked for.
OTHERWISE: set[Act] = {
    claims.claim,  # the desk: tests/annotation/actions/test_claims.py
    desk_sync.sync,  # tests/annotation/actions/test_desk_sync.py
    judgements.submit,  # one's own assignment: tests/annotation/actions/test_judgements.py
    first_parts.show_the_rest,  # the same: tests/annotation/views/desk/test_sheets.py
    judgements.skip,
    judgements.flag,
    judgements.take_back,
    messages.send,  # one's own desk: tests/annotation/actions/test_messages.py
    messages.reply_to_refusal,  # one's own work: the same
    notices.dismiss,  # one's own desk: tests/annotation/actions/test_notices.py
    checks.take,  # one's own desk: tests/annotation/actions/test_checks.py
    checks.check_of,  # the acts on drafts ask before they call it
    training.conclude,  # of one's own answers, by a rule: tests/annotation/actions/test_training.py
    reserved_places.locked_batch,  # asks: the acts begin with it
    reserved_places.add_rows,  # they ask before they call it
    qualifications.write_decisions,  # apply_rule asks before it calls it
    adjudicator_preferences.hide_votes,  # of the person alone; the page asks for the role
    pause_rows.add,  # the acts on pauses ask before they call it
    guideline_readings.confirm,  # one's own desk: tests/annotation/actions/test_guideline_readings.py
    users.create_user,  # whoever has a shell; on a page: tests/accounts/test_studies_and_members.py
    studies.create_study,  # the same
    users.deactivate,  # administrators: tests/accounts/test_views_site_administration.py
    users.reactivate,
    locks.lock_administrators,  # asks for the right itself
    open_invitations.revoke_all,  # these two and erase ask before they call it
    personal_data.erase,  # administrators: tests/exports/personal_data/test_erasure.py
    members.hand_over,  # administrators: tests/accounts/test_studies_and_members.py
    passwords.make_password_link_for_anybody,
    invitations.join,  # whoever holds the link: tests/accounts/test_invitations.py
    consent.agree,  # one's own act: tests/accounts/test_consent.py
    background.answer,  # one's own too: tests/accounts/test_background.py
    background.remove,
    passwords.change,  # one's own account
    sessions.end_everywhere,
    sessions.sign_out_everywhere,
    sign_ins.record,  # what was done already
    sign_ins.record_end,
    second_factors.set_up,  # one's own: tests/accounts/test_second_factors.py
    second_factors.check,
    second_factors.make_recovery_codes,
    second_factors.remove_own,
    second_factors.remove,  # administrators: the same
    tokens.make,  # organisers of any study: tests/accounts/test_tokens.py
    tokens.revoke,  # one's own
    tokens.revoke_all,
    members.add,  # add_member, invitations.join and others ask before they call it
    members.withdraw,  # and so does change_roles
    carry_over.stage_runs,  # so does the import, which asked
    bulk_rows.write_references,  # these three write for acts that asked already
    items.make_items,
    verdicts.set_aside,
    verdicts.set_aside_row,  # writes nothing
    settlement.set_aside_rows,  # neither does it
    batches.guideline_of,
}


def acts(study: Study, annotator: User, tmp_path: Path) -> dict[Act, dict[str, Any]]:
    """Every act of an organiser or adjudicator, with what it is called with."""
    dataset = DatasetFactory(study=study)
    batch = BatchFactory(pool__dataset=dataset)
    item = ItemFactory(batch=batch)
    judgement = judge(batch, annotator)
    flag = judgements.flag(assignment=judgement.assignment, message="m", by=annotator)
    message = messages.send(study=study, text="t", by=annotator)
    membership = study.memberships.get(user=annotator)
    job = jobs.start(study=study, kind="score", key="k", params={}, by=study.created_by)
    upload = Upload("u", (tmp_path / "run.json",))
    sent_runs = {"run_names": ["n"], "about": {}, "leave_out_unknown": False}
    scorer = Scorer.objects.create(metric="sas", name="s", version="1", study=study)
    drafted = {"name": "n", "scheme": "plausibility", "pool": batch.pool}
    never: Any = None  # the role is asked for before anything else is looked at
    rehearsed = {"n_annotators": 2, "accuracy": 0.9, "seed": 1}
    decided = {"is_paid": True, "is_counted": False, "paid_reason": "r", "counted_reason": "r"}
    looked_for = {"dataset": dataset, "name": "n", "plausible": never, "rule": never}
    compared = {"study": study, "dataset": dataset, "name": "n"}
    results = {"table": RagasTable("f", ("m",), ())}
    scored = {"metric": "sas", "scorer": "s", "records": (), "file": "f"}
    asked = Qualification(study=study, name="trusted", created_by=study.created_by)
    return {
        members.add_member: {
            "study": study,
            "user": study.created_by,
            "roles": [Role.REQUESTER],
        },
        members.change_roles: {"membership": membership, "roles": []},
        studies.describe_study: {"study": study, "title": "t"},
        passwords.make_password_link: {"study": study, "user": annotator},
        invitations.invite: {
            "study": study,
            "role": Role.ANNOTATOR,
            "n_most": 1,
            "expires_at": timezone.now(),
            "note": "",
        },
        invitations.revoke: {"invitation": Invitation(study=study)},
        invitations.make_new_link: {"invitation": Invitation(study=study)},
        jobs.start: {"study": study, "kind": "score", "key": "k", "params": {}},
        jobs.start_automatically: {"study": study, "kind": "score", "key": "k", "params": {}},
        jobs.cancel: {"job": job},
        jobs.resume: {"job": job},
        datasets.save: {"study": study, "name": "n", "read": never},
        runs.save: {"dataset": dataset, "name": "n", "read": never},
        datasets.stage: {"study": study, "name": "n", "read": never},
        datasets.publish: {"staged": SimpleNamespace(study=study, row=None)},
        runs.stage: {"dataset": dataset, "name": "n", "about": {}, "read": never},
        runs.publish: {"staged": SimpleNamespace(dataset=dataset, row=None)},
        sent.check_dataset: {
            "study": study,
            "upload": Upload("u", ()),
            "parts": (),
            "settings": {"name": "n"},
        },
        sent.check_runs: {"dataset": dataset, "upload": upload, **sent_runs},
        sent.import_checked: {"job": job},
        score_imports.save: {"dataset": dataset, **scored},
        ragas_scores.save: {"dataset": dataset, "scorer": "x", "run": "", **results},
        pool_draws.draw: {"study": study, "dataset": dataset, "name": "n", "rule": never},
        evidence.begin: {"study": study, **looked_for, "model": "m", "is_rehearsal": False},
        pool_draws.preview: {"study": study, "dataset": dataset, "rule": never},
        comparisons.draw_comparison: compared | {"rule": never},
        comparisons.outlook: {"study": study, "dataset": dataset, "rule": never},
        comparisons.begin: compared | {"rule": never},
        writing_pools.draw_writing: compared | {"rule": never},
        curation_pools.draw_curation: compared | {"rule": never},
        curation_actions.export: {"batch": batch, "out": tmp_path / "out"},
        curation_actions.make_next_version: {"batch": batch},
        comparisons.record: compared | {"selection": never},
        comparison_actions.write: {
            "study": study,
            "batches": [],
            "out": tmp_path / "out",
            "bootstrap": never,
        },
        pool_chunks.begin: {"study": study, "dataset": dataset, "name": "n", "rule": never},
        audit_samples.draw: {"pool": batch.pool, "name": "n", "rule": never},
        top_ups.draw: {"pool": batch.pool, "run": RunFactory(dataset=dataset), "name": "n"},
        audit_samples.begin: {"pool": batch.pool, "name": "n", "rule": never},
        audit_samples.record: {"pool": batch.pool, "name": "n", "rule": never, "selection": never},
        extracted_answers.begin: {"pool": batch.pool, "name": "n"},
        extracted_answers.record: {"pool": batch.pool, "name": "n", "extraction": never},
        reference_evidence.begin: {
            "dataset": dataset,
            "name": "n",
            "rule": never,
            "model": "m",
        },
        surveys.begin: {"dataset": dataset, "scorer": scorer, "bag": "default"},
        calibration.begin: {
            "dataset": dataset,
            "model": "m",
            "bf16": False,
            "options": TwoStages(0.5),
        },
        run_measures.begin: {"dataset": dataset},
        score_jobs.score: {"dataset": dataset, "metrics": ["em"], "model": "m"},
        score_jobs.import_scores: {
            "dataset": dataset,
            "upload": upload,
            "metric": "sas",
            "scorer": "s",
            "leave_out_unknown": False,
        },
        drafts.edit: {"batch": batch, "guideline": "", **drafted},
        drafts.discard: {"batch": batch},
        notes.note: {"item": item, "text": "t"},
        batches.create: {"study": study, "name": "n", "scheme": "plausibility", "pool": batch.pool},
        batches.launch: {"batch": batch},
        batches.create_and_launch: {
            "study": study,
            "name": "n",
            "scheme": "plausibility",
            "pool": batch.pool,
        },
        batches.pause: {"batch": batch},
        batches.resume: {"batch": batch},
        batches.set_deadline: {"batch": batch, "deadline_at": None},
        batches.close: {"batch": batch},
        batches.reopen: {"batch": batch},
        rehearsals.rehearse: {"batch": batch, **rehearsed},
        rehearsals.simulated_members: {"study": study, "n": 1},
        rehearsals.rehearse_with: {"batch": batch, "people": [], "seed": 1},
        rehearsed_campaigns.rehearse_campaign: {"batch": batch, "people": [], "plan": Plan()},
        settlement.settle: {"batch": batch, "rule": "majority"},
        settlement.set_aside_disputes: {"batch": batch},
        reviews.review: {"judgement": judgement, **decided},
        reviews.ask_again: {"item": item},
        reviews.exclude: {"item": item, "reason": "r"},
        controls.add_from_batch: {"batch": batch, "source": batch, "n": 1, "seed": 1},
        controls.add_from_file: {"batch": batch, "path": Path("keys.csv")},
        controls.add_from_rows: {"batch": batch, "rows": [], "report": Report("f", "row")},
        controls.take_out: {"key": Key(item=item, label="plausible"), "reason": "r"},
        reviews.readmit: {"item": item, "reason": "r"},
        reviews.adjudicate: {"item": item, "label": "plausible", "reason": "r"},
        reviews.mark_correct: {"judgement": judgement},
        review_plans.plan: {"batch": batch, "decisions": {}},
        bulk_reviews.decide: {"batch": batch, "decisions": {}},
        bulk_reviews.undo: {
            "act": ReviewAct.objects.create(batch=batch, reviewed_by=study.created_by)
        },
        guideline_marks.mark_unclear: {"item": item, "section": ""},
        extra_judgements.ask_more: {"batch": batch, "rule": "majority", "cap": 1},
        withdrawals.withdraw: {"thing": batch, "study": study, "reason": "r"},
        withdrawals.bring_back: {"thing": batch, "study": study, "reason": "r"},
        withdrawn_runs.withdraw: {"run": RunFactory(dataset=dataset), "reason": "r"},
        withdrawn_runs.bring_back: {"run": RunFactory(dataset=dataset), "reason": "r"},
        withdrawn_batches.withdraw: {"batch": batch, "reason": "r"},
        withdrawn_batches.bring_back: {"batch": batch, "reason": "r"},
        withdrawals_above.withdraw_pool: {"pool": batch.pool, "reason": "r"},
        withdrawals_above.bring_pool_back: {"pool": batch.pool, "reason": "r"},
        withdrawals_above.withdraw_dataset: {"dataset": dataset, "reason": "r"},
        withdrawals_above.bring_dataset_back: {"dataset": dataset, "reason": "r"},
        withdrawals_above.withdraw_release: {"release": Release(study=study), "reason": "r"},
        withdrawals_above.bring_release_back: {"release": Release(study=study), "reason": "r"},
        deletions.delete_pool: {"pool": batch.pool},
        deletions.delete_run: {"run": RunFactory(dataset=dataset)},
        deletions.delete_dataset: {"dataset": dataset},
        deletions.delete_study: {"study": study},
        archived_studies.archive: {"study": study},
        archived_studies.bring_back: {"study": study},
        study_copies.copy_study: {"study": study, "slug": "copied", "title": "t"},
        pauses.pause: {"batch": batch, "annotator": annotator, "reason": "r"},
        pauses.resume: {"batch": batch, "annotator": annotator, "reason": "r"},
        study_pauses.pause: {"study": study, "annotator": annotator, "reason": "r"},
        study_pauses.resume: {"study": study, "annotator": annotator, "reason": "r"},
        analysis_plans.freeze: {"batch": batch, "text": "t"},
        after_pilot.open_full: {
            "pilot": batch,
            "pool": batch.pool,
            "name": "full",
            "judgements_per_item": 2,
            "asked": asked,
            "people": [annotator],
            "reason": "r",
            "evidence": {},
        },
        qualifications.create: {"study": study, "name": "trusted", "rule": {}},
        qualifications.grant: {"qualification": asked, "people": [annotator], "reason": "r"},
        qualifications.revoke: {"qualification": asked, "people": [annotator], "reason": "r"},
        reservations.reserve_named: {
            "batch": batch,
            "person": annotator,
            "rows": [],
            "report": Report("f", "row"),
        },
        reservations.reserve_drawn: {"batch": batch, "person": annotator, "n": 1},
        second_rounds.draw: {"first": batch, "name": "n", "routes": never},
        reassignments.reassign: {
            "batch": batch,
            "people": [annotator],
            "to": None,
            "reason": "r",
        },
        training.create_and_launch: {
            "study": study,
            "rows": [],
            "report": Report("f", "row"),
            **drafted,
        },
        qualifications.apply_rule: {"qualification": asked, "batch": batch},
        answer_sources.show: {"batch": batch},
        retractions.retract: {"item": item},
        written_decisions.decide: {"item": item, "label": "first", "reason": "r"},
        written_decisions.retract: {"item": item},
        double_adjudication.draw: {"batch": batch, "share": 0.1, "seed": 1},
        double_adjudication.settle: {"item": item, "label": "plausible", "reason": "r"},
        scai_review_codes.random_answer: {"judgement": judgement, "is_paid": True},
        scai_review_codes.correct_answer: {"judgement": judgement},
        scai_review_codes.confusing_answer: {"item": item},
        scai_review_codes.malformed_answer: {"item": item},
        run_tables.current_comparison: {"dataset": dataset, "scorers": (), "denominator": never},
        flags.answer: {"flag": flag, "text": "t"},
        messages.answer: {"message": message, "text": "t"},
        messages.mark_read: {"message": message},
        notices.write: {"batch": batch, "text": "t"},
        auditing_accepted.draw: {"dataset": dataset, "sizes": {"gold": 1}, "seed": 1},
        auditing_accepted.record: {
            "dataset": dataset,
            "sample": never,
            "seed": 1,
            "is_rehearsal": False,
        },
        auditing_accepted.judge: {
            "item": PrecisionItem(audit=PrecisionAudit(study=study)),
            "scheme": "plausibility",
            "label": "plausible",
        },
        open_batches.change: {"batch": batch, "name": "n"},
        open_batches.rename: {"batch": batch, "name": "n"},
        open_batches.set_largest_share: {"batch": batch, "largest_share": 0.5},
        open_batches.raise_judgements: {"batch": batch, "judgements_per_item": 9},
        returned_drafts.return_to_draft: {"batch": batch},
        guideline_versions.change: {"batch": batch, "text": "t"},
        run_descriptions.describe: {"dataset": dataset, "wanted": {}},
        dataset_descriptions.describe: {"dataset": dataset, "about": {}},
        later_carry_over.stage: {"dataset": dataset, "job": job, "beat": never},
        later_carry_over.publish: {"staged": SimpleNamespace(dataset=dataset, row=None)},
        release_actions.release: {"study": study, "dataset": dataset, "out": tmp_path / "out"},
        release_actions.prepare: {"study": study, "dataset": dataset},
        written_actions.export: {
            "dataset": dataset,
            "batches": ["none"],
            "out": tmp_path / "out",
            "bootstrap": never,
        },
        comparison_releases.release: {
            "study": study,
            "batches": ["none"],
            "out": tmp_path / "out",
            "bootstrap": never,
        },
        errata.note_erratum: {
            "release": Release(study=study),
            "answer_id": "1_1:0",
            "reason": "r",
        },
        relation_actions.draw_pairs: {
            "release": Release(study=study, number=1),
            "name": "pairs",
            "n": 1,
            "seed": 1,
        },
        relation_actions.begin: {
            "release": Release(study=study, number=1),
            "name": "pairs",
            "n": 1,
            "seed": 1,
        },
        relation_actions.record: {
            "release": Release(study=study, number=1),
            "name": "pairs",
            "rule": never,
            "accepted": never,
        },
        answer_pairs.record: {
            "dataset": dataset,
            "name": "pairs",
            "rule": PairRule(1, 1),
            "selection": PairSelection(PairDraw((), 0, 0), {}),
            "is_rehearsal": False,
        },
        primary_comparison_actions.name_primary: {
            "study": study,
            "pool": batch.pool,
            "measure": "both",
        },
        comparison_releases.prepare: {"study": study, "batches": ["none"], "bootstrap": never},
    }


def test_no_act_of_an_organiser_is_open_to_anybody_else(study, bob, dora, mallory, tmp_path):
    studies.create_study(slug="elsewhere", title="Elsewhere", requester=mallory)

    for act, options in acts(study, dora, tmp_path).items():
        for person in (bob, mallory):
            with pytest.raises(NotAllowedError, match=f"^{person.username} is not "):
                act(by=person, **options)


# These change nothing in the study, or archive it.
ALSO_WHEN_ARCHIVED = {
    pool_draws.preview,
    comparisons.outlook,
    comparison_actions.write,
    written_actions.export,
    run_tables.current_comparison,
    archived_studies.archive,
    archived_studies.bring_back,
    study_copies.copy_study,
}


def test_no_act_of_an_organiser_changes_an_archived_study(study, alice, dora, tmp_path):
    found = acts(study, dora, tmp_path)
    members.add_member(study=study, user=alice, roles=[Role.ADJUDICATOR], by=alice)
    Study.objects.update(archived_at=timezone.now(), archived_by=alice)

    for act in found.keys() - ALSO_WHEN_ARCHIVED:
        with pytest.raises(ArchivedError, match="is archived, so nothing in it can be changed"):
            act(by=alice, **found[act])


def test_every_act_that_names_its_person_is_in_the_table(study, dora, tmp_path):
    named = set()
    for path in (*ROOT.glob("*/actions/*.py"), *ROOT.glob("*/*/actions.py")):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for name, act in inspect.getmembers(module, inspect.isfunction):
            own = act.__module__ == module.__name__ and not name.startswith("_")
            if own and "by" in inspect.signature(act).parameters:
                named.add(act)

    assert named == set(acts(study, dora, tmp_path)) | OTHERWISE
