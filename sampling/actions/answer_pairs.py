"""Write a pool of pairs of accepted answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from audit import events
from corpus.models import Dataset
from sampling.actions.pools import new_pool
from sampling.models import AnswerPair, Candidate, Pool, Purpose
from sampling.pairs.rule import Pair, PairDraw, PairRule


@dataclass(frozen=True)
class AcceptedText:
    """The candidate that was found plausible, and the primary key of its turn in the version of the pairs."""

    candidate: Candidate
    turn: int


# By turn, as its id in files, and hash of the text.
Accepted = Mapping[tuple[str, str], AcceptedText]


@dataclass(frozen=True)
class PairSelection:
    """A draw, with the accepted answers that it drew from."""

    draw: PairDraw
    accepted: Accepted


@transaction.atomic
def record(
    *,
    dataset: Dataset,
    name: str,
    rule: PairRule,
    selection: PairSelection,
    is_rehearsal: bool,
    by: User,
) -> Pool:
    """Write the pairs as a pool of their own.

    Raises PoolError if the name is taken or the data set is withdrawn, and ValidationError if the name is invalid.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    drawn = selection.draw
    shown = {(each.turn, text) for each in drawn.pairs for text in (each.first, each.second)}
    counts = {
        "n_candidates": len(shown),
        "n_turns": len({turn for turn, _ in shown}),
        "n_pairs": len(drawn.pairs),
        "n_pairs_drawn_from": drawn.n_pairs,
        "n_pairs_earlier": drawn.n_earlier,
    }
    pool = new_pool(
        study=dataset.study,
        dataset=dataset,
        name=name,
        purpose=Purpose.PAIRS,
        rule=rule.to_dict(),
        is_rehearsal=is_rehearsal,
        counts=counts,
        built_at=timezone.now(),
        created_by=by,
    )
    _write_pairs(pool, drawn.pairs, _write_candidates(pool, sorted(shown), selection.accepted))
    events.record(study=dataset.study, by=by, verb="drew", target=pool, rule=pool.rule, **counts)
    return pool


def _write_candidates(
    pool: Pool, shown: list[tuple[str, str]], accepted: Accepted
) -> dict[tuple[str, str], Candidate]:
    rows = Candidate.objects.bulk_create(
        Candidate(
            pool=pool,
            turn_id=each.turn,
            text=each.candidate.text,
            text_sha256=each.candidate.text_sha256,
            score=each.candidate.score,
            inclusion_probability=each.candidate.inclusion_probability,
            source=each.candidate,
        )
        for each in (accepted[answer] for answer in shown)
    )
    return dict(zip(shown, rows, strict=True))


def _write_pairs(
    pool: Pool, pairs: tuple[Pair, ...], candidates: Mapping[tuple[str, str], Candidate]
) -> None:
    AnswerPair.objects.bulk_create(
        AnswerPair(
            pool=pool,
            first=candidates[each.turn, each.first],
            second=candidates[each.turn, each.second],
            position=position,
        )
        for position, each in enumerate(pairs, start=1)
    )


def summary(pool: Pool) -> dict[str, Any]:
    """The summary of a pool of pairs for commands."""
    return {
        "pool": pool.name,
        "release": pool.rule["release"],
        "seed": pool.rule["seed"],
        **pool.counts,
    }
