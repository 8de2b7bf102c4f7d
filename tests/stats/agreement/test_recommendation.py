"""Which figure to quote, and why."""

import pytest

from stats.agreement.annotator_bootstrap import annotator_intervals
from stats.agreement.cohen_kappa import cohen_kappa
from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import gwet_ac1, prevalence, raw_agreement, raw_wilson
from stats.agreement.recommendation import Recommendation, recommendation
from stats.interval_coverage import ALPHA, COHEN, NEARLY, ORDINAL, caution
from tests.cases import all_cases
from tests.stats.agreement.codings import (
    FLEISS_1971,
    cohen_example,
    krippendorff_example,
    table,
)

NUMBERS = {str(n): float(n) for n in range(1, 6)}


def advised(judgements, *, on_a_scale=False) -> Recommendation:
    level = "ordinal" if on_a_scale else "nominal"
    workers = judgements.workers
    return recommendation(
        raw=raw_agreement(judgements),
        wilson=raw_wilson(judgements),
        alpha=krippendorff_alpha(judgements, level=level, values=NUMBERS),
        ac1=gwet_ac1(judgements),
        cohen=cohen_kappa(judgements, workers) if len(workers) == 2 else None,
        prevalence=prevalence(judgements),
        people=annotator_intervals(judgements, level=level, values=NUMBERS),
        on_a_scale=on_a_scale,
    )


def test_always_the_same_two_people_is_cohens_kappa():
    said = advised(cohen_example())

    assert said.figure == "cohen"
    assert said.beside == ()
    assert said.sentence.startswith("Quote Cohen's κ = 0.400, 95 % interval 0.1")
    assert said.sentence.endswith(
        "over 50 questions for these 2 people only: it was always the same two people."
    )


def test_different_people_is_krippendorffs_alpha():
    said = advised(krippendorff_example())

    assert said.figure == "alpha"
    assert "alpha (nominal) = 0.743" in said.sentence
    assert said.sentence.endswith("not everybody judged every item, which it allows for.")


def test_five_people_have_an_interval_for_others_like_them_in_the_sentence():
    judgements = table(FLEISS_1971)
    others = annotator_intervals(judgements).alpha

    said = advised(judgements)

    ends = f"{others.low:.3f} to {others.high:.3f}"
    assert f" for these 6 people and {ends} for other people like them: 6 people" in said.sentence


def test_four_people_say_nothing_of_others():
    said = advised(table(["aaab", "abbb", "aabb", "bbbb"] * 10))

    assert " over 40 questions for these 4 people only: " in said.sentence


def test_conversations_are_what_an_interval_and_its_caution_count():
    columns = {"task": [], "worker": [], "label": [], "question": [], "cluster": []}
    for number, labels in enumerate(["aa", "ab", "bb"] * 20):
        for worker, label in zip("vw", labels, strict=True):
            row = (f"t{number}", worker, label, f"q{number}", f"c{number // 4}")
            for column, cell in zip(columns.values(), row, strict=True):
                column.append(cell)

    said = advised(Judgements.from_columns(**columns))

    assert " over 15 conversations with 60 questions for these 2 people only: " in said.sentence
    assert said.caution.startswith("It rests on 15 conversations: under 30")


def test_more_than_two_who_judged_everything_is_alpha_too():
    said = advised(table(FLEISS_1971))

    assert said.figure == "alpha"
    assert "6 people judged every item" in said.sentence


@pytest.mark.parametrize(
    ("judged", "figure"),
    [(["aa"] * 45 + ["ab"] * 5, "cohen"), (["aaa"] * 45 + ["aab"] * 5, "alpha")],
)
def test_where_one_label_prevails_raw_agreement_and_ac1_stand_beside_it(judged, figure):
    said = advised(table(judged))

    assert (said.figure, said.beside) == (figure, ("raw", "ac1"))
    assert "Show raw agreement (0." in said.sentence
    assert "% of what was said is a," in said.sentence


def test_four_fifths_is_not_yet_a_label_that_prevails():
    assert advised(table(["aa"] * 38 + ["ab"] * 4 + ["bb"] * 8)).beside == ()


def test_one_category_only_is_raw_agreement_with_wilsons_interval():
    said = advised(table(["aa"] * 50))

    assert said.figure == "raw"
    assert "raw agreement = 1.000, Wilson's 95 % interval 0.929 to 1.000" in said.sentence
    assert "undefined (one category only)" in said.sentence


def test_one_category_among_many_judgements_has_no_interval_and_says_so():
    said = advised(table(["aaa"] * 50))

    assert "without an interval (all replicates are equal)" in said.sentence


def test_where_two_people_agree_on_pairs_and_a_third_label_stands_alone():
    said = advised(table(["aa", "aa", "b"]))

    assert (said.figure, said.beside) == ("raw", ())


def test_on_a_scale_it_is_the_ordinal_alpha():
    said = advised(krippendorff_example(), on_a_scale=True)

    assert said.figure == "alpha"
    assert "(ordinal) = 0.815" in said.sentence
    assert "on a scale" in said.sentence


@pytest.mark.parametrize(
    ("judged", "reason"),
    [
        ([], "no judgements"),
        (["a"], "a single annotator"),
        ([["a", None], [None, "b"]], "no item has two judgements"),
    ],
)
def test_without_pairs_there_is_nothing_to_quote(judged, reason):
    said = advised(table(judged))

    assert said == Recommendation(None, (), f"There is nothing to quote: {reason}.", None)


@all_cases(
    ("n", "said"),
    [
        (1, None),  # and no interval either
        (4, "It rests on 4 questions: under 30, do not trust the interval."),
        (29, "It rests on 29 questions: under 30, do not trust the interval."),
        (30, f"It rests on 30 questions; the interval {caution(COHEN[False], 30)}."),
        (99, f"It rests on 99 questions; the interval {caution(COHEN[False], 99)}."),
        (100, None),
    ],
)
def test_few_questions_are_a_caution_with_what_was_measured(n, said):
    judged = [["aa", "ab", "bb"][number % 3] for number in [0, 0, 1, *range(297)]]

    found = advised(table(judged, questions=[f"q{number % n}" for number in range(300)]))

    assert found.caution == said


@pytest.mark.parametrize(
    ("judged", "measured", "on_a_scale"),
    [
        (["aaa"] * 37 + ["aab"] * 3, ALPHA[True], False),
        (["aaa"] * 20 + ["bbb"] * 17 + ["aab"] * 3, ALPHA[False], False),
        (["aa"] * 36 + ["ab"] * 2 + ["bb"] * 2, COHEN[True], False),
        (["111"] * 37 + ["122"] * 3, ORDINAL, True),
    ],
    ids=["alpha, one label prevails", "alpha", "Cohen, one label prevails", "a scale"],
)
def test_the_caution_is_what_was_measured_of_the_figure_that_is_quoted(
    judged, measured, on_a_scale
):
    said = advised(table(judged), on_a_scale=on_a_scale)

    assert said.caution == f"It rests on 40 questions; the interval {caution(measured, 40)}."


def test_where_an_interval_covered_too_little_it_is_said_from_100_questions_on_too(monkeypatch):
    monkeypatch.setitem(ALPHA, False, {30: 90.0, 100: 92.0, 500: 95.0})

    said = advised(table(["aaa"] * 60 + ["bbb"] * 50 + ["aab"] * 10))

    assert said.caution == (
        "It rests on 120 questions; the interval may cover less than 95 %:"
        " in simulation 92.0 % at 100 questions, 95.0 % at 500."
    )


@pytest.mark.parametrize("n", [100, 2_000])
def test_where_people_agree_on_nearly_everything_raw_agreement_and_ac1_are_cautioned_of(n):
    of_all = [["aaa", "aaa", "aaa", "bbb"][number % 4] for number in range(n - 2)]

    said = advised(table([*of_all, "aab", "bba"]))

    assert said.figure == "alpha"
    assert said.caution == (
        "People agree on nearly everything; the interval of raw agreement, or AC1,"
        f" {caution(NEARLY, n)}."
    )


def test_below_30_questions_it_is_said_once():
    said = advised(table(["aaa"] * 19 + ["bbb"] * 9 + ["aab"]))

    assert said.caution == "It rests on 29 questions: under 30, do not trust the interval."
