from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def dataset(world: World) -> dict[str, Any]:
    return {"dataset": world.run.dataset_id}


ROWS = {
    "scores": Row(only("requester"), in_study),
    "score_start": Row(only("requester"), in_study),
    "scores_import": Row(only("requester"), in_study),
    "scores_average": Row(only("requester", allowed=302), in_study, method="post", data=dataset),
}
