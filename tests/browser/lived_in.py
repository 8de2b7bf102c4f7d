"""What people leave behind in the demonstration's studies, so that its pages have something to show.

    python -m tests.browser.lived_in

Works on the database that the environment names, after demo.build. Prints the addresses, as JSON, that
are handed to people and stand on no page.
"""

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

import tests.environment  # noqa: F401  first: what follows reads the settings
from accounts.actions import consent, invitations, members, passwords, studies, tokens
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import (
    batches,
    bulk_reviews,
    claims,
    double_adjudication,
    flags,
    guideline_marks,
    guideline_readings,
    judgements,
    notes,
    pauses,
    reviews,
)
from annotation.models import (
    Assignment,
    Batch,
    BatchState,
    Item,
    Judgement,
    Verdict,
    VerdictState,
)
from annotation.queries import adjudication_access
from annotation.review_decisions import Decision
from annotation.schemes.base import Payload, Response
from annotation.schemes.sheet import SheetScheme
from corpus import uploads
from corpus.actions import checked_imports
from demo.build import PASSWORD
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit import queries as precision_audit_queries
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.annotation.desk import say
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
    guideline_readings.confirm(batch=batch, by=person)
    for number in range(n):
        (held,) = claims.claim(batch=batch, by=person, now=now)
        said = response(batch.scheme, held.item.payload, doubts=doubts)
        seconds = 9 + 5 * (number % 4)
        now += timedelta(seconds=seconds)
        submission = judgements.Submission(
            client_id=f"{name} {number}",
            response=said,
            shown_at=now - timedelta(seconds=seconds),
            active_seconds=seconds - 1.5,
            comment="Is the second half an answer, too?" if number == 3 else "",
        )
        say(assignment=held, submission=submission, by=person, now=now)
    claims.claim(batch=batch, by=person)
    return held


def response(scheme: str, payload: Payload, *, doubts: bool) -> Response:
    """By a rule, from the texts."""
    found = schemes.get(scheme)
    if not isinstance(found, SheetScheme):
        return found.response(saying.label(scheme, payload["answers"][0]["text"], doubts=doubts))
    order = [answer["number"] for answer in payload["answers"]]
    return found.simulated(
        payload, order, seed=1, annotator=1, item=payload["question"], accuracy=1
    )


def at_work(study: Study, alice: User) -> None:
    """Two annotators in the middle of the open batches, with questions to the requester; batches to come."""
    judge(study.batches.get(name="ratings"), "bob", 1)
    judge(study.batches.get(name="preferences"), "bob", 3)
    batch = study.batches.get(name="first round")
    bobs, doras = judge(batch, "bob", 31), judge(batch, "dora", 24, doubts=True)
    judgements.flag(assignment=bobs, message="Is half of an answer enough?", by=user("bob"))
    flag = judgements.flag(assignment=doras, message="May I look things up?", by=user("dora"))
    flags.answer(flag=flag, text="No need to: judge as an attentive reader would.", by=alice)
    again = {
        "study": study,
        "scheme": "plausibility",
        "pool": batch.pool,
        "guideline": batch.guideline.text,
        "by": alice,
    }
    pauses.pause(batch=batch, annotator=user("dora"), reason="We talk on Monday", by=alice)
    batches.pause(batch=batches.create_and_launch(name="second round", **again), by=alice)
    batches.create(name="third round", **again)


def consented(study: Study, alice: User) -> None:
    studies.describe_study(study=study, by=alice, description=DESCRIPTION, consent=CONSENT)
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
    reviews.adjudicate(item=first, label="plausible", reason="It answers, in part", by=carol)
    reviews.exclude(item=second, reason="The question asks for two things", by=carol)
    notes.note(item=third, text="Like the one on tides: see the guideline.", by=carol)
    guideline_marks.mark_unclear(item=third, section="", by=carol)
    looked_at_twice(study, third)
    reviewed(study)


def looked_at_twice(study: Study, item: Item) -> None:
    """What another adjudicator settled waits for carol's second look; the first one has hers of him."""
    ivo = member(study, "ivo", Role.ADJUDICATOR)
    reviews.adjudicate(item=item, label="implausible", reason="It names no place", by=ivo)
    batch, alice = item.batch, user("alice")
    drawn = double_adjudication.draw(batch=batch, share=1, seed=1, by=alice)
    for asked in adjudication_access.requests_open_for(ivo, draw=drawn):
        first = asked.first.item
        double_adjudication.settle(item=first, label="implausible", reason="Only in part", by=ivo)


def member(study: Study, name: str, role: Role) -> User:
    made = User.objects.create_user(name, password=PASSWORD)
    members.add(study=study, user=made, roles=[role], by=user("alice"))
    return made


def reviewed(study: Study) -> None:
    """One annotator's work in the open batch is read, decided on, and decided on again."""
    batch, alice = study.batches.get(name="first round"), user("alice")
    own = Judgement.objects.not_withdrawn().filter(
        assignment__item__batch=batch, assignment__annotator=user("dora")
    )
    hasty = Decision(True, "in good faith", "", False, "misread the task", "in haste")
    chosen = own.order_by("pk").values_list("pk", flat=True)[:3]
    act = bulk_reviews.decide(batch=batch, decisions=dict.fromkeys(chosen, hasty), by=alice)
    bulk_reviews.undo(act=act, by=alice)


def command(*args: str) -> None:
    call_command(*args, stdout=io.StringIO())


def imports(study: Study, alice: User) -> None:
    """A run with problems, a data set that was checked, and one that nobody has looked at yet."""
    job = checked_imports.check_runs(
        dataset=study.datasets.get(),
        upload=uploads.keep([SimpleUploadedFile("fir.json", json.dumps(BROKEN).encode())]),
        names=["fir"],
        about={"kind": "system", "team": "", "system": "", "setup": ""},
        leave_out_unknown=False,
        by=alice,
    )
    with contextlib.suppress(JobFailedError):  # said in the row
        execution.work(job)
    execution.work(a_check(study, "kitchen", alice))
    a_check(study, "garden", alice)


def a_check(study: Study, name: str, alice: User) -> Job:
    settings = {"name": name, "licence": "", "citation": "", "as_new_version": False}
    return checked_imports.check_dataset(
        study=study,
        upload=uploads.keep(
            [SimpleUploadedFile("truth.json", Path("demo/truth.json").read_bytes())]
        ),
        parts=["truth"],
        settings={"format": "scai", **settings},
        by=alice,
    )


def audited(study: Study, alice: User) -> None:
    """A sample of what the pool left out, judged by simulated people; measures held against them, the results,
    and a sample of what they accepted.
    """
    batch = ("--study", study.slug, "--batch", "audit")
    command("draw_audit", *batch[:2], "--pool", "candidates", "--name", "left out")
    opened = ("--name", "audit", "--scheme", "plausibility", "--pool", "left out")
    command("open_batch", *batch[:2], *opened)
    command("rehearse", *batch)
    command("close_batch", *batch)
    command("settle", *batch, "--rule", "majority")
    dataset = study.datasets.get()
    params = {"dataset": dataset.pk}
    for kind in ("measures_against_people", "results"):
        about = {"kind": kind, "key": str(dataset), "params": params}
        execution.work(jobs.start(study=study, **about, by=alice))
    sample = study.pools.get(name="left out")
    about = {"kind": "estimate_missed", "key": sample.name, "params": {"pool": sample.pk}}
    execution.work(jobs.start(study=study, **about, by=alice))
    drawn = ("--dataset", dataset.name, "--rehearsal", "--gold", "12", "--silver", "6")
    command("draw_precision_audit", *batch[:2], *drawn)
    one = precision_audit_queries.standing(study.precision_audits.get(), alice).next
    precision_audit_actions.judge(item=one, scheme="plausibility", label="implausible", by=alice)


def compared(study: Study, alice: User) -> None:
    """What the ratings of each setup come to, beside what all of the study does."""
    for batch in study.batches.filter(scheme="rating"):
        about = {"kind": "comparison_of_batch", "key": batch.name, "params": {"batch": batch.pk}}
        execution.work(jobs.start(study=study, **about, by=alice))


def agreement(study: Study, alice: User) -> None:
    for batch in study.batches.exclude(state=BatchState.DRAFT):
        job = jobs.start(
            study=study, kind="agreement", key=batch.name, params={"batch": batch.pk}, by=alice
        )
        execution.work(job)


def annotators(study: Study, alice: User) -> None:
    """How people work, batch by batch and in the whole study."""
    whole = {"study": study, "kind": "annotators_of_study", "key": study.slug, "params": {}}
    execution.work(jobs.start(**whole, by=alice))
    for batch in study.batches.exclude(state=BatchState.DRAFT):
        about = {"kind": "annotators_of_batch", "key": batch.name, "params": {"batch": batch.pk}}
        execution.work(jobs.start(study=study, **about, by=alice))


def rules_compared(study: Study, alice: User) -> None:
    batch = study.batches.get(name="try-out")
    params = {"batch": batch.pk}
    about = {"kind": "compare_rules", "key": batch.name, "params": params}
    execution.work(jobs.start(study=study, **about, by=alice))


def handed_out(study: Study, alice: User) -> dict[str, str]:
    """Links that people get by other ways than pages."""
    _, token = invitations.invite(
        study=study,
        role=Role.ANNOTATOR,
        n_most=5,
        expires_at=timezone.now() + timedelta(days=7),
        note="students of the spring course",
        by=alice,
    )
    tokens.make(name="nightly figures", days=90, by=alice)
    forgotten = passwords.make_password_link(study=study, user=user("dora"), by=alice)
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
    rules_compared(demo, alice)
    audited(Study.objects.get(slug="rehearsed"), alice)
    compared(Study.objects.get(slug="compared"), alice)
    for study in Study.objects.all():
        agreement(study, alice)
        annotators(study, alice)
    imports(demo, alice)  # last, so that what waits stands first among the jobs
    for name, options in (("ada", ["--administrator"]), ("erin", [])):
        before, sys.stdin = sys.stdin, io.StringIO(f"{PASSWORD}\n")
        call_command("create_user", name, "--password-stdin", *options, stdout=io.StringIO())
        sys.stdin = before
    sys.stdout.write(json.dumps(handed_out(demo, alice)))


if __name__ == "__main__":
    main()
