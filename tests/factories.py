"""Rows for tests, each the least that its constraints allow."""

import hashlib
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from accounts.actions import members
from accounts.models import Role, Study, User
from annotation.models import Batch, BatchState, Guideline, Item, ItemAnswer
from annotation.schemes import payloads
from corpus.models import Answer, Conversation, Dataset, Run, Turn
from sampling.models import Candidate, Pool, Purpose
from scoring.text_hashes import text_sha256


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"user{n}")
    password = "!"  # nobody signs in as them


class StudyFactory(DjangoModelFactory):
    class Meta:
        model = Study

    slug = factory.Sequence(lambda n: f"study{n}")
    title = "A study"
    created_by = factory.SubFactory(UserFactory)

    @classmethod
    def _create(cls, model: type[Study], *args: object, **fields: Any) -> Study:
        """Whoever makes a study is its requester, here as everywhere."""
        study = super()._create(model, *args, **fields)
        members.add(study=study, user=study.created_by, roles=[Role.REQUESTER], by=study.created_by)
        return study


class DatasetFactory(DjangoModelFactory):
    class Meta:
        model = Dataset

    study = factory.SubFactory(StudyFactory)
    name = factory.Sequence(lambda n: f"dataset{n}")
    format = "scai"
    digest = factory.Sequence(lambda n: sha256(f"dataset {n}"))
    created_by = factory.SelfAttribute("study.created_by")


class ConversationFactory(DjangoModelFactory):
    class Meta:
        model = Conversation

    dataset = factory.SubFactory(DatasetFactory)
    key = factory.Sequence(str)
    position = factory.Sequence(int)


class TurnFactory(DjangoModelFactory):
    class Meta:
        model = Turn

    conversation = factory.SubFactory(ConversationFactory)
    number = 1
    question = "And who built it?"
    rewrite = "Who built the lighthouse?"


class RunFactory(DjangoModelFactory):
    class Meta:
        model = Run

    dataset = factory.SubFactory(DatasetFactory)
    name = factory.Sequence(lambda n: f"run{n}")
    digest = factory.Sequence(lambda n: sha256(f"run {n}"))
    answers_digest = factory.Sequence(lambda n: sha256(f"answers {n}"))
    created_by = factory.SelfAttribute("dataset.created_by")


class AnswerFactory(DjangoModelFactory):
    class Meta:
        model = Answer

    run = factory.SubFactory(RunFactory)
    turn = factory.SubFactory(
        TurnFactory, conversation__dataset=factory.SelfAttribute("...run.dataset")
    )
    text = factory.Sequence(lambda n: f"The keeper's guild built it in 17{n:02d}.")


class PoolFactory(DjangoModelFactory):
    class Meta:
        model = Pool

    dataset = factory.SubFactory(DatasetFactory)
    study = factory.SelfAttribute("dataset.study")
    name = factory.Sequence(lambda n: f"pool{n}")
    purpose = Purpose.ANSWERS
    rule = factory.LazyFunction(dict)
    built_at = factory.LazyFunction(timezone.now)
    created_by = factory.SelfAttribute("dataset.created_by")


class CandidateFactory(DjangoModelFactory):
    class Meta:
        model = Candidate

    pool = factory.SubFactory(PoolFactory)
    turn = factory.SubFactory(
        TurnFactory, conversation__dataset=factory.SelfAttribute("...pool.dataset")
    )
    text = factory.Sequence(lambda n: f"It was built by {n} masons.")
    text_sha256 = factory.LazyAttribute(lambda made: text_sha256(made.text))


class GuidelineFactory(DjangoModelFactory):
    class Meta:
        model = Guideline

    study = factory.SubFactory(StudyFactory)
    scheme = "plausibility"
    text = "Judge what is there."
    sha256 = factory.LazyAttribute(lambda made: sha256(made.text))
    created_by = factory.SelfAttribute("study.created_by")


class BatchFactory(DjangoModelFactory):
    """An open batch without items."""

    class Meta:
        model = Batch

    pool = factory.SubFactory(PoolFactory)
    study = factory.SelfAttribute("pool.study")
    name = factory.Sequence(lambda n: f"batch{n}")
    scheme = "plausibility"
    guideline = factory.SubFactory(
        GuidelineFactory,
        study=factory.SelfAttribute("..study"),
        text=factory.Sequence(lambda n: f"Guideline {n}"),
    )
    state = BatchState.OPEN
    created_by = factory.SelfAttribute("study.created_by")


class ItemFactory(DjangoModelFactory):
    """An item with all of its places open, showing new candidates: one, unless its payload has more."""

    class Meta:
        model = Item
        skip_postgeneration_save = True

    batch = factory.SubFactory(BatchFactory)
    turn = factory.SubFactory(
        TurnFactory, conversation__dataset=factory.SelfAttribute("...batch.pool.dataset")
    )
    position = factory.Sequence(lambda n: n + 1)
    payload = factory.Sequence(
        lambda n: payloads.payload(
            question="Who built the lighthouse?",
            context=[],
            answers=[f"Mason number {n}."],
            evidence=None,
        )
    )
    payload_sha256 = factory.LazyAttribute(lambda made: payloads.sha256(made.payload))
    n_wanted = factory.SelfAttribute("batch.judgements_per_item")
    n_open = factory.SelfAttribute("n_wanted")

    @factory.post_generation
    def answer(self, create, extracted, **kwargs):
        for each in self.payload["answers"]:
            candidate = CandidateFactory(pool=self.batch.pool, turn=self.turn, text=each["text"])
            ItemAnswer.objects.create(item=self, candidate=candidate, number=each["number"])
