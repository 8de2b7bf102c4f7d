"""A small judged batch, which a requester reviews with every code of the shared task.

Three turns. The text "I do not know." answers two of them; the other texts stand once.

| item | turn | answer            | bob         | dora        | fay       | what is done           |
| ---- | ---- | ----------------- | ----------- | ----------- | --------- | ---------------------- |
| 1    | 1    | The guild.        | plausible   | plausible   |           |                        |
| 2    | 1    | I do not know.    | implausible | implausible |           |                        |
| 3    | 1    | guild teh Built   | plausible   | implausible |           | `malformed answer`     |
| 4    | 2    | I do not know.    | plausible   | implausible |           | `confusing answer`     |
| 5    | 2    | In 1702.          | implausible | plausible   |           | `correct answer`: dora |
| 6    | 3    | Yes.              | plausible   | plausible   | malformed | `random answer`: fay   |
| 7    | 3    | It was lit once.  | plausible   |             | malformed | `random answer`: fay   |
| 8    | 3    | No.               | implausible | plausible   |           |                        |
"""

from dataclasses import dataclass

from django.db.models import F

from accounts.models import Role, Study, User
from annotation.actions import batches, item_places
from annotation.models import Assignment, Batch, Cursor, Item, Judgement
from annotation.schemes import payloads
from tests.annotation.desk import NOW, after, submit
from tests.conftest import member
from tests.factories import BatchFactory, ConversationFactory, ItemFactory, TurnFactory

DO_NOT_KNOW = "I do not know."
LABELS = [
    (1, "The guild.", "plausible", "plausible", ""),
    (1, DO_NOT_KNOW, "implausible", "implausible", ""),
    (1, "guild teh Built", "plausible", "implausible", ""),
    (2, DO_NOT_KNOW, "plausible", "implausible", ""),
    (2, "In 1702.", "implausible", "plausible", ""),
    (3, "Yes.", "plausible", "plausible", "malformed"),
    (3, "It was lit once.", "plausible", "", "malformed"),
    (3, "No.", "implausible", "plausible", ""),
]


@dataclass(frozen=True)
class JudgedBatch:
    batch: Batch
    items: list[Item]  # item 1 first
    fay: User

    def item(self, number: int) -> Item:
        return Item.objects.get(pk=self.items[number - 1].pk)

    def judgement(self, number: int, who: User) -> Judgement:
        own = Judgement.objects.filter(assignment__annotator=who)
        return own.get(assignment__item=self.items[number - 1])

    def of(self, who: User) -> list[Judgement]:
        own = Judgement.objects.filter(assignment__annotator=who)
        return list(own.order_by("assignment__item__position"))


def create_judged_batch(
    study: Study, alice: User, bob: User, dora: User, *, closed: bool = True
) -> JudgedBatch:
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    batch = BatchFactory(
        pool__dataset__study=study, name="campaign", judgements_per_item=3, claim_seconds=600
    )
    conversation = ConversationFactory(dataset=batch.pool.dataset, key="7")
    turns = {n: TurnFactory(conversation=conversation, number=n) for n in (1, 2, 3)}
    items = [
        ItemFactory(batch=batch, position=position, turn=turns[turn], payload=_payload(text))
        for position, (turn, text, *_) in enumerate(LABELS, start=1)
    ]
    for who, column in ((bob, 2), (dora, 3), (fay, 4)):
        for item, row in zip(items, LABELS, strict=True):
            if row[column]:
                submit(_claimed(item, who), row[column])
    if closed:
        batch = batches.close(batch=batch, by=alice)
    return JudgedBatch(batch, items, fay)


def _payload(text: str) -> dict[str, object]:
    return payloads.payload(question="Who?", context=[], answers=[text], evidence=None)


def _claimed(item: Item, who: User) -> Assignment:
    """This very item, whatever is next: as a claim leaves it."""
    item.refresh_from_db()
    item_places.move(item, n_open=-1, n_claimed=+1)
    cursor, _ = Cursor.objects.get_or_create(batch=item.batch, annotator=who)
    Cursor.objects.filter(pk=cursor.pk).update(n_taken=F("n_taken") + 1)
    return Assignment.objects.create(
        item=item, annotator=who, claimed_at=NOW, expires_at=after(600)
    )
