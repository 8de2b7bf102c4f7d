"""Draw pairs of accepted answers of a release, to ask how they relate."""

from collections import defaultdict

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from exports.models import Release
from exports.relations import queries
from sampling.actions import answer_pairs
from sampling.actions.answer_pairs import Accepted, PairSelection
from sampling.models import Pool
from sampling.pairs import rule as pair_rule
from sampling.pairs.rule import PairRule


class RelationError(ActionError):
    """The pairs cannot be drawn; the message says why."""


def draw_pairs(*, release: Release, name: str, n: int, seed: int, by: User) -> Pool:
    """Draw `n` pairs of accepted answers of a turn, or all if there are fewer, as a pool of their own.

    Pairs of a pool that was drawn before, and is not withdrawn, are not drawn again. The pairs of a rehearsal are one
    too. Raises RelationError if there is nothing to draw from, PairRuleError if the number is not possible, PoolError
    if the name is taken, and ValidationError if it is invalid.
    """
    permissions.require(by, release.study, Role.REQUESTER)
    rule = PairRule(release.number, n, seed)
    accepted = _accepted(release)
    if release.dataset is None:
        raise RelationError(
            f"release {release} is a comparison of systems: it has no accepted answers"
        )
    earlier = queries.pools_of_pairs(release.dataset, is_rehearsal=release.is_rehearsal)
    texts: dict[str, list[str]] = defaultdict(list)
    for turn, text in accepted:
        texts[turn].append(text)
    drawn = pair_rule.draw(texts, rule, earlier=queries.drawn_pairs(earlier))
    if not drawn.pairs:
        raise RelationError(_nothing(release, drawn.n_earlier))
    return answer_pairs.record(
        dataset=release.dataset,
        name=name,
        rule=rule,
        selection=PairSelection(drawn, accepted),
        is_rehearsal=release.is_rehearsal,
        by=by,
    )


def _accepted(release: Release) -> Accepted:
    if release.is_withdrawn:
        raise RelationError(f"release {release} is withdrawn: bring it back first")
    try:
        return queries.accepted_texts(release)
    except (OSError, ValueError) as error:
        raise RelationError(f"the files of release {release} cannot be read: {error}") from error


def _nothing(release: Release, n_earlier: int) -> str:
    if n_earlier:
        return f"all {n_earlier} pairs of accepted answers of release {release} were drawn before"
    return f"no question of release {release} has two accepted answers: there is no pair to draw"
