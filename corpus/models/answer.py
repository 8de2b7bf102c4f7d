from typing import ClassVar

from django.db import models

from corpus.models.dataset import Dataset
from corpus.models.passage import Passage
from corpus.models.run import References, Run, RunKind
from corpus.models.turn import Turn


class AnswerQuerySet(models.QuerySet["Answer"]):
    def references(
        self, dataset: Dataset, chosen: References = References.TRUTH
    ) -> "AnswerQuerySet":
        """Return the references of the truth, and the chosen ones that were accepted in a release."""
        references = self._of_runs(dataset).filter(run__kind=RunKind.REFERENCE)
        return references.filter(run__tier__in=chosen.tiers)

    def of_systems(self, dataset: Dataset) -> "AnswerQuerySet":
        """Return the answers of systems and baselines, and extracted sentences, of runs that are not withdrawn."""
        return self.of_all_systems(dataset).filter(run__is_withdrawn=False)

    def of_all_systems(self, dataset: Dataset) -> "AnswerQuerySet":
        """Return the answers of all runs but references, also of withdrawn ones."""
        return self._of_runs(dataset).exclude(run__kind=RunKind.REFERENCE)

    def _of_runs(self, dataset: Dataset) -> "AnswerQuerySet":
        """Return the answers of runs that are completely written."""
        return self.filter(run__dataset=dataset, run__staged_by=None)


class Answer(models.Model):
    """A run's text for a turn, raw. It is compared and shown without outer white space."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="answers")
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="answers")
    text = models.TextField(blank=True)
    rewrite = models.TextField(blank=True)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["run_id", "turn_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "turn"], name="corpus_answer_once_per_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}:{self.turn_id}"


class Citation(models.Model):
    """A passage that an answer rests on.

    Rank and score are None if only a quote names the passage.
    """

    answer = models.ForeignKey(Answer, models.PROTECT, related_name="citations")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="citations")
    rank = models.PositiveIntegerField(null=True)
    score = models.FloatField(null=True)
    quote = models.TextField(blank=True)
    # Of the quote: "" (there is none), usable, or why not.
    quote_status = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering: ClassVar = ["answer_id", "rank"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["answer", "passage"], name="corpus_citation_once"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}:{self.passage_id}"
