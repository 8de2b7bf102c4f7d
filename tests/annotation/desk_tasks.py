"""What the processes of a race do (desk_worker.py)."""

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.utils import timezone

from accounts.models import User
from annotation.actions import (
    batches,
    claims,
    desk_submissions,
    desk_sync,
    judgements,
    pauses,
    qualifications,
    reassignments,
    rehearsals,
    reservations,
    settlement,
)
from annotation.actions.reserved_places import ReservationError
from annotation.models import Assignment, Batch, Judgement

# What the protocol may refuse in a race, and what the desk puts into words.
REFUSALS = (
    judgements.NotClaimedError,
    judgements.AlreadySubmittedError,
    judgements.NotEditableError,
)


class Desk:
    """A person who takes up to `pause` seconds for an item and changes their mind now and then."""

    def __init__(self, batch: int, by: str, pause: float = 0, fickle: float = 0) -> None:
        self.batch = Batch.objects.get(pk=batch)
        self.person = User.objects.get(username=by)
        self.pause, self.fickle = pause, fickle
        self.random = random.Random(f"{by} {os.getpid()}")
        self.done: Counter[str] = Counter()

    def claim(self, n: int = 1) -> list[Assignment]:
        return claims.claim(batch=self.batch, by=self.person, n=n)

    def handle(self, assignment: Assignment) -> None:
        time.sleep(self.random.random() * self.pause)
        if self.random.random() < self.fickle:
            self.attempt(judgements.skip, assignment=assignment, reason="")
            return
        judgement = self.submit(assignment)
        if judgement is not None and self.random.random() < self.fickle:
            self.attempt(judgements.take_back, judgement=judgement)
            self.submit(assignment)

    def submit(self, assignment: Assignment) -> Judgement | None:
        label = self.random.choice(["plausible", "malformed"])
        said = submission(str(self.random.random()), label)
        return self.attempt(judgements.submit, assignment=assignment, submission=said)

    def attempt(self, action: Callable[..., Any], **arguments: Any) -> Any:
        try:
            result = action(**arguments, by=self.person)
        except REFUSALS as refusal:
            self.done[type(refusal).__name__] += 1
            return None
        self.done[action.__name__] += 1
        return result


def submission(client_id: str, label: str = "plausible") -> judgements.Submission:
    return judgements.Submission(
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
        except claims.NothingToClaimError:
            return desk.done
        for assignment in held:
            desk.handle(assignment)
        if not held and time.monotonic() >= give_up_at:
            return desk.done
        if not held:
            time.sleep(0.05)


def browse(
    *, batch: int, by: str, forgets: float = 0, patience: float = 3, kept: str = ""
) -> Counter[str]:
    """Work as a browser does, by the desk's one request: submissions that may wait and go out together,
    items fetched ahead, an answer that is lost now and then and asked for again. Ends where nothing has
    come for `patience` seconds. Writes the client ids that the server acknowledged into `kept`.
    """
    desk = Desk(batch, by)
    waiting: list[desk_submissions.SentJudgement] = []
    ahead: list[Assignment] = []
    last_came = time.monotonic()
    while waiting or ahead or time.monotonic() - last_came < patience:
        if ahead:
            label = desk.random.choice(["plausible", "malformed"])
            said = submission(f"{by} {desk.random.random()}", label)
            waiting.append(desk_submissions.SentJudgement(ahead.pop(0).public_id, said))
        if ahead and desk.random.random() < 0.5:
            continue  # judges on before the request goes out
        fed = desk_sync.sync(
            batch=desk.batch,
            by=desk.person,
            sent=waiting,
            ahead={each.public_id for each in ahead},
            n_more=3,
        )
        if desk.random.random() < forgets:
            desk.done["forgotten"] += 1
            continue  # the answer was lost on its way: the same again
        desk.done.update(result.outcome for result in fed.results)
        _keep(kept, [each.submission.client_id for each in waiting])
        waiting.clear()
        ahead += fed.handed_before + fed.new
        if ahead:
            last_came = time.monotonic()
        else:
            time.sleep(0.02)
    return desk.done


def _keep(path: str, client_ids: list[str]) -> None:
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(f"{each}\n" for each in client_ids)


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
        stored = judgements.submit(assignment=held, submission=said, by=held.annotator)
    except judgements.AlreadySubmittedError as refusal:
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
            settled = settlement.settle(
                batch=desk.batch, rule="majority", by=desk.person, expire_claims=True
            )
        except settlement.SettleError:  # a claim was under way when the batch closed
            n_refused += 1
            continue
        return {"n_refused": n_refused, "n_items": settled.n_items}


def rehearse(*, batch: int, by: str) -> dict[str, int]:
    desk = Desk(batch, by)
    rehearsed = rehearsals.rehearse(
        batch=desk.batch, n_annotators=6, accuracy=0.9, seed=1, by=desk.person
    )
    return {"n_judgements": rehearsed.n_judgements}


def pause(*, batch: int, by: str, whom: str, after: float) -> dict[str, int]:
    """Pause somebody in the midst of their work; how much of it they had been handed by then."""
    desk = Desk(batch, by)
    person = User.objects.get(username=whom)
    time.sleep(after)
    pauses.pause(batch=desk.batch, annotator=person, reason="too fast", by=desk.person)
    taken = Assignment.objects.filter(item__batch=desk.batch, annotator=person)
    return {"n_taken": taken.count()}


def decide(*, batch: int, by: str, whom: str, acts: list[str], after: float) -> dict[str, int]:
    """Grant and revoke somebody's qualification in the midst of their work, in this order."""
    desk = Desk(batch, by)
    person = User.objects.get(username=whom)
    n_given_back = 0
    for act in acts:
        time.sleep(after)
        decided = {
            "qualification": desk.batch.qualification,
            "people": [person],
            "reason": act,
            "by": desk.person,
        }
        if act == "grant":
            qualifications.grant(**decided)
        else:
            n_given_back += qualifications.revoke(**decided).n_given_back
    return {"n_given_back": n_given_back}


def decide_once(*, batch: int, by: str, whom: str) -> dict[str, str]:
    """Revoke somebody's qualification, unless another did before."""
    desk = Desk(batch, by)
    try:
        qualifications.revoke(
            qualification=desk.batch.qualification,
            people=[User.objects.get(username=whom)],
            reason="too fast",
            by=desk.person,
        )
    except qualifications.QualificationError:
        return {"outcome": "refused"}
    return {"outcome": "revoked"}


def reserve(*, batch: int, by: str, whom: str, n: int, rounds: int, after: float) -> dict[str, int]:
    """Reserve items for somebody in the midst of the work, and release them but for the last time."""
    desk, person = Desk(batch, by), User.objects.get(username=whom)
    done = Counter[str]()
    for number in range(rounds):
        time.sleep(after)
        try:
            reservations.reserve_drawn(
                batch=desk.batch, person=person, n=n, seed=number, by=desk.person
            )
            done["reserved"] += 1
            if number < rounds - 1:
                reassignments.reassign(
                    batch=desk.batch, people=[person], to=None, reason="r", by=desk.person
                )
        except ReservationError:
            done["refused"] += 1
    return dict(done)


TASKS: dict[str, Callable[..., Any]] = {
    "work": work,
    "browse": browse,
    "come_late": come_late,
    "submit": submit,
    "close_and_settle": close_and_settle,
    "rehearse": rehearse,
    "pause": pause,
    "decide": decide,
    "decide_once": decide_once,
    "reserve": reserve,
}
