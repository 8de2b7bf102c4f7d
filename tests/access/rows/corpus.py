from typing import Any

from tests.access.rows.jobs import job
from tests.access.table import Row, in_study, only
from tests.access.world import World


def dataset(world: World) -> dict[str, Any]:
    dataset = world.run.dataset
    return {**in_study(world), "name": dataset.name, "version": dataset.version}


def part(world: World) -> dict[str, Any]:
    return {**in_study(world), "dataset": world.run.dataset_id, "place": 1}


def its_dataset(world: World) -> dict[str, Any]:
    return {**in_study(world), "dataset": world.run.dataset_id}


def passage(world: World) -> dict[str, Any]:
    passages = world.run.dataset.passages
    found, _ = passages.get_or_create(docid="p1", defaults={"text": "It is a dark stone."})
    return {**in_study(world), "passage": found.pk}


def run(world: World) -> dict[str, Any]:
    return {**in_study(world), "run": world.run.pk}


def version(world: World) -> dict[str, Any]:
    return {**in_study(world), "dataset": world.run.dataset_id}


ROWS = {
    "datasets": Row(only("requester"), in_study),
    "dataset_import": Row(only("requester"), in_study),
    "dataset": Row(only("requester"), dataset),
    "dataset_part": Row(only("requester"), part),
    "dataset_description": Row(only("requester"), its_dataset),
    "passages": Row(only("requester"), its_dataset),
    "passage": Row(only("requester"), passage),
    "run_table": Row(only("requester"), its_dataset),
    "run_table_csv": Row(only("requester"), its_dataset),
    "run_table_check": Row(only("requester", allowed=302), its_dataset, method="post"),
    "run_table_save": Row(only("requester", allowed=302), its_dataset, method="post"),
    "runs": Row(only("requester"), in_study),
    "run_import": Row(only("requester"), in_study),
    "run": Row(only("requester"), run),
    "run_file": Row(only("requester"), run),
    "carry_over": Row(only("requester", allowed=302), version, method="post"),
    "import_checked": Row(only("requester", allowed=302), job, method="post"),
}
