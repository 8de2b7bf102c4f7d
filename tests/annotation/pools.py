"""Pools of a small data set about a lighthouse."""

from accounts.models import Study
from annotation.actions import batches
from annotation.models import Batch
from corpus.models import Passage, Turn
from sampling.models import Candidate, EvidenceSpan, Pool, Purpose
from tests.factories import (
    CandidateFactory,
    ConversationFactory,
    DatasetFactory,
    PoolFactory,
    TurnFactory,
)

QUESTIONS = {1: "Who built the lighthouse?", 2: "When?", 3: "Is it still lit?"}


def pool_of(
    study: Study, n_turns: int = 3, n_each: int = 2, key: str = "7", **pool: object
) -> Pool:
    """A conversation of up to three turns with as many candidates each."""
    made = PoolFactory(dataset=DatasetFactory(study=study), **pool)
    conversation = ConversationFactory(dataset=made.dataset, key=key)
    for number in range(1, n_turns + 1):
        turn = TurnFactory(
            conversation=conversation,
            number=number,
            question=QUESTIONS[number],
            rewrite=f"{QUESTIONS[number]} (rewritten)",
        )
        for n in range(1, n_each + 1):
            CandidateFactory(pool=made, turn=turn, text=f"Answer {n} to {QUESTIONS[number]}")
    return made


def reversed_pool(pool: Pool) -> Pool:
    """The same candidates, stored in the opposite order."""
    made = PoolFactory(dataset=pool.dataset)
    for candidate in reversed(candidates_of(pool)):
        CandidateFactory(pool=made, turn=candidate.turn, text=candidate.text)
    return made


def evidence_pool_of(source: Pool, *, without: int = 0, rule: dict | None = None) -> Pool:
    """The candidates of a pool again, with evidence for their turns but for the last `without`."""
    made = PoolFactory(dataset=source.dataset, purpose=Purpose.EVIDENCE, rule=rule or {})
    for candidate in source.candidates.all():
        CandidateFactory(pool=made, turn=candidate.turn, text=candidate.text, source=candidate)
    turns = list(Turn.objects.of(source.dataset))
    passage = Passage.objects.create(
        dataset=source.dataset, docid="p1", text="The guild of keepers built it in 1702. It burns."
    )
    for turn in turns[: len(turns) - without]:
        for position, (start, end) in enumerate([(39, 48), (0, 38)]):
            EvidenceSpan.objects.create(
                pool=made, turn=turn, passage=passage, position=position, start=start, end=end
            )
    return made


def launched(pool: Pool, *, scheme: str = "plausibility", **settings: object) -> Batch:
    asking = settings.pop("ask_without_evidence", False)
    by = pool.created_by
    name = settings.pop("name", scheme)
    draft = batches.create(study=pool.study, name=name, scheme=scheme, pool=pool, by=by, **settings)
    return batches.launch(batch=draft, by=by, ask_without_evidence=asking)


def shown_texts(batch: Batch) -> list[str]:
    return [item.payload["answers"][0]["text"] for item in batch.items.order_by("position")]


def candidates_of(pool: Pool) -> list[Candidate]:
    return list(pool.candidates.order_by("pk"))
