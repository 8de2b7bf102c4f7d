"""What is said of the runs and of precision audits, computed anew from docs/report.md: with fractions."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, sqrt
from statistics import NormalDist, median
from typing import Any

import numpy as np

from tests.recomputed_agreement import WORDS
from tests.recomputed_posteriors import SCHEMES, ended_by, posteriors
from tests.recomputed_tables import Rows

KINDS = ("system", "baseline", "reference")
PLAUSIBILITY = ("plausible", "implausible", "malformed")
FAITHFULNESS = ("faithful", "unfaithful", "irrelevant")
Ended = Mapping[str, bool]
MEASURES = ("plausible", "faithful", "gold")


def runs(
    answers: Rows, items: Rows, judgements: Rows, *, seed: int, replicates: int
) -> dict[str, Any]:
    drawn = {"seed": seed, "replicates": replicates}
    return {
        "drawn": _how_drawn(items),
        "measures": {name: _measure(answers, name, **drawn) for name in MEASURES},
        "with_excluded": _with_excluded(answers, items, judgements, **drawn),
    }


def _how_drawn(items: Rows) -> str:
    asked = [
        row for row in items if (row["scheme"], row["is_control"]) == ("plausibility", "false")
    ]
    chances = {float(row["inclusion_probability"]) for row in asked}
    return "unequally" if len(chances) > 1 else "all" if chances <= {1.0} else "equally"


def _measure(answers: Rows, name: str, **drawn: int) -> dict[str, Any]:
    ended = _ended(answers, name)
    rates = _rates(ended, **drawn)
    pairs = _pairs(ended, **drawn)
    return {
        "rates": rates,
        "pairs": pairs,
        "n_tested": sum(pair["p"] is not None for pair in pairs),
        "groups": _groups({each["run"]: each["value"] for each in rates}, pairs),
        "typical": _typical(pairs),
    }


def _ended(answers: Rows, name: str) -> dict[str, dict[str, bool]]:
    order = sorted({(KINDS.index(row["kind"]), row["run"]) for row in answers})
    found: dict[str, dict[str, bool]] = {run: {} for _, run in order}
    for row in answers:
        if row["sampled"] != "drawn":
            continue
        is_plausible = row["plausibility"] == "plausible"
        is_of, is_good = {
            "plausible": (row["plausibility"] in PLAUSIBILITY, is_plausible),
            "faithful": (
                is_plausible and row["faithfulness"] in FAITHFULNESS,
                row["faithfulness"] == "faithful",
            ),
            "gold": (
                row["plausibility"] in PLAUSIBILITY[1:]
                or (is_plausible and row["faithfulness"] in FAITHFULNESS),
                row["tier"] == "gold",
            ),
        }[name]
        if is_of:
            found[row["run"]][row["turn_id"]] = is_good
    return found


def _rates(ended: Mapping[str, Ended], **drawn: int) -> list[dict[str, Any]]:
    return [
        {
            "run": run,
            "n_questions": len(of),
            "n_accepted": sum(of.values()),
            "value": sum(of.values()) / len(of) if of else None,
            "reason": None if of else WORDS,
            "interval": _interval([(int(each),) for each in of.values()], (1,), **drawn),
        }
        for run, of in ended.items()
    ]


def _interval(
    rows: Sequence[tuple[int, ...]], signs: Sequence[int], *, seed: int, replicates: int
) -> dict[str, Any]:
    """Of the mean of the rows' columns with these signs, over questions drawn by their patterns."""
    n, counts = len(rows), Counter(rows)
    values: list[Fraction] = []
    if n:
        patterns = sorted(counts)
        shares = [counts[each] / n for each in patterns]
        of_one = [sum(s * each for s, each in zip(signs, row, strict=True)) for row in patterns]
        draws = np.random.default_rng(seed).multinomial(n, shares, size=replicates)
        values = [
            Fraction(sum(k * one for k, one in zip(draw, of_one, strict=True)), n)
            for draw in draws.tolist()
        ]
    is_known = n > 1 and len(set(values)) > 1
    low, high = (
        np.percentile([float(each) for each in values], [2.5, 97.5]).tolist()
        if is_known
        else (None, None)
    )
    return {
        "low": low,
        "high": high,
        "reason": None if is_known else WORDS,
        "n_questions": n,
        "n_replicates": replicates if n else 0,
        "n_undefined": 0,
        "seed": seed,
    }


def _pairs(ended: Mapping[str, Ended], **drawn: int) -> list[dict[str, Any]]:
    pairs = []
    for one, other in combinations([run for run in ended if ended[run]], 2):
        common = ended[one].keys() & ended[other].keys()
        both = [(int(ended[one][turn]), int(ended[other][turn])) for turn in common]
        n, b, c = len(both), both.count((1, 0)), both.count((0, 1))
        detectable = _detectable(n, (b + c) / n) if n else None
        pairs.append(
            {
                "one": one,
                "other": other,
                "n_questions": n,
                "n_only_one": b,
                "n_only_other": c,
                "difference": (b - c) / n if n else None,
                "reason": None if n else WORDS,
                "interval": _interval(both, (1, -1), **drawn),
                "p": float(_p(b, c)) if b + c else None,
                "p_reason": None if b + c else WORDS,
                "detectable": detectable,
                "detectable_reason": None if detectable is not None else WORDS,
            }
        )
    adjusted = _holm([_p(pair["n_only_one"], pair["n_only_other"]) for pair in pairs])
    for pair, p in zip(pairs, adjusted, strict=True):
        pair["p_holm"] = None if p is None else float(p)
        pair["is_told_apart"] = p is not None and p <= Fraction(1, 20)
    return pairs


def _p(b: int, c: int) -> Fraction | None:
    if not b + c:
        return None
    tail = Fraction(sum(comb(b + c, k) for k in range(min(b, c) + 1)), 2 ** (b + c))
    return min(Fraction(1), 2 * tail)


def _holm(values: Sequence[Fraction | None]) -> list[Fraction | None]:
    known = sorted(p for p in values if p is not None)
    steps = [min(Fraction(1), (len(known) - i) * p) for i, p in enumerate(known)]
    return [None if p is None else max(steps[: len(known) - known[::-1].index(p)]) for p in values]


def _groups(rates: Mapping[str, float | None], pairs: Sequence[Any]) -> list[list[str]]:
    known = {run: rate for run, rate in rates.items() if rate is not None}
    ordered = sorted(known, key=lambda run: (-known[run], run))
    apart = {frozenset((p["one"], p["other"])) for p in pairs if p["is_told_apart"]}
    spans = [
        (i, j)
        for i in range(len(ordered))
        for j in range(i + 1, len(ordered) + 1)
        if not any(frozenset(two) in apart for two in combinations(ordered[i:j], 2))
    ]
    longest = [
        (i, j)
        for i, j in spans
        if not any((k, m) != (i, j) and k <= i and j <= m for k, m in spans)
    ]
    return [ordered[i:j] for i, j in longest]


def _questions(discordance: float, difference: float, level: float) -> float:
    z = NormalDist().inv_cdf
    missed = z(0.8) * sqrt(max(0.0, discordance - difference**2))
    return ((z(1 - level / 2) * sqrt(discordance) + missed) / difference) ** 2


def _detectable(n: float, discordance: float, level: float = 0.05) -> float | None:
    """By halving as documented, to a millionth, the upper end."""
    if not n or not discordance or _questions(discordance, discordance, level) > n:
        return None
    low, high = 0.0, discordance
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if _questions(discordance, middle, level) > n else (low, middle)
    return high


def _typical(pairs: Sequence[Any]) -> dict[str, Any]:
    known = [pair for pair in pairs if pair["n_questions"]]
    n = float(median([pair["n_questions"] for pair in known])) if known else 0.0
    n_discordant = sum(pair["n_only_one"] + pair["n_only_other"] for pair in known)
    discordance = n_discordant / sum(pair["n_questions"] for pair in known) if known else None
    n_tested = sum(pair["p"] is not None for pair in pairs)
    one = _detectable(n, discordance or 0.0)
    first = _detectable(n, discordance or 0.0, 0.05 / max(1, n_tested))
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance,
        "detectable": one,
        "reason": WORDS if one is None else None,
        "detectable_holm": first,
        "holm_reason": WORDS if first is None else None,
        "needed": [
            {
                "difference": each,
                "n_questions": ceil(_questions(discordance, each, 0.05) - 1e-6)
                if discordance and discordance >= each
                else None,
            }
            for each in (0.05, 0.1)
        ],
    }


# --- with what was excluded


def _with_excluded(answers: Rows, items: Rows, judgements: Rows, **drawn: int) -> dict[str, Any]:
    out = Counter(
        row["run"] for row in answers if "excluded" in (row["plausibility"], row["faithfulness"])
    )
    if not out:
        return {"n_excluded": 0, "rates": {}}
    ended = _judged(items, judgements)
    again = [_taken_in(row, ended) for row in answers]
    return {
        "n_excluded": out.total(),
        "rates": {
            name: [
                {**rate, "n_excluded": out[rate["run"]]}
                for rate in _rates(_ended(again, name), **drawn)
            ]
            for name in MEASURES
        },
    }


def _judged(items: Rows, judgements: Rows) -> dict[tuple[str, str], str]:
    """How the excluded items that have the say end by their batch's rule, among all that is in the batch."""
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    for row in items:
        if row["rule"] in ("majority", "posterior", "unanimous"):
            rules[row["batch"]][row["rule"]] += 1
    real = [row for row in items if row["is_control"] != "true"]
    votes: dict[str, dict[str, str]] = {row["item_id"]: {} for row in real}
    for row in judgements:
        if row["counted"] == "true" and row["label"] and row["question"] == row["scheme"]:
            votes.get(row["item_id"], {})[row["annotator"]] = row["label"]
    found = {}
    for row in real:
        if (row["is_excluded"], row["is_newest"]) == ("true", "true"):
            of_batch = {
                other["item_id"]: votes[other["item_id"]]
                for other in real
                if other["batch"] == row["batch"] and votes[other["item_id"]]
            }
            most = sorted(rules[row["batch"]].items(), key=lambda each: (-each[1], each[0]))
            rule = most[0][0] if most else "unanimous"
            found[row["scheme"], row["answer_id"]] = _consensus(row, of_batch, rule)
    return found


def _consensus(
    item: Mapping[str, str], of_batch: Mapping[str, Mapping[str, str]], rule: str
) -> str:
    said = list(of_batch.get(item["item_id"], {}).values())
    likely: dict[str, float] = {}
    if rule == "posterior" and len(said) > 1:
        others = {label for by in of_batch.values() for label in by.values()}
        labels = sorted({*SCHEMES[item["scheme"]], *others})
        chances = posteriors(of_batch, labels, one_coin=len(said) == 2)[item["item_id"]]
        likely = {label: round(chance, 6) for label, chance in chances.items()}
    state, label = ended_by(rule, said, likely)
    return {"decided": label, "disputed": "disputed", "set aside": "too_few_judgements"}[state]


def _taken_in(row: Mapping[str, str], ended: Mapping[tuple[str, str], str]) -> dict[str, str]:
    again = dict(row)
    if row["plausibility"] == "excluded":
        again["plausibility"] = ended.get(("plausibility", row["answer_id"]), "excluded")
        again["faithfulness"] = "not_asked" if again["plausibility"] == "plausible" else ""
    elif row["faithfulness"] == "excluded":
        again["faithfulness"] = ended.get(("faithfulness", row["answer_id"]), "excluded")
    both = again["plausibility"], again["faithfulness"]
    again["tier"] = "gold" if both == ("plausible", "faithful") else ""
    return again


# --- precision audits


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
                "share": _share(n_accepted, [(n_accepted, m, y)]),
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
        "share": _share(sum(sizes.values()), parts),
        "tiers": tiers,
        "changed": [
            {key: row[key] for key in ("answer_id", "tier", "tier_now")}
            for row in sorted(rows, key=lambda row: row["answer_id"])
            if row["tier"] != row["tier_now"]
        ],
    }


def _share(n_accepted: int, parts: Sequence[tuple[int, int, int]]) -> dict[str, Any]:
    if not n_accepted or any(not m for _, m, _ in parts):
        return {"value": None, "reason": WORDS, "low": None, "high": None}
    total = sum(n * y / m for n, m, y in parts)
    ends = [(n * y / m, *_limits(n, m, y)) for n, m, y in parts]
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


def _limits(n: int, m: int, y: int) -> tuple[int, int]:
    """All K of n for which neither tail of the hypergeometric distribution is .025 or less."""

    def tail(k: int, found: range) -> Fraction:
        ways = sum(comb(k, each) * comb(n - k, m - each) for each in found)
        return Fraction(ways, comb(n, m))

    possible = range(y, n - (m - y) + 1)
    kept = [
        k
        for k in possible
        if tail(k, range(y, m + 1)) > Fraction(25, 1000)
        and tail(k, range(y + 1)) > Fraction(25, 1000)
    ]
    return kept[0], kept[-1]
