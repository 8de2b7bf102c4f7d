"""Rules in words: how a rule shares its questions out among strata, at the end of a sentence."""

import pytest

from sampling.comparisons.rule import ComparisonRule
from sampling.pools.rule import Rule
from sampling.templatetags.sampling import division


def test_a_rule_without_strata_divides_nothing():
    assert division(Rule("paper", 0.5, n_turns=3)) == ""
    assert division(ComparisonRule("gold")) == ""


@pytest.mark.parametrize(
    ("strata", "kinds"),
    [
        (("part",), "the file of their split"),
        (("part", "length"), "the file of their split and their length"),
        (
            ("answerable", "part", "length"),
            "whether a reference answers them, the file of their split and their length",
        ),
    ],
)
def test_strata_are_listed_as_a_sentence_lists_them(strata, kinds):
    rule = ComparisonRule("gold", strata=strata, allocation="equal")

    assert division(rule) == f", stratified by {kinds}, allocated equally"


def test_the_one_stratum_of_a_pool_s_rule_is_named():
    rule = Rule("paper", 0.5, n_turns=3, strata="question_word")

    assert division(rule) == ", stratified by the first word of the question, allocated by size"
