"""Two rounds of written answers on a small data set."""

import itertools
from datetime import datetime
from pathlib import Path

from accounts.models import Study, User
from annotation.actions import batches, claims, judgements, second_rounds
from annotation.models import Batch, Judgement
from annotation.schemes.routing import Routes
from tests.annotation.desk import NOW
from tests.annotation.pools import launched
from tests.sampling.writing_dataset import LAMP, create_writing_dataset, draw_writing, question

CONFIRMED = {"makes_sense": "yes", "concise": "yes", "grammatical": "yes"}
OIL = "Its lamp burnt oil, and oil again later."
UNANSWERABLE = {"outcome": "unanswerable"}
SKIPPED = {"outcome": "skip", "reason": "other"}
SETTINGS = {"judgements_per_item": 1, "claim_seconds": 600, "prefetch_depth": 50}

_numbers = itertools.count()


def answered(*ticked: int, text: str = OIL, **more: str) -> dict[str, str]:
    return {
        "outcome": "answered",
        **{f"s.1.{n}": "yes" for n in ticked},
        "answer": text,
        **CONFIRMED,
        **more,
    }


GAPS, ONE, CONSECUTIVE = answered(2, 5), answered(2), answered(2, 3)


def first_round(
    study: Study,
    folder: Path,
    n: int = 5,
    name: str = "R1",
    dataset: str = "lights",
    **settings: object,
) -> Batch:
    """An open batch of n questions on one passage."""
    asked = tuple(question(str(at), f"what burnt in lamp {at}", LAMP) for at in range(1, n + 1))
    pool = draw_writing(create_writing_dataset(study, folder, name=dataset, dev=asked), name=name)
    return launched(pool, scheme="writing", name=name, **SETTINGS | settings)


def write(batch: Batch, person: User, response: dict, now: datetime = NOW) -> Judgement:
    """Claim the next item and answer it."""
    (assignment,) = claims.claim(batch=batch, by=person, now=now)
    return submit(assignment, response, now)


def submit(assignment, response: dict, now: datetime = NOW) -> Judgement:
    sent = judgements.Submission(
        client_id=f"round-{next(_numbers)}", response=response, shown_at=NOW, active_seconds=60
    )
    return judgements.submit(
        assignment=assignment, submission=sent, by=assignment.annotator, now=now
    )


def draw(first: Batch, routes: Routes = Routes.GAPS, name: str = "R2") -> second_rounds.Drawn:
    by = first.study.created_by
    return second_rounds.draw(first=first, name=name, routes=routes, by=by)


def second_round(first: Batch, routes: Routes = Routes.GAPS) -> Batch:
    """Close the first round, draw the second and open it."""
    by = first.study.created_by
    batches.close(batch=first, by=by)
    return batches.launch(batch=draw(first, routes).batch, by=by)
