"""The desk's pages as a browser without a script has them: open, fill in, send."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Assignment, Batch


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


def address(name: str, batch: Batch, assignment: Assignment | None = None) -> str:
    parts: dict[str, Any] = {"study": batch.study.slug, "batch": batch.pk}
    if assignment is not None:
        parts["assignment"] = assignment.public_id
    return reverse(name, kwargs=parts)


def open_desk(client: Client, batch: Batch) -> HttpResponse:
    """The desk with an item on it."""
    response = client.get(address("desk", batch))
    assert response.status_code == 200, response
    assert "assignment" in response.context, "no item on the desk"
    return response


def form_data(page: HttpResponse, label: str = "plausible", **more: str) -> dict[str, str]:
    """The data of the page's form with this label."""
    form = page.context["form"]
    return {
        "client_id": form["client_id"].value(),
        "shown_at": form["shown_at"].value(),
        "active_seconds": "",
        "comment": "",
        page.context["batch"].scheme: label,
    } | more


def send_form(
    client: Client, page: HttpResponse, label: str = "plausible", **more: str
) -> HttpResponse:
    batch, assignment = page.context["batch"], page.context["assignment"]
    return client.post(address("desk_submit", batch, assignment), form_data(page, label, **more))


def text_of(response: HttpResponse) -> str:
    return " ".join(response.content.decode().split())
