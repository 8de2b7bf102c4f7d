"""The decisions, comments, people and figures of the study that bench.pages builds."""

from django.db.models import F
from django.utils import timezone

from accounts.actions import members, users
from accounts.models import Role, Study, User
from annotation.actions import (
    batches,
    bulk_reviews,
    flags,
    guideline_marks,
    notes,
    open_batches,
    reviews,
)
from annotation.models import (
    Assignment,
    Batch,
    Flag,
    GuidelineReading,
    Item,
    Judgement,
    Verdict,
    VerdictState,
)
from annotation.rehearsal.annotators import EPOCH
from annotation.review_decisions import Decision
from bench.pages.steps import OPEN, SETTLED
from exports.current_figures import queries as figures_queries
from jobs.actions import execution, jobs
from sampling.models import Pool

N_ADJUDICATED, N_FLAGS, N_REVIEWED, N_NOTES, N_EXCLUDED = 300, 200, 200, 50, 20
EVERY_COMMENTED = 20  # one judgement of so many has a comment
PEOPLE = 8
LEFT_OPEN = (
    3  # judgements wanted of an item in the open batch: two are there, one is left for the people
)


def decisions() -> None:
    """Decide disputes of the settled batch, flag items, comment on and review judgements."""
    all_real()
    batch = Batch.objects.select_related("study", "created_by").get(name=SETTLED)
    study, alice = batch.study, batch.created_by
    carol = users.create_user(name="carol", password=None)
    members.add(study=study, user=carol, roles=[Role.ADJUDICATOR], by=alice)
    disputed = batch.items.filter(verdicts__state=VerdictState.DISPUTED, verdicts__replaced_by=None)
    for item in disputed.order_by("position")[:N_ADJUDICATED]:
        reviews.adjudicate(item=item, label="plausible", reason="The guideline says so.", by=carol)
    for item in disputed.order_by("position")[:N_NOTES]:
        notes.note(item=item, text="The question can be read in two ways.", by=carol)
        guideline_marks.mark_unclear(item=item, section="", by=carol)
    _flag(batch, alice)
    commented = Judgement.objects.alias(rest=F("pk") % EVERY_COMMENTED).filter(rest=0)
    commented.update(comment="It answers another question than the one that was asked.")
    judged = Judgement.objects.filter(assignment__item__batch=batch).order_by("-pk")
    unpaid = Decision(False, "other", "Too quick.", True, "other", "It is right.")
    bulk_reviews.decide(
        batch=batch, decisions=dict.fromkeys(judged.values_list("pk", flat=True)[:N_REVIEWED], unpaid),
        by=carol,
    )  # fmt: skip


def _flag(batch: Batch, alice: User) -> None:
    held = Assignment.objects.filter(item__batch=batch).order_by("item__position")[:N_FLAGS]
    raised = [
        Flag(assignment=each, message="Is this a question?", flagged_at=timezone.now())
        for each in held
    ]
    for flag in Flag.objects.bulk_create(raised)[::2]:
        flags.answer(flag=flag, text="Judge it as it stands.", by=alice)


def all_real() -> None:
    """Mark rehearsed work as real: pages leave much out of a rehearsal, and nobody real may judge in one."""
    Batch.objects.update(is_rehearsal=False)
    Pool.objects.update(is_rehearsal=False)
    # Verdicts of real work are later than the end of its batch, as that end is not simulated.
    Verdict.objects.filter(decided_at__year=EPOCH.year).update(decided_at=timezone.now())


def people() -> None:
    """Let eight people into the open batch, where two simulated ones have judged each item, and make a draft."""
    batch = Batch.objects.select_related("study", "created_by", "guideline", "pool").get(name=OPEN)
    study, alice = batch.study, batch.created_by
    for number in range(1, PEOPLE + 1):
        annotator = users.create_user(name=f"annotator-{number}", password=None)
        members.add(study=study, user=annotator, roles=[Role.ANNOTATOR], by=alice)
        GuidelineReading.objects.create(guideline=batch.guideline, read_by=annotator)
    open_batches.change(batch=batch, judgements_per_item=LEFT_OPEN, by=alice)
    batches.create(
        study=study,
        name="draft",
        scheme="plausibility",
        pool=batch.pool,
        guideline=batch.guideline.text,
        by=alice,
    )


def exclusions() -> None:
    batch = Batch.objects.select_related("study", "created_by").get(name=SETTLED)
    for item in Item.objects.filter(batch=batch).order_by("-position")[:N_EXCLUDED]:
        reviews.exclude(item=item, reason="The question is cut off.", by=batch.created_by)


def figures() -> None:
    """Compute what a worker computes by itself: the figures that rest on closed batches."""
    study = Study.objects.get()
    due = figures_queries.state(study, since=timezone.now()).due
    for each in due:
        job = jobs.start_automatically(
            study=study, kind=each.kind, key=each.key, params=each.params, by=study.created_by
        )
        if job is not None:
            execution.run(job)
