"""What people meet in training: the items that are still ahead, what was expected of those they judged, and what
came of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from accounts.models import User
from annotation import schemes
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Item,
    Judgement,
    Key,
    Qualification,
)
from annotation.queries import audience, expected_labels, standings, training_attempts
from annotation.schemes import Shows, VerdictScheme
from performance.compiled_queries import Compiled
from stats.qualification import Decision, Outcome, Rule, RuleError

UNSEEN: Compiled[Item] = Compiled(
    lambda n, *, batch, annotator: (
        Item.objects.unseen_by(annotator).keyed().filter(batch=batch).order_by("position")[:n]
    )
)


@dataclass(frozen=True)
class Expectation:
    """What was expected of an item that the person judged in training: the label with its words on the desk, and why.

    `given` is their own label; `is_met`: it is the expected one.
    """

    label: str
    words: str
    given: str
    is_met: bool
    explanation: str


class Ending(StrEnum):
    DONE = "done"  # the training decides on nothing
    HELD = "held"  # they hold the qualification
    AGAIN = "again"  # another attempt is open to them
    FAILED = "failed"
    MORE = "more"  # more answers are needed, and there are none to give
    UNDECIDED = "undecided"  # an organiser decides


@dataclass(frozen=True)
class Result:
    """What came of a training that the person has finished: the answers, how many were right, and what follows.

    following   the training that is the next attempt; None if there is none
    """

    n: int
    n_right: int
    ending: Ending
    following: Batch | None = None


def objection(batch: Batch) -> str:
    """Return why the batch cannot be a training; "" if it can, or is none."""
    if not batch.is_training:
        return ""
    scheme = schemes.get(batch.scheme)
    if not isinstance(scheme, VerdictScheme) or scheme.shows != Shows.ANSWER:
        return f"the scheme {scheme.name} has no control items, of which a training consists"
    asked = batch.trains_for
    if asked is None or asked.is_group:
        return ""
    if asked.study_id != batch.study_id:
        return f"the qualification {asked.name} is of another study"
    try:
        standings.rule_for(asked, batch)
    except RuleError as error:
        return f"the rule of {asked.name} cannot look at it: {error}"
    return ""


def unseen_items(batch: Batch, annotator: int, n: int) -> list[Item]:
    """Return the first `n` items of a training batch that the person was not handed."""
    return UNSEEN.all(n, batch=batch.pk, annotator=annotator)


def why_not_begin(batch: Batch, person: User) -> str:
    """Return why the person cannot begin this training; "" if they can, or have begun."""
    asked = batch.trains_for
    if asked is None or asked.is_group or audience.has_begun(batch, person):
        return ""
    if _holds(asked, person):
        return f"{person.username} holds {asked.name} already"
    begun = training_attempts.begun_by(person.pk, asked)
    n_used = len(
        {each.pk for each in begun} | standings.batches_failed_in(asked).get(person.pk, set())
    )
    if n_used >= Rule.from_dict(asked.rule).attempts:
        return f"{person.username} has used up the attempts that the rule of {asked.name} allows"
    for each in begun:
        if each.state != BatchState.CLOSED and not has_finished(each, person):
            return f"{person.username} has not finished the training {each.name}"
    if begun and (said := outcome_of(begun[-1], person)) and said.decision is Decision.GRANTED:
        return f"the organisers decide on the training {begun[-1].name}"
    first = _first_open(asked, person, {each.pk for each in begun})
    return "" if first == batch else f"another training for {asked.name} comes before"


def _holds(asked: Qualification, person: User) -> bool:
    return asked.standings.granted().filter(user=person).exists()


def _first_open(asked: Qualification, person: User, begun: set[int]) -> Batch | None:
    """Return the first open training for it that the person is in the audience of and has not begun."""
    trainings = training_attempts.trainings_for(asked).filter(state=BatchState.OPEN)
    ahead = audience.with_standing(trainings.exclude(pk__in=begun), person.pk)
    return next((each for each in ahead if each.is_admitted), None)


def has_finished(batch: Batch, person: User) -> bool:
    """Return whether the person judged every item of the training, of which there is one at least."""
    items = training_attempts.items_of(batch)
    own = Assignment.objects.filter(annotator=person, state=AssignmentState.SUBMITTED)
    n_items = items.count()
    return n_items > 0 and own.filter(item__in=items.order_by()).count() == n_items


def outcome_of(batch: Batch, person: User) -> Outcome | None:
    """Return what the rule says of the person's answers in the training; None where there is no rule, or no answer."""
    if batch.trains_for is None or batch.trains_for.is_group:
        return None
    return standings.suggestions(batch.trains_for, batch).get(person.pk)


def result(batch: Batch, person: User) -> Result | None:
    """Return what came of the training; None if the person has not finished it."""
    if not has_finished(batch, person):
        return None
    answers = expected_labels.answers_of(person, batch)
    n_right = sum(expected == given for expected, given in answers)
    asked = batch.trains_for
    if asked is None:
        return Result(len(answers), n_right, Ending.DONE)
    if _holds(asked, person):
        return Result(len(answers), n_right, Ending.HELD)
    following = _first_open(
        asked, person, {each.pk for each in training_attempts.begun_by(person.pk, asked)}
    )
    if following is None or asked.is_group or why_not_begin(following, person):
        return Result(len(answers), n_right, _ending(asked, outcome_of(batch, person)))
    return Result(len(answers), n_right, Ending.AGAIN, following)


def _ending(asked: Qualification, outcome: Outcome | None) -> Ending:
    if outcome is None or not asked.rule.get("acts"):
        return Ending.UNDECIDED
    decided = {Decision.FAILED: Ending.FAILED, Decision.MORE_NEEDED: Ending.MORE}
    return decided.get(outcome.decision, Ending.UNDECIDED)


def expectations(batch: Batch, judgements: Sequence[Judgement]) -> dict[int, Expectation]:
    """Return what was expected of the items that these judgements of one person are of, by judgement; {} without a
    query where the batch is no training: of hidden control items nothing is said.

    The judgements are stored: whoever reads this can change theirs no more.
    """
    if not batch.is_training or not judgements:
        return {}
    scheme = schemes.verdict_scheme(batch.scheme)
    items = dict(
        Assignment.objects.filter(pk__in={each.assignment_id for each in judgements}).values_list(
            "pk", "item"
        )
    )
    keys = {each.item_id: each for each in Key.objects.filter(item__in=items.values())}
    found = {}
    for each in judgements:
        if key := keys.get(items[each.assignment_id]):
            found[each.pk] = Expectation(
                label=key.label,
                words=scheme.option(key.label).words,
                given=scheme.label(each.response),
                is_met=scheme.label(each.response) == key.label,
                explanation=key.explanation,
            )
    return found
