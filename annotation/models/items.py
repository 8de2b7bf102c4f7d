"""What one screen of a batch shows: items with their places, and the answers and passages in them."""

import uuid
from typing import ClassVar

from django.apps import apps
from django.db import models
from django.db.models import (
    Case,
    Expression,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from annotation.models.batch import Batch
from corpus.models import Passage, Turn
from sampling.models import Candidate

# Positions of repeats begin behind those of items and of control items (actions/controls.py): each is that of the
# original behind this one.
FIRST_REPEAT = 2**30 + 2**29

# How many places of an item are taken, as Item.round.
ROUND = F("n_wanted") - F("n_open")

BOOLEAN = models.BooleanField()


class ItemQuerySet(models.QuerySet["Item"]):
    def real(self) -> "ItemQuerySet":
        """Return the items without control items and repeats, which are left out of verdicts, agreement and tables."""
        return self.filter(n_wanted__isnull=False)

    def keyed(self) -> "ItemQuerySet":
        """Return the control items that are not excluded: each has a Key."""
        return self.filter(key__isnull=False, is_excluded=False)

    def claimable(self) -> "ItemQuerySet":
        """Return the items that have an open place and are not excluded."""
        return self.filter(n_open__gt=0, is_excluded=False)

    def claimable_again(self) -> "ItemQuerySet":
        """Return the items that who was handed them, and let the time run out, may be handed again: the claimable
        ones, and control items and repeats, which have no places.
        """
        return self.filter(Q(n_open__gt=0) | Q(n_wanted=None), is_excluded=False)

    def open_for(
        self, annotator: int | Expression, *, asks_to_write: bool = False
    ) -> "ItemQuerySet":
        """Return the claimable items that this person was never handed, in the batch's order. `asks_to_write`: as of
        unseen_by().
        """
        unseen = self.unseen_by(annotator, asks_to_write=asks_to_write)
        return unseen.claimable().order_by("position")

    def locked(self, *, skip_locked: bool = False) -> "ItemQuerySet":
        """Return them, to be locked when they are read.

        FOR NO KEY UPDATE, for the reason of actions/locks.py: a claim that makes the first repeat of an item inserts
        a row with a foreign key to it, while it holds locks on others.
        """
        return self.select_for_update(of=("self",), no_key=True, skip_locked=skip_locked)

    def unseen_by(
        self, annotator: int | Expression, *, asks_to_write: bool = False
    ) -> "ItemQuerySet":
        """Return the items that this person was never handed; of a second round, neither those whose item of the first
        round they were handed, so that nobody reads their own answer. With `asks_to_write`, as Batch has it, neither
        those of a first round that they were handed in the second: they have read an answer to it.

        Whether they were is asked of each item in turn, by the item: the few who were handed one are
        looked through. Asked by NOT EXISTS or by the person, PostgreSQL may read all that the person ever
        did, for each item, until it has counted how much that is; hence the sum, which no index helps.
        """
        assignments = apps.get_model("annotation", "Assignment").objects
        person = ExpressionWrapper(F("annotator_id") + 0, models.BigIntegerField())
        own = assignments.alias(person=person).filter(item=OuterRef("pk"), person=annotator)
        handed = Subquery(own.values_list(Value(True))[:1], output_field=BOOLEAN)
        unseen = self.alias(handed=Coalesce(handed, False)).filter(handed=False)
        first = assignments.alias(person=person).filter(
            item=OuterRef("came_from"), person=annotator
        )
        # Asked only of items of a second round: of all others it is decided by the row.
        in_first = Case(
            When(rewrites=None, then=Value(False)),
            default=Coalesce(Subquery(first.values_list(Value(True))[:1]), False),
            output_field=BOOLEAN,
        )
        unseen = unseen.alias(in_first=in_first).filter(in_first=False)
        if not asks_to_write:
            return unseen
        second = assignments.alias(person=person).filter(
            item__came_from=OuterRef("pk"), item__rewrites__isnull=False, person=annotator
        )
        in_second = Subquery(second.values_list(Value(True))[:1], output_field=BOOLEAN)
        return unseen.alias(in_second=Coalesce(in_second, False)).filter(in_second=False)

    def from_other_round_of(self, annotator: int | Expression) -> "ItemQuerySet":
        """Return the items that are shown in two rounds, of which this person was handed the item of the other one."""
        own = apps.get_model("annotation", "Assignment").objects.filter(annotator=annotator)
        second = own.filter(item__rewrites__isnull=False)
        return self.filter(
            Q(rewrites__isnull=False, came_from__in=own.values("item"))
            | Q(pk__in=second.values("item__came_from"))
        )

    def handed_in_other_round(self) -> set[tuple[int, int]]:
        """Return the items (keys) that are shown in two rounds, with each person (key) who was handed the item of the
        other round. Two queries.
        """
        second = self.filter(rewrites__isnull=False, came_from__assignments__isnull=False)
        first = self.filter(led_to__rewrites__isnull=False, led_to__assignments__isnull=False)
        return {
            *second.order_by().values_list("pk", "came_from__assignments__annotator"),
            *first.order_by().values_list("pk", "led_to__assignments__annotator"),
        }


class Item(models.Model):
    """One thing to judge: what one screen shows.

    `payload` is all that the annotator gets to see, made when the batch opens; there is no run, score
    or reference in it. The places of an item are counted: each of the `n_wanted` is open (free to be
    claimed), reserved (kept for one person), claimed, counted (a judgement fills it), or shut (work was
    rejected and nobody decided to ask again). A control item has no `n_wanted` and no places, and neither has
    a repeat. While an item is excluded its open
    places are claimed by nobody.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="items", db_index=False)
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="items")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    position = models.PositiveIntegerField()
    payload = models.JSONField()
    payload_sha256 = models.CharField(max_length=64)
    # The plausibility item whose verdict a faithfulness item rests on; of a second round, the item of the first.
    came_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="led_to")
    # Of a second round the judgement of the first whose answer it shows.
    rewrites = models.ForeignKey(
        "Judgement", models.PROTECT, null=True, related_name="rewritten_in", db_index=False
    )
    # The item that this one is once more, for people who judged it: it shows the same. Made when the first of them is
    # handed it. None: it is no repeat.
    repeats = models.OneToOneField("self", models.PROTECT, null=True, related_name="repeat")
    n_wanted = models.PositiveSmallIntegerField(null=True)
    n_open = models.PositiveSmallIntegerField(default=0)
    # Kept for people by name (Reservation), and handed to nobody else.
    n_reserved = models.PositiveSmallIntegerField(default=0)
    n_claimed = models.PositiveSmallIntegerField(default=0)
    n_counted = models.PositiveSmallIntegerField(default=0)
    # What its latest Exclusion says, of a repeat that of its original, kept here so that a claim sees it on the row that it locks.
    is_excluded = models.BooleanField(default=False)

    objects = ItemQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["batch_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "position"], name="annotation_item_position_is_unique"
            ),
            # Never too many: kept by the database, whatever the race.
            models.CheckConstraint(
                condition=Q(n_wanted=None, n_open=0, n_reserved=0, n_claimed=0, n_counted=0)
                | Q(
                    n_wanted__isnull=False,
                    n_wanted__gte=F("n_open") + F("n_reserved") + F("n_claimed") + F("n_counted"),
                ),
                name="annotation_item_never_too_many",
            ),
            models.CheckConstraint(
                condition=Q(repeats=None) | Q(n_wanted=None, position__gt=FIRST_REPEAT),
                name="annotation_item_repeat_has_no_places",
            ),
            models.UniqueConstraint(
                fields=["rewrites", "batch"],
                condition=Q(rewrites__isnull=False),
                name="annotation_item_rewrites_once",
            ),
            models.CheckConstraint(
                condition=Q(rewrites=None) | Q(came_from__isnull=False),
                name="annotation_item_rewrites_what_it_came_from",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["batch", "position"],
                condition=Q(n_open__gt=0, is_excluded=False),
                name="annotation_item_open",
            ),
            models.Index(
                F("batch"),
                ROUND,
                F("position"),
                condition=Q(n_open__gt=0, is_excluded=False),
                name="annotation_item_round",
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def shown_position(self) -> int:
        """The position as far as a screen tells it: of a repeat that of its original."""
        return self.position if self.repeats_id is None else self.position - FIRST_REPEAT

    @property
    def n_claimable(self) -> int:
        return 0 if self.is_excluded else self.n_open

    @property
    def n_asked(self) -> int:
        """The number of judgements that it asks for: its places that are not shut; 0 for a control item."""
        return self.n_open + self.n_reserved + self.n_claimed + self.n_counted

    @property
    def round(self) -> int:
        """The number of its places that are taken; 0 for a control item or a repeat, which has none."""
        return (self.n_wanted or 0) - self.n_open


class ItemAnswer(models.Model):
    """A candidate that an item shows; `number` (from 1) is its stored order in the item."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="answers")
    candidate = models.ForeignKey(Candidate, models.PROTECT, related_name="items")
    number = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering: ClassVar = ["item_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item", "candidate"], name="annotation_itemanswer_once_per_candidate"
            ),
            models.UniqueConstraint(
                fields=["item", "number"], name="annotation_itemanswer_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}#{self.number}"


class ItemPassage(models.Model):
    """A passage that an item shows; `number` (from 1) is what it is called there."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="passages")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="items")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["item_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item", "passage"], name="annotation_itempassage_once_per_passage"
            ),
            models.UniqueConstraint(
                fields=["item", "number"], name="annotation_itempassage_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}#{self.number}"
