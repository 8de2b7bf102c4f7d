"""Who would work on the full batch under which bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import Membership
from annotation.models import Batch, BatchState, Qualification, StandingState
from annotation.queries import standings
from annotation.queries.standings import Line
from exports.after_pilot.shown import PilotFigures
from stats import qualification as rules
from stats.qualification import Decision, Outcome, Rule, RuleError

DEFAULT_RULE = Rule()


@dataclass(frozen=True)
class Person:
    """An annotator who judged in the pilot, or holds the qualification.

    line         with what was decided of them, and what the rule says at the bar
    highest_bar  the highest bar at which the rule lets them in; None: at none
    """

    line: Line
    n_judged: int
    median_seconds: float | None
    highest_bar: float | None

    @property
    def member(self) -> Membership:
        return self.line.member

    @property
    def is_suggested(self) -> bool:
        """Return whether the rule would grant it now. It does not undo what a person revoked."""
        is_granted = self.line.outcome and self.line.outcome.decision is Decision.GRANTED
        return bool(is_granted and self.line.is_new)

    def passes_at(self, bar: float) -> bool:
        return self.highest_bar is not None and self.highest_bar >= bar

    def works_at(self, bar: float) -> bool:
        """Return whether they would work on the full batch under this bar: who holds it keeps it, and nobody from
        whom a person took it is let in again.
        """
        standing = self.line.standing
        is_revoked = standing is not None and standing.state == StandingState.REVOKED
        return self.line.is_held or (self.passes_at(bar) and not is_revoked)


@dataclass(frozen=True)
class People:
    """The people by name, and why the rule says nothing of anybody; "" if it does."""

    people: Sequence[Person]
    why_no_rule: str

    @property
    def n_judged(self) -> int:
        return sum(each.n_judged > 0 for each in self.people)

    def n_passing(self, bar: float) -> int:
        """Return how many of those who judged the rule lets in under this bar."""
        return sum(each.passes_at(bar) for each in self.people)

    def n_working(self, bar: float) -> int:
        """Return how many people the full batch would have under this bar."""
        return sum(each.works_at(bar) for each in self.people)


def rule_at(asked: Qualification | None, batch: Batch, bar: float | None) -> Rule:
    """Return the rule of the qualification, or the usual one, with this bar for all answers. Raises RuleError."""
    has_rule = asked is not None and not asked.is_group
    rule = standings.rule_for(asked, batch) if has_rule and asked else DEFAULT_RULE
    return rule if bar is None else Rule.from_dict({**rule.to_dict(), "accuracy": bar})


def people(
    batch: Batch, asked: Qualification | None, bar: float | None, figures: PilotFigures
) -> People:
    """Return the active annotators of the pilot, and those who hold the qualification, with what the rule says."""
    spent = figures.spent
    found = _outcomes(batch, asked, bar, figures)
    current = standings.current(asked) if asked else {}
    failed = standings.people_failed_in(asked, batch) if asked else frozenset()
    held = {pk for pk, row in current.items() if row.state == StandingState.GRANTED}
    users = spent.n_by_person.keys() | held
    members = standings.candidates(batch.study).filter(user__in=users, user__is_active=True)

    def person(member: Membership) -> Person:
        pk = member.user_id
        return Person(
            line=Line(
                member,
                current.get(pk),
                found.outcomes.get(pk),
                batch,
                was_failed_in=pk in failed,
            ),
            n_judged=spent.n_by_person.get(pk, 0),
            median_seconds=spent.median_by_person.get(pk),
            highest_bar=found.highest_bars.get(pk),
        )

    return People([person(each) for each in members], found.why_none)


@dataclass(frozen=True)
class _Outcomes:
    """By user's key: what the rule says, and the highest bar. `why_none`: why it says nothing."""

    outcomes: dict[int, Outcome]
    highest_bars: dict[int, float | None]
    why_none: str = ""


def _first_attempt(person: int) -> int:
    return 1


def _outcomes(
    batch: Batch, asked: Qualification | None, bar: float | None, figures: PilotFigures
) -> _Outcomes:
    try:
        rule = rule_at(asked, batch, bar)
    except RuleError as error:
        return _Outcomes({}, {}, str(error))
    if figures.why_no_answers:
        return _Outcomes({}, {}, figures.why_no_answers)
    answers = {person: list(own.elements()) for person, own in figures.answers.items()}
    used = standings.attempts_used(asked, batch) if asked else _first_attempt
    may_answer_more = batch.state != BatchState.CLOSED
    outcomes = {
        person: rules.outcome(
            rule, own, may_answer_more=may_answer_more, attempts_used=used(person)
        )
        for person, own in answers.items()
    }
    highest_bars = {
        person: rules.highest_bar(rule, own, attempts_used=used(person))
        for person, own in answers.items()
    }
    return _Outcomes(outcomes, highest_bars)
