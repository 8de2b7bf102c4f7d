"""The shares of accepted answers that hold by an expert: precision audits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, sqrt
from typing import Any

from exports.verification.findings import WORDS
from exports.verification.tables import Rows


def precision(rows: Rows) -> list[dict[str, Any]]:
    numbers = sorted({int(row["audit"]) for row in rows})
    return [_audit(number, [r for r in rows if int(r["audit"]) == number]) for number in numbers]


def _audit(number: int, rows: Rows) -> dict[str, Any]:
    sizes = {tier: int(rows[0][f"n_{tier}"]) for tier in ("gold", "silver")}
    tiers, parts = [], []
    for tier, n_accepted in sizes.items():
        of = [row["holds"] for row in rows if row["tier"] == tier]
        m, y = len(of) - of.count(""), of.count("true")
        tiers.append(
            {
                "tier": tier,
                "n_accepted": n_accepted,
                "n_drawn": len(of),
                "n_judged": m,
                "n_hold": y,
                "share": _audit_share(n_accepted, [(n_accepted, m, y)]),
            }
        )
        if n_accepted:
            parts.append((n_accepted, m, y))
    return {
        "audit": number,
        "n_accepted": sum(sizes.values()),
        "n_drawn": len(rows),
        "n_judged": sum(each["n_judged"] for each in tiers),
        "n_hold": sum(each["n_hold"] for each in tiers),
        "share": _audit_share(sum(sizes.values()), parts),
        "tiers": tiers,
        "changed": [
            {key: row[key] for key in ("answer_id", "tier", "tier_now")}
            for row in sorted(rows, key=lambda row: row["answer_id"])
            if row["tier"] != row["tier_now"]
        ],
    }


def _audit_share(n_accepted: int, parts: Sequence[tuple[int, int, int]]) -> dict[str, Any]:
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
    low, high = y, n - (m - y)
    least = _first(low, high, lambda k: _is_likely(n, m, k, range(y, m + 1)))
    most = -_first(-high, -low, lambda k: _is_likely(n, m, -k, range(y + 1)))
    return least, most


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The first number for which it holds, and for all after it, by halving."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _is_likely(n: int, m: int, k: int, found: range) -> bool:
    """Whether the probability of these numbers among m drawn of n, k of which hold, is above .025."""
    first = max(0, m - (n - k))
    ways, sum_of = comb(k, first) * comb(n - k, m - first), 0
    for j in range(first, min(m, k) + 1):
        sum_of += ways if j in found else 0
        ways = ways * (k - j) * (m - j) // ((j + 1) * (n - k - m + j + 1))
    return 1000 * sum_of > 25 * comb(n, m)
