"""Runs of extracted sentences are drawn and judged like others, and stand beside no system anywhere."""

import pytest

from annotation.models import Batch
from exports.leave_one_team_out.queries import redrawn
from exports.meta_evaluation.queries import settled_answers
from exports.missed_answers.queries import audit_strata
from exports.planning.measures import MEASURES
from exports.planning.queries import defaults_of, pilot
from exports.results import tables
from exports.results.stored_figures import RunsFigures
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from jobs.actions import execution, jobs
from sampling.actions import audit_samples, extracted_answers, question_selection
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import REASONS, AuditRule
from sampling.comparisons.rule import ComparisonRule
from scoring.actions import run_tables, value_matrix
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, draw_pool, import_scores

SYSTEMS = {"alder", "birch", "cedar", "dogwood", "echo", "fir"}
SENTENCES = {"extracted", "extracted 2"}


@part
def mixed(pool, folder, bob, dora):
    """A settled batch on a pool that was drawn from systems and from sentences of evidence."""
    dataset = pool.dataset
    execution.run(begin_evidence(pool))
    evidence = pool.study.pools.get(name="evidence")
    execution.run(extracted_answers.begin(pool=evidence, name="extracted", by=pool.created_by))
    scores = {name: [("1_1", 0.9), ("1_2", 0.7)] for name in SENTENCES}
    import_scores(dataset, folder, scores)
    return judge_and_settle(launched(draw_pool(dataset, name="mixed")), bob, dora)


def names(runs):
    return {run.name for run in runs}


def test_they_are_among_the_answers_that_people_judged(mixed):
    rows = answer_rows(mixed.pool.dataset, [mixed], item_rows([mixed]))

    accepted = {row.answer for row in rows if row.run in SENTENCES and row.tier}
    assert accepted == {"It is used to test gold.", "A touchstone is a small dark tablet."}


def test_results_and_pairs_have_systems_only(mixed, alice):
    stored = RunsFigures(mixed.study, mixed.pool.dataset)
    job = jobs.start(
        study=mixed.study, kind="results", key=stored.key, params=stored.params, by=alice
    )
    result = execution.run(job).result

    assert {row["run"] for row in result["per_run"]} == SYSTEMS | SENTENCES
    assert {counts["run"] for counts, _ in tables.run_rates(result)} == SYSTEMS
    for measure in result["runs"]["measures"].values():
        assert {rate["run"] for rate in measure["rates"]} == SYSTEMS
        assert {pair["one"] for pair in measure["pairs"]} <= SYSTEMS


def test_measures_rank_systems_only_and_agree_with_people_about_them(mixed):
    dataset = mixed.pool.dataset

    assert names(run_tables.sorted_runs(dataset)) == SYSTEMS
    assert names(value_matrix.competing_runs(dataset)) == SYSTEMS
    settled = settled_answers(dataset)
    assert set(settled.runs.values()) == SYSTEMS
    assert {run for _, run, _ in settled.answers.values()} == set(settled.runs)


def test_the_figures_of_measures_leave_the_scores_of_sentences_out(mixed, alice):
    dataset = mixed.pool.dataset
    about = {"key": str(dataset), "params": {"dataset": dataset.pk}}
    job = jobs.start(study=mixed.study, kind="measures_against_people", **about, by=alice)

    result = execution.run(job).result

    assert {each["n_runs"] for each in result["measures"]} == {len(SYSTEMS)}
    assert all(each["n_settled"] for each in result["measures"])


def test_a_comparison_of_runs_takes_none(mixed):
    dataset = mixed.pool.dataset
    chosen = question_selection.runs_of(dataset, ComparisonRule("gold"))

    assert not names(chosen) & SENTENCES
    with pytest.raises(PoolError, match="has no run extracted"):
        question_selection.runs_of(dataset, ComparisonRule("gold", runs=("alder", "extracted")))


def test_a_plan_takes_them_for_no_run(mixed):
    batch = Batch.objects.get(pk=mixed.pk)

    assert defaults_of(batch)["runs"] == 3
    assert pilot(batch, MEASURES["plausible"]).n_judgements > 0


def test_what_a_draw_missed_is_estimated_for_systems_only(mixed, alice):
    rule = AuditRule("mixed", dict.fromkeys(REASONS, 9))
    audit = audit_samples.draw(pool=mixed.pool, name="audit", rule=rule, by=alice)

    strata = audit_strata(audit)

    assert {run for each in (strata.drawn, *strata.left_out) for run in each.by_run} <= SYSTEMS


def test_leaving_a_team_out_leaves_no_sentences_out(mixed):
    again = redrawn(mixed.pool.dataset, [mixed], lambda: None)

    assert set(again.without) == {f"\0{name}" for name in SYSTEMS}
    assert ("1_1", "It is used to test gold.") in again.without["\0alder"]
