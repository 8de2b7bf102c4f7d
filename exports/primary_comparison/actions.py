"""Name the primary comparison of a study."""

from collections.abc import Collection

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from audit import events
from exports.models import ComparedMeasure, PrimaryComparison
from exports.primary_comparison import queries
from sampling.models import Pool


class PrimaryComparisonError(Exception):
    """It cannot be named; the message says why."""


@transaction.atomic
def name_primary(
    *,
    study: Study,
    pool: Pool,
    measure: str,
    pairs: Collection[tuple[str, str]] = (),
    by: User,
) -> PrimaryComparison:
    """Name the primary comparison, in place of an earlier one, which stays recorded.

    `pairs` are names of runs; without any, all pairs are primary. It may be named after judgements came in: their
    number is kept and reported. Raises PrimaryComparisonError.
    """
    permissions.require(by, study, Role.REQUESTER)
    lock_study(study)
    if pool not in queries.pools(study):
        raise PrimaryComparisonError(
            f"{pool} is no comparison of runs in this study that can be judged"
        )
    if measure not in ComparedMeasure.values:
        raise PrimaryComparisonError(
            f"there is no measure {measure}: {', '.join(ComparedMeasure.values)}"
        )
    row = PrimaryComparison.objects.create(
        study=study,
        pool=pool,
        measure=measure,
        pairs=_keys(pool, pairs),
        n_judgements=queries.n_judgements(pool),
        named_by=by,
    )
    events.record(
        study=study,
        by=by,
        verb="named the primary comparison",
        target=pool,
        measure=measure,
        pairs=[" and ".join(pair) for pair in pairs],
        n_judgements=row.n_judgements,
    )
    return row


def _keys(pool: Pool, pairs: Collection[tuple[str, str]]) -> list[list[int]]:
    """The keys of the named runs, in the order of the pool's pairs."""
    known = {
        frozenset((one.name, other.name)): [one.pk, other.pk] for one, other in queries.pairs(pool)
    }
    wanted = {frozenset(pair) for pair in pairs}
    if unknown := wanted - known.keys():
        listed = "; ".join(sorted(" and ".join(sorted(pair)) for pair in unknown))
        raise PrimaryComparisonError(f"the comparison {pool} has no such two runs: {listed}")
    return [keys for names, keys in known.items() if names in wanted]
