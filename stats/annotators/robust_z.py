"""One person compared with the others: a robust z and its p-value."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, sqrt
from statistics import median

from stats.distributions import student_t_cdf

# The standard deviation of a normal distribution over its median absolute deviation.
OF_MAD = 1.4826
# What m values say of the spread by their MAD is what .37 m would say by their standard deviation.
EFFICIENCY = 0.37
# What is known of how unlike honest people are before any of them is seen, in degrees of freedom.
PRIOR_DF = 4
LEAST_OTHERS = 2

TOO_FEW_OTHERS = f"fewer than {LEAST_OTHERS} others to compare with"


@dataclass(frozen=True, slots=True)
class Measurement:
    """A person's value, the variance of its error, and the degrees of freedom of that variance."""

    value: float
    variance: float
    df: float


@dataclass(frozen=True, slots=True)
class RobustZ:
    """The result.

    `z` and `p` (the probability of a value as low) are None exactly if there is a `reason`.
    """

    median: float | None
    z: float | None
    p: float | None
    n_others: int
    reason: str | None = None


def robust_z(
    own: Measurement, others: Sequence[float], *, honest: float, middle: float | None = None
) -> RobustZ:
    """Return how far the value is below the median of the others, or below a known `middle`.

    z = (x - m) / sqrt(v + s^2 + e): m the median of the k others, s their spread, e = pi/2 s^2 / k
    the error of the median (none if it is known), and v the error of x itself. s^2 = (4 h^2 + .37
    (k - 1) d^2) / (4 + .37 (k - 1)), where d = 1.4826 MAD and h (`honest`) is the expected spread
    of honest people: a moderated variance (Smyth 2004, Statistical Applications in Genetics and
    Molecular Biology 3:3), without which three people who happen to be alike would make a fourth
    one look extreme. The p-value is that of Student's t with the degrees of freedom of
    Satterthwaite (1946, Biometrics Bulletin 2:110-114).

    Fewer than two others have no median, and there is no z.

    >>> found = robust_z(Measurement(0, 0, 1), [1.0, 1.2, 1.4, 1.6, 1.8], honest=.3)
    >>> round(found.z, 2), round(found.p, 4)  # with 5.48 degrees of freedom
    (-4.08, 0.0039)
    """
    k = len(others)
    if k < LEAST_OTHERS and middle is None:
        return RobustZ(None, None, None, k, TOO_FEW_OTHERS)
    error = pi / 2 / k if middle is None else 0.0
    middle = median(others) if middle is None else middle
    seen = OF_MAD * median(abs(each - middle) for each in others) if k else 0.0
    df = PRIOR_DF + EFFICIENCY * max(0, k - 1)
    spread = (PRIOR_DF * honest**2 + (df - PRIOR_DF) * seen**2) / df
    of_others = spread * (1 + error)
    total = own.variance + of_others
    z = (own.value - middle) / sqrt(total)
    freedom = total**2 / (own.variance**2 / own.df + of_others**2 / df)
    return RobustZ(middle, z, student_t_cdf(z, freedom), k)
