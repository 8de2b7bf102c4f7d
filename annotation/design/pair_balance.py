"""The pairs of answers of a batch, their balance, and why a batch cannot be opened with them."""

from collections import defaultdict

from annotation import schemes
from annotation.design import pairs
from annotation.design.pairs import Balance, Pair, SystemAnswer
from annotation.models import Batch
from annotation.schemes import Shows
from sampling.models import Fate, Pool


def pool_answers(pool: Pool) -> list[SystemAnswer]:
    """The pool's answers: each distinct text of a question with the runs that gave it."""
    runs: dict[int, list[str]] = defaultdict(list)
    credited = Fate.objects.filter(candidate__in=pool.candidates.all())
    for candidate, name in credited.values_list("candidate", "answer__run__name"):
        runs[candidate].append(name)
    candidates = pool.candidates.select_related("turn__conversation").defer("text")
    return [
        SystemAnswer(each.turn.key, each.pk, tuple(sorted(runs[each.pk]))) for each in candidates
    ]


def batch_pairs(batch: Batch) -> list[Pair]:
    return _pairs(batch, pool_answers(batch.pool))


def batch_balance(batch: Batch) -> Balance:
    """The balance of the batch's pairs; it is the same before and after the batch opens."""
    answers = pool_answers(batch.pool)
    return pairs.balance(answers, _pairs(batch, answers))


def _pairs(batch: Batch, answers: list[SystemAnswer]) -> list[Pair]:
    return pairs.pairs(answers, seed=batch.seed, opponents=batch.opponents_per_answer)


def objection(batch: Batch) -> str | None:
    """Why the batch cannot be opened with its scheme, pool and opponents; None if it can."""
    scheme, opponents = schemes.get(batch.scheme), batch.opponents_per_answer
    if scheme.shows == Shows.PASSAGES and not batch.pool.passages.exists():
        return f"the pool {batch.pool.name} has no passages: nothing to ask about"
    if scheme.shows == Shows.ORDERED_PAIR and opponents:
        return f"{scheme.name} asks about the pairs of its pool: leave the opponents out"
    if scheme.shows != Shows.PAIR:
        return f"{scheme.name} compares no answers: leave the opponents out" if opponents else None
    balance = batch_balance(batch)
    if not balance.n_pairs:
        return f"no question of the pool {batch.pool.name} has two answers that differ: nothing to compare"
    if opponents is None or balance.is_connected:
        return None
    groups = "; ".join(", ".join(names) for names in balance.groups)
    return (
        f"with {opponents} opponents of each answer the runs fall into {len(balance.groups)} groups that are never"
        f" compared ({groups}): ask for more opponents, for all, or draw more questions"
    )
