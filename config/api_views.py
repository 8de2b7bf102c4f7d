"""What the API says of itself: its schema, and the same to be read."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import guards, permissions
from accounts.api.endpoints import endpoint
from accounts.guards import PersonRequest
from config import api_reference, api_schema
from pages.problems import KINDS, PROBLEM, problem


@endpoint("schema", gives=OpenApiTypes.OBJECT)
def schema(request: Request) -> Response:
    """Read the schema of the API (OpenAPI 3.1)."""
    return Response(api_schema.schema())


@require_safe
@guards.signed_in
def reference(request: PersonRequest) -> HttpResponse:
    """The schema as a page."""
    if not permissions.may_use_api(request.user):
        raise PermissionDenied("The API is for requesters and adjudicators.")
    read = api_reference.read(api_schema.schema())
    context = {"reference": read, "problems": sorted(KINDS.items())}
    return render(request, "api/reference.html", context)


@csrf_exempt
def nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """Whatever else is asked for below the API's address: a program is not answered by a page."""
    said = problem(404, "The API has no such address.")
    return JsonResponse(said, status=404, content_type=PROBLEM)
