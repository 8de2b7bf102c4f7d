from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def job(world: World) -> dict[str, Any]:
    return {**in_study(world), "job": world.job.pk}


ROWS = {
    "jobs": Row(only("requester"), in_study),
    "job": Row(only("requester"), job),
    "job_problems": Row(only("requester"), job),
    "job_cancel": Row(only("requester"), job),
    "job_resume": Row(only("requester", allowed=302), job, method="post"),
}
