"""Two stages: a bi-encoder for every answer, a cross-encoder for those near the threshold.

A cross-encoder reads answer and reference together and costs many times what a bi-encoder does. Far
from a threshold, the bi-encoder decides equally well which side an answer is on. So both models
score a sample. One half of it yields the expected cross-encoder score for each bi-encoder score
(isotonic regression, which assumes only the order). If this expectation is within w of the
threshold, the answer is in the band, and the cross-encoder scores it; any other answer keeps the
expectation as its score.

The other half yields the width of the band: bands are tried from all answers downwards, each
narrower than the one before, until it can no longer be said with 95 % confidence that at most
`most_wrong` of all answers are outside it and on another side than the cross-encoder puts them.
That is a fixed sequence of tests (Angelopoulos et al. 2021, "Learn then Test", arXiv:2110.01052),
and needs no correction for their number. The half that fitted the regression could not test it.

    calibrate(sample, threshold=.8, most_wrong=.01)    right: pairs drawn at random from the answers to score
    calibrate(judged, ...)                             wrong: answers that were selected by their score

Only the side of that one threshold has this guarantee: means are roughly kept, single values are
not.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

CONFIDENCE = 0.95
# Scores are rounded to so many digits, and so are the ends of the band.
DIGITS = 6
LEAST_ABOVE = 1e-6
# A cosine's ends: a band that reaches them has no answer beyond.
LOWEST, HIGHEST = -1.0, 1.0
# Where more are left to the cross-encoder, the first stage spares nothing worth its own time.
MOST_NEAR = 0.9
# Half widths of the bands that are tried, on the cross-encoder's scale: from all of it down to nothing.
WIDTHS = [step / 100 for step in range(100, -1, -1)]

Point = tuple[float, float]  # what the bi-encoder and the cross-encoder say of one answer


class NoBandError(Exception):
    """This sample yields no band; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The band `[low, high]` of the bi-encoder, and the map of its values to the cross-encoder's scale.

    knots   (bi-encoder, cross-encoder), both increasing; between them a line, beyond them the last value
    width   half of the band's width, on the cross-encoder's scale
    """

    threshold: float
    width: float
    low: float
    high: float
    knots: tuple[Point, ...]

    def is_in_band(self, first: float) -> bool:
        """Return whether the answer needs the cross-encoder."""
        return self.low <= first <= self.high

    def value(self, first: float) -> float:
        """Return the expected cross-encoder score of an answer outside the band.

        It is on the answer's side of the threshold.
        """
        expected = round(_value_at(self.knots, first), DIGITS)
        if first < self.low:
            return min(expected, self.threshold)
        return max(expected, round(self.threshold + LEAST_ABOVE, DIGITS))


@dataclass(frozen=True, slots=True)
class Trial:
    """The errors of the band on the half of the sample that it was not fitted to.

    n_missed  outside the band, above the threshold by the cross-encoder and taken to be below
    n_false   the reverse
    upper     one-sided upper 95 % bound of the share of both among all answers (Clopper-Pearson)
    """

    n_fitted: int
    n_tried: int
    n_near: int
    n_above: int
    n_missed: int
    n_false: int
    most_wrong: float
    upper: float


def calibrate(
    sample: Sequence[Point], *, threshold: float, most_wrong: float
) -> tuple[Calibration, Trial]:
    """Return the narrowest band with at most `most_wrong` errors. Raises NoBandError.

    The sample is in random order.
    """
    if not 0 < most_wrong < 1:
        raise ValueError(f"most_wrong is a share between 0 and 1, not {most_wrong}")
    half = len(sample) // 2
    tried = sample[half:]
    if not is_significant(0, len(tried), most_wrong):
        raise NoBandError(
            f"a sample of {len(sample)} is too small to show that at most {most_wrong:.2%} are wrong,"
            f" which takes {2 * smallest_trial(most_wrong)}: take a larger one, allow more, or score all"
            " by the cross-encoder, which so few answers bear"
        )
    knots = isotonic(sample[:half])
    narrowest: Calibration | None = None
    for width in WIDTHS:
        band = _band(knots, round(threshold, DIGITS), width)
        if not is_significant(sum(_count_errors(band, tried)), len(tried), most_wrong):
            break
        narrowest = band
    n_near = sum(narrowest.is_in_band(first) for first, _ in tried) if narrowest else len(tried)
    if narrowest is None or n_near > MOST_NEAR * len(tried):
        raise NoBandError(
            f"the two models agree too little about this threshold: {n_near / len(tried):.0%} of the answers"
            " would be left to the cross-encoder; score all by it, allow more wrong ones, or take a larger"
            " sample"
        )
    n_missed, n_false = _count_errors(narrowest, tried)
    return narrowest, Trial(
        n_fitted=half,
        n_tried=len(tried),
        n_near=n_near,
        n_above=sum(second > narrowest.threshold for _, second in tried),
        n_missed=n_missed,
        n_false=n_false,
        most_wrong=most_wrong,
        upper=upper_bound(n_missed + n_false, len(tried)),
    )


def isotonic(points: Sequence[Point]) -> tuple[Point, ...]:
    """Isotonic regression (pool adjacent violators), each pool as one knot at its mean."""
    pools: list[tuple[int, float, float]] = []  # how many, sum of the first, sum of the second
    for first, second in sorted(points):
        pool = (1, first, second)
        while pools and _must_join(pools[-1], pool):
            n, firsts, seconds = pools.pop()
            pool = (pool[0] + n, pool[1] + firsts, pool[2] + seconds)
        pools.append(pool)
    return tuple((round(x / n, DIGITS), round(y / n, DIGITS)) for n, x, y in pools)


def _must_join(before: tuple[int, float, float], after: tuple[int, float, float]) -> bool:
    """Return whether one of the means would not increase after rounding."""
    (n, x, y), (m, more_x, more_y) = before, after
    return more_y / m - y / n < 2 * LEAST_ABOVE or more_x / m - x / n < 2 * LEAST_ABOVE


def _value_at(knots: Sequence[Point], x: float) -> float:
    after = bisect_left(knots, x, key=itemgetter(0))
    if after in (0, len(knots)):
        return knots[0 if after == 0 else -1][1]
    (left, low), (right, high) = knots[after - 1 : after + 1]
    return low + (high - low) * (x - left) / (right - left)


def _inverse(knots: Sequence[Point], y: float) -> float:
    """The x at which the line through the knots has the value y."""
    return _value_at([(second, first) for first, second in knots], y)


def _band(knots: tuple[Point, ...], threshold: float, width: float) -> Calibration:
    below, above = threshold - width, threshold + width
    lowest, highest = knots[0][1], knots[-1][1]
    low = LOWEST if below <= lowest else HIGHEST if below > highest else _inverse(knots, below)
    high = HIGHEST if above >= highest else LOWEST if above < lowest else _inverse(knots, above)
    # Outwards, so that no end moves into the band before it.
    scale = 10**DIGITS
    low, high = math.floor(low * scale) / scale, math.ceil(high * scale) / scale
    return Calibration(threshold, width, low, high, knots)


def _count_errors(band: Calibration, points: Sequence[Point]) -> tuple[int, int]:
    """The numbers of missed and of false answers outside the band."""
    above = [(first, second > band.threshold) for first, second in points]
    return (
        sum(is_above for first, is_above in above if first < band.low),
        sum(not is_above for first, is_above in above if first > band.high),
    )


def is_significant(n_wrong: int, n: int, most_wrong: float) -> bool:
    """Return whether n_wrong of n reject, at 5 %, that more than `most_wrong` are wrong."""
    return at_most(n_wrong, n, most_wrong) <= 1 - CONFIDENCE


def smallest_trial(most_wrong: float) -> int:
    """The smallest n for which 0 errors are significant: about 3 / most_wrong, the rule of three."""
    return math.ceil(math.log(1 - CONFIDENCE) / math.log1p(-most_wrong))


def upper_bound(n_wrong: int, n: int) -> float:
    """Return Clopper and Pearson's one-sided upper 95 % bound of a share.

    0 of 1,000 → .0030, 4 of 1,000 → .0091.
    """
    if n_wrong >= n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if at_most(n_wrong, n, middle) > 1 - CONFIDENCE else (low, middle)
        )
    return high


def at_most(k: int, n: int, share: float) -> float:
    """The probability of k or fewer of n, each with the probability `share`, 0 < share < 1."""
    logs = (
        math.lgamma(n + 1)
        - math.lgamma(i + 1)
        - math.lgamma(n - i + 1)
        + i * math.log(share)
        + (n - i) * math.log1p(-share)
        for i in range(min(k, n) + 1)
    )
    return math.fsum(map(math.exp, logs))
