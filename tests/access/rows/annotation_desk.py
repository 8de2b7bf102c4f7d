from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


def item(world: World) -> dict[str, Any]:
    """The item that the study's annotator holds: nobody else's, other annotators' neither."""
    return batch(world) | {"assignment": world.flag.assignment.public_id}


def refusal(world: World) -> dict[str, Any]:
    return {"act": world.act.public_id}


def notice(world: World) -> dict[str, Any]:
    return batch(world) | {"notice": world.notice.pk}


def annotator(allowed: int = 200, **more: Any) -> Row:
    return Row(expected=only("annotator", allowed=allowed), **more)


ROWS = {
    # A script, the same for everybody.
    "service_worker": Row(expected=(200,) * 7),
    # Everybody who is signed in; each sees what waits for them.
    "work": Row(expected=(302, 200, 200, 200, 200, 200, 200)),
    "earnings": Row(expected=(302, 200, 200, 200, 200, 200, 200)),
    # Of everybody, by their own work; nothing was refused in the world.
    "refusal_reply": Row(
        expected=(302, 404, 404, 404, 404, 404, 404), options=refusal, method="post"
    ),
    "ask": annotator(options=in_study),
    # The batch is open: there is no feedback yet.
    "desk_feedback": annotator(404, options=batch),
    "notice_dismiss": annotator(302, options=notice, method="post"),
    # The guidelines were not read: they come first.
    "desk": annotator(302, options=batch),
    # Asked by a script: it is told, and not led to the page for signing in.
    "desk_feed": Row(expected=only("annotator", anonymous=401), options=batch),
    "desk_guidelines": annotator(options=batch),
    "desk_check": annotator(302, options=batch),
    "desk_recent": annotator(options=batch),
    "desk_submit": annotator(302, options=item, method="post"),
    "desk_skip": annotator(400, options=item, method="post"),
    "desk_flag": annotator(400, options=item, method="post"),
    "desk_take_back": annotator(302, options=item, method="post"),
}
