"""Initial values of a new draft: guideline, pay, time, and the settings of a copied study."""

from decimal import Decimal
from typing import Any

from accounts.models import Study
from annotation.forms import prices
from annotation.forms.drafts import DraftForm
from annotation.models import Batch, Guideline
from sampling.models import Pool

# Of the initial values of a draft, what belongs to that batch alone.
OF_ONE_BATCH = (
    "name",
    "pool",
    "purpose",
    "trains_for",
    "check",
    "deadline",
    "qualification",
    "seed",
)


def newest_guideline(study: Study, scheme: str) -> str:
    """The text of the newest guideline of the scheme in the study that is not empty; "" if there is none.

    Withdrawn batches were mistakes: nothing of theirs is proposed.
    """
    used = Guideline.objects.filter(study=study, scheme=scheme, batches__is_withdrawn=False)
    newest = used.exclude(text="").order_by("-batches__created_at").first()
    return newest.text if newest else ""


def initial_costs(pool: Pool, scheme: str) -> dict[str, Any]:
    """Initial values of pay, time and judgements: as entered when the pool was drawn, else of the newest batch."""
    if pool.costs:
        return {
            "judgements": pool.costs["judgements"],
            "expected_seconds": pool.costs["seconds"],
            "reward": pool.costs["reward"] or None,
            "currency": pool.costs["currency"],
        }
    return newest_pricing(pool.study, scheme)


def preset_values(study: Study, scheme: str) -> dict[str, Any]:
    """Initial values of the study's first batch of the scheme, in a study that was copied; {} elsewhere."""
    preset = study.batch_presets.filter(scheme=scheme).select_related("guideline").first()
    if preset is None or study.batches.filter(scheme=scheme).exists():
        return {}
    begins_with = dict(preset.settings)
    check = begins_with.pop("check")
    begins_with["reward"] = begins_with["reward"] and Decimal(begins_with["reward"])
    batch = Batch(scheme=scheme, guideline=preset.guideline, **begins_with)
    values = DraftForm.initial_values(batch)
    return {name: value for name, value in values.items() if name not in OF_ONE_BATCH} | {
        "check": check
    }


def newest_pricing(study: Study, scheme: str) -> dict[str, Any]:
    """Initial values of pay and time from the study's newest batch of the scheme; {} if there is none."""
    newest = study.batches.counting().filter(scheme=scheme).order_by("-created_at", "-pk").first()
    return prices.initial_pricing(newest) if newest else {}
