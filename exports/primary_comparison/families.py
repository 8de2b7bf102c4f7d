"""Which tests of a comparison are primary, and which exploratory. Imports no Django.

Holm's correction is within the primary family: the pairs of the measure and pool that the study named. The tests of
another measure or pool are exploratory, and so are pairs that were not named; they keep Holm's correction over all
pairs of their measure and setup, which does not bound false differences over several measures and setups.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exports.primary_comparison.measures import COMPARED
from stats.multiplicity import LEVEL, holm

Json = dict[str, Any]
PRIMARY, EXPLORATORY = "primary", "exploratory"
ALL_EXPLORATORY = "all tests of differences here are exploratory"
NOT_NAMED = f"No primary comparison was named: {ALL_EXPLORATORY}."
ELSEWHERE = f"None of the batches here is on that pool: {ALL_EXPLORATORY}."
EXPLORATORY_REST = "All other tests of differences are exploratory."
OFTEN = (
    "Tests that are computed again while judgements come in, until one is significant, find differences where there"
    " are none more often than in 5 % of studies."
)


def with_families(setups: Sequence[Json], primary: Mapping[str, Any] | None) -> list[Json]:
    """Return the setups with the `family` of each pair, and p_holm and is_told_apart of primary ones within it."""
    return [
        setup
        | {
            "apart": {
                measure: apart
                | {"pairs": _pairs(apart["pairs"], _is_named(primary, setup["pool"], measure))}
                for measure, apart in setup["apart"].items()
            }
        }
        for setup in setups
    ]


def _is_named(primary: Mapping[str, Any] | None, pool: str, measure: str) -> list[set[str]] | bool:
    """Return whether all pairs are primary, or which ones."""
    if primary is None or (primary["pool"], primary["measure"]) != (pool, measure):
        return False
    return [{*pair} for pair in primary["pairs"]] or True


def _pairs(pairs: Sequence[Json], named: list[set[str]] | bool) -> list[Json]:
    is_primary = [
        named if isinstance(named, bool) else {pair["one"], pair["other"]} in named
        for pair in pairs
    ]
    adjusted = iter(holm([pair["p"] for pair, own in zip(pairs, is_primary, strict=True) if own]))
    return [
        _primary(pair, next(adjusted)) if own else pair | {"family": EXPLORATORY}
        for pair, own in zip(pairs, is_primary, strict=True)
    ]


def _primary(pair: Json, p_holm: float | None) -> Json:
    is_told_apart = p_holm is not None and p_holm <= LEVEL
    return pair | {"family": PRIMARY, "p_holm": p_holm, "is_told_apart": is_told_apart}


def notes(
    primary: Mapping[str, Any] | None,
    pools: Sequence[str],
    open_batches: Sequence[str],
    left_out: Sequence[str] = (),
) -> list[str]:
    """Return what is said of the tests wherever they are: sentences, without markup.

    `left_out` are the batches of the primary comparison that these tests do not rest on.
    """
    return [*_of_primary(primary, pools, left_out), *_of_open(open_batches)]


def _of_primary(
    primary: Mapping[str, Any] | None, pools: Sequence[str], left_out: Sequence[str]
) -> Iterator[str]:
    if primary is None:
        yield NOT_NAMED
        return
    pairs = [" and ".join(pair) for pair in primary["pairs"]]
    measure = COMPARED[primary["measure"]]
    yield f"Primary comparison: {measure}, pool {primary['pool']}, {'; '.join(pairs) or 'all pairs'}."
    yield f"It was named on {minute(primary['named_at'])} UTC, {_when(primary['n_judgements'])}."
    if primary["earlier"]:
        listed = "; ".join(
            f"{COMPARED[each['measure']]}, pool {each['pool']} ({minute(each['named_at'])} UTC)"
            for each in primary["earlier"]
        )
        yield f"Named before it and replaced: {listed}."
    if primary["pool"] in pools and left_out:
        yield f"It rests on more than is here, on {', '.join(left_out)}: {ALL_EXPLORATORY}."
    else:
        yield EXPLORATORY_REST if primary["pool"] in pools else ELSEWHERE


def _of_open(open_batches: Sequence[str]) -> Iterator[str]:
    if open_batches:
        yield f"Not closed yet: {', '.join(open_batches)}. {OFTEN}"


def _when(n_judgements: int) -> str:
    if not n_judgements:
        return "before any judgement on its pool"
    plural = "" if n_judgements == 1 else "s"
    return (
        f"after {n_judgements:,} judgement{plural} on its pool: it was not planned before the data"
    )


def minute(timestamp: str) -> str:
    """Return the time to the minute.

    >>> minute("2026-01-31T12:05:09.000000Z")
    '2026-01-31 12:05'
    """
    return timestamp[:16].replace("T", " ")
