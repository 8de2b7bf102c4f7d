"""What people's comparisons say of the runs, computed anew from batches.csv, judgements.csv and answers.csv.

Written from docs/comparing.md alone and with nothing of Touchstone's, by fractions and counting.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf, sqrt
from pathlib import Path
from typing import Any

from scipy import stats

from tests import recomputed_people as people
from tests.recomputed_tables import Rows, table

KINDS = ("system", "baseline", "reference")
TIE = {"zero": Fraction(0), "half": Fraction(1, 2), "both": Fraction(1)}
RATINGS = ("faithful", "appropriate", "both")


def comparison(folder: Path, pool: str) -> dict[str, Any]:
    """Of one pool: figures by name; those of runs are by name and run, those of pairs by name and pair."""
    batches = [row["batch"] for row in table(folder, "batches") if row["pool"] == pool]
    said = [
        row
        for row in table(folder, "judgements")
        if row["batch"] in batches and (row["counted"], row["is_control"]) == ("true", "false")
    ]
    answers = [row for row in table(folder, "answers") if row["pool"] == pool]
    kinds = {row["run"]: row["kind"] for row in answers}
    runs = sorted(kinds, key=lambda run: (KINDS.index(kinds[run]), run))
    answerable = {row["turn_id"] for row in answers if row["is_answerable"] == "true"}
    rated = _rated(said)
    compared = _compared(said)
    return {
        "runs": runs,
        **_of_ratings(rated, runs, answerable),
        **_of_preferences(compared, runs),
        **_of_answers(answers, runs),
        "passages": _passages(said, {row["turn_id"] for row in answers} - answerable),
        "differences": _differences(rated, compared, runs, answerable),
        **_of_people(said, rated, compared, runs, answerable),
        "longer": _longer(compared, answers),
        "tau": _tau(rated, answers, answerable),
    }


def _submissions(said: Rows) -> dict[tuple[str, str], Rows]:
    found: defaultdict[tuple[str, str], Rows] = defaultdict(list)
    for row in said:
        found[row["assignment_id"], row["submitted_at"]].append(row)
    return found


def _rated(said: Rows) -> list[dict[str, Any]]:
    """A rating for each run that is credited."""
    found = []
    for rows in _submissions(said).values():
        of_answer: defaultdict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        for row in rows:
            if row["question"] in ("faithful", "appropriate", "unknown", "incoherent"):
                of_answer[row["answer_id"]][row["question"]] = row
        for answer, asked in of_answer.items():
            one = asked["appropriate"]
            f, a = Fraction(asked["faithful"]["value"]), Fraction(one["value"])
            found += [
                {
                    "question": one["turn_id"],
                    "run": run,
                    "answer": answer,
                    "annotator": one["annotator"],
                    "faithful": f,
                    "appropriate": a,
                    "both": 2 * f * a / (f + a),
                    "unknown": asked["unknown"]["label"] == "yes",
                    "incoherent": asked["incoherent"]["label"] == "yes",
                }
                for run in one["runs"].split("|")
            ]
    return found


def _compared(said: Rows) -> list[tuple[str, tuple[str, str], str, str, str]]:
    """(question, submission, left run, right run, left, right or tie)."""
    found = []
    for name, rows in _submissions(said).items():
        sides = {row["position"]: row for row in rows if row["question"] == "preference"}
        if not sides:
            continue
        left, right = sides["1"], sides["2"]
        who = {"preferred": "left", "other": "right", "tie": "tie"}[left["label"]]
        found += [
            (left["turn_id"], name, one, other, who)
            for one in left["runs"].split("|")
            for other in right["runs"].split("|")
        ]
    return found


def figure(
    values: Mapping[str, Sequence[Fraction]], within: tuple[float, float] = (-inf, inf)
) -> dict[str, Any] | None:
    """A mean over all values, with its t interval over questions; None of nothing."""
    n = sum(map(len, values.values()))
    if not n:
        return None
    mean = Fraction(sum(map(sum, values.values()))) / n
    low, high = _interval(values, mean, within)
    return {
        "value": float(mean),
        "low": low,
        "high": high,
        "n_questions": len(values),
        "n_values": n,
    }


def _interval(
    values: Mapping[str, Sequence[Fraction]], mean: Fraction, within: tuple[float, float]
) -> tuple[float | None, float | None]:
    conversations: defaultdict[str, list[Fraction]] = defaultdict(list)
    for question, several in values.items():
        conversations[question.rpartition("_")[0]] += several
    residuals = [sum(each) - mean * len(each) for each in conversations.values()]
    if len(residuals) < 2 or not any(residuals):
        return None, None
    n = sum(map(len, values.values()))
    error = sqrt(float(sum(each**2 for each in residuals) * len(residuals) / (len(residuals) - 1)))
    distance = stats.t.ppf(0.975, len(residuals) - 1) * error / n
    return max(within[0], float(mean) - distance), min(within[1], float(mean) + distance)


def share(holds: Mapping[str, bool]) -> dict[str, Any] | None:
    """A share of questions, with Wilson's interval."""
    n, k = len(holds), sum(holds.values())
    if not n:
        return None
    found = stats.binomtest(k, n).proportion_ci(method="wilson")
    counts = {"n_questions": n, "n_values": n}
    return {"value": k / n, "low": found.low, "high": found.high, **counts}


def _by_question(pairs: Iterable[tuple[str, Fraction | int]]) -> dict[str, list[Fraction]]:
    found: defaultdict[str, list[Fraction]] = defaultdict(list)
    for question, value in pairs:
        found[question].append(Fraction(value))
    return found


def _of_ratings(
    rated: list[dict[str, Any]], runs: Sequence[str], answerable: set[str]
) -> dict[str, Any]:
    names = {
        **{name: (name, True) for name in RATINGS},
        "unknown_answerable": ("unknown", True),
        "unknown_unanswerable": ("unknown", False),
        "incoherent": ("incoherent", None),
    }
    return {
        name: {
            run: figure(
                _by_question(
                    (each["question"], each[column])
                    for each in rated
                    if each["run"] == run
                    and (where is None or (each["question"] in answerable) == where)
                ),
                (1, 4) if column in RATINGS else (0, 1),
            )
            for run in runs
        }
        for name, (column, where) in names.items()
    }


def _of_preferences(compared: list[Any], runs: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {
        f"win_rate_{policy}": {run: _win_rate(compared, run, tie) for run in runs}
        for policy, tie in TIE.items()
    }
    once = {(question, name): who for question, name, _, _, who in compared}
    found["tie_share"] = (
        sum(row[4] == "tie" for row in compared) / len(compared) if compared else None
    )
    found["left"] = figure(
        _by_question((q, who == "left") for (q, _), who in once.items() if who != "tie"), (0, 1)
    )
    return found


def _win_rate(compared: list[Any], run: str, tie: Fraction) -> dict[str, Any] | None:
    """The mean over questions of what a run has of the comparisons of it there."""
    credit: defaultdict[str, list[Fraction]] = defaultdict(list)
    for question, _, left, right, who in compared:
        if run in (left, right):
            won = who == ("left" if run == left else "right")
            credit[question].append(tie if who == "tie" else Fraction(won))
    return figure({q: [sum(each, Fraction()) / len(each)] for q, each in credit.items()}, (0, 1))


def _of_answers(answers: Rows, runs: Sequence[str]) -> dict[str, Any]:
    of_kind = {
        (run, where): [row for row in answers if (row["run"], row["is_answerable"]) == (run, where)]
        for run in runs
        for where in ("true", "false")
    }
    means = {
        name: {
            run: figure(
                _by_question(
                    (row["turn_id"], Fraction(float(row[name])))
                    for row in of_kind[run, "true"]
                    if row[name] != ""
                ),
                (0, inf if name == "length" else 1),
            )
            for run in runs
        }
        for name in ("rouge_l", "recall", "rouge_lp", "length")
    }
    shares = {
        name: {
            run: share(
                {r["turn_id"]: r["says_unanswerable"] == "true" for r in of_kind[run, where]}
            )
            for run in runs
        }
        for name, where in (("unanswerable_accuracy", "false"), ("wrongly_unanswerable", "true"))
    }
    return means | shares


def _passages(said: Rows, unanswerable: set[str]) -> dict[str, Any]:
    votes: defaultdict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for row in said:
        if row["question"] == "relevant":
            votes[row["turn_id"], row["passage_id"]][row["label"] == "relevant"] += 1
    labels = {key: each[True] - each[False] for key, each in votes.items()}
    of_question: defaultdict[str, list[int]] = defaultdict(list)
    for (question, _), label in labels.items():
        of_question[question].append(label)
    return {
        "n_questions": len(of_question),
        "n_several": sum(sum(each > 0 for each in of) > 1 for of in of_question.values()),
        "n_none": sum(all(each < 0 for each in of) for of in of_question.values()),
        "n_undecided": sum(each == 0 for each in labels.values()),
        "after_all": sorted(
            q for q, of in of_question.items() if q in unanswerable and max(of) > 0
        ),
        "qrels": [[q, p, int(n > 0)] for (q, p), n in sorted(labels.items()) if n],
    }


def _differences(
    rated: list[dict[str, Any]], compared: list[Any], runs: Sequence[str], answerable: set[str]
) -> dict[str, dict[tuple[str, str], float | None]]:
    found: dict[str, dict[tuple[str, str], float | None]] = {}
    for name in RATINGS:
        means: defaultdict[str, dict[str, Fraction]] = defaultdict(dict)
        for run in runs:
            of_run = _by_question(
                (each["question"], each[name])
                for each in rated
                if each["run"] == run and each["question"] in answerable
            )
            means[run] = {q: sum(each, Fraction()) / len(each) for q, each in of_run.items()}
        found[name] = {
            (one, other): _mean(
                [means[one][q] - means[other][q] for q in means[one].keys() & means[other].keys()]
            )
            for one, other in combinations(runs, 2)
        }
    found["preference"] = {
        pair: _mean(
            [
                sum(each, Fraction()) / len(each)
                for each in _by_question(
                    (q, (who == "left") - (who == "right"))
                    if (left, right) == pair
                    else (q, (who == "right") - (who == "left"))
                    for q, _, left, right, who in compared
                    if {left, right} == set(pair)
                ).values()
            ]
        )
        for pair in combinations(runs, 2)
    }
    return found


def _of_people(
    said: Rows,
    rated: list[dict[str, Any]],
    compared: list[Any],
    runs: Sequence[str],
    answerable: set[str],
) -> dict[str, Any]:
    """Intervals of runs' figures, and tests of pairs, for people like those who judged."""
    who_said = {(row["assignment_id"], row["submitted_at"]): row["annotator"] for row in said}
    found: dict[str, Any] = {}
    tests: dict[str, Any] = {}
    counted = [each for each in rated if each["question"] in answerable]
    for name in RATINGS:
        judged = {
            run: [
                (each["question"], each["annotator"], each[name])
                for each in counted
                if each["run"] == run
            ]
            for run in runs
        }
        scores = {run: people.mean_scores(each) for run, each in judged.items()}
        values = {run: _mean([value for *_, value in each]) or 0 for run, each in judged.items()}
        found[name] = people.figures(scores, values, (1, 4), pool=False)
        tests[name] = people.tests(people.rated_pairs(counted, name, runs), (-3, 3))
    for policy, tie in TIE.items():
        credit = {run: _credit(compared, run, tie, who_said) for run in runs}
        scores = {run: people.question_scores(each) for run, each in credit.items()}
        values = {
            run: _mean([*people.question_means(each).values()]) or 0 for run, each in credit.items()
        }
        found[f"win_rate_{policy}"] = people.figures(scores, values, (0, 1), pool=True)
    won = {
        (one, other): [
            (
                q,
                who_said[name],
                Fraction((who == "left") - (who == "right")) * (1 if left == one else -1),
            )
            for q, name, left, right, who in compared
            if {left, right} == {one, other}
        ]
        for one, other in combinations(runs, 2)
    }
    tests["preference"] = people.tests(
        {
            pair: (people.question_means(each), people.question_scores(each))
            for pair, each in won.items()
        },
        (-1, 1),
    )
    return {"people": found, "tests": tests}


def _credit(
    compared: list[Any], run: str, tie: Fraction, who_said: Mapping[Any, str]
) -> people.Judged:
    return [
        (
            question,
            who_said[name],
            tie if who == "tie" else Fraction(who == ("left" if run == left else "right")),
        )
        for question, name, left, right, who in compared
        if run in (left, right)
    ]


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(sum(values, Fraction()) / len(values)) if values else None


def _longer(compared: list[Any], answers: Rows) -> dict[str, Any] | None:
    """Of decided judgements of unlike lengths, each once."""
    length = {(row["turn_id"], row["run"]): len(row["text"]) for row in answers}
    once = {(q, name): (left, right, who) for q, name, left, right, who in sorted(compared)[::-1]}
    pairs = []
    for (q, _), (left, right, who) in once.items():
        extra = length[q, left] - length[q, right]
        if who != "tie" and extra:
            pairs.append((q, (extra > 0) == (who == "left")))
    return figure(_by_question(pairs), (0, 1))


def _tau(rated: list[dict[str, Any]], answers: Rows, answerable: set[str]) -> float | None:
    """Kendall's τ-b of ROUGE-L and F+A over the distinct answers to answerable questions."""
    rouge = {(row["turn_id"], row["run"]): row["rouge_l"] for row in answers}
    points: dict[str, list[Fraction]] = {}
    measured: dict[str, float] = {}
    for each in rated:
        value = rouge[each["question"], each["run"]]
        if each["question"] in answerable and value:
            points.setdefault(each["answer"], []).append(each["both"])
            measured[each["answer"]] = float(value)
    pairs = [
        (
            sum(points[a]) / len(points[a]) - sum(points[b]) / len(points[b]),
            measured[a] - measured[b],
        )
        for a, b in combinations(points, 2)
    ]
    agree = sum((x * y > 0) - (x * y < 0) for x, y in pairs)
    scale = sqrt(sum(x != 0 for x, _ in pairs) * sum(y != 0 for _, y in pairs))
    return agree / scale if scale else None
