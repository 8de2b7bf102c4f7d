"""What is promised of random draws from a seed: stats/lots.py."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.design import answer_order
from annotation.rehearsal import annotators
from stats import double_adjudication
from stats.lots import fraction, lot


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.sampled_from("\x1f :"))
def test_a_lot_is_the_sha256_of_the_parts_as_a_number(parts, separator):
    assert lot(*parts, separator=separator) == int(sha256(separator.join(parts)), 16)


def test_numbers_are_parts_as_they_are_written():
    assert lot(-7, "q") == lot("-7", "q") == int(sha256("-7\x1fq"), 16)


def test_parts_do_not_run_into_one_another():
    assert lot("a b", "c") != lot("a", "b c")


def test_fractions_are_spread_evenly():
    values = [fraction(n) for n in range(4_000)]

    assert all(0 <= value < 1 for value in values)
    assert sum(values) / len(values) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_what_was_drawn_before_is_drawn_again(seed):
    """The forms in which the draws of released data were made."""
    by_colon = sorted(range(20), key=lambda position: sha256(f"{seed}:{position}"))
    by_item = sorted(range(1, 6), key=lambda n: sha256(f"answers\x1f{seed}\x1fitem\x1f3\x1f{n}"))
    is_turned = int(sha256(f"pair\x1f{seed}\x1fbatch\x1f3")[:8], 16) % 2

    assert double_adjudication.random_draw(range(20), 0.25, seed) == sorted(by_colon[:5])
    assert (
        answer_order.shuffled_numbers(range(1, 6), seed=seed, item="item", annotator=3) == by_item
    )
    assert answer_order.pair_order(seed=seed, batch="batch", annotator=3) == (
        [2, 1] if is_turned else [1, 2]
    )
    assert annotators.identifier("item", seed).hex[:12] == sha256(f"item\x1f{seed}")[:12]
