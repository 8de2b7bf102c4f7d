"""What a report says of the runs beside each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, prod
from statistics import median
from typing import Any

from exports.verification.findings import WORDS
from exports.verification.intervals import Bootstrap, wilson, without_interval
from exports.verification.per_run import EXTRACTED
from exports.verification.posteriors import Chances
from exports.verification.products import drawn_interval, product
from exports.verification.run_pairs import (
    LEVEL,
    detectable_difference,
    n_to_detect,
    pairs_of_runs,
    with_holm,
)
from exports.verification.run_people import (
    VotesOfRuns,
    pairs_for_people,
    rate_for_people,
    votes_of_runs,
)
from exports.verification.run_steps import (
    MEASURES,
    Asked,
    Steps,
    asked_of_runs,
    bounds,
    design_effect,
    is_good,
    is_open,
    n_conversations,
    shares_of_steps,
    steps_of_runs,
    z_of,
)
from exports.verification.run_weights import weighted_rate, weights_of_answers
from exports.verification.tables import Row, Rows
from exports.verification.verdicts import (
    RULES,
    Ballots,
    Likely,
    ballots,
    ended_by,
    labels_of_votes,
    likely_labels,
)


def figures_of_runs(
    answers: Rows, items: Rows, judgements: Rows, bootstrap: Bootstrap
) -> dict[str, Any]:
    answers = [row for row in answers if row["kind"] != EXTRACTED]  # no system's
    drawn, votes = _how_drawn(items), votes_of_runs(answers, judgements)
    weights = weights_of_answers(items) if drawn == "unequally" else None
    return {
        "drawn": drawn,
        "measures": {name: _measure(answers, name, bootstrap, votes, weights) for name in MEASURES},
        "with_excluded": _with_excluded(answers, items, judgements, bootstrap),
    }


def _how_drawn(items: Rows) -> str:
    asked = [
        row for row in items if (row["scheme"], row["is_control"]) == ("plausibility", "false")
    ]
    chances = {float(row["inclusion_probability"]) for row in asked}
    return "unequally" if len(chances) > 1 else "all" if chances <= {1.0} else "equally"


def _measure(
    answers: Rows,
    name: str,
    bootstrap: Bootstrap,
    votes: VotesOfRuns,
    weights: Mapping[str, float] | None,
) -> dict[str, Any]:
    steps, asked = steps_of_runs(answers, name), asked_of_runs(answers, name)
    drawn = [row for row in answers if row["sampled"] == "drawn"]
    given = {(row["run"], row["turn_id"]): row["answer_id"] for row in drawn}
    rates = [
        {
            **rate,
            "weighted": weights
            and weighted_rate(rate["run"], steps[rate["run"]], name, given, weights),
        }
        for rate in _rates_of_runs(steps, asked, name, bootstrap, votes)
    ]
    pairs = pairs_of_runs(steps, asked, name, bootstrap)
    of_people = pairs_for_people(pairs, steps, asked, name, votes)
    pairs = with_holm([{**pair, **told} for pair, told in zip(pairs, of_people)])
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


def _rates_of_runs(
    steps: Mapping[str, Steps],
    asked: Mapping[str, Asked],
    name: str,
    bootstrap: Bootstrap,
    votes: VotesOfRuns,
) -> list[dict[str, Any]]:
    found = []
    for run, of in steps.items():
        rate = {"run": run, **_rate(of, asked[run], name, bootstrap)}
        found.append({**rate, **rate_for_people(rate, of, asked[run], name, votes)})
    return found


def _rate(of: Steps, asked: Asked, name: str, bootstrap: Bootstrap) -> dict[str, Any]:
    shares = shares_of_steps(of, name)
    good = {turn: is_good(step, name) for turn, step in of.items()}
    effect = None if is_open(of, name) else design_effect(good)
    is_defined = all(n for _, n in shares)
    value = prod(Fraction(k, n) for k, n in shares) if is_defined else None
    if not is_defined:
        limits = without_interval()
    elif len(shares) == 1:
        limits = wilson(*shares[0], z_of(good, effect))
    else:
        limits = drawn_interval(of, product, bootstrap)
    ends = [end for _, end in asked.values()]
    return {
        "n_questions": len(of),
        "n_conversations": n_conversations(of),
        "design_effect": effect,
        "n_accepted": sum(good.values()),
        "shares": [{"n_accepted": k, "n_questions": n} for k, n in shares],
        "value": None if value is None else float(value),
        "reason": None if is_defined else WORDS,
        "interval": limits,
        "n_not_settled": ends.count(None),
        "bounds": bounds([(0, 1) if end is None else (end, end) for end in ends]),
    }


def _groups(rates: Mapping[str, float | None], pairs: Sequence[Any]) -> list[list[str]]:
    known = {run: rate for run, rate in rates.items() if rate is not None}
    ordered = sorted(known, key=lambda run: (-known[run], run))
    apart = {frozenset((p["one"], p["other"])) for p in pairs if p["is_told_apart"]}
    found: list[tuple[int, int]] = []
    for i in range(len(ordered)):
        j = i + 1
        while j < len(ordered) and not any(
            frozenset((run, ordered[j])) in apart for run in ordered[i:j]
        ):
            j += 1
        if not found or j > found[-1][1]:
            found.append((i, j))
    return [ordered[i:j] for i, j in found]


def _typical(pairs: Sequence[Any]) -> dict[str, Any]:
    known = [pair for pair in pairs if pair["n_questions"]]
    n = float(median([pair["n_questions"] for pair in known])) if known else 0.0
    counted = [pair for pair in known if pair["n_only_one"] is not None]
    n_discordant = sum(pair["n_only_one"] + pair["n_only_other"] for pair in counted)
    discordance = n_discordant / sum(pair["n_questions"] for pair in counted) if counted else None
    n_tested = sum(pair["p"] is not None for pair in pairs)
    effects = [
        (pair["n_questions"], pair["design_effect"])
        for pair in counted
        if pair["design_effect"] and pair["n_only_one"] + pair["n_only_other"]
    ]
    effect = sum(m * e for m, e in effects) / sum(m for m, _ in effects) if effects else 1.0
    one = detectable_difference(n / effect, discordance or 0.0)
    holm = detectable_difference(n / effect, discordance or 0.0, LEVEL / max(1, n_tested))
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance,
        "design_effect": effect,
        "detectable": one,
        "reason": WORDS if one is None else None,
        "detectable_holm": holm,
        "holm_reason": WORDS if holm is None else None,
        "needed": [
            {"difference": each, "n_questions": _needed(discordance, each, effect)}
            for each in (0.05, 0.1)
        ],
    }


def _needed(discordance: float | None, difference: float, effect: float) -> int | None:
    if not discordance or discordance < difference:
        return None
    return ceil(effect * n_to_detect(discordance, difference, LEVEL) - 1e-6)


def _with_excluded(
    answers: Rows, items: Rows, judgements: Rows, bootstrap: Bootstrap
) -> dict[str, Any]:
    """The rates as if no item had been excluded."""
    out = Counter(
        row["run"] for row in answers if "excluded" in (row["plausibility"], row["faithfulness"])
    )
    if not out:
        return {"n_excluded": 0, "rates": {}}
    ended = _ends_of_excluded(items, judgements)
    again = [_taken_in(row, ended) for row in answers]
    votes = votes_of_runs(again, judgements)
    return {
        "n_excluded": sum(out.values()),
        "rates": {
            name: [
                {**rate, "n_excluded": out[rate["run"]]}
                for rate in _rates_of_runs(
                    steps_of_runs(again, name), asked_of_runs(again, name), name, bootstrap, votes
                )
            ]
            for name in MEASURES
        },
    }


def _ends_of_excluded(items: Rows, judgements: Rows) -> dict[tuple[str, str], str]:
    """How excluded items that decide end by their batch's rule, among all that is in the batch."""
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    of_batch: dict[str, Ballots] = defaultdict(dict)
    votes = ballots(judgements)
    for row in items:
        if row["rule"] in RULES:
            rules[row["batch"]][row["rule"]] += 1
        if row["is_control"] == "false" and row["item_id"] in votes:
            of_batch[row["batch"]][row["item_id"]] = votes[row["item_id"]]
    likely: dict[str, Likely] = {}
    found = {}
    for row in items:
        if (row["is_control"], row["is_excluded"], row["is_newest"]) == ("false", "true", "true"):
            batch = row["batch"]
            most = sorted(rules[batch].items(), key=lambda each: (-each[1], each[0]))
            rule = most[0][0] if most else "unanimous"
            if rule == "posterior" and batch not in likely:
                labels = labels_of_votes(row["scheme"], of_batch[batch])
                likely[batch] = likely_labels(of_batch[batch], labels)
            given = of_batch[batch].get(row["item_id"], {})
            chances = likely.get(batch, {}).get(row["item_id"], ("", {}))[1]
            ended = _ended_anew(rule, list(given.values()), chances)
            found[row["scheme"], row["answer_id"]] = ended
    return found


def _ended_anew(rule: str, given: Sequence[str], chances: Chances) -> str:
    likely = {label: round(chance, 6) for label, chance in chances.items()}
    state, label = ended_by(rule, given, likely)
    return {"decided": label, "disputed": "disputed", "set aside": "too_few_judgements"}[state]


def _taken_in(row: Row, ended: Mapping[tuple[str, str], str]) -> Row:
    again = dict(row)
    if row["plausibility"] == "excluded":
        again["plausibility"] = ended.get(("plausibility", row["answer_id"]), "excluded")
        again["faithfulness"] = "not_asked" if again["plausibility"] == "plausible" else ""
    elif row["faithfulness"] == "excluded":
        again["faithfulness"] = ended.get(("faithfulness", row["answer_id"]), "excluded")
    return again
