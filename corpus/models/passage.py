from typing import ClassVar

from django.db import models
from django.db.models import Q

from corpus.models.dataset import Dataset
from corpus.models.turn import Turn


class PassageQuerySet(models.QuerySet["Passage"]):
    def with_text(self) -> "PassageQuerySet":
        """Return the passages whose text is known; the others are only ids that runs cite."""
        return self.exclude(text=None)


class Passage(models.Model):
    """A text that answers may rest on: offered for a turn, or cited by an answer.

    `text` is None if only citations without text name the passage.
    """

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="passages")
    # A PostgreSQL index row ends at 2,704 bytes; real ids run to 1,401.
    docid = models.CharField(max_length=2000)
    text = models.TextField(null=True)  # noqa: DJ001  unknown is not the same as empty
    url = models.TextField(blank=True)
    title = models.TextField(blank=True)
    # As the file parts the text, where it does; several may be equal.
    sentences = models.JSONField(default=list)

    objects = PassageQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["dataset_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "docid"], name="corpus_passage_docid_is_unique"
            ),
            models.CheckConstraint(condition=~Q(docid=""), name="corpus_passage_docid_is_said"),
        ]

    def __str__(self) -> str:
        return self.docid


class Offer(models.Model):
    """A passage that was pooled for a turn, in the order of the file."""

    turn = models.ForeignKey(Turn, models.PROTECT, related_name="offers")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="offers")
    position = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["turn_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "passage"], name="corpus_offer_once"),
            models.UniqueConstraint(
                fields=["turn", "position"], name="corpus_offer_position_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}:{self.passage_id}"
