from typing import Any

from jobs.actions import liveness
from tests.access.table import Row
from tests.access.world import World


def with_a_worker(world: World) -> dict[str, Any]:
    """The worker of the world was heard of when it was built, which may be minutes ago."""
    liveness.record_beat()
    return {}


ROWS = {
    "health": Row(expected=(200,) * 7, options=with_a_worker),
    "health_live": Row(expected=(200,) * 7),
    "health_ready": Row(expected=(200,) * 7),
    # No token for it is set.
    "metrics": Row(expected=(404,) * 7),
}
