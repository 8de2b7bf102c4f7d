"""A pool on a later version leaves out what people were asked about, and who gave that is credited."""

from dataclasses import replace

import pytest

from annotation.actions import rehearsals, withdrawn_batches
from corpus.actions import later_carry_over, withdrawn_runs
from exports.meta_evaluation.queries import settled_answers
from exports.releases.choice import Choice
from exports.releases.queries import changes
from exports.withdrawals import actions as withdrawals
from exports.withdrawals.queries import rests_on_pool
from jobs.actions import execution, jobs
from sampling.actions import pool_chunks, pool_draws, surveys
from sampling.actions.pools import PoolError
from sampling.models import Pool
from tests.annotation.pools import candidates_of, launched
from tests.corpus.imports import answer, create_run
from tests.exports.judged_batches import judge_and_settle
from tests.exports.releases.test_versions import (
    MENDED_REFERENCE,
    WITHOUT_STANDING,
    mended,
    new_version,  # noqa: F401  a fixture
    released,
    rows,
    scores_of,
)
from tests.sampling.scored_dataset import RULE, create_scored_dataset, draw_pool, import_scores

# All that people were asked about is the same: the third turn has no reference.
OTHER_QUESTION = mended(3, Truth_rewrite="Who then invented it?")


@pytest.fixture
def later(new_version, tmp_path):  # noqa: F811
    """A version with the scores of the one before, and with a run that came since."""

    def make(turns, *, late_run=False):
        made = new_version(turns)
        if late_run:
            create_run(made, tmp_path, [answer(2, "Black.")], name="gale")
        import_scores(made, tmp_path, scores_of(made))
        return made

    return make


def drawn_turns(pool):
    return {str(each.turn.key) for each in candidates_of(pool)}


def runs_of(folder, text):
    [item] = [row for row in rows(folder, "items") if row["answer"] == text]
    return item["runs"].split("|")


def answer_of(folder, run, turn="1_2"):
    [row] = [row for row in rows(folder, "answers") if (row["run"], row["turn_id"]) == (run, turn)]
    return row["sampled"], row["plausibility"]


def test_a_pool_that_nobody_was_asked_about_stands_for_nothing(pool, later):
    drawn = draw_pool(later(MENDED_REFERENCE), WITHOUT_STANDING, name="drawn")

    assert drawn_turns(drawn) == {"1_1", "1_2"}


def test_nor_does_one_that_only_simulated_people_judged(pool, later):
    batch = launched(pool)
    rehearsals.rehearse(batch=batch, n_annotators=3, accuracy=0.9, seed=1, by=batch.created_by)

    drawn = draw_pool(later(MENDED_REFERENCE), WITHOUT_STANDING, name="drawn")

    assert drawn_turns(drawn) == {"1_1", "1_2"}


def test_nor_one_whose_batch_was_withdrawn(plausibility, later):
    withdrawn_batches.withdraw(batch=plausibility, reason="hasty", by=plausibility.created_by)

    drawn = draw_pool(later(MENDED_REFERENCE), WITHOUT_STANDING, name="drawn")

    assert drawn_turns(drawn) == {"1_1", "1_2"}


def test_a_batch_that_is_withdrawn_while_a_pool_is_drawn_asks_to_draw_again(
    plausibility, later, monkeypatch
):
    after = later(MENDED_REFERENCE)
    keys_of = pool_draws.keys_of

    def withdrawing(*args):
        withdrawn_batches.withdraw(batch=plausibility, reason="hasty", by=plausibility.created_by)
        return keys_of(*args)

    monkeypatch.setattr(pool_draws, "keys_of", withdrawing)

    with pytest.raises(PoolError, match="draw again"):
        draw_pool(after, WITHOUT_STANDING, name="drawn")
    assert not Pool.objects.filter(name="drawn").exists()


def test_the_desk_counts_anew_when_a_batch_that_answers_stand_in_is_withdrawn(plausibility, later):
    after = later(OTHER_QUESTION)
    scorer = pool_draws.scorer_by_name(RULE.scorer, after)

    def n_candidates():
        return surveys.survey(after, scorer, RULE.bag).under(WITHOUT_STANDING).n_candidates

    assert n_candidates() == 0
    withdrawn_batches.withdraw(batch=plausibility, reason="hasty", by=plausibility.created_by)
    assert n_candidates() == plausibility.pool.counts["n_candidates"]


def test_before_a_pool_is_withdrawn_the_pools_that_left_out_its_answers_are_named(
    plausibility, later
):
    assert not any("left out" in each for each in rests_on_pool(plausibility.pool))

    draw_pool(later(MENDED_REFERENCE), WITHOUT_STANDING, name="drawn")

    said = "Pools of later versions that left out what stands in it: drawn."
    assert said in rests_on_pool(plausibility.pool)


@pytest.mark.parametrize("cap", [None, 1])
def test_a_job_draws_what_a_request_draws_without_what_stands(plausibility, later, cap):
    after = later(OTHER_QUESTION)
    rule = replace(WITHOUT_STANDING, cap_per_turn=cap)
    at_once = Pool.objects.get(pk=draw_pool(after, rule, name="at once").pk)

    execution.run(
        pool_chunks.begin(
            study=after.study, dataset=after, name="parts", rule=rule, by=after.created_by
        )
    )

    parts = Pool.objects.get(name="parts")
    assert (parts.counts, parts.odds) == (at_once.counts, at_once.odds)
    fates = [
        sorted(pool.fates.values_list("answer", "state", "candidate")) for pool in (parts, at_once)
    ]
    assert fates[0] == fates[1]
    assert bool(parts.odds) == bool(cap)


def test_a_run_of_a_version_without_a_pool_is_credited_in_the_next(
    plausibility, bob, dora, later, tmp_path
):
    later(MENDED_REFERENCE, late_run=True)
    third = later(mended(1, Truth_answer="A touchstone is a dark tablet."))
    drawn = draw_pool(third, WITHOUT_STANDING, name="drawn")
    judge_and_settle(launched(drawn, name="second"), bob, dora)

    released(third, tmp_path / "out")

    assert answer_of(tmp_path / "out", "gale") == ("drawn", "plausible")
    assert "gale" in runs_of(tmp_path / "out", "Black.")


def test_a_run_that_the_earlier_pool_was_not_drawn_from_is_credited(
    study, bob, dora, later, tmp_path
):
    dataset = create_scored_dataset(study, tmp_path)
    of_one_run = draw_pool(dataset, replace(RULE, runs=frozenset({"alder"})))
    judge_and_settle(launched(of_one_run), bob, dora)
    after = later(mended(2, Truth_answer="As dark as soot."))
    drawn = draw_pool(after, WITHOUT_STANDING, name="drawn")
    judge_and_settle(launched(drawn, name="second"), bob, dora)

    released(after, tmp_path / "out")

    assert answer_of(tmp_path / "out", "cedar", "1_1") == ("drawn", "plausible")
    assert runs_of(tmp_path / "out", "A tablet to test gold.") == ["alder", "cedar"]


def test_a_run_keeps_its_credit_when_it_comes_to_the_earlier_version_too(
    plausibility, bob, dora, later, tmp_path, alice
):
    after = later(MENDED_REFERENCE, late_run=True)
    drawn = draw_pool(after, WITHOUT_STANDING, name="drawn")
    judge_and_settle(launched(drawn, name="second"), bob, dora)
    released(after, tmp_path / "before")

    create_run(after.continues, tmp_path, [answer(2, "Black.")], name="gale")
    job = jobs.start(
        study=after.study, kind="carry_over", key="x", params={"dataset": after.pk}, by=alice
    )
    staged = later_carry_over.stage(dataset=after, by=alice, job=job, beat=lambda: None)
    assert later_carry_over.publish(staged=staged, by=alice)["carried"]["same_runs"] == ["gale"]
    released(after, tmp_path / "after")

    for table in ("items", "answers", "per_run"):
        assert rows(tmp_path / "after", table) == rows(tmp_path / "before", table)


def test_a_pool_of_which_all_stands_credits_the_run_that_came_later(plausibility, later, tmp_path):
    after = later(OTHER_QUESTION, late_run=True)
    drawn = draw_pool(after, WITHOUT_STANDING, name="drawn")
    assert drawn.counts["n_candidates"] == 0

    released(after, tmp_path / "out")

    assert answer_of(tmp_path / "out", "gale") == ("drawn", "plausible")
    assert "gale" in runs_of(tmp_path / "out", "Black.")


def test_an_answer_that_only_a_later_run_still_gives_stays_accepted_and_is_told_so_before(
    plausibility, later, tmp_path
):
    after = later(OTHER_QUESTION, late_run=True)
    draw_pool(after, WITHOUT_STANDING, name="drawn")
    withdrawn_runs.withdraw(
        run=after.runs.get(name="alder"), reason="wrong file", by=after.created_by
    )

    told = changes(Choice(after, is_rehearsal=False))
    made = released(after, tmp_path / "out")

    assert runs_of(tmp_path / "out", "Black.") == ["gale"]
    assert told.accepted == made.report["accepted"]


def test_the_tables_agree_on_a_run_that_only_a_withdrawn_pool_credited(
    plausibility, later, tmp_path
):
    after = later(OTHER_QUESTION, late_run=True)
    drawn = draw_pool(after, WITHOUT_STANDING, name="drawn")
    withdrawals.withdraw_pool(pool=drawn, by=drawn.created_by, reason="by mistake")

    released(after, tmp_path / "out")

    assert answer_of(tmp_path / "out", "gale") == ("not_in_pool", "")
    assert "gale" not in runs_of(tmp_path / "out", "Black.")


@pytest.mark.parametrize(
    "later_rule",
    [
        {},
        {"cap_per_turn": 1, "seed": 2},
        {"cap_per_turn": 1, "seed": 5},
        {"n_turns": 1},
    ],
)
def test_what_stands_had_its_chance_in_the_later_pool_too(
    study, bob, dora, later, tmp_path, later_rule
):
    """Weights are those of a later pool that asks again."""
    dataset = create_scored_dataset(study, tmp_path)
    judge_and_settle(launched(draw_pool(dataset, replace(RULE, cap_per_turn=1, seed=1))), bob, dora)
    after = later(OTHER_QUESTION)
    weights = []
    for leaves_out in (False, True):
        rule = replace(RULE, **{"seed": 1, **later_rule}, leaves_out_standing=leaves_out)
        pool = draw_pool(after, rule, name=f"leaves out: {leaves_out}")
        if pool.counts["n_candidates"]:
            batch = judge_and_settle(launched(pool, name=pool.name), bob, dora)
        weights.append(settled_answers(after).weights)
        if not leaves_out:
            withdrawn_batches.withdraw(batch=batch, reason="twice", by=batch.created_by)

    assert weights[1] == pytest.approx(weights[0])
