from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone


class User(AbstractUser):
    """A person, or a simulated one that a rehearsal made."""

    is_simulated = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            # "!" begins what set_unusable_password() writes: no password ever matches it.
            models.CheckConstraint(
                condition=Q(is_simulated=False) | Q(password__startswith="!"),  # noqa: S106
                name="accounts_user_simulated_people_cannot_sign_in",
            ),
        ]


class Role(models.TextChoices):
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    REQUESTER = "requester"


class Study(models.Model):
    """One evaluation effort with its people, data sets, runs, batches and releases."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=200, blank=True)
    citation = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="studies_created")

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug


class MembershipQuerySet(models.QuerySet["Membership"]):
    def holding(self, role: Role) -> "MembershipQuerySet":
        return self.filter(grants__role=role)


class Membership(models.Model):
    """A person in a study. `number` gives the pseudonym, which is stable within the study."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.PROTECT, related_name="memberships")
    number = models.PositiveIntegerField()

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
    """One role that a member holds; the existence of the row is the right."""

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
