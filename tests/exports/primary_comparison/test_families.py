"""Only what was named is primary, and Holm's correction is over that alone."""

from exports.primary_comparison.families import notes, with_families
from stats.multiplicity import holm
from tests.cases import all_cases

RUNS = ("alder", "birch"), ("alder", "cedar"), ("birch", "cedar")
P = (0.02, 0.03, 0.9)


def pair(one, other, p, p_holm):
    is_told_apart = p_holm is not None and p_holm <= 0.05
    return {"one": one, "other": other, "p": p, "p_holm": p_holm, "is_told_apart": is_told_apart}


def setup(pool="gold", p=P):
    pairs = [pair(*runs, *each) for runs, *each in zip(RUNS, p, holm(p), strict=True)]
    return {"pool": pool, "apart": {name: {"pairs": pairs} for name in ("both", "preference")}}


def primary(**changed):
    named = {
        "pool": "gold",
        "measure": "both",
        "pairs": [],
        "named_at": "2026-01-31T12:05:09.000000Z",
        "n_judgements": 0,
        "earlier": [],
    }
    return named | changed


def of(setups, measure="both", place=0):
    pairs = setups[place]["apart"][measure]["pairs"]
    return [(each["family"], each["p_holm"], each["is_told_apart"]) for each in pairs]


def test_without_a_primary_comparison_all_is_exploratory_and_stays_as_it_was():
    found = with_families([setup()], None)

    assert of(found) == [
        ("exploratory", 0.06, False),
        ("exploratory", 0.06, False),
        ("exploratory", 0.9, False),
    ]


def test_of_named_pairs_the_correction_is_over_them_alone():
    """By hand: of .02 and .9 the first is doubled; among three it was tripled. The order of the two runs is free."""
    found = with_families([setup()], primary(pairs=[["birch", "alder"], ["birch", "cedar"]]))

    assert of(found) == [
        ("primary", 0.04, True),
        ("exploratory", 0.06, False),
        ("primary", 0.9, False),
    ]
    assert {family for family, *_ in of(found, "preference")} == {"exploratory"}


def test_another_pool_is_exploratory():
    found = with_families([setup(), setup("retrieved")], primary())

    assert {family for family, *_ in of(found)} == {"primary"}
    assert {family for family, *_ in of(found, place=1)} == {"exploratory"}


def test_a_pair_without_p_is_no_test_of_the_family():
    found = with_families([setup(p=(0.04, None, None))], primary())

    assert of(found)[0] == ("primary", 0.04, True)
    assert of(found)[1] == ("primary", None, False)


@all_cases(
    ("named", "said"),
    [
        (None, "No primary comparison was named: all tests of differences here are exploratory."),
        (primary(), "named on 2026-01-31 12:05 UTC, before any judgement on its pool."),
        (
            primary(n_judgements=1),
            "after 1 judgement on its pool: it was not planned before the data.",
        ),
        (
            primary(pairs=[["alder", "birch"]]),
            "Primary comparison: F+A, pool gold, alder and birch.",
        ),
        (primary(pool="other"), "None of the batches here is on that pool"),
        (
            primary(earlier=[primary(measure="faithful")]),
            "Named before it and replaced: Faithful, pool gold (2026-01-31 12:05 UTC).",
        ),
    ],
)
def test_what_was_named_and_when_is_said(named, said):
    assert said in " ".join(notes(named, ["gold"], ()))


def test_without_all_its_batches_nothing_is_primary():
    said = " ".join(notes(primary(), ["gold"], (), ["more"]))

    assert "It rests on more than is here, on more: all tests" in said
    assert "All other tests" not in said


def test_that_looking_often_finds_differences_is_said_while_batches_are_open():
    assert "Not closed yet: ratings." in notes(None, ["gold"], ["ratings"])[-1]
    assert notes(None, ["gold"], ()) == notes(None, ["gold"], ())[:1]
