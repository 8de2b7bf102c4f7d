"""Two studies with something of everything, and the people who come to their pages."""

from dataclasses import dataclass
from pathlib import Path

from accounts.actions import people
from accounts.models import Role, Study, User
from activity.actions import jobs, workers
from activity.models import Job
from annotation.actions import claiming, judging
from annotation.models import Batch, Flag, Item
from corpus.models import Run
from exports.models import Release
from sampling.audit import REASONS, AuditRule
from sampling.models import Pool
from sampling.rule import Rule
from sampling.selection import State
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory, PoolFactory, RunFactory, UserFactory


@dataclass(frozen=True)
class World:
    study: Study
    elsewhere: Study
    persons: dict[str, User | None]
    batch: Batch  # open, with one item
    item: Item
    flag: Flag  # by the annotator, on that item
    run: Run
    job: Job  # waiting
    release: Release  # of two files
    audit: Pool  # of the batch's pool, without answers


def a_pool(study: Study) -> Pool:
    counts = {"n_candidates": 0, "n_turns": 0, "n_answers": dict.fromkeys(State, 0)}
    rule = Rule(scorer="paper", threshold=0.8).to_dict()
    return PoolFactory(dataset__study=study, rule=rule, counts=counts)


def an_audit(pool: Pool) -> Pool:
    rule = AuditRule(pool.name, {State.CAPPED: 1}).to_dict()
    strata = {reason.value: {"n": 0, "n_drawn": 0} for reason in REASONS}
    counts = {"n_candidates": 0, "n_turns": 0, "strata": strata, "by_run": {}}
    return PoolFactory(dataset=pool.dataset, audit_of=pool, rule=rule, counts=counts)


def a_release(study: Study, folder: Path, by: User) -> Release:
    names = ("gold.json", "manifest.json")
    for name in names:
        (folder / name).write_text("[]", encoding="utf-8")
    return Release.objects.create(
        study=study,
        dataset=study.datasets.get(),
        number=1,
        is_rehearsal=False,
        manifest={"files": {"gold.json": ""}},
        folder=str(folder),
        created_by=by,
    )


def build(folder: Path) -> World:
    """The folder is an empty one for files."""
    alice, eve = UserFactory(username="alice"), UserFactory(username="eve")
    study = people.create_study(slug="lighthouses", title="Lighthouses", requester=alice)
    elsewhere = people.create_study(slug="bridges", title="Bridges", requester=eve)
    batch = BatchFactory(pool=a_pool(study))
    item = ItemFactory(batch=batch)
    bob = member(study, "bob", Role.ANNOTATOR, by=alice)
    (held,) = claiming.claim(batch=batch, by=bob)
    workers.beat()
    return World(
        study=study,
        elsewhere=elsewhere,
        batch=batch,
        item=item,
        flag=judging.flag(assignment=held, message="It is cut off.", by=bob),
        release=a_release(study, folder, alice),
        audit=an_audit(batch.pool),
        run=RunFactory(dataset=batch.pool.dataset),
        job=jobs.start(study=study, kind="score", key="everyday", params={}, by=alice),
        persons={
            "anonymous": None,
            "annotator": bob,
            "other_annotator": member(elsewhere, "nina", Role.ANNOTATOR, by=eve),
            "adjudicator": member(study, "carol", Role.ADJUDICATOR, by=alice),
            "requester": alice,
            "other_requester": eve,
            "administrator": UserFactory(username="root", is_superuser=True),
        },
    )
