"""Draw a comparison of runs: their answers to some questions, side by side, with a setup's passages."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset
from jobs.actions import jobs
from jobs.models import Job
from sampling.actions import question_selection
from sampling.actions.pools import PoolError, new_pool
from sampling.actions.question_selection import ComparisonSelection, choose, rule_with_runs, runs_of
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Candidate, Fate, Pool, PoolPassage, Purpose
from sampling.pools.selection import State
from scoring import queries as scoring_tables
from scoring.text_hashes import text_sha256

KIND = "draw_comparison"


def draw_comparison(
    *, study: Study, dataset: Dataset, name: str, rule: ComparisonRule, by: User
) -> tuple[Pool, list[str]]:
    """Draw a comparison as a pool of its own. Return it with warnings as sentences.

    The same rule on the same answers draws the same pool, whatever the order of turns and runs.
    Raises PoolError if there is nothing to draw from, or the name is taken, and ValidationError if
    the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    _require_free(study, name)
    pool = record(study=study, dataset=dataset, name=name, selection=choose(dataset, rule), by=by)
    return pool, list(pool.counts["warnings"])


def outlook(
    *, study: Study, dataset: Dataset, rule: ComparisonRule, by: User
) -> question_selection.Outlook:
    """Return the contents of the draw without writing it.

    Raises PoolError if the rule names an unknown run.
    """
    permissions.require_reader(by, study, Role.REQUESTER)
    return question_selection.outlook(dataset, rule)


def is_at_once(dataset: Dataset, rule: ComparisonRule) -> bool:
    """Return whether the runs have few enough answers to draw within a request."""
    return (
        sum(run.n_answers for run in runs_of(dataset, rule)) <= scoring_tables.MOST_ANSWERS_AT_ONCE
    )


def begin(*, study: Study, dataset: Dataset, name: str, rule: ComparisonRule, by: User) -> Job:
    """Start the job that draws it.

    Raises the errors of draw_comparison() that are known beforehand.
    """
    permissions.require(by, study, Role.REQUESTER)
    _require_free(study, name)
    Pool._meta.get_field("name").clean(name, None)
    runs = runs_of(dataset, rule)
    params = {"dataset": dataset.pk, "rule": rule_with_runs(rule, runs).to_dict()}
    return jobs.start(study=study, kind=KIND, key=name, params=params, by=by)


def _require_free(study: Study, name: str) -> None:
    if study.pools.filter(name=name).exists():
        raise PoolError(f"there is a pool {name} already in the study {study.slug}")


@transaction.atomic
def record(
    *, study: Study, dataset: Dataset, name: str, selection: ComparisonSelection, by: User
) -> Pool:
    """Write the comparison. Raises as draw_comparison() does if the name is taken or invalid."""
    permissions.require(by, study, Role.REQUESTER)
    pool = new_pool(
        study=study,
        dataset=dataset,
        name=name,
        purpose=Purpose.COMPARISON,
        rule=selection.rule.to_dict(),
        counts=selection.counts,
        built_at=timezone.now(),
        created_by=by,
    )
    candidates = Candidate.objects.bulk_create(
        Candidate(
            pool=pool,
            turn_id=each.turn,
            text=each.text,
            text_sha256=text_sha256(each.text),
            inclusion_probability=each.inclusion_probability,
        )
        for each in selection.texts
    )
    Fate.objects.bulk_create(
        [
            *(
                Fate(pool=pool, answer_id=answer, state=State.DRAWN.value, candidate=candidate)
                for candidate, each in zip(candidates, selection.texts, strict=True)
                for answer in each.answers
            ),
            *(Fate(pool=pool, answer_id=pk, state=State.EMPTY.value) for pk in selection.empty),
        ]
    )
    PoolPassage.objects.bulk_create(
        PoolPassage(pool=pool, turn_id=turn, passage_id=passage, position=position)
        for turn, turn_passages in selection.passages.items()
        for position, passage in enumerate(turn_passages.passages, start=1)
    )
    events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule, **_summary(pool))
    return pool


def _summary(pool: Pool) -> dict[str, Any]:
    return {field: n for field, n in pool.counts.items() if field.startswith("n_")}
