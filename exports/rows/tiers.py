"""The tiers of accepted answers, gold and silver. The docstring of `exports.releases.merge` has the
table.
"""

from annotation.schemes import ACCEPTANCE, GROUNDING

GOLD = "gold"
SILVER = "silver"
TIERS = (GOLD, SILVER)
# Outcome of faithfulness -> status of a silver answer.
SILVER_STATUS = {"not_asked": "not asked", "no_evidence": "no evidence"}


def tier(plausibility: str, faithfulness: str) -> str:
    """The tier of an answer with these outcomes: "gold", "silver", or "" where it is not accepted."""
    if plausibility != ACCEPTANCE.accepted:
        return ""
    if faithfulness == GROUNDING.accepted:
        return GOLD
    return SILVER if faithfulness in SILVER_STATUS else ""
