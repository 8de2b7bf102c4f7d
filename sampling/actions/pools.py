"""Draw a pool of answers by a rule."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset, RunKind
from corpus.queries import turn_ids
from sampling import queries as sampling_queries
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools import selection
from sampling.pools.rule import Rule
from scoring.models import Metric, Scorer
from scoring.text_hashes import text_sha256

MOST_CONFLICTS_LISTED = 20


class PoolError(Exception):
    """The pool cannot be drawn; the message says why and what to do."""


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
    """Raise PoolError if the scorer has two stages and was calibrated for another threshold."""
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
    Raises PoolError if there is nothing to draw from, and ValidationError if the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    _require_drawable(study, dataset, name, rule)
    scorer = scorer_by_name(rule.scorer, dataset)
    rule = rule_with_version(rule, scorer)
    require_threshold(scorer, rule)
    turns = sampling_queries.turn_answers(dataset, scorer)
    _require_scores(turns, dataset, scorer)
    result = selection.draw(rule, turns)
    keys = keys_of(dataset)
    with transaction.atomic():
        pool = new_pool(
            study=study,
            dataset=dataset,
            name=name,
            purpose=Purpose.ANSWERS,
            rule=rule.to_dict(),
            scorer=scorer,
            counts=pool_counts(rule, result),
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
    elif not result.candidates:
        warnings.append(_why_nothing_drawn(rule, turns))
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
    return selection.draw(rule, turns)


def pool_counts(rule: Rule, result: selection.DrawResult) -> dict[str, Any]:
    """Return the counts to store with a pool.

    `n_merged` is one of them if the rule merges near-duplicates, `n_turns_not_drawn` if it draws
    some turns only.
    """
    counts = selection.counts(result)
    merged = {} if rule.near is None else {"n_merged": len(result.merges)}
    if rule.turns is not None:
        merged["n_turns_not_drawn"] = counts.n_turns_not_drawn
    return merged | {
        "n_candidates": counts.n_candidates,
        "n_turns": counts.n_turns,
        "n_answers": dict(counts.by_state),
        "n_score_conflicts": len(result.conflicts),
    }


@dataclass(frozen=True)
class Keys:
    """The primary keys of turns, and of answers by turn and run, read before the first write.

    `standing` has those of the candidates of earlier versions, by turn and text.
    """

    turns: Mapping[str, int]
    answers: Mapping[tuple[str, str], int]
    standing: Mapping[tuple[str, str], int]


def keys_of(dataset: Dataset, turns: Collection[int] | None = None) -> Keys:
    """The keys of all turns and their answers, or of those of `turns`."""
    return Keys(
        turn_ids(dataset, turns),
        sampling_queries.answer_ids(dataset, turns),
        sampling_queries.standing_candidates(dataset, turns),
    )


def write(pool: Pool, result: selection.DrawResult, keys: Keys) -> None:
    """Write candidates and fates, in the caller's transaction."""
    drawn = _write_candidates(pool, result.candidates, keys.turns)
    candidates = {**keys.standing, **{answer: row.pk for answer, row in drawn.items()}}
    _write_fates(pool, result.fates, candidates, keys.answers)


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
    if all(answer.score is None for turn in turns for answer in turn.answers):
        raise PoolError(
            f"no answer to the dataset {dataset} was scored by {scorer.short}:"
            " compute scores first, or import them"
        )


def _standing_in_words(n: int) -> str:
    stand = "1 answer stands" if n == 1 else f"{n:,} answers stand"
    return (
        f"{stand} in an earlier version of the data set, where people are or were asked about the same text,"
        " and left out here: the verdicts count in this version, too"
    )


def _why_nothing_drawn(rule: Rule, turns: Iterable[selection.TurnAnswers]) -> str:
    scores = [answer.score for turn in turns for answer in turn.answers if answer.score is not None]
    return (
        f"no turn has {rule.min_candidates} distinct answers above {rule.threshold}:"
        f" the scores go up to {max(scores):.2f}. Lower the threshold, or ask for fewer candidates"
    )


def new_pool(*, study: Study, name: str, **fields: Any) -> Pool:
    """Write a pool, in the caller's transaction.

    Raises PoolError if the name is taken, or what it is drawn from is withdrawn, and ValidationError if
    the name is invalid.
    """
    lock_study(study)  # data sets and pools are withdrawn and deleted under it
    if study.pools.filter(name=name).exists():
        raise PoolError(f"there is a pool {name} already in the study {study.slug}")
    pool = Pool(study=study, name=name, **fields)
    _require_sources(pool)
    pool.full_clean(
        exclude=["study", "dataset", "scorer", "audit_of", "counts", "odds", "costs", "built_at"]
    )
    pool.save()
    return pool


def _require_sources(pool: Pool) -> None:
    """Raise PoolError if the pool's data set, or the pool that it audits, is withdrawn or deleted by now."""
    dataset = Dataset.objects.filter(pk=pool.dataset_id).first()
    if dataset is None:
        raise PoolError(f"the data set {pool.dataset} was deleted in this moment")
    if dataset.withdrawn_objection:
        raise PoolError(dataset.withdrawn_objection)
    if pool.audit_of_id is None:
        return
    audited = Pool.objects.select_related("dataset").filter(pk=pool.audit_of_id).first()
    if audited is None:
        raise PoolError(f"the pool {pool.audit_of} was deleted in this moment")
    if audited.withdrawn_objection:
        raise PoolError(audited.withdrawn_objection)


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


def _write_candidates(
    pool: Pool, result: Iterable[selection.DrawnCandidate], turns: Mapping[str, int]
) -> dict[tuple[str, str], Candidate]:
    result = list(result)
    rows = Candidate.objects.bulk_create(
        Candidate(
            pool=pool,
            turn_id=turns[each.turn],
            text=each.text,
            text_sha256=text_sha256(each.text),
            score=each.score,
            inclusion_probability=each.inclusion_probability,
        )
        for each in result
    )
    return {(each.turn, each.text): row for each, row in zip(result, rows, strict=True)}


def _write_fates(
    pool: Pool,
    fates: Iterable[selection.Fate],
    candidates: Mapping[tuple[str, str], int],
    answers: Mapping[tuple[str, str], int],
) -> None:

    def candidate(fate: selection.Fate) -> int | None:
        text = fate.candidate_text
        return None if text is None else candidates[fate.turn, text]

    Fate.objects.bulk_create(
        Fate(
            pool=pool,
            answer_id=answers[fate.turn, fate.run],
            state=fate.state.value,
            candidate_id=candidate(fate),
        )
        for fate in fates
    )
