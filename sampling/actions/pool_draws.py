"""Draw a pool of answers by a rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset, RunKind
from sampling import queries as sampling_queries
from sampling.actions.pools import PoolError, keys_of, new_pool, pool_counts, write
from sampling.models import Pool, Purpose
from sampling.pools import draws, selection
from sampling.pools.rule import Rule
from scoring.models import Metric, Scorer

MOST_CONFLICTS_LISTED = 20
# Of SAS as computed: a cosine, or a cross-encoder's similarity from 0.
LOWEST, HIGHEST = -1, 1


def scorer_by_name(name: str, dataset: Dataset) -> Scorer:
    """Return the SAS scorer of this name: imported into the study, or computed."""
    usable = Scorer.objects.filter(Q(study=dataset.study_id) | Q(study=None))
    try:
        return usable.by_name(name, Metric.SAS, dataset.pk)
    except Scorer.DoesNotExist as error:
        applicable = [scorer for scorer in usable if scorer.calibrated_on in (None, dataset.pk)]
        names = sorted({scorer.name for scorer in applicable if scorer.metric == Metric.SAS})
        raise PoolError(
            f"no answer was scored by {name}; there is {', '.join(names) or 'no SAS yet'}:"
            " compute scores first, or import them"
        ) from error
    except Scorer.MultipleObjectsReturned as error:
        raise PoolError(str(error)) from error


def rule_with_version(rule: Rule, scorer: Scorer) -> Rule:
    """Return the rule with the version of its scorer if that has two stages.

    Later calibrations have the same name.
    """
    return rule if scorer.threshold is None else replace(rule, scorer=scorer.short)


def require_threshold(scorer: Scorer, rule: Rule) -> None:
    """Raise PoolError if a computed scorer has no scores about the threshold, or was calibrated for another one.

    Imported scores may be on any scale.
    """
    if scorer.study_id is None and not LOWEST <= rule.threshold < HIGHEST:
        raise PoolError(
            f"{rule.threshold:g} is no threshold for {scorer.short}: its scores lie between"
            f" {LOWEST} and {HIGHEST}, and answers above the threshold are drawn"
        )
    if scorer.threshold not in (None, rule.threshold):
        raise PoolError(
            f"{scorer.short} has two stages, and is as good as it says about the threshold"
            f" {scorer.threshold:g} only: draw at that, or score the answers in two stages about"
            f" {rule.threshold:g}"
        )


def draw(
    *,
    study: Study,
    dataset: Dataset,
    name: str,
    rule: Rule,
    by: User,
    costs: Mapping[str, Any] | None = None,
) -> tuple[Pool, list[str]]:
    """Draw a pool of distinct, likely correct answers. Return it with warnings as sentences.

    `costs` is what judging was assumed to cost, as CostForm.entered_costs() returns it.

    The same rule on the same answers and scores draws the same pool, whatever the order of runs.
    Raises PoolError if nothing would be drawn, and ValidationError if the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    _require_drawable(study, dataset, name, rule)
    scorer = scorer_by_name(rule.scorer, dataset)
    rule = rule_with_version(rule, scorer)
    require_threshold(scorer, rule)
    turns = sampling_queries.turn_answers(dataset, scorer)
    _require_scores(turns, dataset, scorer)
    result = draws.draw(rule, turns)
    counts = pool_counts(rule, result)
    if not draws_anything(counts["n_answers"]):
        raise PoolError(why_nothing_drawn(rule, counts["n_answers"], _scores(turns)))
    keys = keys_of(dataset)
    with transaction.atomic():
        pool = new_pool(
            study=study,
            dataset=dataset,
            name=name,
            purpose=Purpose.ANSWERS,
            rule=rule.to_dict(),
            scorer=scorer,
            counts=counts,
            odds=result.odds,
            costs=dict(costs or {}),
            built_at=timezone.now(),
            created_by=by,
        )
        write(pool, result, keys)
        events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule, **pool.counts)
    warnings = _conflict_warnings(result.conflicts)
    if n_standing := pool.counts["n_answers"].get(selection.State.STANDS, 0):
        warnings.append(_standing_in_words(n_standing))
    return pool, warnings


def preview(*, study: Study, dataset: Dataset, rule: Rule, by: User) -> selection.DrawResult:
    """Return the contents of the draw and its near-duplicates, without writing them.

    Raises PoolError if there is nothing to draw from.
    """
    permissions.require_reader(by, study, Role.REQUESTER)
    require_runs(dataset, rule)
    scorer = scorer_by_name(rule.scorer, dataset)
    turns = sampling_queries.turn_answers(dataset, scorer)
    _require_scores(turns, dataset, scorer)
    return draws.draw(rule, turns)


def _require_drawable(study: Study, dataset: Dataset, name: str, rule: Rule) -> None:
    if study.pools.filter(name=name).exists():
        raise PoolError(f"there is a pool {name} already in the study {study.slug}")
    require_runs(dataset, rule)


def require_runs(dataset: Dataset, rule: Rule) -> None:
    """Raise PoolError unless there are runs to draw from, among them all that the rule names."""
    if dataset.withdrawn_objection:
        raise PoolError(dataset.withdrawn_objection)
    runs = dataset.runs.counting().exclude(kind=RunKind.REFERENCE)
    names = set(runs.values_list("name", flat=True))
    if not names:
        raise PoolError(f"the dataset {dataset} has no runs to draw from: import them first")
    unknown = sorted((rule.runs or set()) - names)
    if unknown:
        raise PoolError(f"the dataset {dataset} has no run {', '.join(unknown)}")


def _require_scores(
    turns: Iterable[selection.TurnAnswers], dataset: Dataset, scorer: Scorer
) -> None:
    if not _scores(turns):
        raise PoolError(
            f"no answer to the dataset {dataset} was scored by {scorer.short}:"
            " compute scores first, or import them"
        )


def _scores(turns: Iterable[selection.TurnAnswers]) -> list[float]:
    return [answer.score for turn in turns for answer in turn.answers if answer.score is not None]


def _standing_in_words(n: int) -> str:
    stand = "1 answer stands" if n == 1 else f"{n:,} answers stand"
    return (
        f"{stand} in an earlier version of the data set, where people are or were asked about the same text,"
        " and left out here: the verdicts count in this version, too"
    )


def draws_anything(n_answers: Mapping[str, int]) -> bool:
    """Return whether runs are credited with an answer, drawn or standing, by these numbers by state."""
    drawn = (selection.State.DRAWN, selection.State.STANDS)
    return any(n_answers.get(state, 0) for state in drawn)


def why_nothing_drawn(
    rule: Rule, n_answers: Mapping[str, int], scores: Iterable[float] = ()
) -> str:
    """Return why the rule draws nothing of so many answers by state, with their highest score if it is known."""
    n = rule.min_candidates
    highest = max(scores, default=None)
    up_to = "" if highest is None else f"; the scores go up to {highest:.2f}"
    why = (
        f"nothing would be drawn: no turn has {n} distinct answer{'' if n == 1 else 's'} above"
        f" {rule.threshold:g}{up_to}. Lower the threshold, or ask for fewer candidates"
    )
    n_unscored = n_answers.get(selection.State.NO_SCORE, 0)
    return f"{why}. {unscored_in_words(n_unscored)}" if n_unscored else why


def unscored_in_words(n: int) -> str:
    if n == 1:
        return "1 answer has no score: compute or import it first"
    return f"{n:,} answers have no score: compute or import them first"


def _conflict_warnings(conflicts: Sequence[selection.ScoreConflict]) -> list[str]:
    """Return a warning with the number of conflicts and the first of them.

    Empty without conflicts.
    """
    if not conflicts:
        return []
    first = [
        f"turn {conflict.turn}: {', '.join(map(str, conflict.scores))}"
        for conflict in conflicts[:MOST_CONFLICTS_LISTED]
    ]
    n = len(conflicts)
    return [
        f"{n} {'text has' if n == 1 else 'texts have'} several scores in their turn; the highest counts",
        *first,
        *([f"and {n - len(first)} more"] if n > len(first) else []),
    ]
