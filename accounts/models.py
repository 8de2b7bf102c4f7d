from datetime import datetime
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.crypto import salted_hmac

# How the names of erased people begin; nobody else can choose such a name.
ERASED = "erased-"


class User(AbstractUser):
    """A person, or a simulated annotator of a rehearsal.

    A site administrator has `is_superuser`.
    """

    is_simulated = models.BooleanField(default=False)
    # Takes part in what a session is checked against: one more, and all sessions until now have ended.
    n_sign_outs_everywhere = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            # "!" begins what set_unusable_password() writes: no password ever matches it.
            models.CheckConstraint(
                condition=Q(is_simulated=False) | Q(password__startswith="!"),  # noqa: S106
                name="accounts_user_simulated_people_cannot_sign_in",
            ),
        ]

    @property
    def name_if_erased(self) -> str:
        return f"{ERASED}{self.pk}"

    @property
    def is_erased(self) -> bool:
        return self.username == self.name_if_erased

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """Return the hash that Django compares with each session's.

        It changes with the password and with `n_sign_outs_everywhere`, which ends all sessions.
        """
        return salted_hmac(
            "accounts.models.User.session",
            f"{self.n_sign_outs_everywhere} {self.password}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()


class Role(models.TextChoices):
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    REQUESTER = "requester"


# /studies/new/ is the page that makes a study.
not_new = RegexValidator(r"^new$", "A study cannot be called new.", inverse_match=True)


class Study(models.Model):
    """One evaluation effort with its people, data sets, runs, batches and releases."""

    slug = models.SlugField(max_length=60, unique=True, validators=[not_new])
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=200, blank=True)
    citation = models.TextField(blank=True)
    # What people agree to before they judge, in Markdown; none where nothing is asked of them.
    consent = models.TextField(blank=True)
    # Whether requesters and adjudicators come in only with a second factor.
    requires_second_factor = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="studies_created")
    # Since when nothing in it can be changed; none while it can (accounts.permissions.require).
    archived_at = models.DateTimeField(null=True, blank=True)
    archived_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["slug"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(archived_at=None, archived_by=None)
                | Q(archived_at__isnull=False, archived_by__isnull=False),
                name="accounts_study_archived_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None


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


class ConsentText(models.Model):
    """A text that somebody agreed to. Kept for good."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="consent_texts")
    sha256 = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "sha256"], name="accounts_consenttext_once_per_study"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}:{self.sha256[:12]}"


class Consent(models.Model):
    """A member's agreement to a text. Rows are only added."""

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="consents")
    text = models.ForeignKey(ConsentText, models.PROTECT, related_name="consents")
    consented_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["consented_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["membership", "text"], name="accounts_consent_once_per_wording"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} to {self.text_id}"


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self, now: datetime) -> "ApiTokenQuerySet":
        return self.filter(revoked_at=None, expires_at__gt=now)


class ApiToken(models.Model):
    """A token with which a program acts in the API as its user. Only the token's hash is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    # A day and no time: this much tells whether it is in use, and is written once a day.
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "name"],
                condition=Q(revoked_at=None),
                name="accounts_apitoken_name_is_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SecondFactor(models.Model):
    """What a user needs besides the password to sign in: the codes of an app.

    The key of the codes is not stored: it is derived from `salt` and the secret key.
    """

    user = models.OneToOneField(User, models.CASCADE, related_name="second_factor")
    salt = models.CharField(max_length=64)
    # The newest step of 30 seconds whose code was used: that code and earlier ones are used up.
    last_step = models.BigIntegerField()
    n_wrong = models.PositiveIntegerField(default=0)  # codes since the last right one
    last_wrong_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that replaces one of the app, once. Only its hash is stored, until it is used."""

    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="recovery_codes")
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["factor", "sha256"], name="accounts_recoverycode_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.sha256[:12]
