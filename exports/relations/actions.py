"""Draw pairs of accepted answers of a release, to ask how they relate."""

from collections import defaultdict

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, User
from corpus.models import Dataset
from exports.models import Release
from exports.relations import queries
from jobs.actions import jobs
from jobs.models import Job
from sampling.actions import answer_pairs
from sampling.actions.answer_pairs import Accepted, PairSelection
from sampling.actions.pools import PoolError
from sampling.models import Pool
from sampling.pairs import rule as pair_rule
from sampling.pairs.rule import PairRule

KIND = "draw_pairs"


class RelationError(ActionError):
    """The pairs cannot be drawn; the message says why."""


def begin(*, release: Release, name: str, n: int, seed: int, by: User) -> Job:
    """Start the job that draws the pairs. Raises the errors of draw_pairs() that are known beforehand."""
    permissions.require(by, release.study, Role.REQUESTER)
    rule = PairRule(release.number, n, seed)
    _dataset_of(release)
    if release.study.pools.filter(name=name).exists():
        raise PoolError(f"there is a pool {name} already in the study {release.study.slug}")
    Pool._meta.get_field("name").clean(name, None)
    params = {"release_id": release.pk, **rule.to_dict()}
    return jobs.start(study=release.study, kind=KIND, key=name, params=params, by=by)


def draw_pairs(*, release: Release, name: str, n: int, seed: int, by: User) -> Pool:
    """Draw `n` pairs of accepted answers of a turn, or all if there are fewer, as a pool of their own.

    Pairs of a pool that was drawn before, and is not withdrawn, are not drawn again. The pairs of a rehearsal are one
    too. Raises RelationError if there is nothing to draw from, PairRuleError if the number is not possible, PoolError
    if the name is taken, and ValidationError if it is invalid.
    """
    permissions.require(by, release.study, Role.REQUESTER)
    rule = PairRule(release.number, n, seed)
    return record(release=release, name=name, rule=rule, accepted=read_accepted(release), by=by)


def read_accepted(release: Release) -> Accepted:
    """Return the accepted answers of the release. Raises RelationError if there are none to draw from."""
    _dataset_of(release)
    try:
        return queries.accepted_texts(release)
    except (OSError, ValueError) as error:
        raise RelationError(f"the files of release {release} cannot be read: {error}") from error


@transaction.atomic
def record(*, release: Release, name: str, rule: PairRule, accepted: Accepted, by: User) -> Pool:
    """Draw from the accepted answers, and write the pairs as a pool. Raises what draw_pairs() says."""
    permissions.require(by, release.study, Role.REQUESTER)
    # Releases are withdrawn, and pools drawn, under this lock: of two draws at once the second sees the first's pairs.
    lock_study(release.study)
    dataset = _dataset_of(release)
    earlier = queries.pools_of_pairs(dataset, is_rehearsal=release.is_rehearsal)
    texts: dict[str, list[str]] = defaultdict(list)
    for turn, text in accepted:
        texts[turn].append(text)
    drawn = pair_rule.draw(texts, rule, earlier=queries.drawn_pairs(earlier, dataset))
    if not drawn.pairs:
        raise RelationError(_nothing(release, drawn.n_earlier))
    return answer_pairs.record(
        dataset=dataset,
        name=name,
        rule=rule,
        selection=PairSelection(drawn, accepted),
        is_rehearsal=release.is_rehearsal,
        by=by,
    )


def _dataset_of(release: Release) -> Dataset:
    """The data set whose accepted answers the release has.

    Raises RelationError if the release has none, or is withdrawn by now, whatever it was when it was read.
    """
    if Release.objects.get(pk=release.pk).is_withdrawn:
        raise RelationError(f"release {release} is withdrawn: bring it back first")
    if release.dataset is None:
        raise RelationError(
            f"release {release} is a comparison of systems: it has no accepted answers"
        )
    return release.dataset


def _nothing(release: Release, n_earlier: int) -> str:
    if n_earlier:
        return f"all {n_earlier} pairs of accepted answers of release {release} were drawn before"
    return f"no question of release {release} has two accepted answers: there is no pair to draw"
