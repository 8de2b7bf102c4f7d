"""The pairs of answers that a batch puts side by side, and what keeps it from being opened."""

from collections import defaultdict

from annotation import schemes
from annotation.design import pairs
from annotation.design.pairs import Balance, Given, Pair
from annotation.models import Batch
from annotation.schemes import Shows
from sampling.models import Fate, Pool


def given(pool: Pool) -> list[Given]:
    """The pool's answers, each text of a question once, with the runs that gave it."""
    runs: dict[int, list[str]] = defaultdict(list)
    credited = Fate.objects.filter(candidate__in=pool.candidates.all())
    for candidate, name in credited.values_list("candidate", "answer__run__name"):
        runs[candidate].append(name)
    candidates = pool.candidates.select_related("turn__conversation").defer("text")
    return [Given(each.turn.key, each.pk, tuple(sorted(runs[each.pk]))) for each in candidates]


def of(batch: Batch) -> list[Pair]:
    return _pairs(batch, given(batch.pool))


def balance(batch: Batch) -> Balance:
    """What the batch's pairs come to, before and after it was opened."""
    answers = given(batch.pool)
    return pairs.balance(answers, _pairs(batch, answers))


def _pairs(batch: Batch, answers: list[Given]) -> list[Pair]:
    return pairs.pairs(answers, seed=batch.seed, opponents=batch.opponents_per_answer)


def objection(batch: Batch) -> str | None:
    """Why the batch cannot ask what it is to ask; None where it can."""
    scheme, opponents = schemes.get(batch.scheme), batch.opponents_per_answer
    if scheme.shows == Shows.PASSAGES and not batch.pool.passages.exists():
        return f"the pool {batch.pool.name} has no passages: nothing to ask about"
    if scheme.shows != Shows.PAIR:
        return f"{scheme.name} compares no answers: leave the opponents out" if opponents else None
    found = balance(batch)
    if not found.n_pairs:
        return f"no question of the pool {batch.pool.name} has two answers that differ: nothing to compare"
    if opponents is None or found.is_connected:
        return None
    groups = "; ".join(", ".join(names) for names in found.apart)
    return (
        f"with {opponents} opponents of each answer the runs fall into {len(found.apart)} groups that are never"
        f" compared ({groups}): ask for more opponents, for all, or draw more questions"
    )
