"""Base classes of API views. Settings: REST_FRAMEWORK."""

from typing import Any, ClassVar

from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.api.permissions import HasRole
from accounts.models import Role, Study, User


class UserRequest(Request):
    """A request that passed IsAuthenticated, for the type checker."""

    user: User


class ApiView(APIView):
    request: UserRequest
    http_method_names = ["get", "post", "head"]

    def check_permissions(self, request: Request) -> None:
        """Throttle first, so that denied requests count too; answer 405 before 401 and 403."""
        super().check_throttles(request)
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `check_permissions` throttles."""

    def validated_data(self, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        """The data of the request. Raises ValidationError."""
        bound = serializer(data=self.request.data)
        bound.is_valid(raise_exception=True)
        return dict(bound.validated_data)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        """Forbid caching: a shared cache must not give one person's response to another."""
        response = super().finalize_response(*args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response


class StudyView(ApiView):
    """A view of a study, for members with one of `roles`."""

    permission_classes = (IsAuthenticated, HasRole)
    roles: ClassVar[tuple[Role, ...]]
    study: Study
