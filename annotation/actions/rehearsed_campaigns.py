"""A campaign with simulated people, before there is one with real people: pilot, training, qualification, full batch.

It runs by the same actions as a real one, in one transaction that is rolled back at its end: the study is as it was
before, and nothing that simulated people did can be released. docs/adr/0063-trusted-people.md says
why. Beside it stands what the same crowd does without the training and the qualification.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Membership, Role, User
from annotation import schemes
from annotation.actions import qualifications, rehearsals
from annotation.actions.rehearsed_batches import Ground, Plan, trained, worked
from annotation.models import Batch, BatchPurpose, Qualification
from annotation.queries import rehearsed_stages, standings, training_attempts
from annotation.queries.rehearsed_stages import Campaign, GroupOutcome
from annotation.rehearsal.crowds import Crowd
from annotation.rehearsal.people import Habits
from annotation.rehearsal.questions import Questions, TooFewQuestionsError, shared_out
from annotation.schemes import Shows, VerdictScheme
from corpus.models import Turn
from stats.jeffreys import lower_bound
from stats.lots import lot
from stats.qualification import Rule


class CampaignError(ActionError):
    """The campaign cannot be rehearsed; the message says why."""


def rehearse_campaign(*, batch: Batch, people: Sequence[Habits], plan: Plan, by: User) -> Campaign:
    """Play a campaign whose full batch is like this one, which is not changed, and return what came of it.

    Some questions of its pool make the pilot. The training has questions of the data set that the pool does not ask,
    where there are some, with made-up answers of known labels. Nothing stays of it. Raises CampaignError, also where
    the pool has too few questions, and what the actions of a campaign raise.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    scheme = scheme_of(batch)
    with transaction.atomic():
        lock_study(batch.study)
        members = rehearsals.simulated_members(batch.study, len(people), by)
        ground = Ground(batch, scheme, plan, by, members)
        campaign = _played(ground, Crowd(people, plan.seed))
        transaction.set_rollback(True)
    return campaign


def scheme_of(batch: Batch) -> VerdictScheme:
    """Return the scheme of the batch. Raises CampaignError for a scheme without training, and for a training."""
    scheme = schemes.get(batch.scheme)
    if batch.is_training:
        raise CampaignError(f"the batch {batch.name} is a training: name the full batch")
    if (
        not isinstance(scheme, VerdictScheme)
        or scheme.shows != Shows.ANSWER
        or scheme.shows_evidence
    ):
        raise CampaignError(
            f"the scheme {scheme.name} has no training from a file of keys: a campaign is rehearsed of schemes whose"
            " items are an answer with one label, without evidence"
        )
    return scheme


def _played(ground: Ground, crowd: Crowd) -> Campaign:
    seed = ground.plan.seed
    if len(crowd.people) < ground.like.judgements_per_item:
        raise CampaignError(
            f"{ground.like.judgements_per_item} judgements of an item need as many annotators, and"
            f" {len(crowd.people)} is fewer: nobody judges an item twice"
        )
    if lower_bound(ground.plan.n_keyed, ground.plan.n_keyed) < ground.plan.bar:
        raise CampaignError(
            f"nobody can reach the bar {ground.plan.bar:g} with {ground.plan.n_keyed} keyed items: ask for more, or"
            " lower it"
        )
    questions, turns = _questions(ground)
    asked = qualifications.create(
        study=ground.like.study, name=ground.name("qualification"), rule=_rule(ground), by=ground.by
    )
    pilot, works = worked(ground, crowd, "pilot", questions.pilot, purpose=BatchPurpose.PILOT)
    after_pilot = crowd.after(works)
    training, works = trained(
        ground, after_pilot, [turns[pk] for pk in questions.keyed], questions.full, asked
    )
    _decide(ground, asked, training)
    holders = set(asked.standings.granted().values_list("user", flat=True))
    let_in = frozenset(
        number for number, user in enumerate(ground.members, start=1) if user.pk in holders
    )
    full, _ = worked(
        ground,
        after_pilot.after(works),
        "full",
        questions.full,
        who=let_in,
        qualification=asked,
    )
    everyone, _ = worked(ground, after_pilot, "everyone", questions.full)
    stages = {
        name: rehearsed_stages.stage(name, each, seed)
        for name, each in (
            ("pilot", pilot),
            ("training", training),
            ("full", full),
            ("everyone", everyone),
        )
    }
    return Campaign(groups=_groups(ground, crowd, training, let_in), **stages)


def _rule(ground: Ground) -> dict[str, Any]:
    rule = Rule(min_answers=ground.plan.n_keyed, accuracy=ground.plan.bar, acts=True)
    return rule.to_dict()


def _decide(ground: Ground, asked: Qualification, training: Batch) -> None:
    """Let the rule decide of the simulated people, as training.conclude() does of real ones."""
    people = Membership.objects.filter(study=ground.like.study, user__in=ground.members)
    lines = standings.lines(asked, training, people.select_related("user"))
    qualifications.write_decisions(lines, asked, ground.by)


def _groups(
    ground: Ground, crowd: Crowd, training: Batch, let_in: frozenset[int]
) -> list[GroupOutcome]:
    finished = training_attempts.finished_by(training)
    found, first = [], 1
    for habits, n in rehearsals.group_counts(crowd.people):
        numbers = range(first, first + n)
        n_trained = sum(ground.members[number - 1].pk in finished for number in numbers)
        n_let_in = sum(number in let_in for number in numbers)
        found.append(GroupOutcome(habits, n, n_trained, n_let_in))
        first += n
    return found


# The questions of each batch


def _questions(ground: Ground) -> tuple[Questions, dict[int, Turn]]:
    """The keys of the questions of each batch, and all turns by their key. Raises CampaignError for too few."""
    pool = ground.like.pool
    n_items = Counter(pool.candidates.order_by().values_list("turn", flat=True))
    turns = {turn.pk: turn for turn in Turn.objects.of(pool.dataset)}
    drawn = sorted(turns, key=lambda pk: lot("campaign", ground.plan.seed, turns[pk].key))
    n_pilot, n_keyed = ground.plan.n_pilot, ground.plan.n_keyed
    try:
        return shared_out(drawn, n_items, n_pilot=n_pilot, n_keyed=n_keyed), turns
    except TooFewQuestionsError as error:
        raise CampaignError(str(error)) from error
