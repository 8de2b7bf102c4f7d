"""The form of a search for evidence."""

import itertools
from collections.abc import Mapping
from typing import Any

from django import forms

from accounts.models import Study
from corpus.models import plain_name
from scoring.commands import evidence_threshold_of_model, model_name
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, EVIDENCE_BY_KIND


class SearchForm(forms.Form):
    """What every search asks for: the pool's name, and which sentences are kept."""

    name = forms.CharField(label="Name of the pool", max_length=100, validators=[plain_name])
    threshold = forms.FloatField(
        label="Least token overlap (F1)",
        initial=0.3,
        min_value=0,
        max_value=1,
        help_text="A stretch of a passage is taken where its overlap with the answer is larger.",
    )
    scorer = forms.CharField(
        label="Similarity model",
        initial=DEFAULT_SCORER,
        help_text="The one that comes with Touchstone, or a folder or name that every worker finds.",
    )
    sas_threshold = forms.FloatField(
        label="Least similarity of a sentence",
        required=False,
        help_text=f"Empty: the model's own. {EVIDENCE[DEFAULT_SCORER]} for the one that comes along: on the"
        " shared task's answers it leaves 55 of 66 questions with evidence, and hardly a sentence about"
        f" something else. {EVIDENCE_BY_KIND['cross-encoder']} for a cross-encoder, as in the paper;"
        f" {EVIDENCE_BY_KIND['bi-encoder']} for another bi-encoder, where nobody has measured it: look at"
        " the evidence before you ask.",
    )
    max_words = forms.IntegerField(
        label="Maximum of words of evidence per question", initial=200, min_value=1
    )


def search_options(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a rule that the form has."""
    threshold = cleaned["sas_threshold"]
    if threshold is None:
        threshold = evidence_threshold_of_model(cleaned["scorer"])
    return {
        "scorer": model_name(cleaned["scorer"]),
        "sas_threshold": threshold,
        "threshold": cleaned["threshold"],
        "max_words": cleaned["max_words"],
    }


def free_name(study: Study, wanted: str) -> str:
    """The wanted name of a pool, with a number if another pool has it."""
    taken = set(study.pools.values_list("name", flat=True))
    names = (f"{wanted[:95]} {number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([wanted[:100]], names) if name not in taken)
