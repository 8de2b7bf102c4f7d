"""Two rounds of writing in whatever order people work, stop, take back and are given items: routing adds up, and nobody
is handed what they wrote.
"""

from dataclasses import astuple

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.errors import ActionError
from accounts.models import Role
from annotation.actions import batches, claims, desk_sync, judgements, reassignments, reservations
from annotation.models import Assignment, Judgement
from annotation.schemes.routing import Routes
from tests.annotation.desk import after, assert_counts_match
from tests.annotation.rounds import (
    CONSECUTIVE,
    GAPS,
    SKIPPED,
    UNANSWERABLE,
    draw,
    first_round,
    submit,
)
from tests.conftest import member

pytestmark = pytest.mark.database

PEOPLE = st.integers(0, 2)
SAID = st.sampled_from([GAPS, CONSECUTIVE, UNANSWERABLE, SKIPPED])
STEPS = st.one_of(
    st.tuples(st.just("work"), PEOPLE, SAID),
    st.tuples(st.just("claim"), PEOPLE, st.integers(1, 3)),
    st.tuples(st.just("prefetch"), PEOPLE, st.integers(1, 3)),
    st.tuples(st.just("lapse"), st.just(0), st.just(0)),
    st.tuples(st.just("take_back"), PEOPLE, st.just(0)),
    st.tuples(st.just("reserve"), PEOPLE, st.integers(1, 2)),
    st.tuples(st.just("reassign"), PEOPLE, PEOPLE),
    st.tuples(st.just("route"), st.just(0), st.just(0)),
    st.tuples(st.just("reopen"), st.just(0), st.just(0)),
)
REFUSALS = (
    ActionError,
    claims.NothingToClaimError,
    judgements.NotEditableError,
)


class Rounds:
    """The batch of the first round, of the second once it was drawn, and who works on them."""

    def __init__(self, first, people) -> None:
        self.first, self.people, self.second, self.seconds = first, people, None, 0
        self.by = first.study.created_by

    @property
    def now(self):
        return after(self.seconds)

    @property
    def batch(self):
        """The one that people work on: the second round as soon as there is one, unless the first is open again."""
        self.first.refresh_from_db()
        return self.first if self.second is None or self.first.state == "open" else self.second

    def work(self, person, response) -> None:
        for assignment in claims.claim(batch=self.batch, by=person, now=self.now):
            kept = {"kept": "modify"} if "written" in assignment.item.payload else {}
            submit(assignment, response if response is SKIPPED else response | kept, self.now)

    def claim(self, person, n) -> None:
        claims.claim(batch=self.batch, by=person, n=n, now=self.now)

    def prefetch(self, person, n) -> None:
        desk_sync.sync(batch=self.batch, by=person, sent=[], n_more=n, now=self.now)

    def lapse(self, *_) -> None:
        self.seconds += 601

    def take_back(self, person, _) -> None:
        own = Judgement.objects.not_withdrawn().filter(assignment__annotator=person)
        if (last := own.last()) is not None:
            judgements.take_back(judgement=last, by=person, now=self.now)

    def reserve(self, person, n) -> None:
        reservations.reserve_drawn(batch=self.batch, person=person, by=self.by, n=n)

    def reassign(self, person, to) -> None:
        reassignments.reassign(
            batch=self.batch,
            people=[person],
            to=self.people[to],
            reason="away",
            by=self.by,
            now=self.now,
        )

    def route(self, *_) -> None:
        if self.first.state == "open":
            batches.close(batch=self.first, by=self.by)
            self.first.refresh_from_db()
        drawn = draw(self.first, Routes.UNANSWERABLE)
        n_written, *parts = astuple(drawn.counts)
        assert n_written == sum(parts)
        self.second = drawn.batch
        if drawn.is_new:
            self.second = batches.launch(batch=drawn.batch, by=self.by)
        there = self.second.items.filter(is_excluded=False)
        assert there.count() == drawn.counts.n_routed

    def reopen(self, *_) -> None:
        batches.reopen(batch=self.first, by=self.by)


@pytest.fixture
def rounds(study, alice, bob, dora, tmp_path):
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)
    first = first_round(study, tmp_path, n=4, judgements_per_item=2)
    return lambda: Rounds(first, [bob, dora, eve])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=3, max_size=10))
def test_routing_adds_up_and_nobody_is_handed_what_they_wrote(rounds, steps):
    begun = transaction.savepoint()
    both = rounds()
    # Something is written in every example, so that there is something to hand on.
    for act, person, what in (
        ("work", 0, GAPS),
        ("work", 1, UNANSWERABLE),
        *steps,
        ("route", 0, 0),
    ):
        try:
            with transaction.atomic():
                getattr(both, act)(both.people[person], what)
        except REFUSALS:
            continue
        if both.second is not None:
            handed = Assignment.objects.filter(item__batch=both.second)
            for each in handed.select_related("item__rewrites__assignment"):
                assert each.annotator_id != each.item.rewrites.assignment.annotator_id
    if both.second is not None:
        claims.expire_all(batch=both.second)
        for person in both.people:  # and none is left that could be
            for each in claims.claim(batch=both.second, by=person, n=9, now=both.now):
                assert each.item.rewrites.assignment.annotator_id != person.pk
        assert_counts_match(both.second)
    transaction.savepoint_rollback(begun)
