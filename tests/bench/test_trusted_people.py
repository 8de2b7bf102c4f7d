"""A small run of bench/trusted_people.py: whom a training lets in, and what it is worth."""

import sys

from bench import trusted_people as bench
from stats.qualification import Rule

RULE = Rule(min_answers=30, accuracy=0.6)


def test_good_people_are_let_in_and_bad_ones_are_not():
    crowds = bench.only_let_in(0.9, RULE, 20)

    n_good, of_good = bench.let_in_of(crowds, bench.GOOD)
    n_bad, of_bad = bench.let_in_of(crowds, bench.RANDOM, bench.ONE_KEY)
    assert (of_good, of_bad) == (20 * 14, 20 * 6)
    assert n_good / of_good >= 0.9
    assert n_bad / of_bad <= 0.05


def test_a_bar_of_eight_tenths_keeps_out_most_good_people():
    crowds = bench.only_let_in(0.9, Rule(min_answers=30, accuracy=0.8), 20)

    n_good, of_good = bench.let_in_of(crowds, bench.GOOD)
    assert n_good / of_good < 0.6


def test_verdicts_of_the_trusted_are_right_more_often_than_those_of_everyone():
    crowd = bench.crowd_of(0.9, seed=1)

    found = bench.found(
        crowd,
        RULE,
        prevalence=bench.PREVALENCES["equally common"],
        each=3,
        settled_by="majority",
        n_items=100,
    )

    assert found.let_in <= bench.numbers_of(crowd, bench.GOOD)
    assert found.trusted.accuracy > found.everyone.accuracy + 0.1


def test_it_says_how_many_right_answers_the_bar_asks_for():
    assert bench.n_needed(30, 0.6) == 23
    assert bench.n_needed(10, 0.9) is None


def test_every_row_has_its_columns(monkeypatch, capsys):
    monkeypatch.setattr(bench, "N_ITEMS", 20)
    monkeypatch.setattr(bench, "RULES", bench.RULES[:1])
    monkeypatch.setattr(sys, "argv", ["bench.trusted_people", "--crowds", "2"])

    bench.main()

    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows if row.startswith(("| keyed", "| 30"))} == {9}
    assert {row.count("|") for row in rows if row.startswith(("| labels", "| as", "| eq"))} == {11}
