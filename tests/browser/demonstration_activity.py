"""Activity of people in the demonstration's studies, so that its pages have something to show.

    python -m tests.browser.demonstration_activity

Works on the database that the environment names, after demo.build. Prints as JSON the links that people
are given and no page has.
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
    qualifications,
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
from tests.annotation.desk import submit_with_first_part
from tests.browser import label_rule

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


def judge_items(batch: Batch, name: str, n: int, *, doubts: bool = False) -> Assignment:
    """Judge n items and claim the next; return the assignment judged last."""
    person, now = user(name), timezone.now() - timedelta(hours=2)
    guideline_readings.confirm(batch=batch, by=person)
    for number in range(n):
        (held,) = claims.claim(batch=batch, by=person, now=now)
        said = response_by_rule(batch.scheme, held.item.payload, doubts=doubts)
        seconds = 9 + 5 * (number % 4)
        now += timedelta(seconds=seconds)
        submission = judgements.Submission(
            client_id=f"{name} {number}",
            response=said,
            shown_at=now - timedelta(seconds=seconds),
            active_seconds=seconds - 1.5,
            comment="Is the second half an answer, too?" if number == 3 else "",
        )
        submit_with_first_part(assignment=held, submission=submission, by=person, now=now)
    claims.claim(batch=batch, by=person)
    return held


def response_by_rule(scheme: str, payload: Payload, *, doubts: bool) -> Response:
    found = schemes.get(scheme)
    if not isinstance(found, SheetScheme):
        return found.response(
            label_rule.label_of(scheme, payload["answers"][0]["text"], doubts=doubts)
        )
    order = [answer["number"] for answer in payload["answers"]]
    return found.simulated_response(
        payload, order, seed=1, annotator=1, item=payload["question"], accuracy=1
    )


def add_work_in_open_batches(study: Study, alice: User) -> None:
    """Add judgements of two annotators in the open batches, their questions to the requester, and more batches."""
    judge_items(study.batches.get(name="ratings"), "bob", 1)
    judge_items(study.batches.get(name="preferences"), "bob", 3)
    batch = study.batches.get(name="first round")
    bobs, doras = judge_items(batch, "bob", 31), judge_items(batch, "dora", 24, doubts=True)
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
    trusted = qualifications.create(
        study=study, name="trusted", rule={"accuracy": 0.8, "recall": {"malformed": 0.6}}, by=alice
    )
    qualifications.grant(
        qualification=trusted, people=[user("bob")], reason="Careful in the first round", by=alice
    )
    batches.create(name="third round", qualification=trusted, **again)


def add_consent(study: Study, alice: User) -> None:
    studies.describe_study(study=study, by=alice, description=DESCRIPTION, consent=CONSENT)
    for name in ("bob", "dora"):
        consent.agree(study=study, text_sha256=consent.sha256(CONSENT), by=user(name))


def add_disputes(study: Study) -> None:
    """Rehearse a batch; of the disputed items adjudicate one, exclude one and add a note to one."""
    batch = ("--study", study.slug, "--batch", "try-out")
    run_command(
        "open_batch",
        *batch[:2],
        "--name",
        "try-out",
        "--scheme",
        "plausibility",
        "--pool",
        "candidates",
    )
    run_command("rehearse", *batch, "--annotators", "5", "--accuracy", "0.85", "--seed", "3")
    run_command("close_batch", *batch)
    run_command("settle", *batch, "--rule", "unanimous")
    carol = user("carol")
    disputed = Verdict.objects.current().filter(
        item__batch__study=study, state=VerdictState.DISPUTED
    )
    first, second, third, *_ = Item.objects.filter(verdicts__in=disputed).order_by("position")
    reviews.adjudicate(item=first, label="plausible", reason="It answers, in part", by=carol)
    reviews.exclude(item=second, reason="The question asks for two things", by=carol)
    notes.note(item=third, text="Like the one on tides: see the guideline.", by=carol)
    guideline_marks.mark_unclear(item=third, section="", by=carol)
    add_double_adjudication(study, third)
    add_reviews(study)


def add_double_adjudication(study: Study, item: Item) -> None:
    """Add ivo, an adjudicator: carol has a request for double adjudication open, ivo has settled his."""
    ivo = add_member(study, "ivo", Role.ADJUDICATOR)
    reviews.adjudicate(item=item, label="implausible", reason="It names no place", by=ivo)
    batch, alice = item.batch, user("alice")
    drawn = double_adjudication.draw(batch=batch, share=1, seed=1, by=alice)
    for asked in adjudication_access.requests_open_for(ivo, draw=drawn):
        first = asked.first.item
        double_adjudication.settle(item=first, label="implausible", reason="Only in part", by=ivo)


def add_member(study: Study, name: str, role: Role) -> User:
    made = User.objects.create_user(name, password=PASSWORD)
    members.add(study=study, user=made, roles=[role], by=user("alice"))
    return made


def add_reviews(study: Study) -> None:
    """Review three judgements of one annotator in one act, and undo the act."""
    batch, alice = study.batches.get(name="first round"), user("alice")
    own = Judgement.objects.not_withdrawn().filter(
        assignment__item__batch=batch, assignment__annotator=user("dora")
    )
    hasty = Decision(True, "in good faith", "", False, "misread the task", "in haste")
    chosen = own.order_by("pk").values_list("pk", flat=True)[:3]
    act = bulk_reviews.decide(batch=batch, decisions=dict.fromkeys(chosen, hasty), by=alice)
    bulk_reviews.undo(act=act, by=alice)


def run_command(*args: str) -> None:
    call_command(*args, stdout=io.StringIO())


def add_imports(study: Study, alice: User) -> None:
    """Add the import of a run with problems, a checked data set and one that is not checked yet."""
    job = checked_imports.check_runs(
        dataset=study.datasets.get(),
        upload=uploads.keep(
            [SimpleUploadedFile("fir.json", json.dumps(BROKEN).encode())], by=alice
        ),
        run_names=["fir"],
        about={"kind": "system", "team": "", "system": "", "setup": ""},
        leave_out_unknown=False,
        by=alice,
    )
    with contextlib.suppress(JobFailedError):  # said in the row
        execution.work(job)
    execution.work(checked_import(study, "kitchen", alice))
    checked_import(study, "garden", alice)


def checked_import(study: Study, name: str, alice: User) -> Job:
    settings = {"name": name, "licence": "", "citation": "", "as_new_version": False}
    return checked_imports.check_dataset(
        study=study,
        upload=uploads.keep(
            [SimpleUploadedFile("truth.json", Path("demo/truth.json").read_bytes())], by=alice
        ),
        parts=["truth"],
        settings={"format": "scai", **settings},
        by=alice,
    )


def add_audits(study: Study, alice: User) -> None:
    """Add an audit sample judged by simulated people, the figures of meta-evaluation and results, and a
    precision audit.
    """
    batch = ("--study", study.slug, "--batch", "audit")
    run_command("draw_audit", *batch[:2], "--pool", "candidates", "--name", "left out")
    opened = ("--name", "audit", "--scheme", "plausibility", "--pool", "left out")
    run_command("open_batch", *batch[:2], *opened)
    run_command("rehearse", *batch)
    run_command("close_batch", *batch)
    run_command("settle", *batch, "--rule", "majority")
    dataset = study.datasets.get()
    params = {"dataset": dataset.pk}
    for kind in ("measures_against_people", "results"):
        about = {"kind": kind, "key": str(dataset), "params": params}
        execution.work(jobs.start(study=study, **about, by=alice))
    sample = study.pools.get(name="left out")
    about = {"kind": "estimate_missed", "key": sample.name, "params": {"pool": sample.pk}}
    execution.work(jobs.start(study=study, **about, by=alice))
    drawn = ("--dataset", dataset.name, "--rehearsal", "--gold", "12", "--silver", "6")
    run_command("draw_precision_audit", *batch[:2], *drawn)
    one = precision_audit_queries.progress(study.precision_audits.get(), alice).next
    precision_audit_actions.judge(item=one, scheme="plausibility", label="implausible", by=alice)


def compute_comparisons(study: Study, alice: User) -> None:
    """Compute the comparison of each batch of ratings."""
    for batch in study.batches.filter(scheme="rating"):
        about = {"kind": "comparison_of_batch", "key": batch.name, "params": {"batch": batch.pk}}
        execution.work(jobs.start(study=study, **about, by=alice))


def compute_agreement(study: Study, alice: User) -> None:
    for batch in study.batches.exclude(state=BatchState.DRAFT):
        job = jobs.start(
            study=study, kind="agreement", key=batch.name, params={"batch": batch.pk}, by=alice
        )
        execution.work(job)


def compute_annotators(study: Study, alice: User) -> None:
    """Compute how annotators work, by batch and in the whole study."""
    whole = {"study": study, "kind": "annotators_of_study", "key": study.slug, "params": {}}
    execution.work(jobs.start(**whole, by=alice))
    for batch in study.batches.exclude(state=BatchState.DRAFT):
        about = {"kind": "annotators_of_batch", "key": batch.name, "params": {"batch": batch.pk}}
        execution.work(jobs.start(study=study, **about, by=alice))


def compute_rule_comparison(study: Study, alice: User) -> None:
    batch = study.batches.get(name="try-out")
    params = {"batch": batch.pk}
    about = {"kind": "compare_rules", "key": batch.name, "params": params}
    execution.work(jobs.start(study=study, **about, by=alice))


def create_links(study: Study, alice: User) -> dict[str, str]:
    """The links that people are given: to join, and to set a password."""
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
    add_work_in_open_batches(demo, alice)
    add_consent(demo, alice)
    add_disputes(demo)
    compute_rule_comparison(demo, alice)
    add_audits(Study.objects.get(slug="rehearsed"), alice)
    compute_comparisons(Study.objects.get(slug="compared"), alice)
    for study in Study.objects.all():
        compute_agreement(study, alice)
        compute_annotators(study, alice)
    add_imports(demo, alice)  # last, so that what waits stands first among the jobs
    for name, options in (("ada", ["--administrator"]), ("erin", [])):
        before, sys.stdin = sys.stdin, io.StringIO(f"{PASSWORD}\n")
        call_command("create_user", name, "--password-stdin", *options, stdout=io.StringIO())
        sys.stdin = before
    sys.stdout.write(json.dumps(create_links(demo, alice)))


if __name__ == "__main__":
    main()
