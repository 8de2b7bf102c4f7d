"""A rehearsed batch on a top-up credits no run in real tables."""

from annotation.models import Batch
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from exports.rows.shown_answers import pools_leaving_out, released_batches
from sampling.actions import top_ups
from tests.annotation.pools import launched
from tests.exports.missed_answers.test_views import judged_by
from tests.sampling.late_runs import create_late_run


def credited(dataset, run):
    """The answers that the run is credited with, by items.csv and by answers.csv."""
    batches = list(released_batches(dataset, is_rehearsal=False))
    items = item_rows(batches, dataset=dataset)
    return (
        {row.answer for row in items if run in row.runs.split("|")},
        {
            row.answer
            for row in answer_rows(dataset, batches, items)
            if row.run == run and row.sampled == "drawn"
        },
    )


def test_a_rehearsed_batch_on_the_top_up_credits_no_run_in_a_real_release(
    pool, bob, dora, alice, tmp_path
):
    judged_by(launched(pool), (bob, dora), {})
    run = create_late_run(pool.dataset, tmp_path, "kestrel")
    drawn = top_ups.draw(pool=pool, run=run, name="top-up", by=alice)
    batch = judged_by(launched(drawn, name="more"), (bob, dora), {})
    real = credited(pool.dataset, "kestrel")

    Batch.objects.filter(pk=batch.pk).update(is_rehearsal=True)
    rehearsed = credited(pool.dataset, "kestrel")

    both = {"A tablet to test gold.", "Basalt."}
    assert real == (both, both)
    assert rehearsed == (set(), set())


def test_such_a_top_up_counts_among_rehearsed_batches(pool, bob, dora, alice, tmp_path):
    judged_by(launched(pool), (bob, dora), {})
    run = create_late_run(pool.dataset, tmp_path, "kestrel")
    drawn = top_ups.draw(pool=pool, run=run, name="top-up", by=alice)
    batch = judged_by(launched(drawn, name="more"), (bob, dora), {})
    Batch.objects.filter(pk=batch.pk).update(is_rehearsal=True)

    found = {
        is_rehearsal: list(pools_leaving_out(pool.dataset, is_rehearsal=is_rehearsal))
        for is_rehearsal in (False, True)
    }

    assert found == {False: [], True: [drawn]}
