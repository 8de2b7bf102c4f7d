"""The pages that come first are tested on the same data as those of exports."""

from tests.exports.conftest import (
    alice,
    bob,
    carol,
    dora,
    faithfulness,
    plausibility,
    pool,
    study,
    world,
)

__all__ = [
    "alice",
    "bob",
    "carol",
    "dora",
    "faithfulness",
    "plausibility",
    "pool",
    "study",
    "world",
]
