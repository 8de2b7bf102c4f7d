"""What people leave behind in the demonstration's studies, so that its pages have something to show.

    python -m tests.browser.lived_in

Works on the database that the environment names, after demo/build.py. Prints the addresses, as JSON, that
are handed to people and stand on no page.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import contextlib
import io
import json
import sys
from datetime import timedelta
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.actions import consent
from accounts.models import Role, Study, User
from activity.actions import inviting, jobs, organising, running
from activity.handlers import JobFailedError
from activity.models import Job
from annotation import schemes
from annotation.actions import answering, batches, claiming, judging, noting, reading, reviewing
from annotation.models import Assignment, Batch, BatchState, Item, Verdict, VerdictState
from corpus import uploads
from corpus.actions import importing
from demo.build import PASSWORD
from tests.browser import saying

BROKEN = [
    {"Conversation_no": 1, "Turn_no": 1, "Model_answer": "The Moon pulls."},
    {"Conversation_no": 1, "Turn_no": 1, "Model_answer": "The Moon and the Sun pull."},
    {"Conversation_no": 77, "Turn_no": 1, "Model_answer": "It rises with the light."},
    {"Conversation_no": 2, "Turn_no": "two", "Model_answer": 42},
]
CONSENT = (
    "You judge answers that computer systems gave. Your judgements are stored under a pseudonym, with"
    " the time that they took, and are **published** with the data set.\n\nYou may stop at any time."
)
DESCRIPTION = "Which answers to questions about everyday things are right, and rest on evidence?"


def user(name: str) -> User:
    return User.objects.get(username=name)


def judge(batch: Batch, name: str, n: int, *, doubts: bool = False) -> Assignment:
    """The person judges n items and takes the next; gives the last that was judged."""
    person, now = user(name), timezone.now() - timedelta(hours=2)
    reading.confirm(batch=batch, by=person)
    for number in range(n):
        (held,) = claiming.claim(batch=batch, by=person, now=now)
        said = saying.label(batch.scheme, held.item.payload["answers"][0]["text"], doubts=doubts)
        seconds = 9 + 5 * (number % 4)
        now += timedelta(seconds=seconds)
        submission = judging.Submission(
            client_id=f"{name} {number}",
            response=schemes.get(batch.scheme).response(said),
            shown_at=now - timedelta(seconds=seconds),
            active_seconds=seconds - 1.5,
            comment="Is the second half an answer, too?" if number == 3 else "",
        )
        judging.submit(assignment=held, submission=submission, by=person, now=now)
    claiming.claim(batch=batch, by=person)
    return held


def at_work(study: Study, alice: User) -> None:
    """Two annotators in the middle of the open batch, with questions to the requester; batches to come."""
    batch = study.batches.get(name="first round")
    bobs, doras = judge(batch, "bob", 31), judge(batch, "dora", 24, doubts=True)
    judging.flag(assignment=bobs, message="Is half of an answer enough?", by=user("bob"))
    flag = judging.flag(assignment=doras, message="May I look things up?", by=user("dora"))
    answering.answer(flag=flag, text="No need to: judge as an attentive reader would.", by=alice)
    again = {
        "study": study,
        "scheme": "plausibility",
        "pool": batch.pool,
        "guideline": batch.guideline.text,
        "by": alice,
    }
    batches.pause(batch=batches.create_and_launch(name="second round", **again), by=alice)
    batches.create(name="third round", **again)


def consented(study: Study, alice: User) -> None:
    organising.describe_study(study=study, by=alice, description=DESCRIPTION, consent=CONSENT)
    for name in ("bob", "dora"):
        consent.agree(study=study, text_sha256=consent.sha256(CONSENT), by=user(name))


def in_dispute(study: Study) -> None:
    """A rehearsed batch with its disputes; one of the items is settled, one excluded, one has a note."""
    batch = ("--study", study.slug, "--batch", "try-out")
    command(
        "open_batch",
        *batch[:2],
        "--name",
        "try-out",
        "--scheme",
        "plausibility",
        "--pool",
        "candidates",
    )
    command("rehearse", *batch, "--annotators", "5", "--accuracy", "0.85", "--seed", "3")
    command("close_batch", *batch)
    command("settle", *batch, "--rule", "unanimous")
    carol = user("carol")
    disputed = Verdict.objects.current().filter(
        item__batch__study=study, state=VerdictState.DISPUTED
    )
    first, second, third, *_ = Item.objects.filter(verdicts__in=disputed).order_by("position")
    reviewing.adjudicate(item=first, label="plausible", reason="It answers, in part", by=carol)
    reviewing.exclude(item=second, reason="The question asks for two things", by=carol)
    noting.note(item=third, text="Like the one on tides: see the guideline.", by=carol)


def command(*args: str) -> None:
    call_command(*args, stdout=io.StringIO())


def imports(study: Study, alice: User) -> None:
    """A run with problems, a data set that was checked, and one that nobody has looked at yet."""
    job = importing.check_runs(
        dataset=study.datasets.get(),
        upload=uploads.keep([SimpleUploadedFile("fir.json", json.dumps(BROKEN).encode())]),
        names=["fir"],
        about={"kind": "system", "team": "", "system": "", "setup": ""},
        leave_out_unknown=False,
        by=alice,
    )
    with contextlib.suppress(JobFailedError):  # said in the row
        running.work(job)
    running.work(a_check(study, "kitchen", alice))
    a_check(study, "garden", alice)


def a_check(study: Study, name: str, alice: User) -> Job:
    settings = {"name": name, "licence": "", "citation": "", "as_new_version": False}
    return importing.check_dataset(
        study=study,
        upload=uploads.keep(
            [SimpleUploadedFile("truth.json", Path("demo/truth.json").read_bytes())]
        ),
        parts=["truth"],
        settings={"format": "scai", **settings},
        by=alice,
    )


def audited(study: Study, alice: User) -> None:
    """A sample of what the pool left out, judged by simulated people; and measures held against them."""
    batch = ("--study", study.slug, "--batch", "audit")
    command("draw_audit", *batch[:2], "--pool", "candidates", "--name", "left out")
    opened = ("--name", "audit", "--scheme", "plausibility", "--pool", "left out")
    command("open_batch", *batch[:2], *opened)
    command("rehearse", *batch)
    command("close_batch", *batch)
    command("settle", *batch, "--rule", "majority")
    dataset = study.datasets.get()
    params = {"dataset": dataset.pk}
    about = {"kind": "measures_against_people", "key": str(dataset), "params": params}
    running.work(jobs.start(study=study, **about, by=alice))


def agreement(study: Study, alice: User) -> None:
    for batch in study.batches.exclude(state=BatchState.DRAFT):
        job = jobs.start(
            study=study, kind="agreement", key=batch.name, params={"batch": batch.pk}, by=alice
        )
        running.work(job)


def handed_out(study: Study, alice: User) -> dict[str, str]:
    """Links that people get by other ways than pages."""
    _, token = inviting.invite(
        study=study,
        role=Role.ANNOTATOR,
        n_most=5,
        expires_at=timezone.now() + timedelta(days=7),
        note="students of the spring course",
        by=alice,
    )
    forgotten = organising.make_password_link(study=study, user=user("dora"), by=alice)
    return {
        "join": reverse("join", kwargs={"token": token}),
        "password_link": reverse("password_link", kwargs={"token": forgotten}),
    }


def main() -> None:
    alice = user("alice")
    demo = Study.objects.get(slug="demo")
    at_work(demo, alice)
    consented(demo, alice)
    in_dispute(demo)
    imports(demo, alice)
    audited(Study.objects.get(slug="rehearsed"), alice)
    for study in Study.objects.all():
        agreement(study, alice)
    for name, options in (("ada", ["--administrator"]), ("erin", [])):
        before, sys.stdin = sys.stdin, io.StringIO(f"{PASSWORD}\n")
        call_command("create_user", name, "--password-stdin", *options, stdout=io.StringIO())
        sys.stdin = before
    sys.stdout.write(json.dumps(handed_out(demo, alice)))


if __name__ == "__main__":
    main()
