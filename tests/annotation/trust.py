"""A settled pilot batch in which the answers of each person are known, and a batch for who is trusted."""

from accounts.models import Study, User
from annotation.actions import batches, judgements, qualifications, settlement
from annotation.models import Batch, Qualification
from annotation.schemes import payloads
from tests.annotation.desk import claim_one, submit
from tests.factories import BatchFactory, ItemFactory

RULE = {"min_answers": 10, "accuracy": 0.8, "confidence": 0.95, "attempts": 2}


def qualification(study: Study, name: str = "trusted", **rule: object) -> Qualification:
    return qualifications.create(study=study, name=name, rule={**RULE, **rule}, by=study.created_by)


def group(study: Study, name: str = "first wave") -> Qualification:
    return qualifications.create(study=study, name=name, rule={}, by=study.created_by)


def grant(asked: Qualification, *people: User, reason: str = "careful in the pilot") -> None:
    qualifications.grant(
        qualification=asked, people=people, reason=reason, by=asked.study.created_by
    )


def revoke(asked: Qualification, *people: User, reason: str = "one key, sixty times"):
    return qualifications.revoke(
        qualification=asked, people=people, reason=reason, by=asked.study.created_by
    )


def open_batch(study: Study, asked: Qualification | None, *, n_items: int = 3, **more) -> Batch:
    batch = BatchFactory(pool__dataset__study=study, qualification=asked, claim_seconds=600, **more)
    for position in range(1, n_items + 1):
        ItemFactory(batch=batch, position=position)
    return batch


def settled_batch(study: Study, labels: dict[User, str], *, name: str = "pilot") -> Batch:
    """A batch in which each person gives one label for each letter: p plausible, i implausible, m malformed,
    or nothing for a dot. Closed, and settled unanimously.
    """
    n_items = len(next(iter(labels.values())))
    batch = BatchFactory(
        pool__dataset__study=study,
        name=name,
        judgements_per_item=len(labels),
        claim_seconds=600,
        prefetch_depth=50,
    )
    for position in range(1, n_items + 1):
        content = payloads.payload(
            question=f"Who {position}?", context=[], answers=["A."], evidence=None
        )
        ItemFactory(batch=batch, position=position, payload=content)
    names = {"p": "plausible", "i": "implausible", "m": "malformed"}
    for person, given in labels.items():
        for letter in given:
            held = claim_one(batch, person)
            if letter == ".":
                judgements.skip(assignment=held, reason="unsure", by=person)
            else:
                submit(held, names[letter])
    batches.close(batch=batch, by=study.created_by)
    settlement.settle(batch=batch, rule="unanimous", by=study.created_by)
    batch.refresh_from_db()
    return batch
