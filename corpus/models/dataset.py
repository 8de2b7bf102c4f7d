from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study, User
from accounts.withdrawable import Withdrawable, WithdrawalRow, row_constraints
from corpus.models.fields import addressable, plain_name, staged_by_job


class DatasetQuerySet(models.QuerySet["Dataset"]):
    def counting(self) -> "DatasetQuerySet":
        """Return the versions that are not withdrawn: only these are offered for anything new."""
        return self.filter(is_withdrawn=False)

    def by_name(self, name: str) -> "Dataset":
        """Return the newest version of the name, or the version in `name@version`.

        A withdrawn version is the newest only where all are withdrawn. Raises Dataset.DoesNotExist.
        """
        base, _, version = name.partition("@")
        found = self.filter(name=base)
        if version:
            found = found.filter(version=int(version) if version.isdecimal() else 0)
        newest = found.order_by("is_withdrawn", "-version").first()
        if newest is None:
            raise self.model.DoesNotExist(f"there is no dataset {name}")
        return newest


_Datasets = models.Manager.from_queryset(DatasetQuerySet)


class DatasetManager(_Datasets["Dataset"]):
    """The data sets that are completely written."""

    def get_queryset(self) -> DatasetQuerySet:
        return DatasetQuerySet(self.model, using=self._db).filter(staged_by=None)


class Dataset(Withdrawable):
    """A named, versioned set of conversations. Its content never changes.

    Licence and citation are descriptions, and may be changed: the audit record has each change.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="datasets")
    name = models.CharField(max_length=100, validators=[plain_name])
    version = models.PositiveIntegerField(default=1)
    format = models.CharField(max_length=40)
    licence = models.CharField(max_length=200, blank=True, validators=[plain_name])
    citation = models.TextField(blank=True)
    # Of the parsed content, not of the bytes: another indentation is the same data set.
    digest = models.CharField(max_length=64)
    # What was read: [{"name", "sha256", "n_bytes"}], for the manifest of a release.
    files = models.JSONField(default=list)
    # The release that was read back, whose accepted answers this version has: corpus.readers.release.about.
    release = models.JSONField(default=dict, blank=True, editable=False)
    # The version whose work is taken along (docs/adr/0035), and how its turns compare with the earlier ones:
    # corpus.same_turns.Comparison as a plain dict.
    continues = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="continued_by"
    )
    comparison = models.JSONField(default=dict, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    staged_by = staged_by_job()

    objects = DatasetManager()
    everything = models.Manager["Dataset"]()

    class Meta:
        ordering: ClassVar = ["study_id", "name", "-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "name", "version"],
                condition=Q(staged_by=None),
                name="corpus_dataset_version_is_unique",
            ),
            models.CheckConstraint(
                condition=~Q(name__contains="@"),
                name="corpus_dataset_name_has_no_at",
                violation_error_message="a dataset's name has no @: it begins the version",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    def clean(self) -> None:
        addressable(self.name)

    @property
    def withdrawn_objection(self) -> str:
        """Why nothing new is made of it while it is withdrawn; "" while it is not."""
        return f"the data set {self} is withdrawn: bring it back first" if self.is_withdrawn else ""


class DatasetWithdrawal(WithdrawalRow):
    """A version was withdrawn, or (`is_withdrawn` false) brought back. Dataset.is_withdrawn says the same."""

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("dataset", "corpus_datasetwithdrawal")
