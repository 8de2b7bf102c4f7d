from typing import Any

from annotation.models import Key, Reservation
from tests.access.table import Row, in_study, only
from tests.access.world import World
from tests.factories import ItemFactory


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


def member_of(world: World) -> int:
    return world.study.memberships.get(user=world.persons["annotator"]).pk


def annotator(world: World) -> dict[str, Any]:
    return {**batch(world), "member": member_of(world)}


def act(world: World) -> dict[str, Any]:
    return batch(world) | {"act": world.act.public_id}


def flag(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "flag": world.flag.pk}


def qualification(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "qualification": world.qualification.pk}


def message(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "message": world.message.pk}


def control(world: World) -> dict[str, Any]:
    """A control item, which the batch has once this is asked."""
    key = Key.objects.filter(item__batch=world.batch).first()
    if key is None:
        item = ItemFactory(batch=world.batch, position=2**30, n_wanted=None, n_open=0)
        key = Key.objects.create(item=item, label="plausible", created_by=world.batch.created_by)
    return batch(world) | {"key": key.pk}


def part(world: World) -> dict[str, Any]:
    """What is reserved for the annotator, which is something once this is asked."""
    person = world.persons["annotator"]
    if not Reservation.objects.filter(batch=world.batch, annotator=person).exists():
        item = ItemFactory(batch=world.batch, position=2**29, n_wanted=1, n_open=0, n_reserved=1)
        Reservation.objects.create(
            batch=world.batch, item=item, annotator=person, reserved_by=world.batch.created_by
        )
    return annotator(world)


def requester(name: str, allowed: int = 200) -> tuple[str, Row]:
    return name, Row(expected=only("requester", allowed=allowed), options=batch)


REVIEWS = ("requester", "adjudicator")

ROWS = {
    # A batch is open in the world: the page says so.
    "study_archive": Row(expected=only("requester"), options=in_study),
    "qualifications": Row(expected=only("requester"), options=in_study),
    "qualification_new": Row(expected=only("requester"), options=in_study),
    "qualification": Row(expected=only("requester"), options=qualification),
    # Nobody is ticked, and no batch named: refused.
    "qualification_decide": Row(
        expected=only("requester", allowed=400), options=qualification, method="post"
    ),
    "qualification_apply": Row(
        expected=only("requester", allowed=302), options=qualification, method="post"
    ),
    "study_bring_back": Row(expected=only("requester"), options=in_study),
    "study_copy": Row(expected=only("requester"), options=in_study),
    "batches": Row(expected=only("requester"), options=in_study),
    "batch_new": Row(expected=only("requester"), options=in_study),
    **dict(
        requester(name)
        for name in (
            "batch",
            "batch_progress",
            "batch_preview",
            "batch_open",
            "batch_discard",
            "batch_pause",
            "batch_resume",
            "batch_deadline",
            "batch_guideline",
            "batch_plan",
            "batch_judgements",
            "batch_rename",
            "batch_share",
            "batch_close",
            "batch_reopen",
            "evidence_new",
            "batch_rules",
            "batch_more",
            "batch_notices",
            "batch_controls",
            "batch_check",
            "batch_reserved",
        )
    ),
    "annotator_pause": Row(expected=only("requester"), options=annotator),
    "annotator_resume": Row(expected=only("requester"), options=annotator),
    # Of another scheme: there is no such page.
    **dict([requester("batch_second_round", allowed=404)]),
    # The world's batch is open: it can be changed no more, and settled not yet.
    **dict(requester(name, allowed=302) for name in ("batch_edit", "batch_return", "batch_settle")),
    "batch_rules_start": Row(expected=only("requester", allowed=302), options=batch, method="post"),
    "batch_control_keys": Row(
        expected=only("requester", allowed=400), options=batch, method="post"
    ),
    "control_out": Row(expected=only("requester", allowed=302), options=control, method="post"),
    # Nobody is ticked: refused.
    "batch_reassign": Row(expected=only("requester", allowed=400), options=batch, method="post"),
    "reserved_part": Row(expected=only("requester"), options=part),
    "batch_items": Row(expected=only("requester", "adjudicator"), options=batch),
    "batch_review": Row(expected=only(*REVIEWS), options=batch),
    "review_work": Row(expected=only(*REVIEWS), options=batch),
    "review_decide": Row(expected=only(*REVIEWS, allowed=400), options=batch, method="post"),
    "review_history": Row(expected=only(*REVIEWS), options=batch),
    "review_undo": Row(expected=only(*REVIEWS), options=act),
    "batch_unclear": Row(expected=only(*REVIEWS), options=batch),
    "unclear_csv": Row(expected=only(*REVIEWS), options=batch),
    "second_looks": Row(expected=only("requester"), options=batch),
    "flags": Row(expected=only("requester", "adjudicator"), options=in_study),
    "messages": Row(expected=only("requester", "adjudicator"), options=in_study),
    **{
        name: Row(
            expected=only("requester", "adjudicator", allowed=302), options=message, method="post"
        )
        for name in ("message_answer", "message_read")
    },
    "flag_answer": Row(
        expected=only("requester", "adjudicator", allowed=302), options=flag, method="post"
    ),
}
