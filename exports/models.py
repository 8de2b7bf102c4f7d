import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study, User
from accounts.withdrawable import Withdrawable, WithdrawalRow, row_constraints
from annotation.models import Item
from annotation.models.limits import LONGEST_REASON
from corpus.models import Dataset
from sampling.models import Pool


class ReleaseContents(models.TextChoices):
    """What a release has: an extended data set, or a comparison of systems."""

    DATASET = "dataset", "data set"
    COMPARISON = "comparison", "comparison of systems"


class Release(Withdrawable):
    """A release: its number in the study and its manifest. A comparison may be on several data sets.

    A withdrawn one keeps its files; no later release is compared with it. `version` is that of the data set as
    others cite it, MAJOR.MINOR.PATCH (exports.releases.version_numbers), or "".
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="releases")
    contents = models.CharField(
        max_length=10, choices=ReleaseContents, default=ReleaseContents.DATASET
    )
    dataset = models.ForeignKey(Dataset, models.PROTECT, null=True, related_name="releases")
    number = models.PositiveIntegerField()
    is_rehearsal = models.BooleanField()
    version = models.CharField(max_length=32, blank=True)
    note = models.CharField(max_length=LONGEST_REASON, blank=True)
    manifest = models.JSONField()
    # Of its files, in the storage "releases".
    folder = models.TextField()
    # By batch, its silver answers of which nobody was asked whether they are faithful. Null: it is a comparison.
    n_not_asked = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["study_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "number"], name="exports_release_number_is_unique"
            ),
            models.UniqueConstraint(
                fields=["dataset", "is_rehearsal", "version"],
                condition=~Q(version=""),
                name="exports_release_version_is_unique",
            ),
            models.CheckConstraint(
                condition=Q(contents=ReleaseContents.DATASET, dataset__isnull=False)
                | Q(contents=ReleaseContents.COMPARISON, dataset=None),
                name="exports_release_of_a_dataset_or_a_comparison",
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> str:
        """The data set, or that it is a comparison."""
        return str(self.dataset) if self.dataset else ReleaseContents.COMPARISON.label


class ReleaseWithdrawal(WithdrawalRow):
    """A release was withdrawn, or (`is_withdrawn` false) brought back. Release.is_withdrawn says the same."""

    release = models.ForeignKey(Release, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("release", "exports_releasewithdrawal")


class ReleaseDifference(models.Model):
    """What differs between two releases, stored when the later one was made (exports.releases.stored_differences).

    `version` is that of the form of `contents`.
    """

    before = models.ForeignKey(Release, models.PROTECT, related_name="later_differences")
    after = models.ForeignKey(Release, models.PROTECT, related_name="differences")
    version = models.PositiveIntegerField()
    contents = models.JSONField()

    class Meta:
        ordering: ClassVar = ["after_id", "before_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["before", "after"], name="exports_releasedifference_one_of_two_releases"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.before_id} to {self.after_id}"


class Erratum(models.Model):
    """Something is wrong with an answer of a release, which does not change. Rows are only added.

    `answer_id` is that of the release's tables, `answer` its text there.
    """

    release = models.ForeignKey(Release, models.PROTECT, related_name="errata")
    answer_id = models.CharField(max_length=300)
    answer = models.TextField()
    reason = models.CharField(max_length=LONGEST_REASON)
    noted_at = models.DateTimeField(default=timezone.now)
    noted_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["release_id", "pk"]
        verbose_name_plural = "errata"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(answer_id=""), name="exports_erratum_names_an_answer"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="exports_erratum_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.release_id}: {self.answer_id}"


class ComparedMeasure(models.TextChoices):
    """What runs are compared by: the keys of `apart` in figures.json."""

    FAITHFUL = "faithful", "Faithful"
    APPROPRIATE = "appropriate", "Appropriate"
    BOTH = "both", "F+A"
    PREFERENCE = "preference", "Preference"


class PrimaryComparison(models.Model):
    """The primary comparison of a study was named: the newest row is in force. A row never changes.

    `pairs` are pairs of primary keys of runs; [] are all pairs. `n_judgements` is how many judgements had been
    submitted on the pool until then.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="primary_comparisons")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="primary_comparisons")
    measure = models.CharField(max_length=20, choices=ComparedMeasure)
    pairs = models.JSONField(default=list, blank=True)
    n_judgements = models.PositiveIntegerField()
    named_at = models.DateTimeField(default=timezone.now)
    named_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["study_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(measure__in=ComparedMeasure.values),
                name="exports_primarycomparison_measure_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool}: {self.measure}"


class Tier(models.TextChoices):
    """The tier of an accepted answer; the docstring of exports.releases.merge has the table."""

    GOLD = "gold"
    SILVER = "silver"


class PrecisionAudit(models.Model):
    """Accepted answers drawn by lot, to be judged blind by an expert. It never changes.

    `n_gold` and `n_silver` are the numbers of accepted answers at the draw
    (exports.precision_audit.estimate).
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="precision_audits")
    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="precision_audits")
    number = models.PositiveIntegerField()  # on its data set, from 1
    is_rehearsal = models.BooleanField()
    seed = models.BigIntegerField()
    n_gold = models.PositiveIntegerField()
    n_silver = models.PositiveIntegerField()
    drawn_at = models.DateTimeField(default=timezone.now)
    drawn_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["dataset_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "number"], name="exports_precisionaudit_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dataset_id} precision audit {self.number}"


class PrecisionItem(models.Model):
    """An accepted answer of an audit, with the items whose verdicts made it accepted."""

    audit = models.ForeignKey(PrecisionAudit, models.PROTECT, related_name="items")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    tier = models.CharField(max_length=10, choices=Tier)
    plausibility_item = models.ForeignKey(Item, models.PROTECT, related_name="+")
    faithfulness_item = models.ForeignKey(Item, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["audit_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["audit", "plausibility_item"], name="exports_precisionitem_once_per_audit"
            ),
            models.CheckConstraint(
                condition=Q(tier=Tier.GOLD, faithfulness_item__isnull=False)
                | Q(tier=Tier.SILVER, faithfulness_item=None),
                name="exports_precisionitem_faithfulness_of_gold",
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class PrecisionJudgement(models.Model):
    """An expert's label for one question about an answer. A correction is a row that replaces
    another.
    """

    item = models.ForeignKey(PrecisionItem, models.PROTECT, related_name="judgements")
    scheme = models.CharField(max_length=40)
    label = models.CharField(max_length=40)
    comment = models.CharField(max_length=LONGEST_REASON, blank=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    judged_at = models.DateTimeField(default=timezone.now)
    judged_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["item_id", "pk"]
        constraints: ClassVar = [
            # Of two experts at once the second is refused.
            models.UniqueConstraint(
                fields=["item", "scheme"],
                condition=Q(replaces=None),
                name="exports_precisionjudgement_one_first_per_question",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.label}"
