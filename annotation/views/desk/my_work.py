"""The page "My work": a person's batches in all studies, and their flags."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.actions import consent
from accounts.guards import PersonRequest
from accounts.models import Consent, Role, RoleGrant, Study, User
from accounts.queries import background
from annotation import schemes
from annotation.models import Assignment, Batch, BatchState, Flag, Judgement, Message, Verdict
from annotation.queries import annotator_progress, audience, checks, feedback
from annotation.queries.annotator_progress import Progress
from annotation.queries.notices import notices_for
from annotation.schemes import Scheme

# The page shows this many of the person's latest flags.
N_FLAGS = 20
# And of their questions that are not about one item.
N_QUESTIONS = 10


@dataclass(frozen=True)
class Line:
    """A batch in the person's list. `is_barred`: they have failed the check of its guideline."""

    batch: Batch
    scheme: Scheme
    progress: Progress
    is_over: bool
    is_barred: bool

    @property
    def is_to_come(self) -> bool:
        """Whether it is a training that the person has not begun and cannot begin now."""
        return self.batch.is_training and not self.progress.n_done and not self.progress.n_left

    @property
    def is_ready(self) -> bool:
        """Whether there is something for the person to judge now; what they hold of a withdrawn batch is not."""
        if self.batch.is_withdrawn or self.is_barred:
            return False
        return self.progress.n_left > 0 and (self.is_over or self.batch.state == BatchState.OPEN)

    @property
    def is_waiting(self) -> bool:
        return not self.is_ready and not self.is_over

    @property
    def is_paused(self) -> bool:
        return self.batch.state == BatchState.PAUSED or self.progress.is_paused


@require_safe
@never_cache
@guards.signed_in
def work(request: PersonRequest) -> HttpResponse:
    desks, organised = _studies(request.user)
    to_consent = _studies_to_consent(request.user, desks)
    due = background.studies_with_due(request.user, set(desks) - set(to_consent))
    known = _batch_lines(request.user, desks)
    lines = [line for line in known if line.batch.is_admitted and not line.is_to_come]
    context = {
        "ready": sorted(
            (line for line in lines if line.is_ready), key=lambda line: not line.progress.n_done
        ),
        "paused": [line for line in lines if line.is_waiting and line.is_paused],
        "finished": [line for line in lines if line.is_waiting and not line.is_paused],
        "over": [line for line in lines if not line.is_ready and line.is_over],
        "with_feedback": _with_feedback(lines),
        "notices": notices_for([line.batch for line in lines], request.user),
        "left": [line for line in known if not line.batch.is_admitted],
        "questions": _questions(request.user, desks),
        "desks": desks,
        "organised": organised,
        "studies_to_consent": to_consent,
        "studies_that_ask": [study for study in desks if study.pk in due],
        "flags": _flags(request.user, desks),
        "undone": _undone(request.user, desks),
    }
    return render(request, "annotation/desk/work.html", context)


def batch_lines(user: User) -> list[Line]:
    """The opened batches in the studies where the person has a desk, by study and time, of which they are in the
    audience.
    """
    desks, _ = _studies(user)
    return [line for line in _batch_lines(user, desks) if line.batch.is_admitted]


def _studies(user: User) -> tuple[list[Study], list[Study]]:
    """The studies in which the person has a desk, and those in which they are an organiser.

    Without archived ones.
    """
    grants = RoleGrant.objects.filter(
        membership__user=user, membership__study__archived_at=None
    ).select_related("membership__study")
    roles: dict[Study, set[str]] = {}
    for grant in grants.order_by("membership__study__title", "membership__study__slug"):
        roles.setdefault(grant.membership.study, set()).add(grant.role)
    organised = [study for study, held in roles.items() if held - {Role.ANNOTATOR}]
    return [study for study in roles if study not in organised], organised


def _batch_lines(user: User, desks: Iterable[Study]) -> list[Line]:
    """Return the lines of batch_lines(), and those of running batches that the person may no longer work on."""
    batches = Batch.objects.filter(study__in=desks, is_rehearsal=False)
    batches = audience.with_standing(batches, user.pk).select_related("study", "created_by")
    opened = list(
        batches.exclude(state=BatchState.DRAFT).order_by("study__title", "study_id", "created_at")
    )
    opened = [each for each in opened if each.is_admitted or audience.was_taken_off(each)]
    now = timezone.now()
    ahead = annotator_progress.progress_by_batch(opened, user, now)
    barred = checks.failed_batches(opened, user)
    return [
        Line(
            batch,
            schemes.get(batch.scheme),
            ahead[batch.pk],
            annotator_progress.is_over(batch, now),
            batch.pk in barred,
        )
        for batch in opened
    ]


def _studies_to_consent(user: User, desks: Iterable[Study]) -> list[Study]:
    """The studies whose current consent text the person has not agreed to, as consent.is_text_open()."""
    agreed = Consent.objects.filter(membership__user=user)
    given = set(agreed.values_list("membership__study", "text__sha256"))
    return [
        study
        for study in desks
        if study.consent and (study.pk, consent.sha256(study.consent)) not in given
    ]


def _undone(user: User, desks: Iterable[Study]) -> list[tuple[Batch, int]]:
    """The batches in which the person undid answers and has not answered again, with how many."""
    left = Assignment.objects.claimed().filter(annotator=user, item__batch__study__in=desks)
    undone = left.filter(Exists(Judgement.objects.filter(assignment=OuterRef("pk"))))
    n = dict(
        undone.order_by()
        .values_list("item__batch")
        .annotate(n=Count("pk"))
        .values_list("item__batch", "n")
    )
    batches = Batch.objects.filter(pk__in=n).select_related("study").order_by("name") if n else ()
    return [(batch, n[batch.pk]) for batch in batches]


@dataclass(frozen=True)
class FlagLine:
    """A flag of the person. `has_new_answer`: since their last judgement in the batch.

    outcome     what became of it, where the organisers allow feedback; ""
    """

    flag: Flag
    batch: Batch
    has_new_answer: bool
    outcome: str


def _flags(user: User, desks: Iterable[Study]) -> list[FlagLine]:
    """The person's latest flags: those with new answers first, then by time."""
    flags = Flag.objects.filter(
        assignment__annotator=user, assignment__item__batch__study__in=desks
    )
    latest = flags.select_related("assignment__item__batch__study").prefetch_related("answers")
    last_judged = _last_judged(user)
    lines = []
    for flag in latest.order_by("-flagged_at", "-pk")[:N_FLAGS]:
        batch = flag.assignment.item.batch
        last = last_judged.get(batch.pk)
        is_new = any(last is None or each.answered_at > last for each in flag.answers.all())
        outcome = feedback.outcome_of(flag, batch) if batch.gives_feedback else ""
        lines.append(FlagLine(flag, batch, is_new, outcome))
    return sorted(lines, key=lambda each: not each.has_new_answer)


def _questions(user: User, desks: Iterable[Study]) -> list[Message]:
    """The person's latest questions that are not about one item."""
    own = Message.objects.filter(study__in=desks, sent_by=user, refusal=None)
    latest = own.select_related("study", "batch").prefetch_related("answers")
    return list(latest.order_by("-sent_at", "-pk")[:N_QUESTIONS])


def _with_feedback(lines: Iterable[Line]) -> set[int]:
    """The keys of the batches whose feedback the person can read; no query where none offers it."""
    offering = [
        line.batch.pk
        for line in lines
        if line.is_over and line.progress.n_done and feedback.may_be_given(line.batch)
    ]
    if not offering:
        return set()
    settled = Verdict.objects.filter(item__batch__in=offering).order_by()
    return set(settled.values_list("item__batch", flat=True).distinct())


def _last_judged(user: User) -> dict[int, datetime]:
    """The time of the person's last judgement by batch."""
    own = Judgement.objects.not_withdrawn().filter(assignment__annotator=user).order_by()
    by_batch = own.values_list("assignment__item__batch").annotate(last=Max("submitted_at"))
    return dict(by_batch)
