"""What a requester does with a batch: each act is asked about once, with what follows from it."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from activity.actions.jobs import JobStateError
from activity.waking import leave
from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import drafts, settlement
from annotation.actions.batches import BatchError
from annotation.actions.settlement import SettleError
from annotation.design import pair_balance
from annotation.forms import batches as batch_forms
from annotation.models import Batch, BatchState
from annotation.queries import batch_forecast, batch_progress
from annotation.queries.candidates_and_flags import accepted_candidates, asking, never_asked
from annotation.schemes import Shows
from annotation.views.batches import pair_wording, rules
from annotation.views.batches.pages import batch_of, deciding_batch_of
from sampling.actions import evidence
from sampling.actions.pools import PoolError
from sampling.evidence.reading_time import minutes
from sampling.models import EvidenceSpan, Pool
from scoring.commands import name_of, own_threshold, where_any_worker_finds_it
from scoring.similarity_models import ModelError
from stats.aggregation import consensus
from text.segmentation import WORDS_PER_MINUTE

requester = guards.study(Role.REQUESTER)
asked_then_done = require_http_methods(["GET", "HEAD", "POST"])


def _confirmed(
    request: StudyRequest,
    batch: Batch,
    act: Callable[..., Any],
    *,
    title: str,
    consequences: list[str],
    button: str,
    done: str,
    form: forms.Form | None = None,
    tone: str = "primary",
    **more: Any,
) -> HttpResponse:
    """Ask before the act (GET), do it (POST), and lead back to the batch. `more`: what the page says besides."""
    wrong = False
    if request.method == "POST" and (form is None or form.is_valid()):
        try:
            act(batch=batch, by=request.user, **(form.cleaned_data if form else {}))
        except (BatchError, SettleError) as error:
            return _refused(request, batch, error)
        messages.success(request, done)
        return redirect(_back(batch))
    wrong = request.method == "POST"
    context = {
        "title": title,
        "consequences": consequences,
        "button": button,
        "form": form,
        "tone": tone,
        "back": _back(batch),
        **more,
    }
    return render(request, "_components/confirm.html", context, status=400 if wrong else 200)


def _refused(request: StudyRequest, batch: Batch, error: Exception) -> HttpResponse:
    """Say why, and lead back to the batch; to the others where it was discarded meanwhile."""
    messages.error(request, f"Nothing was changed: {error}.")
    is_there = Batch.objects.filter(pk=batch.pk).exists()
    return redirect(_back(batch)) if is_there else redirect("batches", study=batch.study.slug)


def _back(batch: Batch) -> str:
    return reverse("batch", kwargs={"study": batch.study.slug, "batch": batch.pk})


@asked_then_done
@requester
def batch_open(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    scheme = schemes.get(found.scheme)
    asks_evidence = scheme.shows_evidence
    without = _n_without_evidence(found) if asks_evidence else 0
    sizes = batch_forecast.sizes(found)
    n_asked = sum(sizes)
    follows = [
        f"{n_asked + without} items are made, and {n_asked * found.judgements_per_item} judgements asked for"
        f" ({found.judgements_per_item} of each).",
        f"Every annotator of the study can begin at once: there are {_n_annotators(study)}.",
        "From here on the pool, the guideline and the settings are frozen.",
    ]
    if asks_evidence:
        follows += _to_read(found.pool)
    if scheme.shows == Shows.PAIR:
        follows += pair_wording.in_words(pair_balance.balance(found))
    if without:
        follows.append(f"{without} {'answer has' if without == 1 else 'answers have'} no evidence.")
    if found.judgements_per_item == 1 and scheme.has_verdict:
        follows.append(
            "One judgement is too few for a rule: settling sets every item aside, until an adjudicator"
            " decides it or one more judgement is asked for."
        )
    if not found.guideline.text:
        follows.append("The batch has no guideline: annotators go by the question alone.")
    return _confirmed(
        request,
        found,
        acts.launch,
        title=f"Open {found.name}?",
        consequences=follows,
        button="Open the batch",
        done=f"{found.name} is open. Annotators find it under their work.",
        form=batch_forms.Open(request.POST or None) if without else None,
        about="annotation/batches/_launch.html",
        outcome=batch_forecast.outcome(found, sizes),
        accepted=scheme.accepted if isinstance(scheme, schemes.VerdictScheme) else "",
    )


def _to_read(pool: Pool) -> list[str]:
    """How long the evidence of an item is; a pool that was built before this was counted does not say."""
    median, ninetieth = (pool.counts.get(f"n_words_{each}") for each in ("median", "ninetieth"))
    if median is None or ninetieth is None:
        return []
    return [
        f"The evidence of half of the questions is at most {median:g} words long ({minutes(median)} at"
        f" {WORDS_PER_MINUTE} words a minute), that of nine in ten at most {ninetieth} ({minutes(ninetieth)})."
    ]


def _n_annotators(study: Study) -> int:
    return study.memberships.filter(user__is_simulated=False).holding(Role.ANNOTATOR).count()


def _n_without_evidence(batch: Batch) -> int:
    with_evidence = EvidenceSpan.objects.filter(pool=batch.pool).values("turn")
    return batch.pool.candidates.exclude(turn__in=with_evidence).count()


@asked_then_done
@requester
def batch_discard(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    if request.method != "POST":
        return _confirmed(
            request,
            found,
            drafts.discard,
            title=f"Discard the draft {found.name}?",
            consequences=["The draft is gone. Nobody has seen it, and its pool stays."],
            button="Discard the draft",
            done="",
            tone="danger",
        )
    try:
        drafts.discard(batch=found, by=request.user)
    except BatchError as error:
        return _refused(request, found, error)
    messages.success(request, f"The draft {found.name} is gone.")
    return redirect("batches", study=study.slug)


@asked_then_done
@requester
def batch_pause(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    return _confirmed(
        request,
        found,
        acts.pause,
        title=f"Pause {found.name}?",
        consequences=[
            "Nobody is handed another item until you resume it.",
            "What people hold now they can still submit.",
        ],
        button="Pause the batch",
        done=f"{found.name} is paused.",
    )


def _handed(batch: Batch, otherwise: str) -> str:
    """Whether people are handed items once the batch is open: not after its deadline."""
    if batch.deadline_at is None or batch.deadline_at > timezone.now():
        return otherwise
    return (
        f"Nobody is handed an item: its deadline, {batch.deadline_at:%Y-%m-%d %H:%M} UTC, has passed."
        " Set a later one on its page once it is open."
    )


@asked_then_done
@requester
def batch_resume(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    return _confirmed(
        request,
        found,
        acts.resume,
        title=f"Resume {found.name}?",
        consequences=[_handed(found, "Annotators are handed items again.")],
        button="Resume the batch",
        done=f"{found.name} is open again.",
    )


@asked_then_done
@requester
def batch_deadline(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    if found.state not in (BatchState.OPEN, BatchState.PAUSED):
        first = "change the draft" if found.state == BatchState.DRAFT else "open it again first"
        messages.error(request, f"The batch is {found.state}: {first}.")
        return redirect(_back(found))
    sent = request.POST if request.method == "POST" else None
    return _confirmed(
        request,
        found,
        acts.set_deadline,
        title=f"Deadline of {found.name}",
        consequences=[
            "Until then annotators are handed items; without a deadline, until you close the batch.",
            "What people hold when it comes they can still submit until their time is over.",
        ],
        button="Set the deadline",
        done=f"The deadline of {found.name} is set.",
        form=batch_forms.Deadline(sent, initial={"deadline_at": found.deadline_at}),
    )


@asked_then_done
@requester
def batch_close(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    (line,) = batch_progress.lines([found])
    has_verdict = schemes.get(found.scheme).has_verdict
    return _confirmed(
        request,
        found,
        acts.close,
        title=f"Close {found.name}?",
        consequences=[
            _far(line),
            "Nobody is handed another item, and no judgement can be changed any more.",
            "Then the batch can be settled. It can be opened again."
            if has_verdict
            else "It can be opened again.",
        ],
        button="Close the batch",
        done=f"{found.name} is closed. Settle it to get verdicts."
        if has_verdict
        else f"{found.name} is closed. Its figures are computed from the judgements.",
    )


def _far(line: batch_progress.BatchLine) -> str:
    there = f"{line.n_counted} of {line.n_wanted} judgements are there"
    if not line.n_claimed:
        return f"{there}; nobody has an item on the desk."
    held = "1 item is" if line.n_claimed == 1 else f"{line.n_claimed} items are"
    return f"{there}, {held} being judged now: until its time is over each can still be submitted."


@asked_then_done
@requester
def batch_reopen(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    return _confirmed(
        request,
        found,
        acts.reopen,
        title=f"Open {found.name} again?",
        consequences=[
            _handed(found, "Annotators are handed the items whose judgements are not complete."),
            "Verdicts stand until you settle the batch once more; no release is made meanwhile."
            if schemes.get(found.scheme).has_verdict
            else "What was said stays, and more can be said.",
        ],
        button="Open it again",
        done=f"{found.name} is open again.",
    )


@asked_then_done
@requester
def batch_settle(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    if found.state != BatchState.CLOSED:
        messages.error(request, f"The batch is {found.state}: close it first, then settle it.")
        return redirect(_back(found))
    (line,) = batch_progress.lines([found])
    figures = rules.figures(found)
    sent = request.POST if request.method == "POST" else None
    form = batch_forms.Settle(line.n_claimed, figures, sent)
    return _confirmed(
        request,
        found,
        lambda **options: messages.info(request, _settled(settlement.settle(**options))),
        title=f"Settle {found.name}",
        consequences=[
            "Every item gets a verdict by the rule, or is in dispute, or is set aside with a reason.",
            *_where_rules_differ(found),
            *_where_rules_are_compared(figures),
            "Adjudications stay as they are. Settling again with the same rule changes nothing that"
            " did not change.",
        ],
        button="Settle the batch",
        done=f"{found.name} is settled.",
        form=form,
    )


def _where_rules_differ(batch: Batch) -> list[str]:
    """Of two judgements more than half are both; and no rule settles two that differ."""
    if batch.items.real().filter(n_counted__gt=consensus.LEAST_JUDGEMENTS).exists():
        return []
    return [
        "No item has more than two judgements. There unanimous and majority do the same: two that agree"
        " make a verdict, two that do not a dispute. So does posterior, unless those who agree err so often"
        " that their label is not likely enough."
    ]


def _where_rules_are_compared(figures: Mapping[str, str]) -> list[str]:
    if figures:
        return []
    return [
        "What each rule would settle here, and how often wrongly in simulation, is computed under"
        " “Compare the rules” on the batch's page."
    ]


def _settled(settled: settlement.Settled) -> str:
    return (
        f"{settled.n_decided} items decided, {settled.n_disputed} in dispute,"
        f" {settled.n_set_aside} set aside."
    )


@asked_then_done
@requester
def evidence_new(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    """Draw the plausible answers on, with the evidence that the passages offer for them."""
    found = deciding_batch_of(study, batch)
    n_plausible, n_left = accepted_candidates(found).count(), never_asked(found).count()
    form = batch_forms.Evidence(
        request.POST or None,
        initial={"name": _new_name(study, f"{found.name} evidence")},
        is_first=n_left in (0, n_plausible),
    )
    if request.method == "POST" and form.is_valid():
        try:
            job = _begin(found, form.cleaned_data, request)
        except (PoolError, ModelError, JobStateError) as error:
            form.add_error(None, f"Nothing was begun: {str(error).rstrip('.')}.")
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
        else:
            return leave(request, job)
    (line,) = batch_progress.lines([found])
    context = {
        "batch": found,
        "form": form,
        "n_plausible": n_plausible,
        "n_never_asked": n_left,
        "n_disputed": line.n_disputed,
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/evidence.html", context, status=status)


def _new_name(study: Study, wanted: str) -> str:
    """The name that is wanted, with a number where a pool has it already."""
    taken = set(study.pools.values_list("name", flat=True))
    names = (f"{wanted[:95]} {number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([wanted[:100]], names) if name not in taken)


def _begin(batch: Batch, said: dict[str, Any], request: StudyRequest) -> Any:
    least = said["sas_threshold"]
    rule = evidence.EvidenceRule(
        batch=batch.name,
        scorer=name_of(said["scorer"]),
        sas_threshold=own_threshold(said["scorer"]) if least is None else least,
        threshold=said["threshold"],
        max_words=said["max_words"],
        sample=said["sample"],
        seed=said["seed"],
        only_never_asked=said.get("only_never_asked", False),
    )
    return evidence.begin(
        study=batch.study,
        dataset=batch.pool.dataset,
        name=said["name"],
        plausible=list(accepted_candidates(batch).select_related("turn__conversation")),
        asking=asking(batch, only_never_asked=rule.only_never_asked),
        rule=rule,
        model=where_any_worker_finds_it(said["scorer"]),
        is_rehearsal=batch.is_rehearsal,
        by=request.user,
    )
