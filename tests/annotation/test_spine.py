"""The actions against a model in plain Python: whatever people do in whatever order, both agree."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
import time_machine
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import Role, User
from annotation.actions import (
    batches,
    claims,
    desk_sync,
    judgements,
    pauses,
    reviews,
    settlement,
)
from annotation.actions.desk_submissions import SentJudgement
from annotation.actions.desk_sync import SyncResult
from annotation.models import (
    Assignment,
    Batch,
    Cursor,
    Exclusion,
    Grouping,
    Item,
    Judgement,
    Pause,
    Verdict,
)
from annotation.queries import recent_judgements
from annotation.review_decisions import ReviewError
from tests.annotation import model_of_the_spine as model
from tests.annotation.desk import after, submission
from tests.annotation.model_of_the_spine import RefusedError
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory

REFUSALS = (
    batches.BatchError,
    claims.NothingToClaimError,
    judgements.AlreadySubmittedError,
    judgements.NotClaimedError,
    judgements.NotEditableError,
    pauses.PauseError,
    ReviewError,
    settlement.SettleError,
)
PEOPLE = ("bob", "dora", "eve")
N_ITEMS, N_WANTED = 4, 2

people = st.sampled_from(PEOPLE)
labels = st.sampled_from(["plausible", "malformed"])
# Which of those there are: taken modulo their number.
picks = st.integers(0, 59)


class AtTheDesk(RuleBasedStateMachine):
    """Every rule does the same thing twice, in the database and in the model, and compares."""

    batch: ClassVar[Batch]
    cast: ClassVar[dict[str, User]]

    @initialize()
    def begin(self) -> None:
        is_fewest_first = self.batch.grouping == Grouping.FEWEST
        self.spine = model.Spine(list(PEOPLE), N_ITEMS, N_WANTED, is_fewest_first=is_fewest_first)
        self.assignments: dict[model.Claim, int] = {}
        self.judgements: dict[model.Said, int] = {}
        self.n_ids = 0
        self.savepoint = transaction.savepoint()

    def teardown(self) -> None:
        if hasattr(self, "savepoint"):
            transaction.savepoint_rollback(self.savepoint)

    def both(self, act: Callable[[], Any], in_the_model: Callable[[], Any]) -> tuple[Any, Any]:
        """What the act gave, here and there; (None, None) where both refuse it alike."""
        try:
            expected, refusal = in_the_model(), None
        except RefusedError as error:
            expected, refusal = None, error.kind
        try:
            with time_machine.travel(after(self.spine.now), tick=False):
                given = act()
        except REFUSALS as error:
            given, expected, refused = None, None, type(error).__name__
        else:
            refused = None
        assert refused == refusal
        return given, expected

    def pick(self, there: list[Any], number: int) -> Any:
        return there[number % len(there)]

    def assignment(self, claim: model.Claim) -> Assignment:
        return Assignment.objects.get(pk=self.assignments[claim])

    def item(self, item: model.Item) -> Item:
        return Item.objects.get(batch=self.batch, position=item.position)

    # At the desk

    @rule(name=people, n=st.integers(1, 3))
    def claim(self, name: str, n: int) -> None:
        given, expected = self.both(
            lambda: claims.claim(batch=self.batch, by=self.cast[name], n=n),
            lambda: self.spine.claim(name, n),
        )
        if given is None:
            return
        assert [each.item.position for each in given] == [each.item.position for each in expected]
        for assignment, claim in zip(given, expected, strict=True):
            assert self.assignments.setdefault(claim, assignment.pk) == assignment.pk

    @rule(name=people, label=labels)
    def work(self, name: str, label: str) -> None:
        self.claim(name, 2)
        for claim in [claim for claim in self.spine.claims if claim.person == name]:
            if claim.state == "claimed":
                self.submit_once(claim, label, self.new_client_id())

    @rule(name=people)
    def claim_and_go_away(self, name: str) -> None:
        self.claim(name, 2)
        self.time_passes(model.CLAIM_SECONDS + 1)

    @rule(
        name=people,
        wanted=st.integers(0, 4),
        sent=st.lists(st.tuples(picks, labels, st.booleans()), max_size=3),
    )
    def feed(self, name: str, wanted: int, sent: list[tuple[int, str, bool]]) -> None:
        """Up to three submissions at once, of anybody's items, some of them sent before."""
        chosen = []
        for number, label, is_old in sent if self.spine.claims else []:
            claim = self.pick(self.spine.claims, number)
            old = claim.said[-1].client_id if is_old and claim.said else self.new_client_id()
            chosen.append((claim, old, label))
        fed, expected = self.both(
            lambda: self.synced(name, wanted, chosen), lambda: self.spine.feed(name, chosen, wanted)
        )
        outcomes, held = expected
        assert [each.outcome for each in fed.results] == outcomes
        given = {each.pk: each.item.position for each in fed.handed_before + fed.new}
        assert sorted(given.values()) == sorted(claim.item.position for claim in held)
        for assignment in fed.handed_before + fed.new:
            claim = next(each for each in held if each.item.position == assignment.item.position)
            assert self.assignments.setdefault(claim, assignment.pk) == assignment.pk
        for result in fed.results:
            if result.outcome in ("saved", "late"):
                said = next(
                    each
                    for each in self.spine.said
                    if each.client_id == result.sent.submission.client_id
                )
                assert self.judgements.setdefault(said, result.judgement.pk) == result.judgement.pk

    def synced(
        self, name: str, wanted: int, chosen: list[tuple[model.Claim, str, str]]
    ) -> SyncResult:
        sent = [
            SentJudgement(self.assignment(claim).public_id, submission(label, client_id=client_id))
            for claim, client_id, label in chosen
        ]
        return desk_sync.sync(batch=self.batch, by=self.cast[name], sent=sent, n_more=wanted)

    @precondition(lambda self: self.spine.claims)
    @rule(number=picks, label=labels)
    def submit(self, number: int, label: str) -> None:
        claim = self.pick(self.spine.claims, number)
        self.submit_once(claim, label, self.new_client_id())

    @precondition(lambda self: self.spine.late)
    @rule(number=picks, label=labels)
    def submit_late(self, number: int, label: str) -> None:
        claim = self.pick(self.spine.late, number)
        self.submit_once(claim, label, self.new_client_id())

    @precondition(lambda self: self.spine.said)
    @rule(number=picks, label=labels)
    def submit_what_was_submitted(self, number: int, label: str) -> None:
        said = self.pick(self.spine.said, number)
        self.submit_once(said.claim, label, said.client_id)

    def new_client_id(self) -> str:
        self.n_ids += 1
        return f"page-{self.n_ids}"

    def submit_once(self, claim: model.Claim, label: str, client_id: str) -> None:
        given, expected = self.both(
            lambda: judgements.submit(
                assignment=self.assignment(claim),
                submission=submission(label, client_id=client_id),
                by=self.cast[claim.person],
            ),
            lambda: self.spine.submit(claim, client_id, label),
        )
        if given is not None:
            assert self.judgements.setdefault(expected, given.pk) == given.pk
            assert (given.number, given.is_surplus) == (expected.number, expected.is_surplus)
            assert given.response == {"plausibility": expected.label}

    @precondition(lambda self: self.spine.claims)
    @rule(number=picks)
    def skip(self, number: int) -> None:
        claim = self.pick(self.spine.claims, number)
        self.both(
            lambda: judgements.skip(
                assignment=self.assignment(claim), reason="", by=self.cast[claim.person]
            ),
            lambda: self.spine.skip(claim),
        )

    @precondition(lambda self: self.spine.said)
    @rule(number=picks)
    def take_back(self, number: int) -> None:
        said = self.pick(self.spine.said, number)
        self.both(
            lambda: judgements.take_back(
                judgement=Judgement.objects.get(pk=self.judgements[said]),
                by=self.cast[said.claim.person],
            ),
            lambda: self.spine.take_back(said),
        )

    @rule(seconds=st.sampled_from([1, 30, model.CLAIM_SECONDS, model.CLAIM_SECONDS + 1]))
    def time_passes(self, seconds: int) -> None:
        self.spine.now += seconds

    # Decisions

    @precondition(lambda self: self.spine.said)
    @rule(number=picks, is_counted=st.booleans())
    def review(self, number: int, is_counted: bool) -> None:
        said = self.pick(self.spine.said, number)
        self.both(
            lambda: reviews.review(
                judgement=Judgement.objects.get(pk=self.judgements[said]),
                is_paid=True,
                paid_reason="because",
                is_counted=is_counted,
                counted_reason="because",
                by=self.cast["alice"],
            ),
            lambda: self.spine.review(said, is_counted),
        )

    @precondition(lambda self: self.spine.n_wanted < 2 * N_ITEMS * N_WANTED)
    @rule(number=picks)
    def ask_again(self, number: int) -> None:
        item = self.pick(self.spine.items, number)
        self.both(
            lambda: reviews.ask_again(item=self.item(item), by=self.cast["alice"]),
            lambda: self.spine.ask_again(item),
        )

    @rule(act=st.sampled_from(["pause", "resume", "close", "reopen"]))
    def change_the_batch(self, act: str) -> None:
        self.both(
            lambda: getattr(batches, act)(batch=self.batch, by=self.cast["alice"]),
            lambda: self.spine.change(act),
        )

    @rule(name=people, act=st.sampled_from(["pause", "resume"]))
    def pause_or_resume_a_person(self, name: str, act: str) -> None:
        self.both(
            lambda: getattr(pauses, act)(
                batch=self.batch,
                annotator=self.cast[name],
                reason="because",
                by=self.cast["alice"],
            ),
            lambda: getattr(self.spine, f"{act}_person")(name),
        )

    @precondition(lambda self: self.spine.state == "closed")
    @rule(number=picks, label=labels)
    def adjudicate(self, number: int, label: str) -> None:
        item = self.pick(self.spine.items, number)
        self.both(
            lambda: reviews.adjudicate(
                item=self.item(item), label=label, reason="because", by=self.cast["carol"]
            ),
            lambda: self.spine.adjudicate(item, label),
        )

    @rule(number=picks, act=st.sampled_from(["exclude", "readmit"]))
    def leave_out_or_take_in(self, number: int, act: str) -> None:
        item = self.pick(self.spine.items, number)
        self.both(
            lambda: getattr(reviews, act)(
                item=self.item(item), reason="because", by=self.cast["alice"]
            ),
            lambda: getattr(self.spine, act)(item),
        )

    @precondition(lambda self: self.spine.state == "closed")
    @rule(how=st.sampled_from(["unanimous", "majority"]), expire_claims=st.booleans())
    def settle(self, how: str, expire_claims: bool) -> None:
        given, expected = self.both(
            lambda: settlement.settle(
                batch=self.batch, rule=how, by=self.cast["alice"], expire_claims=expire_claims
            ),
            lambda: self.spine.settle(how, expire_claims),
        )
        if given is not None:
            assert (given.n_new, given.n_superseded) == expected

    # After every step

    @invariant()
    def the_places_are_those_of_the_model(self) -> None:
        counted = Item.objects.filter(batch=self.batch).order_by("position")
        places = counted.values_list("n_wanted", "n_open", "n_claimed", "n_counted")
        assert list(places) == [item.places for item in self.spine.items]

    @invariant()
    def the_items_that_are_excluded_are_those_of_the_model(self) -> None:
        rows = Item.objects.filter(batch=self.batch).order_by("position")
        assert list(rows.values_list("is_excluded", flat=True)) == [
            item.is_excluded for item in self.spine.items
        ]
        excluded = Exclusion.objects.filter(item__in=rows, replaced_by=None, is_excluded=True)
        assert set(excluded.values_list("item__position", flat=True)) == {
            item.position for item in self.spine.items if item.is_excluded
        }

    @invariant()
    def who_is_paused_is_paused_in_the_model(self) -> None:
        paused = Cursor.objects.filter(batch=self.batch, is_paused=True)
        assert set(paused.values_list("annotator__username", flat=True)) == self.spine.paused
        stands = Pause.objects.filter(batch=self.batch, replaced_by=None, is_paused=True)
        assert set(stands.values_list("annotator__username", flat=True)) == self.spine.paused

    @invariant()
    def the_assignments_are_in_the_states_of_the_model(self) -> None:
        rows = Assignment.objects.filter(item__batch=self.batch).values_list("pk", "state")
        assert dict(rows) == {self.assignments[claim]: claim.state for claim in self.spine.claims}

    @invariant()
    def what_counts_is_what_counts_in_the_model(self) -> None:
        counted = Judgement.objects.counted().filter(assignment__item__batch=self.batch)
        assert set(counted.values_list("pk", flat=True)) == {
            self.judgements[said] for said in self.spine.said if said.counts
        }

    @invariant()
    def who_submitted_has_one_judgement_that_stands_and_nobody_else_has_any(self) -> None:
        for claim in self.spine.claims:
            assert len(claim.standing()) == (claim.state == "submitted")

    @invariant()
    def every_item_has_the_verdict_of_the_model(self) -> None:
        rows = Verdict.objects.current().filter(item__batch=self.batch).select_related("item")
        assert {
            row.item.position: (
                row.state,
                row.label or row.set_aside_reason,
                row.source,
                row.rule,
                row.votes,
            )
            for row in rows
        } == {item.position: item.verdict for item in self.spine.items if item.verdict}


@pytest.fixture(params=[Grouping.QUESTION, Grouping.FEWEST])
def at_the_desk(study, alice, carol, monkeypatch, request) -> type[AtTheDesk]:
    cast = {name: member(study, name, Role.ANNOTATOR, by=alice) for name in PEOPLE}
    monkeypatch.setattr(recent_judgements, "N_EDITABLE", model.N_EDITABLE)
    batch = BatchFactory(
        pool__dataset__study=study,
        judgements_per_item=N_WANTED,
        claim_seconds=model.CLAIM_SECONDS,
        prefetch_depth=model.DEPTH,
        grouping=request.param,
    )
    for position in range(1, N_ITEMS + 1):
        ItemFactory(batch=batch, position=position)
    named = {"batch": batch, "cast": {**cast, "alice": alice, "carol": carol}}
    return type("AtThisDesk", (AtTheDesk,), named)


@pytest.mark.database
@pytest.mark.parametrize("n_examples", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_whatever_people_do_the_database_agrees_with_the_model(at_the_desk, n_examples):
    run_state_machine_as_test(
        at_the_desk,
        settings=settings(
            # PostgreSQL is asked over a socket, and by the same code.
            max_examples=n_examples if connection.vendor == "sqlite" else min(n_examples, 8),
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
