"""A study for the load, written straight into the tables."""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.management.color import no_style
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.actions import members, studies, users
from accounts.backends import SESSION_BACKEND
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import batches
from annotation.models import Batch, BatchState, GuidelineReading, Item, ItemAnswer
from annotation.schemes import payloads
from bench.load import tables
from bench.load.texts import Texts, turns
from corpus.models import Conversation, Dataset, Turn
from sampling.models import Candidate, Pool, Purpose

SCHEME = "plausibility"
GUIDELINE = Path(__file__).resolve().parents[2] / "demo" / "guideline-plausibility.md"
JUDGEMENTS = 2
AT_ONCE = 20_000  # rows; what is in memory at a time


@dataclass(frozen=True)
class StudyAccess:
    """The annotators' data: addresses, the cookie of each one's session, the labels."""

    slug: str
    batches: list[int]
    sessions: list[str]
    session_cookie: str
    scheme: str
    labels: list[str]
    depth: int

    def written(self) -> str:
        return json.dumps(asdict(self))


class ShownTurn(NamedTuple):
    """A turn as its items show it."""

    turn: int
    question: str
    context: list[str]
    answers: list[str]


@transaction.atomic
def make(*, n_items: int, n_batches: int, n_annotators: int, seed: int) -> StudyAccess:
    """Make a study with so many open batches of the same items, each item to be judged twice."""
    requester = users.create_user(name="requester", password=None)
    study = studies.create_study(slug="load", title="Load", requester=requester)
    annotators = [_annotator(study, n, requester) for n in range(1, n_annotators + 1)]
    pool = _pool(study, requester)
    guideline = batches.guideline_of(study, SCHEME, GUIDELINE.read_text("utf-8"), requester)
    GuidelineReading.objects.bulk_create(
        GuidelineReading(guideline=guideline, read_by=each) for each in annotators
    )
    opened = [
        Batch.objects.create(
            study=study,
            name=f"load-{n}",
            scheme=SCHEME,
            pool=pool,
            guideline=guideline,
            state=BatchState.OPEN,
            judgements_per_item=JUDGEMENTS,
            created_by=requester,
        )
        for n in range(1, n_batches + 1)
    ]
    _write_items(pool, opened, _write_turns(pool.dataset, n_items, seed), seed)
    return StudyAccess(
        slug=study.slug,
        batches=[batch.pk for batch in opened],
        sessions=[_session(annotator) for annotator in annotators],
        session_cookie=settings.SESSION_COOKIE_NAME,
        scheme=SCHEME,
        labels=list(schemes.get(SCHEME).labels),
        depth=opened[0].prefetch_depth,
    )


def _annotator(study: Study, number: int, requester: User) -> User:
    user = users.create_user(name=f"annotator-{number}", password=None)
    members.add(study=study, user=user, roles=[Role.ANNOTATOR], by=requester)
    return user


def _session(user: User) -> str:
    """Return the cookie of a signed-in user."""
    client = Client()
    client.force_login(user, backend=SESSION_BACKEND)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _pool(study: Study, requester: User) -> Pool:
    dataset = Dataset.objects.create(
        study=study, name="load", format="made up", digest="0" * 64, created_by=requester
    )
    return Pool.objects.create(
        study=study,
        dataset=dataset,
        name="load",
        purpose=Purpose.ANSWERS,
        rule={},
        built_at=timezone.now(),
        created_by=requester,
    )


def _write_turns(dataset: Dataset, n_items: int, seed: int) -> list[ShownTurn]:
    """Write the data set's conversations, in their order."""
    first_conversation, first_turn = tables.next_key(Conversation), tables.next_key(Turn)
    conversations = []
    rows = []
    asked: list[ShownTurn] = []
    for position, (questions, answers) in enumerate(turns(Texts(seed), n_items)):
        conversations.append((first_conversation + position, str(position + 1), position))
        for number, question in enumerate(questions):
            key = first_turn + len(asked)
            rows.append((key, first_conversation + position, number + 1, question))
            asked.append(ShownTurn(key, question, questions[:number], answers[number]))
    of_conversation = tables.Table(Conversation(dataset=dataset), "id", "key", "position")
    of_conversation.write(conversations)
    of_turn = tables.Table(Turn(), "id", "conversation", "number", "question")
    of_turn.write(rows)
    tables.count_on([Conversation, Turn], no_style())
    return asked


class _Row(NamedTuple):
    """One item's screen with its contents."""

    turn: int
    text: str
    text_sha256: str
    payload: str
    payload_sha256: str


def _write_items(pool: Pool, opened: list[Batch], asked: list[ShownTurn], seed: int) -> None:
    """Write the items: questions shuffled, the items of a question together, as in a batch."""
    draw = random.Random(seed)
    draw.shuffle(asked)
    candidates = tables.Table(Candidate(pool=pool), "id", "turn", "text", "text_sha256")
    writers = [
        tables.Table(
            Item(batch=batch, n_wanted=JUDGEMENTS, n_open=JUDGEMENTS),
            *("id", "turn", "public_id", "position", "payload", "payload_sha256"),
        )
        for batch in opened
    ]
    answers = tables.Table(ItemAnswer(), "id", "item", "candidate")
    candidate = tables.next_key(Candidate)
    position, item, answer = 1, tables.next_key(Item), tables.next_key(ItemAnswer)
    for rows in tables.in_parts(_rows(asked), AT_ONCE):
        candidates.write((candidate + n, *row[:3]) for n, row in enumerate(rows))
        for items in writers:
            items.write(
                (item + n, row.turn, f"{draw.getrandbits(128):032x}", position + n, *row[3:])
                for n, row in enumerate(rows)
            )
            answers.write((answer + n, item + n, candidate + n) for n in range(len(rows)))
            item += len(rows)
            answer += len(rows)
        position += len(rows)
        candidate += len(rows)
    tables.count_on([Candidate, Item, ItemAnswer], no_style())


def _rows(asked: list[ShownTurn]) -> Iterator[_Row]:
    for turn in asked:
        for text in turn.answers:
            shown = payloads.payload(
                question=turn.question, context=turn.context, answers=[text], evidence=None
            )
            yield _Row(
                turn=turn.turn,
                text=text,
                text_sha256=payloads.text_sha256(text),
                payload=json.dumps(shown),
                payload_sha256=payloads.sha256(shown),
            )
