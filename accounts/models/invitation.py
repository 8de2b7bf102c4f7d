from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from accounts.models.member import Role
from accounts.models.study import Study
from accounts.models.user import User

# What an invitation can give. Nobody becomes requester by a link that may be passed on.
INVITATION_ROLES = [(role.value, role.label) for role in (Role.ANNOTATOR, Role.ADJUDICATOR)]


def invitation_state(now: datetime) -> Case:
    return Case(
        When(revoked_at__isnull=False, then=Value("revoked")),
        When(n_used__gte=F("n_most"), then=Value("used up")),
        When(expires_at__lte=now, then=Value("expired")),
        default=Value("open"),
        output_field=models.CharField(),
    )


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def with_state(self, now: datetime) -> "InvitationQuerySet":
        """Annotate each with its `state` at that time: open, used up, expired or revoked."""
        return self.annotate(state=invitation_state(now))

    def states(self, now: datetime) -> dict[int, str]:
        """Return the state of each invitation by its primary key."""
        rows = self.annotate(state=invitation_state(now)).values_list("pk", "state")
        return dict(rows)


class Invitation(models.Model):
    """A link that brings people into a study with a role. Only the hash of its token is kept."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=INVITATION_ROLES)
    note = models.CharField(max_length=200, blank=True)
    token_sha256 = models.CharField(max_length=64, unique=True)
    # How many people may come by it; none: as many as there are.
    n_most = models.PositiveIntegerField(null=True, blank=True)
    n_used = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(role__in=[role for role, _ in INVITATION_ROLES]),
                name="accounts_invitation_role_is_known",
            ),
            models.CheckConstraint(
                condition=Q(n_most=None) | Q(n_most__gte=1, n_used__lte=F("n_most")),
                name="accounts_invitation_is_not_used_too_often",
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None, revoked_by=None)
                | Q(revoked_at__isnull=False, revoked_by__isnull=False),
                name="accounts_invitation_revoked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} ({self.role})"
