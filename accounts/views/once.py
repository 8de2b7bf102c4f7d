"""Texts that one page shows once, kept in the session for the redirect after a form."""

from django.http import HttpRequest


def keep_text(request: HttpRequest, name: str, text: str) -> None:
    request.session[f"once {name}"] = text


def take_text(request: HttpRequest, name: str) -> str:
    """Remove and return the text; empty the second time."""
    text: str = request.session.pop(f"once {name}", "")
    return text
