from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.user import User

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
    # What people are asked about themselves before they judge, as accounts.background_questions reads it.
    background = models.TextField(blank=True)
    # Who answers annotators' questions, and how to reach them: an e-mail or web address, or words.
    contact_name = models.CharField(max_length=100, blank=True)
    contact_address = models.CharField(max_length=200, blank=True)
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
