"""What a release that was read back accepted is known of a late run: it is exact, and accepted."""

import pytest

from exports.late_runs import queries
from exports.rows.outcomes import Decision
from tests.annotation.pools import launched
from tests.corpus.read_back import read_foreign_release
from tests.corpus.release_folders import accepted
from tests.exports.missed_answers.test_views import judged_by
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool

BASALT = {2: [accepted("Basalt.", "silver")]}


@pytest.fixture
def make(study, tmp_path, bob, dora):
    def version(earlier, labels=None, **manifest):
        """The version with a judged pool; kestrel and gale came after it was drawn."""
        made = read_foreign_release(
            create_scored_dataset(study, tmp_path), tmp_path, earlier, **manifest
        )
        judged_by(launched(draw_pool(made)), (bob, dora), labels or {})
        for name in ("gale", "kestrel"):
            create_late_run(made, tmp_path, name)
        return made

    return version


def rows_of(dataset):
    return {row["run"]: row for row in queries.late_runs(dataset, lambda: None)}


def test_what_an_earlier_release_accepted_is_exact_and_accepted(make):
    kestrel = rows_of(make(BASALT))["kestrel"]

    assert kestrel["standings"]["exact"] == 2
    assert (kestrel["coverage"], kestrel["lower"], kestrel["upper"]) == (1, 1, 1)
    assert (kestrel["n_to_ask"], kestrel["top_ups"]) == (0, [])


def test_without_it_the_same_answer_is_new(make):
    kestrel = rows_of(make({2: [accepted("Slate.", "silver")]}))["kestrel"]

    assert (kestrel["standings"]["exact"], kestrel["standings"]["new"]) == (1, 1)
    assert (kestrel["n_open"], kestrel["n_to_ask"]) == (1, 1)


def test_nobody_is_asked_about_it_in_a_top_up(make):
    gale = rows_of(make(BASALT))["gale"]

    assert (gale["standings"]["exact"], gale["standings"]["same_bag"]) == (1, 1)
    assert gale["n_to_ask"] == 1


@pytest.mark.parametrize(
    ("outcome", "is_accepted"),
    [("implausible", False), ("plausible", True), ("disputed", True), ("unjudged", True)],
)
def test_what_people_decided_here_goes_before_it(outcome, is_accepted):
    text = ("1_1", "gold")
    decided = {text: Decision(outcome, "batch", stands=True)}

    assert queries.Verdicts(decided, {}, {text: "gold"}).is_accepted(text) is is_accepted


def test_a_rehearsed_release_counts_in_rehearsals_only(make):
    kestrel = rows_of(make(BASALT, is_rehearsal=True))["kestrel"]

    assert (kestrel["standings"]["exact"], kestrel["n_accepted"]) == (1, 1)
