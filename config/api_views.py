"""The API's schema, as JSON and as a page."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from accounts import guards, permissions
from accounts.api.base import ApiView, UserRequest
from accounts.guards import PersonRequest
from config import api_reference, api_schema
from pages.problems import KINDS, PROBLEM, problem


class Schema(ApiView):
    """Read the schema of the API (OpenAPI 3.1)."""

    @extend_schema(operation_id="schema", tags=["schema"], responses=OpenApiTypes.OBJECT)
    def get(self, request: UserRequest) -> Response:
        return Response(api_schema.api_schema())


@require_safe
@guards.signed_in
def reference(request: PersonRequest) -> HttpResponse:
    """Show the schema as a page."""
    if not permissions.may_use_api(request.user):
        raise PermissionDenied("The API is for requesters and adjudicators.")
    read = api_reference.reference_of(api_schema.api_schema())
    context = {"reference": read, "problems": sorted(KINDS.items())}
    return render(request, "api/reference.html", context)


@csrf_exempt
def no_such_address(request: HttpRequest, rest: str) -> HttpResponse:
    """Answer any other address below the API's with a JSON problem, not a page."""
    response = problem(404, "The API has no such address.")
    return JsonResponse(response, status=404, content_type=PROBLEM)
