from tests.access.table import Row

ROWS = {
    "health": Row(expected=(200,) * 7),
    "health_live": Row(expected=(200,) * 7),
    "health_ready": Row(expected=(200,) * 7),
    # No token for it is set.
    "metrics": Row(expected=(404,) * 7),
}
