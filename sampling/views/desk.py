"""The sampling desk, on which a rule is tried before its pool is drawn."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import hand_to_worker
from pages.validation import validation_message
from pages.words import sentence
from sampling import queries as sampling_queries
from sampling.actions import pool_chunks, pool_draws, surveys
from sampling.actions.pools import PoolError
from sampling.forms import costs
from sampling.forms.rules import DrawForm, RuleForm, initial_rule
from sampling.models import Pool
from sampling.pools import draws
from sampling.pools.looser_rules import looser_rules
from sampling.pools.preview import preview_turns, turn_merges
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from sampling.pools.survey import Survey
from sampling.views.pool_source import (
    Choice,
    MissingSource,
    address,
    choice_or_default,
    requested_choice,
)
from scoring import queries as scoring_tables

TURNS_A_PAGE = 5
LOOKED_AT = "#looked-at"
# What is looked at besides the fates.
MERGED = "merged"


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@guards.study(Role.REQUESTER)
def pool_new(request: StudyRequest, study: Study) -> HttpResponse:
    """Show the desk; for htmx only the parts that change with the rule. A POST draws the pool."""
    is_to_draw = request.method == "POST"
    choice = (
        requested_choice(study, request.POST)
        if is_to_draw
        else choice_or_default(study, request.GET)
    )
    if isinstance(choice, MissingSource):
        return render(request, "sampling/nothing_to_draw.html", {"missing": choice})
    if is_to_draw:
        form = DrawForm(request.POST, **_of_choice(choice))
        return _draw(request, choice, form) or _desk(request, choice, form)
    return _desk(request, choice, _rule_form(choice, request.GET))


def _of_choice(choice: Choice) -> dict[str, Any]:
    """Return the arguments that a form of the rule takes from the choice."""
    continues = choice.dataset.continues_id is not None
    return {"scorer": choice.scorer_name, "runs": choice.runs, "continues": continues}


def _rule_form(choice: Choice, query: QueryDict) -> RuleForm:
    """The form of the query; missing values are the desk's initial ones."""
    data = query.copy()
    for name, value in initial_rule(choice.scorer, len(choice.runs)).items():
        data.setdefault(name, value)
    return RuleForm(data, **_of_choice(choice))


def _draw(request: StudyRequest, choice: Choice, form: DrawForm) -> HttpResponse | None:
    """Redirect to the pool, or to the job that draws it.

    Return None with the errors in the form.
    """
    if not form.is_valid() or form.rule is None:
        return None
    arguments: dict[str, Any] = {
        "study": choice.study,
        "dataset": choice.dataset,
        "name": form.cleaned_data["name"],
        "rule": form.rule,
        "by": request.user,
    }
    try:
        arguments["costs"] = costs.costs_to_keep(choice.study, request.POST)
        if not surveys.is_at_once(choice.dataset):
            return hand_to_worker(request, pool_chunks.begin(**arguments))
        pool, warnings = pool_draws.draw(**arguments)
    except (PoolError, JobStateError) as error:
        problem = sentence(error)
    except ValidationError as error:
        problem = validation_message(error)
    else:
        return _redirect_to_pool(request, pool, warnings)
    form.add_error("name", problem)
    return None


def _redirect_to_pool(request: StudyRequest, pool: Pool, warnings: list[str]) -> HttpResponse:
    messages.success(request, f"The pool {pool.name} was drawn.")
    if warnings:
        messages.warning(request, "; ".join(warnings))
    return redirect("pool", study=request.study.slug, pool=pool.pk)


def _desk(request: StudyRequest, choice: Choice, form: RuleForm) -> HttpResponse:
    draw_form = DrawForm(**_of_choice(choice))
    entered = request.POST if request.method == "POST" else request.GET
    cost_form = costs.cost_form_of(choice.study, entered)
    context: dict[str, Any] = {
        "choice": choice,
        "form": form,
        "draw_form": draw_form,
        "cost_form": cost_form,
    }
    if isinstance(form, DrawForm):
        context["draw_form"] = form
    form.is_valid()
    if form.rule is not None:
        context |= _rule_context(request, choice, form.rule, cost_form)
    if not request.headers.get("HX-Request"):
        return render(request, "sampling/desk/desk.html", context)
    reply = render(request, "sampling/desk/_live.html", context)
    if "poll" in request.GET and "outlook" in context:
        reply["HX-Refresh"] = "true"  # what the page waited for is there: all of it is new
    return reply


def _rule_context(
    request: StudyRequest, choice: Choice, rule: Rule, cost_form: costs.CostForm
) -> dict[str, Any]:
    """The context with what the rule would draw, or why that is not known yet."""
    now = surveys.basis(choice.dataset, choice.scorer, rule.bag, rule.near)
    survey = surveys.survey_on(choice.dataset, now, rule.runs)
    if survey is None:
        return {
            "rule": rule,
            "is_unsurveyed": True,
            "job": surveys.jobs_of(choice.dataset, now).with_progress().first(),
            "n_answers": sum(choice.dataset.runs.values_list("n_answers", flat=True)),
        }
    carried = costs.entered_values(cost_form, request.GET)
    return {
        "rule": rule,
        **_numbers(choice, rule, survey, cost_form, carried),
        **_preview(request, choice, rule, survey, carried),
    }


def _numbers(
    choice: Choice,
    rule: Rule,
    survey: Survey,
    cost_form: costs.CostForm,
    carried: dict[str, str],
) -> dict[str, Any]:
    outlook = survey.under(rule)
    picture = survey.histogram
    return {
        "outlook": outlook,
        "histogram": picture,
        "mark": picture.scale.x(rule.threshold),
        "n_with_reference": len(scoring_tables.references(choice.dataset)),
        "per_turn": outlook.n_candidates / outlook.n_turns if outlook.n_turns else None,
        "cost": costs.cost(cost_form, outlook.n_candidates),
        "looser": [
            (each, costs.cost(cost_form, each.n_candidates) if each.n_candidates > 0 else None)
            for each in looser_rules(survey, rule, outlook)
        ],
        "drop": picture.scale.drop,
        "by_run": sorted(outlook.by_run.items(), key=lambda each: (-each[1], each[0])),
        "fates": [
            (state, n, _address(choice, rule, **carried, show=state.value) + LOOKED_AT)
            for state, n in outlook.by_state.items()
        ],
        "n_answers": sum(outlook.by_state.values()),
        "n_standing": outlook.by_state.get(State.STANDS, 0),
        "n_unscored": outlook.by_state.get(State.NO_SCORE, 0),
        "again_href": _address(choice, replace(rule, leaves_out_standing=False), **carried),
        "merged_href": _address(choice, rule, **carried, show=MERGED) + LOOKED_AT,
    }


def _address(choice: Choice, rule: Rule, **more: str) -> str:
    return address(choice.dataset, choice.scorer.pk, rule, **more)


@dataclass(frozen=True)
class Pages:
    """The place in the preview, for _components/paging.html."""

    page: "Page[str]"
    here: str

    @property
    def previous_href(self) -> str:
        return f"{self.here}&page={self.page.previous_page_number()}{LOOKED_AT}"

    @property
    def next_href(self) -> str:
        return f"{self.here}&page={self.page.next_page_number()}{LOOKED_AT}"


def _preview(
    request: StudyRequest, choice: Choice, rule: Rule, survey: Survey, carried: dict[str, str]
) -> dict[str, Any]:
    """Return some turns as the rule would draw them.

    They have an answer of the requested fate, or merges.
    """
    requested = request.GET.get("show", "")
    is_of_merged = requested == MERGED and rule.near is not None
    state = State(requested) if requested in set(State) else State.DRAWN
    names = survey.turns_merged(rule) if is_of_merged else survey.turns_with(state, rule)
    page = Paginator(names, TURNS_A_PAGE).get_page(request.GET.get("page"))
    place = {name: place for place, name in enumerate(page)}
    ids = sampling_queries.turn_pks(choice.dataset, page)
    turns = sampling_queries.turn_answers(choice.dataset, choice.scorer, ids)
    turns.sort(key=lambda turn: place[turn.turn])
    drawn = draws.draw(rule, turns, survey.chosen(rule))
    fate = MERGED if is_of_merged else state.value
    looked_at = (
        {"merged": turn_merges(turns, drawn)}
        if is_of_merged
        else {"turns": preview_turns(rule, turns, drawn, state)}
    )
    return looked_at | {
        "shown": fate,
        "pages": Pages(page, _address(choice, rule, **carried, show=fate)),
    }


@require_POST
@guards.study(Role.REQUESTER)
def pool_survey(request: StudyRequest, study: Study) -> HttpResponse:
    """Start the survey of a data set with too many answers for a request."""
    choice = requested_choice(study, request.POST)
    if isinstance(choice, MissingSource):
        return redirect("pool_new", study=study.slug)
    form = _rule_form(choice, request.POST)
    form.is_valid()
    if form.rule is None:
        return _desk(request, choice, form)
    try:
        job = surveys.begin(
            dataset=choice.dataset,
            scorer=choice.scorer,
            bag=form.rule.bag,
            near=form.rule.near,
            by=request.user,
        )
    except JobStateError as error:
        messages.error(request, sentence(error))
        return redirect(_address(choice, form.rule))
    hand_to_worker(request, job)
    return redirect(_address(choice, form.rule))
