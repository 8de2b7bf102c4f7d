"""The batches of a rehearsed campaign: made like the batch that it rehearses, judged by the crowd, closed and settled.

All is in the transaction of actions/rehearsed_campaigns.py, which is rolled back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from accounts.models import User
from annotation.actions import batches, rehearsals, rehearsed_rows, settlement
from annotation.actions import training as trainings
from annotation.actions.rehearsed_rows import Desk
from annotation.control_keys_csv import KeyRow
from annotation.models import Batch, BatchPurpose, Qualification
from annotation.queries import rehearsed_stages, training_attempts
from annotation.rehearsal import annotators, crowds
from annotation.rehearsal.annotators import Work
from annotation.rehearsal.claims import ClaimsOfAll
from annotation.rehearsal.crowds import Crowd
from annotation.schemes import VerdictScheme
from annotation.schemes.base import Response
from corpus.models import Turn
from corpus.problems import Report
from sampling.actions import pools
from sampling.models import Candidate, Pool
from stats.lots import lot

# What bench/coverage/crowds.py found to let in nine of ten good people and less than one in twenty bad ones.
N_KEYED, BAR = 30, 0.6
N_PILOT = 40
RULE = "majority"
# Settings of the full batch that the batches of the campaign share.
SHARED = (
    *("grouping", "judgements_per_item", "claim_seconds", "prefetch_depth", "largest_share"),
    *("shows_context", "shows_markdown", "reward", "currency", "expected_seconds", "seed"),
)


@dataclass(frozen=True)
class Plan:
    """How the campaign is played.

    n_pilot  items of the pilot, at least: questions are taken whole
    n_keyed  items of the training, of each label as many
    bar      that the lower bound of the share of right answers in training has to reach
    rule     by which batches are settled
    """

    seed: int = 1
    n_pilot: int = N_PILOT
    n_keyed: int = N_KEYED
    bar: float = BAR
    rule: str = RULE


@dataclass(frozen=True)
class Ground:
    """What the campaign stands on: its people with their accounts, and the batch that the full one is to be like."""

    like: Batch
    scheme: VerdictScheme
    plan: Plan
    by: User
    members: Sequence[User]

    def name(self, stage: str) -> str:
        """A name that no other batch or pool of the study has, and that is the same on every machine."""
        number = lot("campaign", self.plan.seed, self.like.study.slug, self.like.name)
        return f"rehearsed {stage} {number:064x}"[:40]


def part(ground: Ground, name: str, turns: Sequence[int], *, is_rehearsal: bool) -> Pool:
    """A pool of the candidates of these questions."""
    pool = ground.like.pool
    made = pools.new_pool(
        study=pool.study,
        name=ground.name(name),
        dataset=pool.dataset,
        purpose=pool.purpose,
        rule=pool.rule | {"part_of": pool.name},
        is_rehearsal=is_rehearsal,
        built_at=timezone.now(),
        created_by=ground.by,
    )
    Candidate.objects.bulk_create(
        Candidate(pool=made, turn_id=each.turn_id, text=each.text, text_sha256=each.text_sha256)
        for each in pool.candidates.filter(turn__in=turns).order_by("pk")
    )
    return made


# The batches


def _settings(ground: Ground) -> dict[str, Any]:
    return {name: getattr(ground.like, name) for name in SHARED}


def worked(
    ground: Ground,
    crowd: Crowd,
    name: str,
    turns: Sequence[int],
    *,
    who: frozenset[int] | None = None,
    **settings: Any,
) -> tuple[Batch, list[Work]]:
    """A batch of these questions that those of the crowd who may have judged, closed and settled."""
    batch = batches.create_and_launch(
        study=ground.like.study,
        scheme=ground.scheme.name,
        pool=part(ground, name, turns, is_rehearsal=True),
        name=ground.name(name),
        guideline=ground.like.guideline.text,
        by=ground.by,
        **_settings(ground) | settings,
    )
    items = list(batch.items.real())
    rehearsed_rows.set_reproducible_ids(batch, items, ground.plan.seed)
    works = rehearsals.play(batch, items, crowd, ground.members, ground.scheme, who)
    closed = batches.close(batch=batch, by=ground.by)
    settlement.settle(batch=closed, rule=ground.plan.rule, by=ground.by)
    return closed, works


def trained(
    ground: Ground,
    crowd: Crowd,
    keyed: Sequence[Turn],
    turns: Sequence[int],
    asked: Qualification,
) -> tuple[Batch, list[Work]]:
    """The training, judged by everybody who is still there, and closed."""
    labels = crowds.expected_labels(ground.scheme.labels, ground.plan.n_keyed)
    rows = [
        KeyRow(number, turn.key, f"Made-up answer {number}", label, "")
        for number, (turn, label) in enumerate(zip(keyed, labels, strict=True), start=1)
    ]
    own = _settings(ground) | {"largest_share": None}
    training = trainings.create_and_launch(
        rows=rows,
        report=Report("the keys of the rehearsal", "row"),
        study=ground.like.study,
        scheme=ground.scheme.name,
        # It asks about none of its pool, and is not marked as a rehearsal: it is gone at the end.
        pool=part(ground, "training", turns, is_rehearsal=False),
        name=ground.name("training"),
        purpose=BatchPurpose.TRAINING,
        trains_for=asked,
        guideline=ground.like.guideline.text,
        by=ground.by,
        **own,
    )
    items = list(training_attempts.items_of(training))
    for number, item in enumerate(items, start=1):
        names = (ground.like.study.slug, training.name)
        item.public_id = annotators.identifier("item", ground.plan.seed, *names, number)
    works = crowd.works(items=[item.public_id for item in items], claims=ClaimsOfAll(len(items)))
    respond = _by_keys(ground.scheme, crowd, rehearsed_stages.known_labels(training))
    rehearsed_rows.write(Desk(training, items, respond), ground.members, works)
    return batches.close(batch=training, by=ground.by), works


def _by_keys(
    scheme: VerdictScheme, crowd: Crowd, keys: Mapping[int, str]
) -> rehearsed_rows.Respond:
    """How the crowd responds to keyed items: their true label is that of the key."""

    def respond(item: Any, order: Sequence[int], work: Work) -> Response:
        return scheme.response(crowd.label(work, item.public_id, keys[item.pk]))

    return respond
