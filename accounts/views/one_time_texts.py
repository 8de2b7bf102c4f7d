"""Texts that are shown once, on the page after a form: password links, invitation links."""

from django.http import HttpRequest


def keep(request: HttpRequest, name: str, text: str) -> None:
    request.session[f"once {name}"] = text


def take(request: HttpRequest, name: str) -> str:
    """Remove the text from the session and return it; "" if there is none."""
    text: str = request.session.pop(f"once {name}", "")
    return text
