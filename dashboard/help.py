"""Help: the documents for users, for everybody who is signed in."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import PersonRequest
from pages import documents
from pages.help_topics import DOCUMENTS


@require_safe
@guards.signed_in
def help_index(request: PersonRequest) -> HttpResponse:
    context = {"documents": DOCUMENTS if documents.is_installed() else {}}
    return render(request, "dashboard/help.html", context)


@require_safe
@guards.signed_in
def help_document(request: PersonRequest, document: str) -> HttpResponse:
    found = documents.document(document)
    if found is None:
        raise Http404
    return render(request, "dashboard/help_document.html", {"document": found})
