from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def dataset(world: World) -> dict[str, Any]:
    return {"dataset": world.run.dataset_id}


ROWS = {
    # Nothing in the world has scores: what is missing is said on the page of scores.
    "scores_csv": Row(only("requester", allowed=302), in_study),
    "scores_latex": Row(only("requester", allowed=302), in_study),
    "rankings_csv": Row(only("requester", allowed=302), in_study),
    "scores": Row(only("requester"), in_study),
    "score_start": Row(only("requester"), in_study),
    "scores_import": Row(only("requester"), in_study),
    "scores_count": Row(only("requester", allowed=302), in_study, method="post", data=dataset),
}
