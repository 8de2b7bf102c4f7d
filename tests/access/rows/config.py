from tests.access.table import Row

ROWS = {
    "health": Row(expected=(200,) * 7),
}
