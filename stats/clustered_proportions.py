"""Shares, and paired differences of shares, of questions that come in clusters.

The turns of a conversation are alike, so they are worth fewer independent ones. With a number x of
each question (1 or 0 for a share; 1, 0 or -1 for a difference), the mean m over N questions, and the
sum s and the number n of the questions of each of C clusters,

    deff = max(1, C / (C - 1) · Σ (s - m·n)² / N²  /  (Σ (x - m)² / N(N - 1)))

is the variance of the mean by clusters over that of independent questions (the design effect, Kish
1965, Survey Sampling). An interval for independent questions (`stats.proportion_intervals`) is right
for these with N / deff in place of N and Student's t, C - 1 degrees of freedom, in place of z: for a
share Korn & Graubard 1998, Survey Methodology 24:193-201. As these intervals depend on z²/N only,
that is the same as

    z = t · √deff

With one question a cluster this is the interval for independent questions, with its z. If all x are
equal, deff is 0/0; the questions of a cluster then count as one, deff = N / C.

The test that m is 0 flips the sign of whole clusters (`stats.sign_flip`). It is another one than
that of the interval: p can be below .05 where the interval has 0, and above where it has not.
`python -m bench.coverage --only conversations` measures both.

Undefined: a single cluster of several questions.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Self

from stats.clusters import SINGLE_CLUSTER, Cluster, itself
from stats.proportion_intervals import Interval, Z, wilson
from stats.sign_flip import sign_flip


def share_interval(outcomes: Mapping[str, bool], cluster: Cluster = itself) -> Interval:
    """Return the interval of the share of the questions of which it holds."""
    return cluster_sums(outcomes, cluster).interval_of_share()


def cluster_sums(outcomes: Mapping[str, bool], cluster: Cluster) -> "ClusterSums":
    return ClusterSums.of((cluster(question), int(holds)) for question, holds in outcomes.items())


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """The sums and numbers of clusters' values, and the sum of their squares."""

    sums: tuple[int, ...]
    sizes: tuple[int, ...]
    squares: int

    @classmethod
    def of(cls, values: Iterable[tuple[Hashable, int]]) -> Self:
        """Return the sums of these values, each with its cluster. Their order changes no figure."""
        sums: dict[Hashable, int] = {}
        sizes: dict[Hashable, int] = {}
        squares = 0
        for cluster, value in values:
            sums[cluster] = sums.get(cluster, 0) + value
            sizes[cluster] = sizes.get(cluster, 0) + 1
            squares += value * value
        return cls(tuple(sums.values()), tuple(sizes.values()), squares)

    @property
    def n(self) -> int:
        return sum(self.sizes)

    @property
    def n_clusters(self) -> int:
        return len(self.sizes)

    @property
    def is_independent(self) -> bool:
        """Whether each cluster has one question."""
        return self.n == self.n_clusters

    @property
    def design_effect(self) -> float | None:
        """1 for independent questions; None for a single cluster of several, and without any."""
        n, n_clusters, total = self.n, self.n_clusters, sum(self.sums)
        if self.is_independent:
            return 1.0 if n else None
        if n_clusters == 1:
            return None
        # times n², so that sums of whole numbers are exact
        spread = n * self.squares - total * total
        if not spread:
            return n / n_clusters
        between = sum(
            (n * s - total * size) ** 2 for s, size in zip(self.sums, self.sizes, strict=True)
        )
        return max(1.0, n_clusters / (n_clusters - 1) * between * (n - 1) / (spread * n * n))

    @property
    def critical_value(self) -> float | None:
        """The z of an interval; None for a single cluster of several questions, and without any."""
        from stats.distributions import student_t_quantile  # noqa: PLC0415  scipy: only where a job counts

        if self.is_independent:
            return Z if self.n else None
        deff = self.design_effect
        return None if deff is None else student_t_quantile(0.975, self.n_clusters - 1) * sqrt(deff)

    def interval_of_share(self) -> Interval:
        """The interval of the mean of values of 1 and 0."""
        z = self.critical_value
        if z is None:
            return Interval(None, None, SINGLE_CLUSTER if self.n else "no items")
        return wilson(sum(self.sums), self.n, z)

    def sign_flip_p(self) -> float | None:
        """The p of the mean 0; None if every cluster sums to 0, and for a single cluster."""
        return None if self.n_clusters < 2 else sign_flip(self.sums, seed=0).p
