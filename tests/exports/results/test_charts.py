"""Where things stand in the pictures of runs."""

from exports.results.charts import bar_pieces, marks
from exports.results.wording import FATES, fate_counts, group_sentences
from stats.paired_order import sorted_pairs


def rate(run, value, low, high, bounds=None):
    interval = {"low": low, "high": high}
    none = {"low": None, "high": None}
    return {
        "run": run,
        "value": value,
        "interval": interval,
        "people_interval": none,
        "bounds": bounds,
    }


def test_a_mark_is_a_share_of_the_width():
    first, second = marks(
        [{"rate": rate("a", 0.5, 0.25, 0.75, (0.4, 0.6))}, {"rate": rate("b", None, None, None)}]
    )

    assert (first.value, first.low, first.width) == (50, 25, 50)
    assert (first.least, first.span) == (40, 20)
    assert (second.value, second.width, second.span) == (None, None, None)


def test_the_pieces_of_a_bar_stand_one_after_the_other():
    pieces = bar_pieces([("a", 1), ("b", 0), ("c", 3)], 8)

    assert [(each.name, each.left, each.width) for each in pieces] == [
        ("a", 0, 12.5),
        ("c", 12.5, 37.5),
    ]


def test_the_fates_add_up_to_what_was_drawn():
    row = dict.fromkeys(
        ("disputed", "excluded", "too_few_judgements", "skipped_by_all", "unjudged"), 1
    ) | {"gold": 2, "silver": 1, "plausible": 5, "implausible": 3, "malformed": 1}

    counts = dict(fate_counts(row))

    assert counts == dict(zip(FATES, (2, 1, 2, 4, 5), strict=True))


def test_pairs_are_sorted_by_p_and_those_without_stand_last():
    def pair(p, difference):
        return {"p": p, "difference": difference}

    found = sorted_pairs([pair(None, None), pair(1, 0.1), pair(0.01, 0.1), pair(1, -0.3)])

    assert [(each["p"], each["difference"]) for each in found] == [
        (0.01, 0.1),
        (1, -0.3),
        (1, 0.1),
        (None, None),
    ]


def test_gold_is_gold_and_nothing_else_is():
    assert FATES["gold"] == "bar-gold"
    assert FATES["silver"] == "bar-silver"
    assert len(set(FATES.values())) == len(FATES)


def test_runs_that_do_not_differ_are_named_in_a_sentence():
    rates = [rate("a", 0.9, None, None), rate("b", 0.8, None, None)]

    assert group_sentences({"rates": rates, "groups": [["a", "b"]]}) == [
        "a and b do not differ significantly."
    ]
    assert group_sentences({"rates": rates, "groups": [["a"], ["b"]]})[0].startswith(
        "a differs significantly"
    )
    assert group_sentences({"rates": rates[:1], "groups": [["a"]]}) == []
