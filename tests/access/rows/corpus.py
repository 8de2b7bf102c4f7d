from typing import Any

from tests.access.rows.jobs import job
from tests.access.table import Row, in_study, only
from tests.access.world import World


def dataset(world: World) -> dict[str, Any]:
    dataset = world.run.dataset
    return {**in_study(world), "name": dataset.name, "version": dataset.version}


def part(world: World) -> dict[str, Any]:
    return {**in_study(world), "dataset": world.run.dataset_id, "place": 1}


def run(world: World) -> dict[str, Any]:
    return {**in_study(world), "run": world.run.pk}


def version(world: World) -> dict[str, Any]:
    return {**in_study(world), "dataset": world.run.dataset_id}


ROWS = {
    "datasets": Row(only("requester"), in_study),
    "dataset_import": Row(only("requester"), in_study),
    "dataset": Row(only("requester"), dataset),
    "dataset_part": Row(only("requester"), part),
    "runs": Row(only("requester"), in_study),
    "run_import": Row(only("requester"), in_study),
    "run": Row(only("requester"), run),
    "carry_over": Row(only("requester", allowed=302), version, method="post"),
    "import_checked": Row(only("requester", allowed=302), job, method="post"),
}
