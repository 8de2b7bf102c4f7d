"""The comparison of consensus rules on a batch."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch
from annotation.queries import rule_changes
from annotation.queries.rule_figures import RuleFigures, RulesResult
from annotation.views.batches.pages import verdict_batch_of
from jobs import shortcuts
from pages.templatetags.pages import count, percent
from stats.aggregation import consensus

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def batch_rules(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = verdict_batch_of(study, batch)
    stored = RuleFigures(study, found)
    context = {
        "batch": found,
        "stored": stored,
        "result": stored.result,
        "rows": _rows(stored.result) if stored.result else [],
        "level": consensus.LEVEL,
    }
    return render(request, "annotation/batches/rules.html", context)


@require_POST
@requester
def batch_rules_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    found = verdict_batch_of(study, batch)
    here = reverse("batch_rules", args=[study.slug, found.pk])
    return shortcuts.compute(request, RuleFigures(study, found), here=here)


def rule_sentences(batch: Batch) -> dict[str, str]:
    """A sentence on what each rule would settle; {} unless computed for the current judgements."""
    stored = RuleFigures(batch.study, batch)
    if stored.result is None or stored.since:
        return {}
    return {row["rule"]: _rule_sentence(row) for row in _rows(stored.result)}


def with_changes(batch: Batch, last_rule: str, figures: Mapping[str, str]) -> dict[str, str]:
    """The sentences of `figures`, and for a settled batch how many items settling again by each rule changes."""
    sentences = dict(figures)
    if not last_rule:
        return sentences
    changed = {
        rule: f"Settling by this rule changes the outcome of {count(n, 'item') if n else 'no item'}."
        for rule, n in rule_changes.changed_items(batch).items()
    }
    for rule in consensus.RULES:
        said = [
            sentences.get(rule, ""),
            "The batch is settled by this rule." if rule == last_rule else "",
            changed.get(rule, ""),
        ]
        if any(said):
            sentences[rule] = " ".join(filter(None, said))
    return sentences


def _rule_sentence(row: dict[str, Any]) -> str:
    settled = f"Here: {row['n_settled']} settled, {row['n_disputed']} in dispute"
    if row["wrong_share"] is None:
        return f"{settled}."
    between = f"{percent(row['low'])} to {percent(row['high'])}"
    return f"{settled}; in simulation {percent(row['wrong_share'])} of those settled wrongly ({between})."


def _rows(result: RulesResult) -> list[dict[str, Any]]:
    """A row for each rule: its figures on the batch and in simulation."""
    simulated = {each["rule"]: each for each in result["simulated"]}
    no_simulation = {"wrong_share": None, "settled_share": None, "reason": "it was not simulated"}
    return [made | simulated.get(made["rule"], no_simulation) for made in result["made"]]
