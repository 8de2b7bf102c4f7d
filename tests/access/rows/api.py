"""The REST API: the signed-out get 401, and everybody else what the pages give them."""

from typing import Any

from tests.access.rows.accounts import ORGANISERS, each
from tests.access.table import PEOPLE, Row, in_study, only
from tests.access.world import World

REQUESTER, SETTLES = ("requester",), ("adjudicator", "requester")


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


def item(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "item": world.item.public_id}


def assignment(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "assignment": world.flag.assignment.public_id}


def job(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "job": world.job.pk}


def release(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "number": world.release.number}


def file(world: World) -> dict[str, Any]:
    return {**release(world), "name": "gold.json"}


def reads(who: tuple[str, ...], options: Any = in_study) -> Row:
    return Row(expected=only(*who, anonymous=401), options=options)


def acts(who: tuple[str, ...], options: Any, allowed: int = 200) -> Row:
    """Sent {}: 422 where something is missing in it, 409 where the batch or item is not in that state."""
    expected = only(*who, allowed=allowed, anonymous=401)
    return Row(expected=expected, options=options, method="post", is_json=True)


ROWS = {
    "api_reference": Row(expected=each(**ORGANISERS, anonymous=302, others=403)),
    "api_schema": Row(expected=each(**ORGANISERS, anonymous=401, others=403)),
    "api_nothing": Row(expected=(404,) * len(PEOPLE), options=lambda world: {"rest": "x/y"}),
    "api_studies": Row(expected=each(**ORGANISERS, anonymous=401, others=403)),
    "api_study": reads(SETTLES),
    "api_batches": reads(REQUESTER),
    "api_batch": reads(REQUESTER, batch),
    "api_batch_open": acts(REQUESTER, batch, 409),
    "api_batch_pause": acts(REQUESTER, batch),
    "api_batch_resume": acts(REQUESTER, batch, 409),
    "api_batch_deadline": acts(REQUESTER, batch, 422),
    "api_batch_change": acts(REQUESTER, batch),
    "api_batch_return": acts(REQUESTER, batch, 409),
    "api_batch_close": acts(REQUESTER, batch),
    "api_batch_reopen": acts(REQUESTER, batch, 409),
    "api_batch_settle": acts(REQUESTER, batch, 422),
    "api_batch_reviews": acts(SETTLES, batch, 422),
    "api_batch_reservations": reads(REQUESTER, batch),
    "api_batch_reassign": acts(REQUESTER, batch, 422),
    "api_items": reads(SETTLES, batch),
    "api_judgements": reads(REQUESTER, batch),
    "api_item": reads(SETTLES, item),
    "api_item_exclude": acts(SETTLES, item, 422),
    "api_item_readmit": acts(SETTLES, item, 422),
    "api_item_adjudicate": acts(("adjudicator",), item, 422),
    "api_item_retract": acts(("adjudicator",), item, 409),
    "api_item_ask_again": acts(REQUESTER, item, 409),  # everybody was assigned the item
    "api_item_notes": reads(SETTLES, item),
    "api_disputes": reads(SETTLES),
    "api_reviews": reads(SETTLES, assignment),
    "api_mark_correct": acts(("adjudicator",), assignment, 409),
    "api_jobs": reads(REQUESTER),
    "api_job": reads(REQUESTER, job),
    "api_job_problems": reads(REQUESTER, job),
    "api_releases": reads(REQUESTER),
    "api_release": reads(REQUESTER, release),
    "api_release_file": reads(REQUESTER, file),
}
