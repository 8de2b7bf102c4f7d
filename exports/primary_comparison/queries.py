"""The primary comparison of a study, and what can be named as one."""

from itertools import combinations
from typing import Any

from accounts.models import Study
from annotation.models import Judgement
from corpus.models import Run
from exports.models import PrimaryComparison
from exports.rows.ids import timestamp
from exports.rows.per_run import KINDS
from jobs.basis import Decisions
from sampling.models import Pool, Purpose
from sampling.pools.selection import State

KIND = "primary comparison"


def primary_comparison(study: Study) -> dict[str, Any] | None:
    """The primary comparison as JSON values, with those that it replaced in `earlier`; None if none was named."""
    rows = study.primary_comparisons.select_related("pool").order_by("pk")
    found = [_entry(row) for row in rows]
    return found[-1] | {"earlier": found[:-1]} if found else None


def _entry(row: PrimaryComparison) -> dict[str, Any]:
    keys = {key for pair in row.pairs for key in pair}
    names = dict(Run.objects.filter(pk__in=keys).values_list("pk", "name"))
    return {
        "pool": row.pool.name,
        "measure": row.measure,
        "pairs": [[names[key] for key in pair] for pair in row.pairs],
        "named_at": timestamp(row.named_at),
        "n_judgements": row.n_judgements,
    }


def decisions(study: Study) -> Decisions:
    """How often a primary comparison was named."""
    n = study.primary_comparisons.count()
    return Decisions(n, {f"study {study.slug}": {KIND: n}})


def pools(study: Study) -> list[Pool]:
    """The comparisons that can be named, in the order of their draws."""
    found = study.pools.usable().filter(purpose=Purpose.COMPARISON, is_rehearsal=False)
    return list(found.order_by("created_at", "pk"))


def runs(pool: Pool) -> list[Run]:
    """The runs that are compared in the pool, in the order of its pairs."""
    fates = pool.fates.filter(state__in=[State.DRAWN, State.EMPTY])
    found = Run.objects.filter(pk__in=fates.values("answer__run"), is_withdrawn=False)
    return sorted(found, key=lambda run: (KINDS.index(run.kind), run.name))


def pairs(pool: Pool) -> list[tuple[Run, Run]]:
    return list(combinations(runs(pool), 2))


def n_judgements(pool: Pool) -> int:
    """How many judgements people have submitted on the pool, whatever became of them."""
    found = Judgement.objects.filter(assignment__item__batch__pool=pool)
    return found.filter(assignment__item__batch__is_rehearsal=False).count()
