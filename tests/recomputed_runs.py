"""What is said of the runs and of precision audits, computed anew from docs/report.md: with fractions."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, prod, sqrt
from statistics import NormalDist, median
from typing import Any

import numpy as np
from scipy.stats import t as student_t

from tests.recomputed_agreement import WORDS
from tests.recomputed_posteriors import SCHEMES, ended_by, posteriors
from tests.recomputed_tables import Rows, conversation_of

KINDS = ("system", "baseline", "reference")
PLAUSIBILITY = ("plausible", "implausible", "malformed")
FAITHFULNESS = ("faithful", "unfaithful", "irrelevant")
# question -> whether the answer is plausible, its faithfulness settled, and it is faithful
Steps = Mapping[str, tuple[int, int, int]]
MEASURES = ("plausible", "faithful", "gold")
Z = NormalDist().inv_cdf(0.975)


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
    steps = _steps(answers, name)
    asked = _asked(answers, name)
    rates = _rates(steps, asked, name, **drawn)
    pairs = _pairs(steps, name, **drawn)
    for pair in pairs:
        pair |= _difference_bounds(asked[pair["one"]], asked[pair["other"]])
    n_open = sum(pair["n_only_one"] is None for pair in pairs)
    values = {each["run"]: each["value"] for each in rates}
    return {
        "rates": rates,
        "pairs": pairs,
        "n_tested": sum(pair["p"] is not None for pair in pairs),
        "n_open": n_open,
        "groups": [] if n_open else _groups(values, pairs),
        "typical": _typical(pairs),
    }


def _steps(answers: Rows, name: str) -> dict[str, dict[str, tuple[int, int, int]]]:
    """The questions of the basis of each run."""
    order = sorted({(KINDS.index(row["kind"]), row["run"]) for row in answers})
    found: dict[str, dict[str, tuple[int, int, int]]] = {run: {} for _, run in order}
    for row in answers:
        is_plausible = row["plausibility"] == "plausible"
        is_known = is_plausible and row["faithfulness"] in FAITHFULNESS
        is_of = is_known if name == "faithful" else row["plausibility"] in PLAUSIBILITY
        if row["sampled"] == "drawn" and is_of:
            is_faithful = is_known and row["faithfulness"] == "faithful"
            found[row["run"]][row["turn_id"]] = (int(is_plausible), int(is_known), int(is_faithful))
    return found


def _asked(answers: Rows, name: str) -> dict[str, dict[str, tuple[str, int | None]]]:
    """Of each run the text that was asked about, and whether it is accepted, None where that is open."""
    found: dict[str, dict[str, tuple[str, int | None]]] = {row["run"]: {} for row in answers}
    for row in answers:
        first = _end(row["plausibility"], PLAUSIBILITY)
        second = _end(row["faithfulness"], FAITHFULNESS) if first else first
        if row["sampled"] == "drawn" and (name != "faithful" or first):
            end = first if name == "plausible" else second
            found[row["run"]][row["turn_id"]] = row["answer_id"], end
    return found


def _end(label: str, labels: Sequence[str]) -> int | None:
    return int(label == labels[0]) if label in labels else None


def _bounds(ways: Sequence[tuple[int, int]]) -> list[float] | None:
    """From the least and the most of each question."""
    n = len(ways)
    return [sum(each) / n for each in zip(*ways, strict=True)] if n else None


def _rate_bounds(asked: Mapping[str, tuple[str, int | None]]) -> dict[str, Any]:
    ends = [end for _, end in asked.values()]
    ways = [(0, 1) if end is None else (end, end) for end in ends]
    return {"n_not_settled": ends.count(None), "bounds": _bounds(ways)}


def _difference_bounds(
    one: Mapping[str, tuple[str, int | None]], other: Mapping[str, tuple[str, int | None]]
) -> dict[str, Any]:
    both = [(one[turn], other[turn]) for turn in one if turn in other]
    ways = []
    for (text, end), (other_text, other_end) in both:
        ends, others = ([0, 1] if each is None else [each] for each in (end, other_end))
        possible = [0] if text == other_text else [a - b for a in ends for b in others]
        ways.append((min(possible), max(possible)))
    n_open = sum(end is None or other_end is None for (_, end), (_, other_end) in both)
    return {"n_not_settled": n_open, "bounds": _bounds(ways)}


def _is_good(steps: tuple[int, int, int], name: str) -> int:
    return steps[0] if name == "plausible" else steps[2]


def _is_open(steps: Steps, name: str) -> bool:
    return name == "gold" and any(first and not known for first, known, _ in steps.values())


def _shares(steps: Steps, name: str) -> list[tuple[int, int]]:
    good = sum(_is_good(each, name) for each in steps.values())
    if not _is_open(steps, name):
        return [(good, len(steps))]
    first, known, second = map(sum, zip(*steps.values(), strict=True))
    return [(first, len(steps)), (second, known)]


def _rates(
    steps: Mapping[str, Steps],
    asked: Mapping[str, Mapping[str, tuple[str, int | None]]],
    name: str,
    **drawn: int,
) -> list[dict[str, Any]]:
    found = []
    for run, of in steps.items():
        shares = _shares(of, name)
        is_defined = all(n for _, n in shares)
        value = prod(Fraction(k, n) for k, n in shares) if is_defined else None
        if not is_defined:
            interval: dict[str, Any] = {"low": None, "high": None, "reason": WORDS}
        elif len(shares) == 1:
            interval = _wilson(*shares[0], _z_of({t: _is_good(s, name) for t, s in of.items()}))
        else:
            interval = _interval(of, _product, **drawn)
        found.append(
            {
                "run": run,
                "n_questions": len(of),
                "n_conversations": len({conversation_of(turn) for turn in of}),
                "design_effect": None
                if _is_open(of, name)
                else _design_effect({t: _is_good(s, name) for t, s in of.items()}),
                "n_accepted": sum(_is_good(each, name) for each in of.values()),
                "shares": [{"n_accepted": k, "n_questions": n} for k, n in shares],
                "value": None if value is None else float(value),
                "reason": None if is_defined else WORDS,
                "interval": interval,
                **_rate_bounds(asked[run]),
            }
        )
    return found


def _sums(values: Mapping[str, int]) -> list[tuple[int, int]]:
    """Of each conversation the sum of its turns' values, and how many these are."""
    found: dict[str, list[int]] = defaultdict(list)
    for turn, value in values.items():
        found[conversation_of(turn)].append(value)
    return [(sum(each), len(each)) for each in found.values()]


def _design_effect(values: Mapping[str, int]) -> float | None:
    """The variance of the mean over conversations by that over turns."""
    sums, n = _sums(values), len(values)
    if not n or len(sums) == 1 < n:
        return None
    if len(sums) == n:
        return 1.0
    mean = Fraction(sum(values.values()), n)
    apart = sum((each - mean) ** 2 for each in values.values()) / (n * (n - 1))
    whole = sum((s - mean * m) ** 2 for s, m in sums) / n**2 * Fraction(len(sums), len(sums) - 1)
    return float(max(Fraction(1), whole / apart)) if apart else n / len(sums)


def _z_of(values: Mapping[str, int]) -> float | None:
    """The z of an interval; None where there is none."""
    effect, n = _design_effect(values), len(_sums(values))
    if effect is None:
        return None
    return Z if n == len(values) else float(student_t.ppf(0.975, n - 1)) * sqrt(effect)


def _product(totals: Sequence[int]) -> Fraction | None:
    n, first, known, second = totals
    if not first:
        return Fraction(0)
    return Fraction(first, n) * Fraction(second, known) if known else None


def _wilson(k: int, n: int, z: float | None) -> dict[str, Any]:
    """The two shares p for which (k/n - p)² = z²·p(1 - p)/n."""
    if z is None:
        return {"low": None, "high": None, "reason": WORDS}
    square, slope, rest = 1 + z * z / n, -2 * k / n - z * z / n, (k / n) ** 2
    root = sqrt(max(0.0, slope**2 - 4 * square * rest))
    ends = (-slope - root) / (2 * square), (-slope + root) / (2 * square)
    return {"low": ends[0], "high": ends[1], "reason": None}


def _interval(
    rows_of: Mapping[str, tuple[int, ...]],
    value: Callable[[Sequence[int]], Fraction | None],
    *,
    seed: int,
    replicates: int,
) -> dict[str, Any]:
    """Of a value of the totals of the turns' rows, over conversations drawn by their patterns."""
    of_conversation: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for turn, row in rows_of.items():
        of_conversation[conversation_of(turn)].append((1, *row))
    rows = [tuple(map(sum, zip(*each, strict=True))) for each in of_conversation.values()]
    n, counts = len(rows), Counter(rows)
    patterns = sorted(counts)
    shares = [counts[each] / n for each in patterns]
    draws = np.random.default_rng(seed).multinomial(n, shares, size=replicates)
    every = [value(totals) for totals in (draws @ np.array(patterns)).tolist()]
    values = [each for each in every if each is not None]
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
        "n_replicates": replicates,
        "n_undefined": replicates - len(values),
        "seed": seed,
    }


def _pairs(steps: Mapping[str, Steps], name: str, **drawn: int) -> list[dict[str, Any]]:
    has_rate = [run for run, of in steps.items() if all(n for _, n in _shares(of, name))]
    pairs = []
    for one, other in combinations(has_rate, 2):
        common = sorted(steps[one].keys() & steps[other].keys())
        both = {turn: (steps[one][turn], steps[other][turn]) for turn in common}
        is_open = any(_is_open(steps[run], name) for run in (one, other))
        figures = _open_pair(both, **drawn) if is_open else _pair(both, name)
        counts = {
            "n_questions": len(both),
            "n_conversations": len(set(map(conversation_of, both))),
        }
        pairs.append({"one": one, "other": other, **counts, **figures})
    adjusted = _holm([pair["p"] for pair in pairs])
    for pair, p in zip(pairs, adjusted, strict=True):
        pair["p_holm"] = p
        pair["is_told_apart"] = p is not None and p <= 0.05
    return pairs


Both = Mapping[str, tuple[tuple[int, int, int], tuple[int, int, int]]]


def _pair(both: Both, name: str) -> dict[str, Any]:
    ended = {t: (_is_good(one, name), _is_good(other, name)) for t, (one, other) in both.items()}
    ends = list(ended.values())
    n, b, c = len(both), ends.count((1, 0)), ends.count((0, 1))
    differences = {turn: one - other for turn, (one, other) in ended.items()}
    effect, z = _design_effect(differences), _z_of(differences)
    detectable = _detectable(n / effect, (b + c) / n) if effect else None
    p = _p(differences)
    return {
        "n_only_one": b,
        "n_only_other": c,
        "difference": (b - c) / n if n else None,
        "reason": None if n else WORDS,
        "interval": _tango(b, c, n, z) if z else {"low": None, "high": None, "reason": WORDS},
        "design_effect": effect,
        "p": p,
        "p_reason": WORDS if p is None else None,
        "detectable": detectable,
        "detectable_reason": None if detectable is not None else WORDS,
    }


def _p(differences: Mapping[str, int]) -> float | None:
    """McNemar's where each conversation has one turn, else by flipping the signs of conversations."""
    sums = [s for s, _ in _sums(differences)]
    total, n_discordant = abs(sum(sums)), sum(map(abs, differences.values()))
    if len(sums) == len(differences):
        z = total / sqrt(n_discordant) if n_discordant else None
        return None if z is None else 2 * NormalDist().cdf(-z)
    if len(sums) == 1 or not any(sums):
        return None
    ways = Counter({0: 1})
    for each in sums:
        flipped = Counter[int]()
        for reached, n in ways.items():
            flipped[reached + each] += n
            flipped[reached - each] += n
        ways = flipped
    return float(
        Fraction(sum(n for reached, n in ways.items() if abs(reached) >= total), ways.total())
    )


def _open_pair(both: Both, **drawn: int) -> dict[str, Any]:
    rows = {turn: (*first, *second) for turn, (first, second) in both.items()}

    def difference(totals: Sequence[int]) -> Fraction | None:
        n, *steps = totals
        ends = _product([n, *steps[:3]]), _product([n, *steps[3:]])
        return None if ends[0] is None or ends[1] is None else ends[0] - ends[1]

    columns = zip(*rows.values(), strict=True)
    value = difference([len(rows), *map(sum, columns)]) if rows else None
    no_interval = {"low": None, "high": None, "reason": WORDS}
    return {
        "n_only_one": None,
        "n_only_other": None,
        "difference": None if value is None else float(value),
        "reason": WORDS if value is None else None,
        "interval": no_interval if value is None else _interval(rows, difference, **drawn),
        "design_effect": None,
        "p": None,
        "p_reason": WORDS,
        "detectable": None,
        "detectable_reason": WORDS,
    }


def _tango(b: int, c: int, n: int, z: float) -> dict[str, Any]:
    """By halving, for each end, the differences on one side of the observed one."""

    def statistic(d: float) -> float:
        middle = (2 * n - b + c) * d - b - c
        q = (sqrt(max(0.0, middle**2 + 8 * n * c * d * (1 - d))) - middle) / (4 * n)
        return (b - c - n * d) / sqrt(max(n * (2 * q + d * (1 - d)), 1e-30))

    ends = []
    for low, high, limit in ((-1.0, (b - c) / n, z), ((b - c) / n, 1.0, -z)):
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if statistic(middle) > limit else (low, middle)
        ends.append(low)
    return {"low": ends[0], "high": ends[1], "reason": None}


def _holm(values: Sequence[float | None]) -> list[float | None]:
    known = sorted(p for p in values if p is not None)
    steps = [min(1.0, (len(known) - i) * p) for i, p in enumerate(known)]
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
    counted = [pair for pair in known if pair["n_only_one"] is not None]
    n_discordant = sum(pair["n_only_one"] + pair["n_only_other"] for pair in counted)
    discordance = n_discordant / sum(pair["n_questions"] for pair in counted) if counted else None
    n_tested = sum(pair["p"] is not None for pair in pairs)
    effects = [(p["n_questions"], p["design_effect"]) for p in known if p["design_effect"]]
    effect = sum(m * e for m, e in effects) / sum(m for m, _ in effects) if effects else 1.0
    one = _detectable(n / effect, discordance or 0.0)
    first = _detectable(n / effect, discordance or 0.0, 0.05 / max(1, n_tested))
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance,
        "design_effect": effect,
        "detectable": one,
        "reason": WORDS if one is None else None,
        "detectable_holm": first,
        "holm_reason": WORDS if first is None else None,
        "needed": [
            {
                "difference": each,
                "n_questions": ceil(effect * _questions(discordance, each, 0.05) - 1e-6)
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
                for rate in _rates(_steps(again, name), _asked(again, name), name, **drawn)
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
