"""Write pools: the row of one, and the candidates and fates of a draw."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from accounts.actions.locks import lock_study
from accounts.models import Study
from corpus.models import Dataset
from corpus.queries import turn_ids
from sampling import queries as sampling_queries
from sampling.models import Candidate, Fate, Pool
from sampling.pools import selection
from sampling.pools.rule import Rule
from scoring.text_hashes import text_sha256

STANDS_NO_MORE = "a batch on an earlier version was withdrawn in this moment, whose answers would be left out: draw again"


class PoolError(Exception):
    """The pool cannot be drawn; the message says why and what to do."""


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
        if text is not None and (fate.turn, text) not in candidates:
            raise PoolError(STANDS_NO_MORE)
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
