"""Plans of analysis in a release: their texts as files, and in the manifest their times and what was decided later."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.models import AnalysisPlan, Batch
from annotation.queries import analysis_plans
from exports.rows.ids import timestamp

Texts = Mapping[str, bytes]


def plan_entries(batches: Iterable[Batch]) -> tuple[dict[str, dict[str, Any]], Texts]:
    """Return what the manifest says of each batch that has a plan, by its name, and the files by their paths.

    A deviation is named with its time, and nobody who decided it.
    """
    entries: dict[str, dict[str, Any]] = {}
    files: dict[str, bytes] = {}
    for batch in batches:
        frozen = analysis_plans.plans(batch)
        if not frozen:
            continue
        later = analysis_plans.deviations(batch, frozen)
        entries[batch.name] = {
            "analysis_plans": [_entry(each) for each in frozen],
            "deviations": [{"at": timestamp(each.at), "what": each.what} for each in later],
        }
        files |= {_path(each): each.text.encode("utf-8") for each in frozen}
    return entries, files


def _path(plan: AnalysisPlan) -> str:
    return f"plans/{plan.sha256}.md"


def _entry(plan: AnalysisPlan) -> dict[str, Any]:
    return {
        "file": _path(plan),
        "sha256": plan.sha256,
        "frozen_at": timestamp(plan.frozen_at),
        "n_judgements": plan.n_judgements,
        "is_before_judgements": plan.is_before_judgements,
    }


def with_plans(
    entries: Iterable[Mapping[str, Any]], plans: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the entries of batches in a manifest with what it says of their plans."""
    return [{**each, **plans.get(each["name"], {})} for each in entries]
