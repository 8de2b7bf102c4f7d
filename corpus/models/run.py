from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.withdrawable import Withdrawable, WithdrawalRow, row_constraints
from corpus.models.dataset import Dataset
from corpus.models.fields import plain_name, staged_by_job


class RunKind(models.TextChoices):
    SYSTEM = "system"
    BASELINE = "baseline"
    REFERENCE = "reference"
    EXTRACTED = "extracted"  # sentences of evidence, asked about as answers


# The kinds of runs that compete: that have figures, places and pairs.
COMPETING = (RunKind.SYSTEM, RunKind.BASELINE)


class Tier(models.TextChoices):
    """The tier of a reference that people accepted in an earlier release; references of the truth have none."""

    GOLD = "gold"
    SILVER = "silver"


class References(models.TextChoices):
    """The references that an answer is measured against: the truth's, gold ones too, or silver ones too."""

    TRUTH = "truth"
    GOLD = "gold"
    SILVER = "silver"

    @property
    def tiers(self) -> tuple[str, ...]:
        """Return the tiers of the runs of references, of which "" is the truth's."""
        every = ("", Tier.GOLD.value, Tier.SILVER.value)
        return every[: list(References).index(self) + 1]


class RunQuerySet(models.QuerySet["Run"]):
    def counting(self) -> "RunQuerySet":
        """Return the runs that are not withdrawn: only these are drawn from, compared and given out."""
        return self.filter(is_withdrawn=False)

    def competing(self) -> "RunQuerySet":
        """Return systems and baselines: no references, and no sentences of evidence."""
        return self.filter(kind__in=COMPETING)


_Runs = models.Manager.from_queryset(RunQuerySet)


class RunManager(_Runs["Run"]):
    """The runs that are completely written."""

    def get_queryset(self) -> RunQuerySet:
        return RunQuerySet(self.model, using=self._db).filter(staged_by=None)


class Run(Withdrawable):
    """One system's answers to a data set.

    References are runs too, so the same code handles both. The answers never change; name, team,
    system, setup and kind do, each time by a RunChange.
    """

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="runs")
    name = models.CharField(max_length=200, validators=[plain_name])
    kind = models.CharField(max_length=20, choices=RunKind, default=RunKind.SYSTEM)
    # Of a run of references that are accepted answers of a release that was read back.
    tier = models.CharField(max_length=20, choices=Tier, blank=True, editable=False)
    team = models.CharField(max_length=200, blank=True, validators=[plain_name])
    system = models.CharField(max_length=200, blank=True, validators=[plain_name])
    setup = models.CharField(max_length=200, blank=True, validators=[plain_name])
    digest = models.CharField(max_length=64)
    # Of the answers' texts alone: two runs with the same answers are flagged.
    answers_digest = models.CharField(max_length=64, db_index=True)
    files = models.JSONField(default=list)
    # Counted when it was imported, because answers never change: answers, those without text, those that
    # cite a passage.
    n_answers = models.PositiveIntegerField(default=0)
    n_empty = models.PositiveIntegerField(default=0)
    n_citing = models.PositiveIntegerField(default=0)
    # Answers in the file on turns that the data set does not have, left out on request.
    n_left_out = models.PositiveIntegerField(default=0)
    # The run of the version for which it was imported, of which this is the copy in a later version.
    carried_from = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="carried_to"
    )
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    staged_by = staged_by_job()

    objects = RunManager()
    everything = models.Manager["Run"]()

    class Meta:
        ordering: ClassVar = ["dataset_id", "name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "name"],
                condition=Q(staged_by=None),
                name="corpus_run_name_is_unique",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=RunKind.values), name="corpus_run_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(tier="") | Q(kind=RunKind.REFERENCE, tier__in=Tier.values),
                name="corpus_run_tier_is_of_references",
            ),
            models.CheckConstraint(
                condition=~Q(name__contains="|"),
                name="corpus_run_name_has_no_bar",
                violation_error_message="a run's name has no |: it parts the names of runs in tables",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RunWithdrawal(WithdrawalRow):
    """A run was withdrawn, or (`is_withdrawn` false) brought back. Run.is_withdrawn says the same."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("run", "corpus_runwithdrawal")


class RunChange(models.Model):
    """The name or the description of a run was changed. Rows are only added.

    `before` and `after` have the fields that changed: name, team, system, setup, kind.
    """

    run = models.ForeignKey(Run, models.PROTECT, related_name="changes")
    before = models.JSONField()
    after = models.JSONField()
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.run_id}: {', '.join(self.after)}"
