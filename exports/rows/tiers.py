"""Which accepted answers are gold and which silver: the table is in `exports.releases.merge`."""

from annotation.schemes import ACCEPTANCE, GROUNDING

GOLD = "gold"
SILVER = "silver"
TIERS = (GOLD, SILVER)
# How faithfulness ended -> the status that a silver answer is given.
SILVER_STATUS = {"not_asked": "not asked", "no_evidence": "no evidence"}


def tier(plausibility: str, faithfulness: str) -> str:
    """gold, silver or "" by the table above."""
    if plausibility != ACCEPTANCE.accepted:
        return ""
    if faithfulness == GROUNDING.accepted:
        return GOLD
    return SILVER if faithfulness in SILVER_STATUS else ""
