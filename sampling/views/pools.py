"""Pages of pools: candidates, rule and the fate of every answer."""

from typing import Any

from django.db.models import Count, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Answer, turn_key
from jobs.actions import liveness
from jobs.models import UNFINISHED
from pages.listing import Column, Filter, Listing
from sampling import queries as sampling_queries
from sampling.actions import pool_chunks, surveys
from sampling.actions.evidence import KIND as FIND_EVIDENCE
from sampling.actions.reference_evidence import KIND as FIND_REFERENCE_EVIDENCE
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools.rule import Rule
from sampling.pools.selection import State, by_each_state
from sampling.pools.turn_selection import nearness
from sampling.templatetags.sampling import fate
from sampling.views import audits, comparisons, curation, evidence, pairs, writing
from sampling.views.pool_source import address
from scoring import score_queries

COLUMNS = (
    Column("name", "Pool", ("name",)),
    Column("purpose", "Kind", ("purpose", "name")),
    Column("dataset", "Data set", ("dataset__name", "dataset__version")),
    Column("candidates", "Candidates", ("counts__n_candidates",), is_number=True),
    Column("turns", "Questions", ("counts__n_turns",), is_number=True),
    Column("batches", "Batches", ("n_batches",), is_number=True),
    Column("drawn", "Drawn", ("created_at",)),
)
PURPOSES = Filter(
    "purpose",
    "Kind",
    {purpose.value: (purpose.value, Q(purpose=purpose)) for purpose in Purpose},
)
WITHDRAWN = Filter(
    "withdrawn",
    "Withdrawn",
    {"no": ("not withdrawn", Q(is_withdrawn=False)), "yes": ("withdrawn", Q(is_withdrawn=True))},
)
CANDIDATE_COLUMNS = (
    Column("turn", "Turn", ("turn__conversation__position", "turn__number")),
    Column("answer", "Question and candidate", ("text",)),
    Column("score", "Score", ("score",), is_number=True),
    Column("runs", "Runs that gave it", ("n_runs",)),
)
LEFT_OUT_COLUMNS = (
    Column("turn", "Turn", ("answer__turn__conversation__position", "answer__turn__number")),
    Column("answer", "Question and answer", ("answer__text",)),
    Column("score", "Score", is_number=True),
    Column("run", "Run", ("answer__run__name",)),
    Column("state", "Why", ("state",)),
)
LEFT_OUT = Filter(
    "state",
    "Why",
    {state.value: (fate(state), Q(state=state.value)) for state in State if state != State.DRAWN},
)
PER_PAGE = 25


@require_safe
@guards.study(Role.REQUESTER)
def pools(request: StudyRequest, study: Study) -> HttpResponse:
    rows = study.pools.select_related("dataset", "created_by", "audit_of")
    listing = Listing(
        request,
        rows.annotate(n_batches=Count("batches")).order_by("-created_at", "-pk"),
        columns=COLUMNS,
        search=("name",),
        filters=(PURPOSES, WITHDRAWN),
    )
    return render(request, "sampling/pools/pools.html", {"listing": listing})


@require_safe
@guards.study(Role.REQUESTER)
def pool(request: StudyRequest, study: Study, pool: int) -> HttpResponse:
    rows = study.pools.select_related("dataset__study", "scorer", "created_by", "audit_of")
    found = get_object_or_404(rows, pk=pool)
    if found.built_at is None:
        return render(request, "sampling/pools/unbuilt.html", {"pool": found, **_building(found)})
    context: dict[str, Any] = {"pool": found, "batches": found.batches.order_by("created_at")}
    if found.purpose == Purpose.EVIDENCE:
        context |= evidence.context(request, found)
        return render(request, "sampling/evidence/evidence.html", context)
    if found.purpose == Purpose.REFERENCES:
        context |= evidence.context_of_references(request, found)
        return render(request, "sampling/evidence/references.html", context)
    if found.purpose == Purpose.COMPARISON:
        context |= comparisons.context(request, found)
        return render(request, "sampling/comparisons/comparison.html", context)
    if found.purpose == Purpose.PAIRS:
        context |= pairs.context(request, found)
        return render(request, "sampling/pairs/pairs.html", context)
    if found.purpose == Purpose.WRITING:
        context |= writing.context(request, found)
        return render(request, "sampling/writing/writing.html", context)
    if found.purpose == Purpose.CURATION:
        context |= curation.context(request, found)
        return render(request, "sampling/curation/curation.html", context)
    if found.audit_of is not None:
        context |= {"strata": audits.context(found), **_candidates(request, found)}
        return render(request, "sampling/audit_samples/sample.html", context)
    context["audits"] = found.audits.order_by("created_at")
    return render(request, "sampling/pools/pool.html", context | _context(request, found))


def _building(pool: Pool) -> dict[str, Any]:
    """Return the job that builds the pool, and how it is."""
    kinds = (pool_chunks.KIND, FIND_EVIDENCE, FIND_REFERENCE_EVIDENCE)
    job = pool.study.jobs.filter(kind__in=kinds, key=pool.name).with_progress().first()
    return {
        "job": job,
        "is_unfinished": job is not None and job.state in UNFINISHED,
        "is_left_alone": job is not None and liveness.is_left_alone(job),
    }


def _context(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    rule = Rule.from_dict(pool.rule)
    counts = pool.counts["n_answers"]
    by_run = sampling_queries.n_answers_by_run(pool)
    is_left_out = request.GET.get("list") == "left-out"
    return {
        "rule": rule,
        "fates": [
            (state, n, _list_address(pool, state)) for state, n in by_each_state(counts).items()
        ],
        "n_standing": counts.get(State.STANDS, 0),
        "n_answers": sum(counts.values()),
        "by_run": sorted(
            ((run, states[State.DRAWN], sum(states.values())) for run, states in by_run.items()),
            key=lambda each: (-each[1], each[0]),
        ),
        "desk": address(pool.dataset, pool.scorer_id or 0, rule),
        "is_left_out": is_left_out,
        **_picture(pool, rule, by_run),
        **(_left_out(request, pool, rule) if is_left_out else _candidates(request, pool)),
    }


def _list_address(pool: Pool, state: State) -> str:
    return "?#answers" if state == State.DRAWN else f"?list=left-out&state={state.value}#answers"


def _picture(pool: Pool, rule: Rule, runs: Any) -> dict[str, Any]:
    """Return the histogram of the answers in the draw.

    Empty if they are too many to read in a request.
    """
    survey = pool.scorer and surveys.survey(
        pool.dataset, pool.scorer, rule.bag, runs, near=rule.near
    )
    if not survey:
        return {}
    return {
        "histogram": survey.histogram,
        "mark": survey.histogram.scale.x(rule.threshold),
    }


def _candidates(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    drawn = Fate.objects.filter(state=State.DRAWN.value)
    of_candidate = drawn.filter(candidate=OuterRef("pk")).order_by().values("candidate")
    n_runs = Subquery(of_candidate.annotate(n=Count("pk")).values("n"))
    rows = (
        Candidate.objects.filter(pool=pool)
        .select_related("turn__conversation")
        .prefetch_related(_references(pool, "turn__answers"))
        .annotate(key=turn_key("turn__"), n_runs=Coalesce(n_runs, 0))
        .order_by("turn__conversation__position", "turn__number", "-score", "text")
    )
    listing = Listing(
        request,
        rows,
        columns=CANDIDATE_COLUMNS,
        search=("text", "turn__question", "turn__rewrite", "key"),
        per_page=PER_PAGE,
    )
    runs: dict[int, list[str]] = {}
    credited = drawn.filter(candidate__in=[each.pk for each in listing.page])
    for candidate_id, run in credited.values_list("candidate_id", "answer__run__name"):
        runs.setdefault(candidate_id or 0, []).append(run)
    return {
        "listing": listing,
        "rows": [(each, sorted(runs.get(each.pk, ()))) for each in listing.page],
    }


def _left_out(request: StudyRequest, pool: Pool, rule: Rule) -> dict[str, Any]:
    rows = (
        Fate.objects.filter(pool=pool)
        .exclude(state=State.DRAWN.value)
        .select_related("answer__run", "answer__turn__conversation", "candidate__pool__dataset")
        .prefetch_related(_references(pool, "answer__turn__answers"))
        .annotate(key=turn_key("answer__turn__"))
        # As they were imported, run by run: in the order of an index, where there are a million.
        .order_by("answer_id")
    )
    listing = Listing(
        request,
        rows,
        columns=LEFT_OUT_COLUMNS,
        search=("answer__text", "answer__run__name", "key"),
        filters=(LEFT_OUT,),
        per_page=PER_PAGE,
        n_rows=sum(n for state, n in pool.counts["n_answers"].items() if state != State.DRAWN),
    )
    turns = {each.answer.turn_id for each in listing.page}
    scores = score_queries.values(pool.dataset, pool.scorer, turns) if pool.scorer else {}
    return {
        "listing": listing,
        "rows": [
            (each, scores.get(each.answer_id), _nearness(rule, each)) for each in listing.page
        ],
    }


def _nearness(rule: Rule, fate: Fate) -> float | None:
    if rule.near is None or fate.candidate is None:
        return None
    return nearness(rule, fate.answer.text.strip(), fate.candidate.text)


def _references(pool: Pool, path: str) -> "Prefetch[str, Any, str]":
    return Prefetch(path, Answer.objects.references(pool.dataset), to_attr="references")
