"""The draws of `numpy.random.default_rng(seed)`, without numpy: those of which a report's intervals are made.

The generator is PCG64 (O'Neill 2014) with the seed spread by SeedSequence; binomial numbers are drawn by
inversion where their mean is at most 30, else by BTPE (Kachitvichyanukul and Schmeiser 1988).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, floor, log, sqrt

WORD, HALF = (1 << 64) - 1, (1 << 32) - 1
STATE = (1 << 128) - 1
STEP = 0x2360ED051FC65DA44385DF649FCCF645


class Generator:
    """Gives what `numpy.random.default_rng(seed)` gives."""

    def __init__(self, seed: int) -> None:
        high, low, high_step, low_step = _spread(seed)
        self._step = ((high_step << 64 | low_step) << 1 | 1) & STATE
        self._state = ((self._step + (high << 64 | low)) * STEP + self._step) & STATE
        self._left: int | None = None  # the half of a number of 64 bits that was not used

    def _next64(self) -> int:
        self._state = state = (self._state * STEP + self._step) & STATE
        value, turn = (state >> 64) ^ (state & WORD), state >> 122
        return (value >> turn | value << (64 - turn)) & WORD

    def _next32(self) -> int:
        if self._left is not None:
            value, self._left = self._left, None
            return value
        value = self._next64()
        self._left = value >> 32
        return value & HALF

    def share(self) -> float:
        """A number from 0 to below 1."""
        return (self._next64() >> 11) * 2.0**-53

    def integers(self, n: int, size: int) -> list[int]:
        """Whole numbers below n, by Lemire's method (2019)."""
        return [self._below(n) for _ in range(size)] if n > 1 else [0] * size

    def _below(self, n: int) -> int:
        product = self._next32() * n
        if product & HALF < n:
            least = (1 << 32) % n
            while product & HALF < least:
                product = self._next32() * n
        return product >> 32

    def multinomials(self, n: int, shares: Sequence[float], size: int) -> Iterator[list[int]]:
        """Return, for each of `size` draws, how often each place is drawn: n times in all."""
        for _ in range(size):
            yield self._multinomial(n, shares)

    def _multinomial(self, n: int, shares: Sequence[float]) -> list[int]:
        counts, left, rest = [0] * len(shares), n, 1.0
        for place, share in enumerate(shares[:-1]):
            counts[place] = drawn = self.binomial(left, share / rest)
            left -= drawn
            if left <= 0:
                return counts
            rest -= share
        counts[-1] = left
        return counts

    def binomial(self, n: int, p: float) -> int:
        if not n or not p:
            return 0
        least = p if p <= 0.5 else 1.0 - p
        drawn = (self._inverted if least * n <= 30.0 else self._accepted)(n, least)
        return drawn if p <= 0.5 else n - drawn

    def _inverted(self, n: int, p: float) -> int:
        q = 1.0 - p
        none = exp(n * log(q))
        most = int(min(n, n * p + 10.0 * sqrt(n * p * q + 1)))
        k, chance, left = 0, none, self.share()
        while left > chance:
            k += 1
            if k > most:
                k, chance, left = 0, none, self.share()
            else:
                left -= chance
                chance = ((n - k + 1) * p * chance) / (k * q)
        return k

    def _accepted(self, n: int, p: float) -> int:
        """BTPE, for p at most .5: from a triangle, a box and two exponential tails, with rejection."""
        hat = _Hat(n, p)
        while True:
            u, v = self.share() * hat.ends[3], self.share()
            if u <= hat.ends[0]:
                return floor(hat.middle - hat.ends[0] * v + u)
            found = hat.proposed(u, v)
            if found is not None and hat.is_accepted(*found):
                return found[0]


class _Hat:
    """What BTPE draws from: `ends` are the cumulated areas of its four parts."""

    def __init__(self, n: int, p: float) -> None:
        q = 1.0 - p
        mean = n * p + p
        self.n, self.p, self.q, self.mode = n, p, q, floor(mean)
        half = floor(2.195 * sqrt(n * p * q) - 4.6 * q) + 0.5
        self.middle = self.mode + 0.5
        self.low, self.high = self.middle - half, self.middle + half
        self.box = 0.134 + 20.5 / (15.3 + self.mode)
        a = (mean - self.low) / (mean - self.low * p)
        self.of_low = a * (1.0 + a / 2.0)
        a = (self.high - mean) / (self.high * q)
        self.of_high = a * (1.0 + a / 2.0)
        whole = half * (1.0 + 2.0 * self.box)
        both = whole + self.box / self.of_low
        self.ends = (half, whole, both, both + self.box / self.of_high)

    def proposed(self, u: float, v: float) -> tuple[int, float] | None:
        half, whole, both, _ = self.ends
        if u <= whole:
            x = self.low + (u - half) / self.box
            v = v * self.box + 1.0 - abs(self.mode - x + 0.5) / half
            return None if v > 1.0 else (floor(x), v)
        if v == 0.0:
            return None
        if u <= both:
            y = floor(self.low + log(v) / self.of_low)
            return None if y < 0 else (y, v * (u - whole) * self.of_low)
        y = floor(self.high - log(v) / self.of_high)
        return None if y > self.n else (y, v * (u - both) * self.of_high)

    def is_accepted(self, y: int, v: float) -> bool:
        n, p, q, mode = self.n, self.p, self.q, self.mode
        spread, k = n * p * q, abs(y - mode)
        if k <= 20 or k >= spread / 2.0 - 1:
            return v <= self._chance(y)
        # v is that of a tail or of the box, where it may be 0 or less: as surely accepted as there is.
        if v <= 0.0:
            return True
        about = (k / spread) * ((k * (k / 3.0 + 0.625) + 1.0 / 6.0) / spread + 0.5)
        normal, a = -k * k / (2 * spread), log(v)
        if a < normal - about:
            return True
        if a > normal + about:
            return False
        x1, f1, z, w = y + 1.0, mode + 1.0, n + 1.0 - mode, n - y + 1.0
        bound = self.middle * log(f1 / x1) + (n - mode + 0.5) * log(z / w)
        bound += (y - mode) * log(w * p / (x1 * q))
        return a <= bound + sum(map(_stirling, (f1, z, x1, w)))

    def _chance(self, y: int) -> float:
        """The chance of y, relative to that of the mode."""
        s = self.p / self.q
        a, chance = s * (self.n + 1), 1.0
        for i in range(self.mode + 1, y + 1):
            chance *= a / i - s
        for i in range(y + 1, self.mode + 1):
            chance /= a / i - s
        return chance


def _stirling(x: float) -> float:
    """What Stirling's formula leaves out."""
    square = x * x
    series = 13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square
    return series / x / 166320.0


def _spread(seed: int) -> list[int]:
    """SeedSequence: four numbers of 64 bits of a seed."""
    words = [seed >> 32 * i & HALF for i in range(max(4, (seed.bit_length() + 31) // 32))]
    factor = 0x43B0D7E5

    def hashed(value: int, by: int) -> int:
        nonlocal factor
        value ^= factor
        factor = factor * by & HALF
        value = value * factor & HALF
        return value ^ value >> 16

    def mixed(one: int, other: int) -> int:
        value = (0xCA01F9DD * one - 0x4973F715 * other) & HALF
        return value ^ value >> 16

    pool = [hashed(word, 0x931E8875) for word in words[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mixed(pool[target], hashed(pool[source], 0x931E8875))
    for word in words[4:]:
        for target in range(4):
            pool[target] = mixed(pool[target], hashed(word, 0x931E8875))
    factor = 0x8B51F9DD
    halves = [hashed(pool[i % 4], 0x58F38DED) for i in range(8)]
    return [halves[i] | halves[i + 1] << 32 for i in range(0, 8, 2)]
