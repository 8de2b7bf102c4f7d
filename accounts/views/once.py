"""What is shown on one page and then never again: kept for the redirect that follows the form."""

from django.http import HttpRequest


def keep_text(request: HttpRequest, name: str, text: str) -> None:
    request.session[f"once {name}"] = text


def take_text(request: HttpRequest, name: str) -> str:
    """What was kept; none the second time."""
    text: str = request.session.pop(f"once {name}", "")
    return text
