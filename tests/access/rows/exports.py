from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def release(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "number": world.release.number}


def file(world: World) -> dict[str, Any]:
    return {**release(world), "name": "gold.json"}


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


def audit(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "pool": world.audit.pk}


def dataset(world: World) -> dict[str, Any]:
    return {"dataset": world.batch.pool.dataset_id}


def table(world: World) -> dict[str, Any]:
    return {**audit(world), "table": "runs"}


ROWS = {
    # The signed-out are sent to sign in, people who only annotate to their work.
    "home": Row(expected=(302, 302, 302, 200, 200, 200, 200)),
    "study": Row(expected=only("requester"), options=in_study),
    "releases": Row(expected=only("requester"), options=in_study),
    "release_new": Row(expected=only("requester"), options=in_study),
    "release": Row(expected=only("requester"), options=release),
    "release_file": Row(expected=only("requester"), options=file),
    "release_zip": Row(expected=only("requester"), options=release),
    "batch_agreement": Row(expected=only("requester"), options=batch),
    "batch_agreement_start": Row(
        expected=only("requester", allowed=302), options=batch, method="post"
    ),
    "measures": Row(expected=only("requester"), options=in_study),
    "measures_start": Row(
        expected=only("requester", allowed=302), options=in_study, method="post", data=dataset
    ),
    "pool_missed": Row(expected=only("requester"), options=audit),
    "pool_missed_table": Row(expected=only("requester"), options=table),
}
