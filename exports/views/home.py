from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.models import Role, RoleGrant, Study, User


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Where everybody starts: the signed-out at the door, annotators at their work, others at a choice."""
    if not request.user.is_authenticated:
        return redirect("sign_in" if User.objects.exists() else "first_steps")
    held = RoleGrant.objects.filter(membership__user=request.user)
    roles = set(held.values_list("role", flat=True))
    if roles == {Role.ANNOTATOR} and not request.user.is_superuser:
        return redirect("work")
    return render(request, "exports/home.html", {"studies": _studies(request.user), "roles": roles})


def _studies(user: User) -> list[tuple[Study, list[str]]]:
    """The studies that the person is in, by title, with the roles held there."""
    held = RoleGrant.objects.filter(membership__user=user).select_related("membership__study")
    roles: dict[Study, list[str]] = {}
    for grant in held.order_by("membership__study__title", "membership__study__slug", "role"):
        roles.setdefault(grant.membership.study, []).append(grant.role)
    return list(roles.items())
