"""What the processes of a race do (desk_worker.py)."""

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from django.utils import timezone

from accounts.models import User
from annotation.actions import batches, claiming, judging, rehearsing, settling
from annotation.models import Assignment, Batch, Judgement

# What the protocol may refuse in a race, and what the desk puts into words.
REFUSALS = (judging.NotClaimedError, judging.AlreadySubmittedError, judging.NotEditableError)


class Desk:
    """A person who takes up to `pause` seconds for an item and changes their mind now and then."""

    def __init__(self, batch: int, by: str, pause: float = 0, fickle: float = 0) -> None:
        self.batch = Batch.objects.get(pk=batch)
        self.person = User.objects.get(username=by)
        self.pause, self.fickle = pause, fickle
        self.random = random.Random(f"{by} {os.getpid()}")
        self.done: Counter[str] = Counter()

    def claim(self, n: int = 1) -> list[Assignment]:
        return claiming.claim(batch=self.batch, by=self.person, n=n)

    def handle(self, assignment: Assignment) -> None:
        time.sleep(self.random.random() * self.pause)
        if self.random.random() < self.fickle:
            self.attempt(judging.skip, assignment=assignment, reason="")
            return
        judgement = self.submit(assignment)
        if judgement is not None and self.random.random() < self.fickle:
            self.attempt(judging.take_back, judgement=judgement)
            self.submit(assignment)

    def submit(self, assignment: Assignment) -> Judgement | None:
        label = self.random.choice(["plausible", "malformed"])
        said = submission(str(self.random.random()), label)
        return self.attempt(judging.submit, assignment=assignment, submission=said)

    def attempt(self, action: Callable[..., Any], **arguments: Any) -> Any:
        try:
            result = action(**arguments, by=self.person)
        except REFUSALS as refusal:
            self.done[type(refusal).__name__] += 1
            return None
        self.done[action.__name__] += 1
        return result


def submission(client_id: str, label: str = "plausible") -> judging.Submission:
    return judging.Submission(
        client_id=client_id,
        response={"plausibility": label},
        shown_at=timezone.now(),
        active_seconds=1,
    )


def work(*, batch: int, by: str, n: int = 1, patience: float = 0, **how: float) -> Counter[str]:
    """Claim and submit until nothing is left or the batch hands out nothing, `n` items at a time.

    Who finds nothing asks again for `patience` seconds: claims of others may lapse.
    """
    desk = Desk(batch, by, **how)
    give_up_at = time.monotonic() + patience
    while True:
        try:
            held = desk.claim(n)
        except claiming.NothingToClaimError:
            return desk.done
        for assignment in held:
            desk.handle(assignment)
        if not held and time.monotonic() >= give_up_at:
            return desk.done
        if not held:
            time.sleep(0.05)


def come_late(*, batch: int, by: str) -> dict[str, bool]:
    """Claim an item before the others begin, submit it when they are done."""
    desk = Desk(batch, by)
    (assignment,) = desk.claim()
    print("claimed", flush=True)  # noqa: T201  read by the test
    sys.stdin.readline()
    judgement = desk.submit(assignment)
    return {"is_surplus": judgement is not None and judgement.is_surplus}


def submit(*, assignment: int, client_id: str) -> dict[str, Any]:
    """Submit one assignment. Says whether it was stored or refused, and which judgement stands."""
    held = Assignment.objects.select_related("annotator").get(pk=assignment)
    try:
        said = submission(client_id)
        stored = judging.submit(assignment=held, submission=said, by=held.annotator)
    except judging.AlreadySubmittedError as refusal:
        return {"outcome": "refused", "judgement": refusal.judgement.pk}
    return {"outcome": "stored", "judgement": stored.pk}


def close_and_settle(*, batch: int, by: str, after: float) -> dict[str, int]:
    """In the midst of the work, ending the claims that are open."""
    desk = Desk(batch, by)
    time.sleep(after)
    batches.close(batch=desk.batch, by=desk.person)
    n_refused = 0
    while True:
        try:
            settled = settling.settle(
                batch=desk.batch, rule="majority", by=desk.person, expire_claims=True
            )
        except settling.SettleError:  # a claim was under way when the batch closed
            n_refused += 1
            continue
        return {"n_refused": n_refused, "n_items": settled.n_items}


def rehearse(*, batch: int, by: str) -> dict[str, int]:
    desk = Desk(batch, by)
    rehearsed = rehearsing.rehearse(
        batch=desk.batch, n_annotators=6, accuracy=0.9, seed=1, by=desk.person
    )
    return {"n_judgements": rehearsed.n_judgements}


TASKS: dict[str, Callable[..., Any]] = {
    "work": work,
    "come_late": come_late,
    "submit": submit,
    "close_and_settle": close_and_settle,
    "rehearse": rehearse,
}
