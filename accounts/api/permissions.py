"""Permission classes of the API. They follow IsAuthenticated, so the user is a User.

The settings name this module, so it cannot import rest_framework.views, which imports it.
"""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts import guards, permissions


class MayUseApi(BasePermission):
    message = "The API is for requesters and adjudicators."

    def has_permission(self, request: Request, view: object) -> bool:
        user: Any = request.user
        return permissions.may_use_api(user)


class HasRole(BasePermission):
    """Permission for members with one of the view's `roles` in the study of the address.

    Sets `study` of the view. Raises Http404 for somebody who is not a member, PermissionDenied for
    members without the role.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        user: Any = request.user
        view.study, _ = guards.study_and_roles(
            user, view.kwargs["study"], *view.roles, where="This"
        )
        guards.require_changeable(view.study, request.method)
        return True
