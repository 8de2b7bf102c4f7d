from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


def flag(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "flag": world.flag.pk}


def requester(name: str, allowed: int = 200) -> tuple[str, Row]:
    return name, Row(expected=only("requester", allowed=allowed), options=batch)


ROWS = {
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
            "batch_close",
            "batch_reopen",
            "evidence_new",
        )
    ),
    # The world's batch is open: it can be changed no more, and settled not yet.
    **dict(requester(name, allowed=302) for name in ("batch_edit", "batch_settle")),
    "batch_items": Row(expected=only("requester", "adjudicator"), options=batch),
    "flags": Row(expected=only("requester", "adjudicator"), options=in_study),
    "flag_answer": Row(
        expected=only("requester", "adjudicator", allowed=302), options=flag, method="post"
    ),
}
