"""Simulated annotators: annotation/rehearsal/annotators.py. Golden values were computed with hashlib by hand."""

import hashlib
import uuid
from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import schemes
from annotation.rehearsal import annotators
from annotation.rehearsal.annotators import EPOCH
from annotation.rehearsal.claims import ClaimsByRound, ClaimsInOrder

PREVALENCE = {"plausible": 0.9, "implausible": 0.05, "malformed": 0.05}
LABELS = tuple(PREVALENCE)
parts = st.lists(st.one_of(st.integers(), st.text()), min_size=1, max_size=4)


def hidden(n: int, scheme: str = "plausibility", seed: int = 1) -> str:
    return annotators.hidden_label(
        scheme=scheme, seed=seed, text_sha256=f"{n:064x}", prevalence=PREVALENCE
    )


def simulated_label(n: int, accuracy: float, truth: str = "plausible", annotator: int = 1) -> str:
    return annotators.simulated_label(
        seed=1, annotator=annotator, item=n, truth=truth, accuracy=accuracy, labels=LABELS
    )


@given(parts)
def test_a_fraction_lies_in_the_half_open_unit_interval_and_follows_from_its_parts(parts):
    at = annotators.fraction(*parts)

    assert 0 <= at < 1
    assert annotators.fraction(*parts) == at


def test_a_fraction_is_the_first_seven_bytes_of_the_parts_digest():
    digest = hashlib.sha256(b"hidden\x1f1").digest()

    assert annotators.fraction("hidden", 1) == int.from_bytes(digest[:7], "big") / 2**56


def test_fractions_are_spread_evenly():
    tenths = Counter(int(annotators.fraction("even", n) * 10) for n in range(10_000))

    # Chi-squared with 9 degrees of freedom stays under 27.9 in 999 of 1,000 cases.
    assert sum((tenths[tenth] - 1000) ** 2 / 1000 for tenth in range(10)) < 27.9


def test_parts_do_not_run_into_each_other():
    assert annotators.fraction("a", "bc") != annotators.fraction("ab", "c")
    assert annotators.identifier("a", "bc") != annotators.identifier("ab", "c")


def test_hidden_labels_come_with_the_stated_prevalence():
    labels = Counter(hidden(n) for n in range(10_000))

    assert labels["plausible"] == pytest.approx(9000, abs=90)
    assert labels["implausible"] == pytest.approx(500, abs=65)
    assert labels["malformed"] == pytest.approx(500, abs=65)


@pytest.mark.parametrize("name", ["plausibility", "faithfulness"])
def test_the_stated_prevalence_is_nine_tenths_and_two_times_a_twentieth(name):
    scheme = schemes.get(name)

    assert sorted(scheme.prevalence.values()) == [0.05, 0.05, 0.9]
    assert scheme.prevalence[scheme.accepted] == 0.9


def test_texts_found_plausible_are_not_all_faithful():
    """The scheme takes part in the draw."""
    plausible = [n for n in range(2000) if hidden(n) == "plausible"]
    again = Counter(hidden(n, scheme="faithfulness") for n in plausible)

    assert again["plausible"] / len(plausible) == pytest.approx(0.9, abs=0.03)


def test_another_seed_hides_other_labels():
    assert [hidden(n) for n in range(200)] != [hidden(n, seed=2) for n in range(200)]


def test_a_prevalence_that_rounds_to_less_than_one_still_gives_a_label():
    label = annotators.hidden_label(
        scheme="s", seed=1, text_sha256="", prevalence={"a": 0.0, "b": 0.0}
    )

    assert label == "b"


@given(st.integers(0, 10**6), st.sampled_from(LABELS))
def test_who_is_always_right_says_the_truth_and_who_never_is_says_another_label(n, truth):
    assert simulated_label(n, accuracy=1.0, truth=truth) == truth
    assert simulated_label(n, accuracy=0.0, truth=truth) in set(LABELS) - {truth}


def test_people_are_right_as_often_as_their_accuracy_says_and_else_evenly_wrong():
    labels = Counter(simulated_label(n, accuracy=0.8) for n in range(10_000))

    assert labels["plausible"] == pytest.approx(8000, abs=120)
    assert labels["implausible"] == pytest.approx(1000, abs=90)
    assert labels["malformed"] == pytest.approx(1000, abs=90)


def test_two_people_do_not_err_on_the_same_items():
    both = sum(
        simulated_label(n, 0.5) == simulated_label(n, 0.5, annotator=2) == "plausible"
        for n in range(4000)
    )

    assert both == pytest.approx(1000, abs=110)


@given(st.integers(), st.integers(0, 50), st.text())
def test_a_judgement_takes_between_five_and_forty_seconds_in_whole_milliseconds(
    seed, annotator, item
):
    took = annotators.seconds(seed=seed, annotator=annotator, item=item)

    assert 5 <= took <= 40
    assert took == round(took, 3)


def test_time_goes_on_in_whole_milliseconds():
    assert annotators.time_after(annotators.EPOCH, 12.345) - annotators.EPOCH == timedelta(
        seconds=12, milliseconds=345
    )


def test_an_identifier_follows_from_its_parts_and_has_the_form_of_a_random_one():
    digest = hashlib.sha256(b"item\x1f1").digest()

    made = annotators.identifier("item", 1)

    assert made == uuid.UUID(bytes=digest[:16], version=4)
    assert (made.version, made.variant) == (4, uuid.RFC_4122)
    assert made != annotators.identifier("item", 2)


# Who judges what when


def schedule(
    n_places: list[int],
    n_annotators: int,
    most_each: int = 99,
    handed_out=ClaimsInOrder,
    barred=None,
) -> list[annotators.Work]:
    return annotators.schedule(
        items=range(len(n_places)),
        claims=handed_out(n_places, barred),
        n_annotators=n_annotators,
        most_each=most_each,
        seed=1,
    )


crowds = {
    "n_places": st.lists(st.integers(0, 4), max_size=12),
    "n_annotators": st.integers(1, 6),
    "most_each": st.integers(0, 12),
    "handed_out": st.sampled_from([ClaimsInOrder, ClaimsByRound]),
}


@given(**crowds)
def test_no_place_is_filled_twice_and_nobody_judges_an_item_twice(
    n_places, n_annotators, most_each, handed_out
):
    works = schedule(n_places, n_annotators, most_each, handed_out)

    of_items = Counter(work.index for work in works)
    assert all(of_items[index] <= n for index, n in enumerate(n_places))
    assert len({(work.annotator, work.index) for work in works}) == len(works)
    assert all(n <= most_each for n in Counter(work.annotator for work in works).values())


@given(**crowds)
def test_nobody_stops_while_there_is_a_place_that_they_could_fill(
    n_places, n_annotators, most_each, handed_out
):
    works = schedule(n_places, n_annotators, most_each, handed_out)

    of_items = Counter(work.index for work in works)
    left = {index for index, n in enumerate(n_places) if of_items[index] < n}
    for annotator in range(1, n_annotators + 1):
        own = {work.index for work in works if work.annotator == annotator}
        assert len(own) == most_each or left <= own


@given(**crowds, barred=st.dictionaries(st.integers(1, 6), st.sets(st.integers(0, 11)), max_size=6))
def test_who_is_barred_from_items_judges_all_others_that_have_a_place(
    n_places, n_annotators, most_each, handed_out, barred
):
    works = schedule(n_places, n_annotators, most_each, handed_out, barred)

    of_items = Counter(work.index for work in works)
    left = {index for index, n in enumerate(n_places) if of_items[index] < n}
    for annotator in range(1, n_annotators + 1):
        own = {work.index for work in works if work.annotator == annotator}
        assert not own & barred.get(annotator, set())
        assert len(own) == most_each or left <= own | barred.get(annotator, set())


@given(**crowds)
def test_the_round_of_a_judgement_is_how_many_the_item_had_before(
    n_places, n_annotators, most_each, handed_out
):
    had = Counter()
    for work in schedule(n_places, n_annotators, most_each, handed_out):
        assert work.round == had[work.index]
        had[work.index] += 1


def test_in_rounds_every_item_is_judged_once_before_any_is_judged_again():
    works = schedule([2] * 20, 3, handed_out=ClaimsByRound)

    assert [work.round for work in works] == [0] * 20 + [1] * 20
    assert [work.index for work in works[:20]] == list(range(20))


def test_each_annotator_works_without_a_pause_and_the_first_free_judges_next():
    works = schedule([2] * 20, 3)

    assert [work.annotator for work in works[:3]] == [1, 2, 3]
    assert [work.index for work in works[:3]] == [0, 0, 1]
    assert [work.began_at for work in works] == sorted(work.began_at for work in works)
    for annotator in (1, 2, 3):
        own = [work for work in works if work.annotator == annotator]
        assert own[0].began_at == EPOCH
        assert [work.began_at for work in own[1:]] == [work.done_at for work in own[:-1]]
        for work in own:
            took = annotators.seconds(seed=1, annotator=annotator, item=work.index)
            assert work.active_seconds == took
            assert work.done_at == annotators.time_after(work.began_at, took)
