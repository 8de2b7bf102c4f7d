import hashlib
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study
from corpus.models import Answer, References, Turn, plain_name
from scoring import retrieval
from scoring.registry import MEASURES


class Metric(models.TextChoices):
    """The metrics that need a model; the others are in scoring.registry."""

    SAS = "sas"
    BERTSCORE = "bertscore"
    BERTSCORE_PRECISION = "bertscore_precision"
    BERTSCORE_RECALL = "bertscore_recall"


# What people call those that need a model.
LABELS = {
    Metric.SAS.value: "SAS",
    Metric.BERTSCORE.value: "BERTScore F1",
    Metric.BERTSCORE_PRECISION.value: "BERTScore precision",
    Metric.BERTSCORE_RECALL.value: "BERTScore recall",
}


class ScorerQuerySet(models.QuerySet["Scorer"]):
    def by_name(self, name: str, metric: str, dataset: int | None = None) -> "Scorer":
        """The newest scorer of this name, or the one of `name#version`, in full or short form.

        Without a version it is one that measures against the truth alone. A scorer in two stages belongs to one data set: without a version, those calibrated on another data
        set than `dataset` are ignored.

        Raises Scorer.DoesNotExist, and Scorer.MultipleObjectsReturned if both an imported and a computed
        scorer have the name.
        """
        base, _, version = name.partition("#")
        found = [
            scorer
            for scorer in self.filter(name=base, metric=metric).order_by("-pk")
            if name in (str(scorer), scorer.short)
            or (not version and not scorer.marks and scorer.calibrated_on in (None, dataset))
        ]
        if not found:
            raise self.model.DoesNotExist(f"there is no scorer {name} for the metric {metric}")
        if len({scorer.study_id for scorer in found}) > 1:
            which = " or ".join(sorted(scorer.short for scorer in found))
            raise self.model.MultipleObjectsReturned(f"{name} is {which}: say which")
        return found[0]


class Scorer(models.Model):
    """A metric by a named program or model, in one version.

    A scorer with a study is one whose scores were imported into that study; without one it is
    computed here, and its scores are valid wherever the same texts occur.
    """

    metric = models.CharField(max_length=40, validators=[plain_name])
    name = models.CharField(max_length=200, validators=[plain_name])
    version = models.CharField(max_length=600)  # in two stages it names two models
    # What a computed scorer measures answers against, if it measures them against references.
    references = models.CharField(max_length=20, choices=References, default=References.TRUTH)
    study = models.ForeignKey(Study, models.PROTECT, null=True, related_name="scorers")
    identity = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ScorerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["metric", "name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["metric", "name", "version", "references"],
                condition=Q(study=None),
                name="scoring_scorer_computed_version_is_unique",
            ),
            models.UniqueConstraint(
                fields=["study", "metric", "name", "version"],
                condition=Q(study__isnull=False),
                name="scoring_scorer_imported_version_is_unique",
            ),
            models.CheckConstraint(
                condition=Q(references__in=References.values),
                name="scoring_scorer_references_are_known",
            ),
            models.CheckConstraint(
                condition=~Q(name__contains="#"),
                name="scoring_scorer_name_has_no_hash",
                violation_error_message="a scorer's name has no #: it begins the version",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}#{self.version}{self.marks}"

    @property
    def marks(self) -> str:
        """Return what is added to the version where the references are more than the truth's, as +gold."""
        return "" if self.references == References.TRUTH else f"+{self.references}"

    @property
    def label(self) -> str:
        """Return the measure's display name, with its references if they are more than the truth's.

        Of an imported metric it is its own name.
        """
        measure = MEASURES.get(self.metric)
        name = measure.label if measure else LABELS.get(self.metric, self.metric)
        return f"{name} ({self.references})" if self.marks else name

    @property
    def derives_relevance(self) -> bool:
        """Return whether it uses derived relevance on turns whose truth names no passage."""
        is_measured = self.study_id is None and self.metric in MEASURES
        return is_measured and self.name.endswith(retrieval.DERIVED)

    @property
    def short(self) -> str:
        """Name and version; a model's version as the first 8 digits of its SHA-256."""
        if not self.identity:
            return str(self)
        return f"{self.name}#{hashlib.sha256(self.version.encode()).hexdigest()[:8]}{self.marks}"

    @property
    def threshold(self) -> float | None:
        """The one threshold at which a scorer in two stages is valid; None for any other scorer."""
        calibration = self.identity.get("calibration")
        return calibration["threshold"] if calibration else None

    @property
    def calibrated_on(self) -> int | None:
        """The primary key of the data set of a scorer in two stages; None for any other scorer."""
        dataset: int | None = self.identity.get("asked", {}).get("dataset")
        return dataset


class Score(models.Model):
    """The score of a text against a set of references by one scorer, both given as hashes.

    The hashes are of the texts without outer white space; of several references, of their sorted
    set, and the value is the maximum over them. Equal texts are scored once, wherever they occur.
    """

    scorer = models.ForeignKey(Scorer, models.PROTECT, related_name="scores")
    prediction_sha256 = models.CharField(max_length=64)
    references_sha256 = models.CharField(max_length=64)
    value = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["scorer", "references_sha256", "prediction_sha256"],
                name="scoring_score_once_per_texts",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scorer_id}:{self.value}"


class ImportedScore(models.Model):
    """One answer's score, computed elsewhere."""

    scorer = models.ForeignKey(Scorer, models.PROTECT, related_name="imported_scores")
    answer = models.ForeignKey(Answer, models.PROTECT, related_name="imported_scores")
    value = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["scorer", "answer"], name="scoring_importedscore_once_per_answer"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scorer_id}:{self.answer_id}:{self.value}"


class Relevance(models.Model):
    """The relevant passages of a turn whose truth names none, found by token overlap.

    `known_sha256` is the hash of the ids of all passages that were considered. When another run
    cites further ones it changes, and the relevance is derived again.
    """

    turn = models.OneToOneField(Turn, models.PROTECT, related_name="relevance")
    docids = models.JSONField()
    known_sha256 = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "relevance"

    def __str__(self) -> str:
        return f"{self.turn_id}: {len(self.docids)} relevant"
