"""Annotators ranked for a human look: who has a reason, and who has none."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stats.annotators.agreement_with_others import TWO_PEOPLE
from stats.annotators.confusion import EstimatedConfusion
from stats.annotators.entries import Entry
from stats.annotators.report import examine
from stats.annotators.robust_z import Measurement, robust_z
from stats.annotators.signals import odds
from stats.multiplicity import holm
from tests.seeds import first_of
from tests.stats.annotators.simulated_people import crowd_at_work, work

DRAWN = {"replicates": 1_000, "seed": 0}


def reasons(entries: list[Entry]) -> dict[str, list[str]]:
    found = examine(entries, **DRAWN)
    return {each.annotator: [one.kind for one in each.reasons] for each in found.people}


@pytest.mark.parametrize("accuracy", [0.94, 0.85])
def test_of_honest_people_fewer_than_one_in_twenty_have_a_reason(accuracy):
    found = [reasons(crowd_at_work(seed, accuracy=accuracy)) for seed in range(3)]

    assert sum(map(len, found)) == 60
    assert sum(bool(each) for table in found for each in table.values()) < 3


@pytest.mark.parametrize("seed", first_of(*range(4)))
def test_who_presses_one_key_or_any_or_reads_nothing_is_ranked_first(seed):
    spammers = {3: "one", 7: "random", 11: "fast"}

    examined = examine(crowd_at_work(seed, spammers=spammers), **DRAWN)

    assert {each.annotator for each in examined.people[:3]} == {"p0003", "p0007", "p0011"}
    first = {each.annotator: each for each in examined.people}
    assert [each.kind for each in first["p0003"].reasons] == ["run of one label"]
    assert "agreement" in [each.kind for each in first["p0007"].reasons]
    assert [each.kind for each in first["p0011"].reasons] == ["speed"]
    assert not any(each.reasons for each in examined.people[3:])


def test_a_reason_is_said_in_words_with_how_rare_it_is():
    examined = examine(crowd_at_work(1, spammers={3: "one"}), **DRAWN)

    (reason,) = examined.people[0].reasons
    assert reason.words.startswith(
        "gave the label plausible 100 times in a row, of 100 labels; probability under honest work: "
    )
    assert reason.words.endswith("(given others' labels)")


@pytest.mark.parametrize("seed", first_of(*range(5)))
@pytest.mark.parametrize("n_people", [3, 6])
def test_nobody_is_the_worse_for_those_whom_they_judge_with(seed, n_people):
    """In a trio with somebody who presses any key, the honest two agree with little of what they meet."""
    entries = crowd_at_work(seed, n_people=n_people, spammers={1: "random"})

    examined = examine(entries, **DRAWN)

    ranked = [(each.annotator, [one.kind for one in each.reasons]) for each in examined.people]
    assert ranked[0][0] == "p0001"
    assert "agreement" in ranked[0][1]
    assert [kinds for _, kinds in ranked[1:] if "agreement" in kinds] == []


def test_of_two_people_nobody_can_say_whose_the_disagreement_is():
    entries = work("p0001", ["plausible"] * 30) + work("p0002", ["malformed"] * 30)

    examined = examine(entries, **DRAWN)

    for person in examined.people:
        (agreement,) = [each for each in person.signals if each.kind == "agreement"]
        assert (agreement.p, agreement.reason) == (None, TWO_PEOPLE)
        assert person.agreement.value == 0
        assert person.leave_one_out.reason == "on no item two others agree with each other"


def test_who_is_alone_has_figures_and_no_signal():
    (person,) = examine(work("p0001", ["plausible"] * 30), **DRAWN).people

    assert person.speed.words_per_minute == pytest.approx(60 * 30 / 8)
    assert [each.p for each in person.signals] == [None] * len(person.signals)
    assert all(each.reason for each in person.signals)
    assert person.agreement.reason == "nobody else judged the same"


def test_of_nobody_there_is_nothing():
    assert examine([], **DRAWN).people == []


def test_what_does_not_count_is_worked_and_not_agreed_on():
    own = work("p0001", ["plausible"] * 10, is_counted=False)

    (person, _) = examine([*own, *work("p0002", ["plausible"] * 10)], **DRAWN).people

    assert person.agreement.value is None
    assert person.speed.n_judgements == 10
    assert person.asked[0].shares == {"plausible": 10}


def known(worker: str, found: int, n: int, by: str) -> list[Entry]:
    labels = ["malformed"] * found + ["plausible"] * (n - found)
    return work(worker, labels, known="malformed", known_by=by, is_counted=False)


@pytest.mark.parametrize(("by", "kinds"), [("control", ["control items"]), ("adjudication", [])])
def test_recall_makes_a_reason_on_controls_and_none_on_what_was_in_dispute(by, kinds):
    entries = known("p0001", 1, 12, by) + known("p0002", 11, 12, by) + known("p0003", 12, 12, by)

    examined = examine(entries, **DRAWN)
    person = next(each for each in examined.people if each.annotator == "p0001")

    assert [each.kind for each in person.reasons] == kinds
    (recall,) = person.recalls
    assert (recall.found, recall.n, recall.found_by_others, recall.n_others) == (1, 12, 23, 24)
    assert recall.p == pytest.approx(stats.hypergeom.cdf(1, 36, 24, 12))
    assert (round(recall.low, 3), round(recall.high, 3)) == (0.009, 0.328)


def test_an_active_time_of_nothing_is_said_and_not_divided_by():
    people = examine(
        [*work("p0001", ["plausible"] * 6, active_seconds=0.0), *work("p0002", ["plausible"] * 6)],
        **DRAWN,
    ).people

    speed = next(each.speed for each in people if each.annotator == "p0001")
    assert (speed.words_per_minute, speed.reason) == (None, "no active time was measured")


def test_work_on_screens_without_words_has_no_speed_a_word():
    (person,) = examine(work("p0001", ["plausible"] * 6, n_words=0), **DRAWN).people

    assert person.speed.per_word is None
    assert person.course == []


def test_speed_is_compared_within_a_batch():
    """The second batch takes ten times as long a word; who worked there only is not slow, nor the others fast."""
    entries = []
    for number in range(12):
        batch, seconds = ("first", 8.0) if number % 2 else ("second", 80.0)
        entries += work(
            f"p{number:04d}", ["plausible"] * 10, batch=batch, active_seconds=seconds + number / 10
        )

    assert not any(reasons(entries).values())


def test_the_confusion_counts_what_most_others_said():
    entries = (
        work("p0001", ["b", "b", "a"])
        + work("p0002", ["a", "b", "a"])
        + work("p0003", ["a", "b", "b"])
    )

    person = next(p for p in examine(entries, **DRAWN).people if p.annotator == "p0001")

    # On the third the others tie.
    assert person.asked[0].confusion.labels == ["a", "b"]
    assert person.asked[0].confusion.counts == [[0, 1], [0, 1]]
    assert person.n_tied == 1
    assert (person.leave_one_out.found, person.leave_one_out.n) == (1, 2)


def test_the_estimated_confusion_tells_who_presses_one_key_from_who_reads():
    examined = examine(crowd_at_work(1, spammers={3: "one"}), **DRAWN)

    by_name = {each.annotator: each.asked[0].confusion for each in examined.people}
    labels = by_name["p0003"].estimated_labels
    at, plausible = labels.index("implausible"), labels.index("plausible")
    assert by_name["p0003"].estimated[at][plausible] > 0.5
    assert by_name["p0000"].estimated[at][at] > 0.7
    assert all(sum(row) == pytest.approx(1) for row in by_name["p0000"].estimated)


def test_with_two_judgements_an_item_there_is_one_accuracy_each():
    (person, *_) = examine(crowd_at_work(1, n_people=4, n_items=30, n_wanted=2), **DRAWN).people

    matrix = person.asked[0].confusion.estimated
    assert "one accuracy for each person" in person.asked[0].confusion.model
    assert matrix[0][0] == pytest.approx(matrix[1][1])


def test_what_is_not_identified_says_why():
    entries = work("p0001", ["a", "b"] * 10) + work("p0002", ["a", "b"] * 10)

    for person in examine(entries, **DRAWN).people:
        assert person.asked[0].confusion.estimated is None
        assert "only two annotators" in person.asked[0].confusion.reason


def test_an_estimated_confusion_comes_in_by_an_argument():
    matrix = [[0.9, 0.1], [0.2, 0.8]]
    entries = work("p0001", ["a", "b"]) + work("p0002", ["a", "b"])

    people = examine(
        entries, estimate=lambda rows: EstimatedConfusion(["a", "b"], {"p0001": matrix}), **DRAWN
    ).people

    assert {each.annotator: each.asked[0].confusion.estimated for each in people} == {
        "p0001": matrix,
        "p0002": None,
    }


def test_the_order_of_the_rows_changes_nothing():
    entries = crowd_at_work(2, n_people=4, n_items=30)

    assert examine(entries, **DRAWN) == examine(entries[::-1], **DRAWN)


def test_everything_found_can_be_kept_as_json_without_nan():
    found = asdict(examine(crowd_at_work(2, n_people=4, n_items=30), **DRAWN))

    assert json.loads(json.dumps(found, allow_nan=False))["n_judgements"] == 120


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holms_values_are_no_smaller_and_in_the_same_order(chances):
    adjusted = holm(chances)

    assert all(after >= before for before, after in zip(chances, adjusted, strict=True))
    in_order = [adjusted[at] for at in sorted(range(len(chances)), key=chances.__getitem__)]
    assert in_order == sorted(in_order)


def test_holms_values_as_computed_by_hand():
    assert holm([0.02, 0.01, 0.04]) == pytest.approx([0.04, 0.03, 0.04])


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.0005, "1 in 2,000"),
        (0.04, "1 in 25"),
        (0.7, "more than 1 in 2"),
        (1 / 123456, "1 in 120,000"),
        (0.0, "less than 1 in a billion"),
    ],
)
def test_odds_are_said_with_two_digits(p, words):
    assert odds(p) == words


def test_a_robust_z_as_computed_by_hand():
    """Median 1.4, MAD .2, d = .29652, .37 * 4 = 1.48 degrees of freedom beside the 4 of h = .3:
    s^2 = (4 * .09 + 1.48 * .087924) / 5.48 = .089439; z = -1.4 / sqrt(.089439 * (1 + pi / 10))."""
    found = robust_z(Measurement(0.0, 0.0, 1), [1.0, 1.2, 1.4, 1.6, 1.8], honest=0.3)

    assert found.z == pytest.approx(-4.0836, abs=1e-3)
    assert found.p == pytest.approx(stats.t.cdf(found.z, 5.48))


@pytest.mark.parametrize("others", [[], [1.0]])
def test_beside_fewer_than_two_there_is_no_z_unless_the_middle_is_known(others):
    assert robust_z(Measurement(1.0, 0.1, 5), others, honest=0.3).reason.startswith(
        "fewer than 2 others"
    )
    assert robust_z(Measurement(-1.0, 0.1, 5), others, honest=0.3, middle=0.0).z < 0


def test_others_who_happen_to_be_alike_make_nobody_far_out():
    assert robust_z(Measurement(0.9, 0.001, 30), [1.0] * 5, honest=0.05).p > 0.05
