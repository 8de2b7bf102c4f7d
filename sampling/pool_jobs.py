"""The jobs that survey very many answers and draw a pool from them, some turns a chunk."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from audit import events
from corpus.models import Dataset
from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk
from jobs.models import Job
from sampling import queries as sampling_queries
from sampling.actions import pool_chunks
from sampling.actions import pools as pool_actions
from sampling.actions.pools import Keys, PoolError
from sampling.models import Pool
from sampling.pools.rule import Rule
from sampling.pools.selection import DrawResult, State, by_each_state
from sampling.pools.survey_rows import Row, row_of_turn
from scoring.models import Scorer
from scoring.table_jobs import turn_chunks

TURNS_A_CHUNK = 500
ANSWERS_A_CHUNK = 10_000


def plan(job: Job) -> list[PlannedChunk]:
    return turn_chunks(job, TURNS_A_CHUNK)


def survey(job: Job, params: Mapping[str, Any], beat: Beat) -> list[Row]:
    turns = sampling_queries.turn_answers(
        Dataset.objects.get(pk=job.params["dataset"]),
        Scorer.objects.get(pk=job.params["scorer"]),
        params["turns"],
    )
    beat()
    bag, runs, near = job.params["bag"], job.params["runs"], job.params.get("near")
    return [row_of_turn(turn, bag, runs, near) for turn in turns]


def keep_rows(job: Job, params: Mapping[str, Any], rows: list[Row]) -> dict[str, Any]:
    return {"rows": rows}


def end_of_survey(job: Job) -> dict[str, Any]:
    scorer = Scorer.objects.get(pk=job.params["scorer"])
    rule_fields = {field: job.params[field] for field in ("bag", "near") if field in job.params}
    return {"scorer": scorer.short, **rule_fields, "n_runs": len(job.params["runs"])}


def pool_of(job: Job) -> Pool:
    pools = Pool.objects.select_related("dataset", "study", "scorer")
    pool = pools.filter(pk=job.params["pool"]).first()
    if pool is None:
        raise JobFailedError(
            f"the pool {job.key} was drawn again by another rule: its own job builds it"
        )
    return pool


def plan_drawing(job: Job) -> list[PlannedChunk]:
    """Return chunks of turns with some thousand answers at most, written in one transaction."""
    return turn_chunks(job, max(1, min(TURNS_A_CHUNK, ANSWERS_A_CHUNK // len(job.params["runs"]))))


def draw(job: Job, params: Mapping[str, Any], beat: Beat) -> tuple[DrawResult, Keys]:
    pool = pool_of(job)
    result = pool_chunks.draw(pool, job.params["runs"], params["turns"], job.params.get("chosen"))
    beat()
    return result, pool_actions.keys_of(pool.dataset, params["turns"])


def write(job: Job, params: Mapping[str, Any], computed: tuple[DrawResult, Keys]) -> dict[str, Any]:
    result, keys = computed
    pool = pool_of(job)
    try:
        pool_actions.write(pool, result, keys)
    except PoolError as error:
        raise JobFailedError(str(error)) from error
    counts = pool_actions.pool_counts(Rule.from_dict(pool.rule), result)
    return counts | ({"odds": dict(result.odds)} if result.odds else {})


def end_of_drawing(job: Job) -> dict[str, Any]:
    """Store the counts and make the pool visible."""
    pool = pool_of(job)
    parts = [chunk.result for chunk in job.chunks.all()]
    fields = ["n_candidates", "n_turns", "n_score_conflicts"]
    if "near" in pool.rule:
        fields.append("n_merged")
    if "n_turns" in pool.rule:
        fields.append("n_turns_not_drawn")
    counts: dict[str, Any] = {field: sum(part[field] for part in parts) for field in fields}
    n_answers = {state: sum(part["n_answers"].get(state, 0) for part in parts) for state in State}
    counts["n_answers"] = {state.value: n for state, n in by_each_state(n_answers).items()}
    pool.odds |= {turn: odds for part in parts for turn, odds in part.get("odds", {}).items()}
    pool.counts, pool.built_at = counts, timezone.now()
    pool.save(update_fields=["counts", "odds", "built_at"])
    by = job.created_by
    events.record(study=pool.study, by=by, verb="drew", target=pool, rule=pool.rule, **counts)
    return {"pool": pool.name, **counts}


SURVEY_ANSWERS = Handler(plan=plan, compute=survey, save=keep_rows, finish=end_of_survey)
DRAW_POOL = Handler(plan=plan_drawing, compute=draw, save=write, finish=end_of_drawing)
