"""What is known of each run's answers, question by question, for a measure of the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, Optional

from exports.verification.intervals import Z, t_quantile
from exports.verification.per_run import FAITHFULNESS_LABELS, LABELS, runs_in_order
from exports.verification.tables import Rows, conversation_of

MEASURES = ("plausible", "faithful", "gold")
# By question: whether the answer is plausible, its faithfulness settled, and it is faithful.
Step = tuple[int, int, int]
Steps = Mapping[str, Step]
# By question: the text that was asked about, and whether it is accepted, None where that is open.
Asked = Mapping[str, tuple[str, Optional[int]]]


def steps_of_runs(answers: Rows, name: str) -> dict[str, dict[str, Step]]:
    """The questions of the basis of each run."""
    found: dict[str, dict[str, Step]] = {run: {} for run in runs_in_order(answers)}
    for row in answers:
        is_plausible = row["plausibility"] == LABELS[0]
        is_known = is_plausible and row["faithfulness"] in FAITHFULNESS_LABELS
        is_of = is_known if name == "faithful" else row["plausibility"] in LABELS
        if row["sampled"] == "drawn" and is_of:
            is_faithful = is_known and row["faithfulness"] == FAITHFULNESS_LABELS[0]
            found[row["run"]][row["turn_id"]] = (int(is_plausible), int(is_known), int(is_faithful))
    return found


def asked_of_runs(answers: Rows, name: str) -> dict[str, dict[str, tuple[str, int | None]]]:
    found: dict[str, dict[str, tuple[str, int | None]]] = {row["run"]: {} for row in answers}
    for row in answers:
        first = _end(row["plausibility"], LABELS)
        second = _end(row["faithfulness"], FAITHFULNESS_LABELS) if first else first
        if row["sampled"] == "drawn" and (name != "faithful" or first):
            end = first if name == "plausible" else second
            found[row["run"]][row["turn_id"]] = row["answer_id"], end
    return found


def _end(label: str, labels: Sequence[str]) -> int | None:
    return int(label == labels[0]) if label in labels else None


def is_good(step: Step, name: str) -> int:
    return step[0] if name == "plausible" else step[2]


def is_open(steps: Steps, name: str) -> bool:
    """Whether it is not known of every plausible answer if it is gold."""
    return name == "gold" and any(first and not known for first, known, _ in steps.values())


def shares_of_steps(steps: Steps, name: str) -> list[tuple[int, int]]:
    good = sum(is_good(each, name) for each in steps.values())
    if not is_open(steps, name):
        return [(good, len(steps))]
    first, known, second = (sum(column) for column in zip(*steps.values()))
    return [(first, len(steps)), (second, known)]


def bounds(ways: Sequence[tuple[int, int]]) -> list[float] | None:
    """From the least and the most of each question."""
    n = len(ways)
    return [sum(each) / n for each in zip(*ways)] if n else None


def conversation_sums(values: Mapping[str, int]) -> list[tuple[int, int]]:
    """Return, for each conversation, the sum of its turns' values and the number of these."""
    names = list(map(conversation_of, values))
    sums = dict.fromkeys(names, 0)
    for name, value in zip(names, values.values()):
        sums[name] += value
    sizes = Counter(names)
    return [(each, sizes[name]) for name, each in sums.items()]


def design_effect(values: Mapping[str, int]) -> float | None:
    """The variance of the mean over conversations by that over turns."""
    sums, n = conversation_sums(values), len(values)
    if not n or len(sums) == 1 < n:
        return None
    if len(sums) == n:
        return 1.0
    total = sum(values.values())
    # Sums of squares around the mean, n² times, as whole numbers.
    apart = n * (n * sum(each * each for each in values.values()) - total * total)
    whole = sum((n * s - total * m) ** 2 for s, m in sums)
    if not apart:
        return n / len(sums)
    ratio = Fraction(whole * (n - 1) * len(sums), apart * n * (len(sums) - 1))
    return float(max(Fraction(1), ratio))


def z_of(values: Mapping[str, int], effect: float | None) -> float | None:
    """The z of an interval by the design effect of the values; None where there is none."""
    n = n_conversations(values)
    if effect is None:
        return None
    return Z if n == len(values) else t_quantile(n - 1) * sqrt(effect)


def n_conversations(turns: Mapping[str, Any]) -> int:
    return len(set(map(conversation_of, turns)))
