"""Every item names all runs that gave its very text, whatever pools and versions ask about it: verify.py holds it to that."""

from dataclasses import replace

import pytest

from exports.verification.program import verify
from sampling.actions import top_ups
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle, release
from tests.exports.releases.test_versions import mended, new_version, rows, scores_of  # noqa: F401
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import RULE, draw_pool, import_scores

TABLET = "A tablet to test gold."
# The third turn has no reference: all that people were asked about is the same.
OTHER_QUESTION = mended(3, Truth_rewrite="Who then invented it?")


@pytest.fixture
def released(tmp_path):
    """The folder of the release of the batch's version, which verifies itself."""

    def make(batch, **options):
        release(batch, tmp_path / "release", **options)
        found = verify(tmp_path / "release").found
        assert [str(each) for of in found.values() for each in of.problems] == []
        return tmp_path / "release"

    return make


@pytest.fixture
def later(plausibility, new_version, tmp_path):  # noqa: F811
    """The next version, with scores; all that was judged is the same in it."""
    made = new_version(OTHER_QUESTION)
    import_scores(made, tmp_path, scores_of(made))
    return made


def runs_of(folder, text):
    """The runs of each item that asks about the text."""
    return {row["batch"]: row["runs"] for row in rows(folder, "items") if row["answer"] == text}


def topped_up(pool, folder, people, run="kestrel"):
    late = create_late_run(pool.dataset, folder, run)
    drawn = top_ups.draw(pool=pool, run=late, name=f"with {run}", by=pool.created_by)
    return judge_and_settle(launched(drawn, name=f"with {run}"), *people)


def test_a_late_run_is_named_by_the_items_of_an_earlier_version_too(
    plausibility, later, released, tmp_path, bob, dora
):
    """Its answer stands as the candidate of a pool of its own version, which asked about the text again."""
    again = draw_pool(later, RULE, name="again")
    judge_and_settle(launched(again, name="again"), bob, dora)

    folder = released(topped_up(again, tmp_path, (bob, dora)))

    named = runs_of(folder, TABLET)
    assert named.keys() == {plausibility.name, "again"}
    assert set(named.values()) == {"alder|cedar|kestrel"}


def test_so_it_is_where_its_answer_stands_in_an_earlier_version(
    plausibility, later, released, tmp_path, bob, dora
):
    """A pool of its own version asks about the text only after its top-up."""
    first = draw_pool(
        later,
        replace(RULE, runs=frozenset({"birch"})),
        name="first",
    )
    judge_and_settle(launched(first, name="first"), bob, dora)
    topped_up(first, tmp_path, (bob, dora))
    again = draw_pool(
        later,
        replace(RULE, runs=frozenset({"alder", "birch", "cedar"})),
        name="again",
    )

    folder = released(judge_and_settle(launched(again, name="again"), bob, dora))

    named = runs_of(folder, TABLET)
    assert named.keys() == {plausibility.name, "again"}
    assert set(named.values()) == {"alder|cedar|kestrel"}


@pytest.mark.parametrize("left_out", [(), ("one",)])
def test_of_pools_that_were_drawn_from_other_runs_those_in_the_release_name_them_all(
    left_out, plausibility, released, tmp_path, bob, dora
):
    create_late_run(plausibility.pool.dataset, tmp_path, "kestrel")
    rule = replace(RULE, runs=frozenset({"kestrel"}))
    one = draw_pool(plausibility.pool.dataset, rule, name="one")
    batch = judge_and_settle(launched(one, name="one"), bob, dora)

    named = runs_of(released(batch, left_out=left_out), TABLET)

    both = dict.fromkeys((plausibility.name, "one"), "alder|cedar|kestrel")
    assert named == ({plausibility.name: "alder|cedar"} if left_out else both)
