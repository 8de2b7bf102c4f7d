"""How an endpoint is made: a function with a line that says for whom it is, what it takes and gives.

    @endpoint("annotation", Role.REQUESTER, takes=PauseIn, gives=BatchOut)
    def pause(request: StudyRequest, study: Study, batch: int) -> Response:
        \"\"\"Pause a batch.

        Nobody is handed another item.
        \"\"\"

and an address at which it stands: path("…/pause/", at(post=pause), name="api_batch_pause"). The first line
of the docstring is its summary in the reference, the rest its description.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import guards, permissions
from accounts.api import paging
from accounts.api.authentication import SessionAuthentication, TokenAuthentication
from accounts.api.problems import ProblemOut
from accounts.api.throttling import Requests
from accounts.models import Role, Study, User
from pages.problems import PROBLEM

FILE = "application/octet-stream"
Handler = Callable[..., HttpResponseBase]
Shape = type[serializers.Serializer[Any]]


class StudyRequest(Request):
    """A request inside a study: which one, and what this person may do there."""

    user: User
    study: Study
    roles: set[Role]


@dataclass(frozen=True)
class Endpoint:
    """What is done at an address by one method, and what the reference says of it."""

    handler: Handler
    tag: str
    roles: tuple[Role, ...]  # none: whoever may use the API; it is not about one study
    takes: Shape | None
    gives: Shape | OpenApiTypes | None
    is_list: bool
    parameters: tuple[OpenApiParameter, ...]
    status: int

    @property
    def name(self) -> str:
        return self.handler.__name__


def endpoint(
    tag: str,
    *roles: Role,
    takes: Shape | None = None,
    gives: Shape | OpenApiTypes | None = None,
    lists: Shape | None = None,
    filters: Sequence[OpenApiParameter] = (),
    status: int = 200,
) -> Callable[[Handler], Endpoint]:
    """`gives` is one thing, `lists` many of them, by pages."""

    def make(handler: Handler) -> Endpoint:
        return Endpoint(
            handler=handler,
            tag=tag,
            roles=roles,
            takes=takes,
            gives=paging.in_schema(lists) if lists else gives,
            is_list=lists is not None,
            parameters=(*filters, *(paging.PARAMETERS if lists else ())),
            status=status,
        )

    return make


def said(request: Request, takes: type[serializers.Serializer[Any]], **context: Any) -> Any:
    """What the request says, cleaned; 422 with the errors of each field where it cannot be meant."""
    serializer = takes(data=request.data, context=context)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def at(**endpoints: Endpoint) -> Callable[..., Any]:
    """The view of an address, from what each method does there: at(get=notes, post=note)."""
    methods = {method: _method(each) for method, each in endpoints.items()}
    names = [*endpoints, *(["head"] if "get" in endpoints else [])]
    return type("Address", (_Address,), {**methods, "http_method_names": names}).as_view()  # type: ignore[attr-defined, no-any-return]


class _Address(APIView):
    authentication_classes = (TokenAuthentication, SessionAuthentication)
    permission_classes = ()  # the endpoint's roles, asked in its method
    throttle_classes = (Requests,)

    def finalize_response(self, *args: Any, **options: Any) -> Any:
        """Nobody keeps what one person got: a shared cache would give it to another."""
        response = super().finalize_response(*args, **options)
        response["Cache-Control"] = "no-store"
        return response


def _method(each: Endpoint) -> Any:
    def method(self: APIView, request: Any, **options: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            raise NotAuthenticated("Send a token: Authorization: Bearer TOKEN.")
        if each.roles:
            slug = options.pop("study")
            found, held = guards.entered(request.user, slug, *each.roles, where="This")
            request.study, request.roles = found, held
            return each.handler(request, found, **options)
        if not permissions.may_use_api(request.user):
            raise PermissionDenied("The API is for requesters and adjudicators.")
        return each.handler(request, **options)

    return _described(each)(method)


def _described(each: Endpoint) -> Callable[[Any], Any]:
    text = inspect.getdoc(each.handler) or ""
    summary, _, rest = text.partition("\n")
    for_whom = " or ".join(role.value for role in each.roles) or "requester or adjudicator anywhere"
    description = "\n\n".join(filter(None, [rest.strip(), f"For: {for_whom}."]))
    answered = (each.status, FILE) if each.gives is OpenApiTypes.BINARY else each.status
    return extend_schema(
        operation_id=each.name,
        tags=[each.tag],
        summary=summary.rstrip("."),
        description=description,
        parameters=list(each.parameters),
        request=each.takes,
        responses={answered: each.gives, ("default", PROBLEM): ProblemOut},
    )


def done(out: Shape, thing: object, status: int = 200, **context: Any) -> Response:
    return Response(out(thing, context=context).data, status=status)
