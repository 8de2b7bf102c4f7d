"""A pool topped up with the answers of a run that came later."""

from functools import partial

import pytest

from accounts.permissions import NotAllowedError
from corpus.models import Run
from exports.withdrawals.queries import rests_on_pool
from sampling import late_run_queries, top_up_queries
from sampling.actions import audit_samples, pool_draws, top_ups
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import AuditRule
from sampling.models import Candidate, Fate, Pool
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from tests.acts_at_once import at_once
from tests.corpus.imports import answer, create_run
from tests.parts import part
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import RULE, draw_pool, import_scores


@part
def pool(dataset) -> Pool:
    """ "A tablet to test gold.", "Black." and "Green."."""
    return draw_pool(dataset)


@part
def gale(pool, folder) -> Run:
    """The tablet in other words, a new answer, and one on a turn that is not asked."""
    return create_late_run(pool.dataset, folder, "gale")


def top_up(pool, run, name="top-up"):
    return top_ups.draw(pool=pool, run=run, name=name, by=pool.created_by)


def texts(pool):
    return {(each.turn.key, each.text) for each in Candidate.objects.filter(pool=pool)}


def test_it_draws_what_is_new_or_has_the_words_of_a_candidate(pool, gale):
    drawn = top_up(pool, gale)

    assert texts(drawn) == {("1_1", "gold: a tablet to TEST!"), ("1_2", "Basalt.")}
    assert (drawn.scorer, drawn.dataset) == (pool.scorer, pool.dataset)
    assert drawn.counts["n_candidates"] == 2


def test_it_draws_by_the_rule_of_the_pool_what_a_turn_with_enough_candidates_has(dataset, tmp_path):
    pool = draw_pool(dataset, Rule(scorer="paper", threshold=0.8, min_candidates=2, seed=7))
    gale = create_late_run(dataset, tmp_path, "gale")

    drawn = top_up(pool, gale)

    # Turn 1 has one candidate and is not asked about; turn 2 has enough without gale.
    assert texts(drawn) == {("1_2", "Basalt.")}
    rule = Rule.from_dict(drawn.rule)
    assert (rule.threshold, rule.seed, rule.runs) == (0.8, 7, frozenset(["gale"]))


def test_below_the_threshold_nothing_is_drawn(pool, tmp_path):
    with pytest.raises(PoolError, match=r"no answer is above the threshold 0\.8 of the pool pool"):
        top_up(pool, create_late_run(pool.dataset, tmp_path, "iris"))


def test_what_inherits_a_verdict_or_is_the_reference_is_not_asked_again(pool, tmp_path):
    with pytest.raises(PoolError, match="there is nothing to ask about the run hazel"):
        top_up(pool, create_late_run(pool.dataset, tmp_path, "hazel"))


def test_nothing_is_drawn_twice(pool, gale):
    top_up(pool, gale)

    with pytest.raises(PoolError, match="asked about already in top-up"):
        top_up(pool, gale, name="again")


def test_drawing_it_again_names_the_top_up_that_asks_already(pool, tmp_path):
    """An answer above the threshold is left, which has the words of the reference: no threshold would draw it."""
    texts_and_scores = [("A dark stone is a touchstone!", 0.99), ("Basalt.", 0.85)]
    given = [answer(n, text) for n, (text, _) in enumerate(texts_and_scores, start=1)]
    run = create_run(pool.dataset, tmp_path, given, name="willow")
    scores = [(f"1_{n}", score) for n, (_, score) in enumerate(texts_and_scores, start=1)]
    import_scores(pool.dataset, tmp_path, {"willow": scores})
    top_up(pool, run)

    with pytest.raises(PoolError) as error:
        top_up(pool, run, "again")

    assert str(error.value) == (
        "there is nothing left to ask about the run willow: the pool top-up asks about its answers already, and no"
        " other answer is above the threshold 0.8 of the pool pool and differs from the reference and the question"
    )


def test_what_is_exactly_a_candidate_stands_in_it_as_that_candidate(pool, tmp_path):
    kestrel = create_late_run(pool.dataset, tmp_path, "kestrel")

    drawn = top_up(pool, kestrel)

    assert texts(drawn) == {("1_2", "Basalt.")}
    fates = {fate.answer.turn.key: fate for fate in Fate.objects.filter(pool=drawn)}
    assert {turn: fate.state for turn, fate in fates.items()} == {
        "1_1": State.STANDS,
        "1_2": State.DRAWN,
    }
    assert fates["1_1"].candidate.pool == pool
    assert fates["1_1"].candidate.text == "A tablet to test gold."
    assert (drawn.counts["n_candidates"], drawn.counts["n_answers"]["stands"]) == (1, 1)


def test_so_does_what_another_top_up_asks_about(pool, tmp_path):
    first = top_up(pool, create_late_run(pool.dataset, tmp_path, "gale"))

    second = top_up(pool, create_late_run(pool.dataset, tmp_path, "juniper"), name="second")

    assert texts(second) == {("1_1", "A pebble.")}
    stands = Fate.objects.get(pool=second, state=State.STANDS)
    assert (stands.candidate.pool, stands.candidate.text) == (first, "Basalt.")
    assert any("second" in each for each in rests_on_pool(first))


def test_of_two_that_are_drawn_at_the_same_moment_the_second_is_refused(pool, gale, monkeypatch):
    draw = top_up_queries.draws.draw

    def while_another_is_drawn(*args):
        monkeypatch.setattr(top_up_queries.draws, "draw", draw)
        top_up(pool, gale, name="first")
        return draw(*args)

    monkeypatch.setattr(top_up_queries.draws, "draw", while_another_is_drawn)

    with pytest.raises(PoolError, match="the pool first was drawn in this moment, and asks about"):
        top_up(pool, gale, name="second")
    assert list(Pool.objects.exclude(pk=pool.pk).values_list("name", flat=True)) == ["first"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_that_are_drawn_at_once_ask_about_nothing_twice(pool, gale):
    """Both are drawn before either is written."""
    draws = [partial(top_up, pool, gale, name=name) for name in ("first", "second")]

    first, refused = at_once(pool.study, *draws)

    assert isinstance(refused, PoolError)
    assert "the pool first was drawn in this moment, and asks about 2 of the 2" in str(refused)
    assert list(Pool.objects.exclude(pk=pool.pk)) == [first]
    assert texts(first) == {("1_1", "gold: a tablet to TEST!"), ("1_2", "Basalt.")}


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_runs_topped_up_at_once_the_second_is_told_to_look_again(pool, gale, tmp_path):
    """Both answer "Basalt.", which one pool asks about."""
    juniper = create_late_run(pool.dataset, tmp_path, "juniper")

    first, refused = at_once(
        pool.study, *(partial(top_up, pool, run, name=run.name) for run in (gale, juniper))
    )

    assert "the pool gale was drawn in this moment, and asks about 1 of the 2" in str(refused)
    assert texts(top_up(pool, juniper)) & texts(first) == set()


def test_a_run_that_comes_while_the_pool_is_drawn_is_late(dataset, tmp_path, monkeypatch):
    keys_of = pool_draws.keys_of

    def while_a_run_comes(*args):
        create_late_run(dataset, tmp_path, "gale")
        return keys_of(*args)

    monkeypatch.setattr(pool_draws, "keys_of", while_a_run_comes)
    pool = draw_pool(dataset)

    assert [run.name for run in late_run_queries.late_runs(pool)] == ["gale"]
    assert texts(top_up(pool, dataset.runs.get(name="gale")))


def test_a_run_that_was_withdrawn_when_the_pool_was_drawn_is_late_once_it_is_back(dataset):
    dataset.runs.filter(name="fir").update(is_withdrawn=True)
    pool = draw_pool(dataset)
    dataset.runs.filter(name="fir").update(is_withdrawn=False)

    assert [run.name for run in late_run_queries.late_runs(pool)] == ["fir"]


def test_its_answers_have_a_fate_in_it_and_the_others_none(pool, gale):
    drawn = top_up(pool, gale)

    fates = Fate.objects.filter(pool=drawn)
    assert {(fate.answer.run.name, fate.state) for fate in fates} == {("gale", State.DRAWN)}
    assert len(fates) == 2


def test_a_run_without_scores_is_to_be_scored_first(pool, tmp_path):
    late = create_run(pool.dataset, tmp_path, [answer(2, "Basalt.")], name="juniper")

    with pytest.raises(PoolError, match="no answer of the run juniper was scored by paper"):
        top_up(pool, late)


def test_a_run_that_was_there_is_not_late(pool):
    with pytest.raises(PoolError, match="the run alder is not late"):
        top_up(pool, pool.dataset.runs.get(name="alder"))


def test_a_top_up_or_an_audit_sample_cannot_be_topped_up(pool, gale):
    rule = AuditRule(pool.name, {State.BELOW_THRESHOLD: 1})
    audit = audit_samples.draw(pool=pool, name="audit", rule=rule, by=pool.created_by)

    with pytest.raises(PoolError, match="is a top-up itself"):
        top_up(top_up(pool, gale), gale, name="again")
    with pytest.raises(PoolError, match="was not drawn from runs by a rule"):
        top_up(audit, gale, name="again")


def test_the_name_of_a_pool_is_not_taken_twice(pool, gale):
    with pytest.raises(PoolError, match="there is a pool pool already"):
        top_up(pool, gale, name="pool")


def test_only_a_requester_draws_it(pool, gale, bob):
    with pytest.raises(NotAllowedError):
        top_ups.draw(pool=pool, run=gale, name="top-up", by=bob)


def test_an_answer_on_a_turn_drawn_by_lot_has_the_turns_probability(dataset, tmp_path):
    """Of two turns one was drawn."""
    rule = Rule(scorer="paper", threshold=0.8, min_candidates=1, n_turns=1, seed=3)
    pool = draw_pool(dataset, rule)
    drawn = top_up(pool, create_late_run(dataset, tmp_path, "gale"))

    (candidate,) = Candidate.objects.filter(pool=drawn)
    assert candidate.inclusion_probability == 0.5
    drawn.refresh_from_db()
    assert drawn.odds == {candidate.turn.key: [0.5, 1.0]}
    assert candidate.turn.key in pool.odds


def test_it_is_a_pool_like_others_for_its_rule_draws_itself_again(pool, gale):
    drawn = top_up(pool, gale)

    again = pool_draws.preview(
        study=pool.study, dataset=pool.dataset, rule=Rule.from_dict(drawn.rule), by=pool.created_by
    )

    assert {(each.turn, each.text) for each in again.candidates} == texts(drawn)
    assert RULE.threshold == Rule.from_dict(drawn.rule).threshold
