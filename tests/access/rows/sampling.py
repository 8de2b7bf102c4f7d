from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def pool(world: World) -> dict[str, Any]:
    return {**in_study(world), "pool": world.batch.pool_id}


ROWS = {
    "pools": Row(only("requester"), in_study),
    "pool_new": Row(only("requester"), in_study),
    # Nothing in the world has scores: the desk says so, and there is nothing to survey.
    "pool_survey": Row(only("requester", allowed=302), in_study, method="post"),
    "comparison_new": Row(only("requester"), in_study),
    "writing_new": Row(only("requester"), in_study),
    "curation_new": Row(only("requester"), in_study),
    "reference_evidence_new": Row(only("requester"), in_study),
    "pool": Row(only("requester"), pool),
    "pool_audit": Row(only("requester"), pool),
    # The world's pool is one of answers: it says so, and goes back.
    "pool_spans": Row(only("requester", allowed=302), pool),
}
