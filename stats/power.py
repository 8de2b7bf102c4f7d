"""The smallest difference of two runs that a test detects: paired proportions, and means.

Two runs are compared on n questions on which each has a settled answer. On a share ψ of them
exactly one of the two answers is accepted (the discordance), and their rates differ by δ; |δ| <= ψ.
The two-sided test at level a finds the difference with probability `power` if

    n = (z(1 - a/2)·√ψ + z(power)·√(ψ - δ²))² / δ²        Connor 1987, Biometrics 43:207-211

which is for McNemar's test, as `stats.paired_proportions` has it. Answers on which the runs agree carry no information about their difference, so ψ, not
the rates, determines the cost of a study.

Right: ψ = .5, δ = .4 → 22.8, so 23 questions. Wrong: 10 of each, by the rates alone, as if
unpaired.

For means (`detectable_mean_difference`) the deviation s of the questions' differences replaces the
discordance:

    n = ((z(1 - a/2) + z(power))·s / δ)²                    the paired z test, which needs slightly less than t

Where the degrees of freedom are few, as with few annotators, `detectable_t_difference` has Student's t.
"""

from math import ceil, sqrt
from statistics import NormalDist

from stats import student_t

LEVEL = 0.05
POWER = 0.8
# A difference to a millionth is finer than anybody asks.
FINE = 1e-6

NO_QUESTION = "no question is settled for both"
ALWAYS_ALIKE = "the two never differ: there is no discordance to plan by"
ALWAYS_ALIKE_BY = "the two always differ by the same: there is no deviation to plan by"
# Even if every one of them spoke for the same run.
TOO_FEW = "too few questions on which they differ"
TOO_LARGE = "no difference can be so large"


def questions_needed(
    discordance: float,
    difference: float,
    *,
    level: float = LEVEL,
    power: float = POWER,
    deff: float = 1.0,
) -> int | None:
    """Return the number of questions that both must be judged on.

    `deff` of them are worth an independent one (`stats.clustered_proportions`). None if no such difference is possible: it is larger than the discordance. Raises ValueError for
    numbers that are not shares, and for a difference of 0.
    """
    _require(discordance, level, power)
    if not 0 < difference <= 1:
        raise ValueError(f"a difference is more than 0 and at most 1, not {difference}")
    if difference > discordance:
        return None
    return ceil(deff * _questions(discordance, difference, level, power) - FINE)


def detectable_difference(
    n_questions: float, discordance: float, *, level: float = LEVEL, power: float = POWER
) -> tuple[float | None, str | None]:
    """Return the smallest difference that so many questions show, or None with the reason."""
    _require(discordance, level, power)
    if n_questions <= 0:
        return None, NO_QUESTION
    if not discordance:
        return None, ALWAYS_ALIKE
    if _questions(discordance, discordance, level, power) > n_questions:
        return None, TOO_FEW
    low, high = 0.0, discordance  # the larger the difference, the fewer questions it takes
    while high - low > FINE:
        middle = (low + high) / 2
        if _questions(discordance, middle, level, power) > n_questions:
            low = middle
        else:
            high = middle
    return high, None


def detectable_mean_difference(
    n_questions: float, deviation: float, *, level: float = LEVEL, power: float = POWER
) -> tuple[float | None, str | None]:
    """Return the smallest mean difference that so many questions show, or None with the reason.

    `deviation` is that of the questions' differences.

    >>> round(detectable_mean_difference(100, 1)[0], 3)  # (1.95996 + .84162) / 10
    0.28
    """
    _require_test(level, power)
    if deviation < 0:
        raise ValueError(f"a deviation is not below 0, as {deviation} is")
    if n_questions <= 0:
        return None, NO_QUESTION
    if not deviation:
        return None, ALWAYS_ALIKE_BY
    z = NormalDist().inv_cdf
    return (z(1 - level / 2) + z(power)) * deviation / sqrt(n_questions), None


def detectable_t_difference(
    variance: float, df: float, *, level: float = LEVEL, power: float = POWER
) -> float:
    """Return the smallest difference that a t test shows whose estimate has this variance.

    It is (t(1 - level/2) + t(power))·√variance, with the quantiles of Student's t with `df` degrees of
    freedom. The non-central t, which is exact, gives 5 % more at 2 degrees, 2 % at 3 and less than
    1 % from 5 on; at the level .02 12, 6 and 3 %.

    >>> round(detectable_t_difference(0.01, 1e6), 3)  # (1.95996 + .84162) / 10
    0.28
    """
    _require_test(level, power)
    if variance < 0:
        raise ValueError(f"a variance is not below 0, as {variance} is")
    t = student_t.quantile
    return (t(1 - level / 2, df) + t(power, df)) * sqrt(variance)


def _questions(discordance: float, difference: float, level: float, power: float) -> float:
    z = NormalDist().inv_cdf
    found = z(1 - level / 2) * sqrt(discordance)
    # Rounding must not make the root of nothing one of less than nothing.
    missed = z(power) * sqrt(max(0.0, discordance - difference**2))
    return ((found + missed) / difference) ** 2


def _require(discordance: float, level: float, power: float) -> None:
    if not 0 <= discordance <= 1:
        raise ValueError(f"a discordance is from 0 to 1, not {discordance}")
    _require_test(level, power)


def _require_test(level: float, power: float) -> None:
    if not (0 < level < 1 and 0.5 <= power < 1):
        raise ValueError(f"no test has the level {level} and the power {power}")
