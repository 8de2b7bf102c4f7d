"""What a late answer inherits: the verdict on its very text, and nothing from a text with its words."""

from hypothesis import given
from hypothesis import strategies as st

from exports.late_runs.figures import JudgedAnswer, run_figures
from exports.late_runs.queries import Verdicts
from exports.rows.outcomes import Decision
from sampling.pools.late_answers import AskedTurn, Standing, standing
from sampling.pools.rule import Rule

RULE = Rule(scorer="paper", threshold=0.8)
PLAUSIBILITY = st.sampled_from(["plausible", "implausible", "malformed", "disputed", "excluded"])
FAITHFULNESS = st.sampled_from(
    [None, "faithful", "unfaithful", "irrelevant", "no_evidence", "disputed"]
)
TEXTS = st.lists(st.sampled_from(["gold", "Gold.", "slate", "Slate!"]), min_size=1, max_size=2)


def decision(outcome):
    return Decision(outcome, "batch", stands=True)


def verdicts_of(pool):
    """Of a pool with one turn: by text, the outcomes of plausibility and, if it was asked, of faithfulness."""
    return Verdicts(
        {("1_1", text): decision(first) for text, (first, _) in pool.items()},
        {
            ("1_1", text): decision(second)
            for text, (first, second) in pool.items()
            if second and first == "plausible"
        },
    )


def expected(plausible, faithful):
    if plausible in ("implausible", "malformed"):
        return False
    if plausible != "plausible" or faithful == "disputed":
        return None
    return faithful not in ("unfaithful", "irrelevant")


@given(
    st.dictionaries(TEXTS.map(" ".join), st.tuples(PLAUSIBILITY, FAITHFULNESS)), TEXTS.map(" ".join)
)
def test_the_very_text_inherits_its_verdict_and_the_same_bag_none(pool, text):
    found = standing(text, AskedTurn(candidates=pool.keys()), RULE)
    inherited = verdicts_of(pool).is_accepted(("1_1", text))

    if found == Standing.EXACT:
        assert inherited == expected(*pool[text])
    else:
        assert inherited is None
    if found == Standing.SAME_BAG:
        figures = run_figures([JudgedAnswer("1_1", found, is_asked=True, is_accepted=inherited)])
        assert (figures["lower"], figures["upper"], figures["n_open"]) == (0, 1, 1)
