from typing import ClassVar

from django.db import models
from django.db.models.functions import Cast, Concat

from corpus.models.dataset import Dataset


class Conversation(models.Model):
    """Ordered turns. A single question is a conversation of one."""

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="conversations")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["dataset_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "key"], name="corpus_conversation_key_is_unique"
            ),
            models.UniqueConstraint(
                fields=["dataset", "position"], name="corpus_conversation_position_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.key


def turn_key(prefix: str = "") -> Concat:
    """Return an expression for Turn.key.

    `prefix` leads from the queryset's model to the turn, as turn__.
    """
    number = Cast(f"{prefix}number", models.CharField())
    parts = (f"{prefix}conversation__key", models.Value("_"), number)
    return Concat(*parts, output_field=models.CharField())


class TurnQuerySet(models.QuerySet["Turn"]):
    def of(self, dataset: Dataset) -> "TurnQuerySet":
        """Return the data set's turns in its own order."""
        turns = self.filter(conversation__dataset=dataset).select_related("conversation")
        return turns.order_by("conversation__position", "number")


class Turn(models.Model):
    """One question of a conversation.

    `question` is as it was asked (possibly elliptic), `rewrite` stands alone; either may be blank,
    not both. `source` is the truth as it was read, to be written back unchanged.
    """

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="turns")
    number = models.PositiveIntegerField()
    question = models.TextField(blank=True)
    rewrite = models.TextField(blank=True)
    truth_passages = models.JSONField(default=list)
    source = models.JSONField(default=dict)
    # The whole line, of a format that is written back byte for byte (a JSON column keeps no order of keys),
    # and the file that it came from, where a data set has several.
    record = models.TextField(blank=True)
    part = models.CharField(max_length=200, blank=True)
    # How the question was made, of the format `questions` (corpus/readers/questions.py): {"type", "section", "kind",
    # "document", "proof", "proof_status", "maker": {"model", "prompt", "prompt_sha256", "seed"}}.
    meta = models.JSONField(default=dict, blank=True, editable=False)
    # The accepted answers of a release that was read back, as JSON (corpus.accepted): a JSON column would not
    # keep how its numbers are written.
    accepted = models.TextField(blank=True, editable=False)
    # The turn of the earliest version that is the same as this one: what was decided of it holds here too.
    same_as = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="same_later"
    )

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["conversation_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["conversation", "number"], name="corpus_turn_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        """Return the turn's id in every file. Reads self.conversation: select it with the turn."""
        return f"{self.conversation.key}_{self.number}"

    @property
    def wordings(self) -> tuple[str, ...]:
        """Return the non-blank wordings of the question: as it was asked, then the rewrite."""
        return tuple(text for text in (self.question, self.rewrite) if text.strip())

    @property
    def standalone(self) -> str:
        """Return the question as a reader without the conversation understands it."""
        return next(reversed(self.wordings), "")
