"""Problems in the format of RFC 9457, with which the API answers errors."""

from collections.abc import Sequence
from typing import Any

PROBLEM = "application/problem+json"
API = "/api/"
REFERENCE = "/api/v1/"

# By status: how its kind is called in addresses, and its title.
KINDS = {
    400: ("malformed", "Malformed"),
    401: ("not-signed-in", "Not signed in"),
    403: ("not-allowed", "Not allowed"),
    404: ("not-found", "Not found"),
    405: ("method", "Not taken here"),
    406: ("not-acceptable", "Not acceptable"),
    409: ("refused", "Refused"),
    413: ("too-large", "Too large"),
    415: ("not-json", "Not JSON"),
    422: ("invalid", "Invalid"),
    429: ("too-many", "Too many requests"),
    500: ("unexpected", "Unexpected error"),
    507: ("no-room", "No room"),
}


def problem(status: int, detail: str, errors: Sequence[dict[str, str]] = ()) -> dict[str, Any]:
    """Return the document. `errors` are about single fields: {"pointer": "#/reason", "detail": …}.

    Right: problem(404, "There is no such thing here."). Wrong: problem(200, ""): that is none.
    """
    name, title = KINDS[status]
    document: dict[str, Any] = {
        "type": f"{REFERENCE}#problem-{name}",
        "title": title,
        "status": status,
        "detail": detail,
    }
    return document | ({"errors": list(errors)} if errors else {})
