"""An answer that several batches could ask about had the chance of being asked about by any of them."""

from dataclasses import replace

import pytest

from exports.rows.items import item_rows, rows_of_items
from exports.verification.program import verify
from sampling.actions import audit_samples
from sampling.audit_samples.rule import AuditRule
from sampling.pools.selection import State
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle, release
from tests.parts import part
from tests.recomputed_tables import table
from tests.sampling.scored_dataset import RULE, draw_pool

CAPPED = replace(RULE, cap_per_turn=1)


def asked(batches):
    """The probability of each answer that a lot of a half decided about, as the rows have it."""
    by_lot = {
        each.text
        for batch in batches
        for each in batch.pool.candidates.filter(inclusion_probability=0.5)
    }
    rows = item_rows(batches, dataset=batches[0].pool.dataset)
    return [row.inclusion_probability for row in rows if row.answer in by_lot]


@part
def by_two_lots(pool, bob, dora):
    """Batches of two pools that each draw one of two answers to the second question."""
    pools = [
        draw_pool(pool.dataset, replace(CAPPED, seed=seed), name=f"lot {seed}") for seed in (1, 2)
    ]
    return [judge_and_settle(launched(each, name=each.name), bob, dora) for each in pools]


def test_of_two_lots_each_was_a_chance(by_two_lots):
    assert asked(by_two_lots) == pytest.approx([3 / 4] * 2)


def test_a_batch_by_itself_has_its_own_chance(by_two_lots):
    (first, _) = by_two_lots

    assert asked([first]) == [0.5]
    rows = rows_of_items(first, [item.pk for item in first.items.all()])
    assert sorted({row.inclusion_probability for row in rows}) == [0.5, 1.0]


def test_what_a_cap_drew_stands_for_itself_where_the_others_were_audited(pool, bob, dora):
    capped = draw_pool(pool.dataset, CAPPED, name="one each")
    first = judge_and_settle(launched(capped), bob, dora)
    rule = AuditRule(capped.name, {State.CAPPED: 9})
    audit = audit_samples.draw(pool=capped, name="audit", rule=rule, by=pool.created_by)
    second = judge_and_settle(launched(audit, name="second"), bob, dora)

    assert set(asked([first, second])) == {1.0}


def test_a_release_weights_by_the_joint_chance_and_its_program_agrees(by_two_lots, tmp_path):
    release(by_two_lots[0], tmp_path / "release")

    outcome = verify(tmp_path / "release")
    assert [str(each) for of in outcome.found.values() for each in of.problems] == []
    chances = {float(row["inclusion_probability"]) for row in table(tmp_path / "release", "items")}
    assert chances == {0.75, 1.0}
