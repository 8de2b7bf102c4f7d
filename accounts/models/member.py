from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.study import Study
from accounts.models.user import User


class Role(models.TextChoices):
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    REQUESTER = "requester"


class MembershipQuerySet(models.QuerySet["Membership"]):
    def with_role(self, role: Role) -> "MembershipQuerySet":
        return self.filter(grants__role=role)


class Membership(models.Model):
    """A person in a study. `number` determines the pseudonym, which is stable within the study."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.PROTECT, related_name="memberships")
    number = models.PositiveIntegerField()
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["study_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "user"], name="accounts_membership_once_per_person"
            ),
            models.UniqueConstraint(
                fields=["study", "number"], name="accounts_membership_pseudonym_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}:{self.pseudonym}"

    @property
    def pseudonym(self) -> str:
        return f"p{self.number:04d}"


class RoleGrant(models.Model):
    """One role of a member. Deleting the row takes the role away."""

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="grants")
    role = models.CharField(max_length=20, choices=Role)
    granted_at = models.DateTimeField(default=timezone.now)
    granted_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["membership", "role"], name="accounts_rolegrant_once_per_role"
            ),
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="accounts_rolegrant_role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id}:{self.role}"
