"""Two studies with something of everything, and the people who come to their pages."""

from dataclasses import dataclass

from accounts.actions import studies
from accounts.models import Role, Study, User
from annotation.actions import checks, claims, judgements, messages, notices, qualifications
from annotation.models import Batch, Flag, Item, Message, Notice, Qualification, ReviewAct
from corpus.models import Run, Turn
from exports.models import PrecisionAudit, PrecisionItem, Release
from exports.writers import stored_folders
from jobs.actions import execution, jobs, liveness
from jobs.models import Job
from sampling.audit_samples.rule import REASONS, AuditRule
from sampling.models import Pool
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory, PoolFactory, RunFactory, UserFactory


@dataclass(frozen=True)
class World:
    study: Study
    elsewhere: Study
    persons: dict[str, User | None]
    qualification: Qualification  # a group, which the annotator is in
    batch: Batch  # open, with one item, for who holds the qualification
    item: Item
    flag: Flag  # by the annotator, on that item
    message: Message  # by the annotator, to the organisers
    notice: Notice  # in the batch
    act: ReviewAct  # of the batch, on nothing
    run: Run
    job: Job  # waiting
    release: Release  # of two files
    audit: Pool  # of the batch's pool, without answers; estimated
    audited: PrecisionItem  # of a precision audit, an answer that nobody judged in it yet


def a_pool(study: Study) -> Pool:
    counts = {"n_candidates": 0, "n_turns": 0, "n_answers": dict.fromkeys(State, 0)}
    rule = Rule(scorer="paper", threshold=0.8).to_dict()
    return PoolFactory(dataset__study=study, rule=rule, counts=counts)


def an_audit(pool: Pool) -> Pool:
    rule = AuditRule(pool.name, {State.CAPPED: 1}).to_dict()
    strata = {reason.value: {"n": 0, "n_drawn": 0} for reason in REASONS}
    counts = {"n_candidates": 0, "n_turns": 0, "strata": strata, "by_run": {}}
    return PoolFactory(dataset=pool.dataset, audit_of=pool, rule=rule, counts=counts)


def estimated(audit: Pool, by: User) -> Pool:
    params = {"pool": audit.pk}
    execution.run(
        jobs.start(study=audit.study, kind="estimate_missed", key=audit.name, params=params, by=by)
    )
    return audit


def a_release(study: Study, by: User) -> Release:
    with stored_folders.new_folder(study.slug) as folder:
        for name in ("gold.json", "manifest.json"):
            folder.write(name, b"[]")
    return Release.objects.create(
        study=study,
        dataset=study.datasets.get(),
        number=1,
        is_rehearsal=False,
        manifest={"accepted": {"gold": 0, "silver": 0}, "files": {"gold.json": ""}},
        folder=folder.name,
        created_by=by,
    )


def an_audited(item: Item, by: User) -> PrecisionItem:
    dataset = item.batch.pool.dataset
    audit = PrecisionAudit.objects.create(
        study=dataset.study,
        dataset=dataset,
        number=1,
        is_rehearsal=False,
        seed=1,
        n_gold=0,
        n_silver=1,
        drawn_by=by,
    )
    return PrecisionItem.objects.create(audit=audit, tier="silver", plausibility_item=item)


def build() -> World:
    alice, eve = UserFactory(username="alice"), UserFactory(username="eve")
    study = studies.create_study(slug="lighthouses", title="Lighthouses", requester=alice)
    elsewhere = studies.create_study(slug="bridges", title="Bridges", requester=eve)
    bob = member(study, "bob", Role.ANNOTATOR, by=alice)
    trusted = qualifications.create(study=study, name="trusted", rule={}, by=alice)
    qualifications.grant(qualification=trusted, people=[bob], reason="careful", by=alice)
    check = checks.check_of(study, "Is it lit?\n(x) yes\n( ) no", alice)
    batch = BatchFactory(pool=a_pool(study), qualification=trusted, comprehension_check=check)
    item = ItemFactory(batch=batch)
    (held,) = claims.claim(batch=batch, by=bob)
    liveness.record_beat()
    dataset = batch.pool.dataset
    about = {"kind": "results", "key": str(dataset), "params": {"dataset": dataset.pk}}
    execution.run(jobs.start(study=study, **about, by=alice))
    Turn.objects.filter(conversation__dataset=dataset).update(record="{}", part="dev.jsonl")
    return World(
        study=study,
        elsewhere=elsewhere,
        qualification=trusted,
        batch=batch,
        item=item,
        flag=judgements.flag(assignment=held, message="It is cut off.", by=bob),
        message=messages.send(study=study, text="When is it paid?", by=bob),
        notice=notices.write(batch=batch, text="No work on Friday.", by=alice),
        act=ReviewAct.objects.create(batch=batch, reviewed_by=alice),
        release=a_release(study, alice),
        audit=estimated(an_audit(batch.pool), alice),
        audited=an_audited(item, alice),
        run=RunFactory(dataset=batch.pool.dataset),
        job=jobs.start(study=study, kind="score", key="everyday", params={}, by=alice),
        persons={
            "anonymous": None,
            "annotator": bob,
            # Annotates in the study, and is not in the audience of the batch: none of PEOPLE, for whom the table has
            # a status of their own; theirs follows from the annotator's.
            "without_qualification": member(study, "gus", Role.ANNOTATOR, by=alice),
            "other_annotator": member(elsewhere, "nina", Role.ANNOTATOR, by=eve),
            "adjudicator": member(study, "carol", Role.ADJUDICATOR, by=alice),
            "requester": alice,
            "other_requester": eve,
            "administrator": UserFactory(username="root", is_superuser=True),
        },
    )
