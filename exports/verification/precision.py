"""The shares of accepted answers that hold by an expert: precision audits, with scipy."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from exports.verification.findings import WORDS
from exports.verification.intervals import plain
from exports.verification.tables import Rows


def precision(rows: Rows) -> list[dict[str, Any]]:
    numbers = sorted({int(row["audit"]) for row in rows})
    audits = [_audit(number, [r for r in rows if int(r["audit"]) == number]) for number in numbers]
    return list(plain(audits))


def _audit(number: int, rows: Rows) -> dict[str, Any]:
    tiers = []
    for tier in ("gold", "silver"):
        n_accepted = int(rows[0][f"n_{tier}"])
        of = [row["holds"] for row in rows if row["tier"] == tier]
        counts = {
            "n_accepted": n_accepted,
            "n_drawn": len(of),
            "n_judged": len(of) - of.count(""),
            "n_hold": of.count("true"),
        }
        tiers.append({"tier": tier, **counts, "share": _audit_share([counts])})
    names = ("n_accepted", "n_drawn", "n_judged", "n_hold")
    return {
        "audit": number,
        **{name: sum(each[name] for each in tiers) for name in names},
        "share": _audit_share([each for each in tiers if each["n_accepted"]]),
        "tiers": tiers,
        "changed": [
            {key: row[key] for key in ("answer_id", "tier", "tier_now")}
            for row in sorted(rows, key=lambda row: row["answer_id"])
            if row["tier"] != row["tier_now"]
        ],
    }


def _audit_share(tiers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    parts = [(each["n_accepted"], each["n_judged"], each["n_hold"]) for each in tiers]
    n_accepted = sum(n for n, _, _ in parts)
    if not n_accepted or any(not m for _, m, _ in parts):
        return {"value": None, "reason": WORDS, "low": None, "high": None}
    total = sum(n * y / m for n, m, y in parts)
    ends = [(n * y / m, *_audit_limits(n, m, y)) for n, m, y in parts]
    low = max(total - sqrt(sum((t - a) ** 2 for t, a, _ in ends)), sum(y for _, _, y in parts))
    high = min(
        total + sqrt(sum((b - t) ** 2 for t, _, b in ends)), sum(n - (m - y) for n, m, y in parts)
    )
    return {
        "value": total / n_accepted,
        "reason": None,
        "low": low / n_accepted,
        "high": high / n_accepted,
    }


def _audit_limits(n: int, m: int, y: int) -> tuple[int, int]:
    """The least and the most K of n for which neither tail of the hypergeometric distribution is .025 or less."""
    k = np.arange(y, n - (m - y) + 1)
    upper, lower = stats.hypergeom.sf(y - 1, n, k, m), stats.hypergeom.cdf(y, n, k, m)
    likely = k[(upper > 0.025) & (lower > 0.025)]
    return int(likely[0]), int(likely[-1])
