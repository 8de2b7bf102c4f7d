"""What a release takes and what it refuses: exports/releases/actions.py and readiness.py."""

import json

import pytest

from accounts.models import Role
from annotation.actions import batches, rehearsals, reviews, verdicts
from annotation.models import Assignment, AssignmentState, Judgement, SetAside
from audit import events
from audit.models import Event
from exports.models import Release
from exports.releases import files
from exports.rows.ids import timestamp
from exports.writers.errors import ReleaseError
from tests.annotation.desk import NOW, submit
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports.judged_batches import (
    answers_of,
    close_batch,
    find_evidence,
    judge_and_settle,
    judge_batch,
    reject,
    release,
    reopen_batch,
    settle_batch,
)
from tests.exports.releases.stored_release import folder_of
from tests.jobs.threads import at_work
from tests.recomputed_tables import table


@pytest.fixture
def out(tmp_path):
    return tmp_path / "release"


def refusal(batch, out, **options):
    """The sentence with which the release of the batch's data set is refused; nothing is left of it."""
    before = sorted(out.parent.iterdir())
    with pytest.raises(ReleaseError) as caught:
        release(batch, out, **options)
    assert sorted(out.parent.iterdir()) == before
    assert not Release.objects.exists()
    return str(caught.value)


# Batches that were begun


def test_a_reopened_batch_is_named_and_not_left_out(faithfulness, out):
    reopen_batch(faithfulness)

    said = refusal(faithfulness, out)

    assert "batches that are not closed: faithfulness (open)" in said
    assert "Close and settle" in said


def test_what_was_reopened_is_released_when_it_is_closed_and_settled_again(faithfulness, out):
    settle_batch(close_batch(reopen_batch(faithfulness)))

    release(faithfulness, out)

    endings = {row["faithfulness"] for row in answers_of(out, sampled="drawn")}
    assert endings == {"unfaithful"}


@pytest.mark.parametrize("state", ["open", "paused"])
def test_a_batch_in_which_one_item_was_claimed_is_in_the_way(plausibility, bob, out, state):
    other = judge_batch(launched(plausibility.pool, name="other"), bob)
    if state == "paused":
        batches.pause(batch=other, by=other.created_by)

    assert f"other ({state})" in refusal(plausibility, out)


def test_all_batches_in_the_way_are_named_in_the_order_they_were_made(faithfulness, out):
    reopen_batch(faithfulness)
    plausibility = faithfulness.study.batches.get(name="plausibility")
    reopen_batch(plausibility)

    assert "plausibility (open), faithfulness (open)" in refusal(faithfulness, out)


def test_an_open_batch_that_nobody_worked_on_is_in_nobodys_way(plausibility, out):
    launched(plausibility.pool, name="other")

    release(plausibility, out)

    assert answers_of(out, plausibility="plausible")


def test_real_work_under_way_is_not_in_the_way_of_a_rehearsal(plausibility, alice, out):
    trial = launched(plausibility.pool, name="trial")
    rehearsals.rehearse(batch=trial, n_annotators=2, accuracy=1, seed=1, by=alice)
    settle_batch(close_batch(trial))
    reopen_batch(plausibility)

    release(trial, out, is_rehearsal=True, set_aside_disputes=True)

    assert Release.objects.get().is_rehearsal


def test_a_batch_without_the_one_its_answers_came_from_is_refused(plausibility, alice, out):
    trial = launched(find_evidence(plausibility), name="trial", scheme="faithfulness")
    rehearsals.rehearse(batch=trial, n_annotators=2, accuracy=1, seed=1, by=alice)
    settle_batch(close_batch(trial))

    said = refusal(trial, out, is_rehearsal=True, set_aside_disputes=True)

    assert "the batch trial asks about answers of the batch plausibility" in said
    assert "no closed rehearsed batch" in said


def test_a_batch_that_is_not_settled_is_refused(pool, bob, dora, out):
    batch = close_batch(judge_batch(launched(pool), bob, dora))

    assert "plausibility is closed but not settled" in refusal(batch, out)


# Verdicts that no longer stand


def test_a_review_after_settling_is_settled_first(plausibility, out):
    reject(Judgement.objects.filter(assignment__item__batch=plausibility).first())

    said = refusal(plausibility, out)

    assert "plausibility was changed after it was settled: 1 of its items" in said
    assert "Settle it again" in said
    settle_batch(plausibility)
    release(plausibility, out)
    [few] = answers_of(out, plausibility="too_few_judgements", first_credit="true")
    assert few["answer_id"]


def test_a_readmitted_item_is_settled_first(plausibility, alice, out):
    item = plausibility.items.first()
    reviews.exclude(item=item, reason="confusing", by=alice)
    reviews.readmit(item=item, reason="not so", by=alice)

    assert str(item) in refusal(plausibility, out)
    settle_batch(plausibility)
    release(plausibility, out)


def test_an_excluded_item_is_released_as_such(plausibility, alice, out):
    reviews.exclude(item=plausibility.items.first(), reason="confusing", by=alice)

    release(plausibility, out)

    assert answers_of(out, plausibility="excluded")


def test_an_adjudicated_item_stands_whatever_is_reviewed(plausibility, carol, out):
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="look at it", by=carol)
    reject(Judgement.objects.filter(assignment__item=item).first())

    release(plausibility, out)

    assert answers_of(out, plausibility="malformed")


# Disputes


def test_what_a_release_set_aside_stays_so_in_the_next(pool, bob, dora, tmp_path):
    batch = judge_batch(launched(pool), bob)
    batch = judge_and_settle(batch, dora, label="malformed")

    assert "3 items are in dispute" in refusal(batch, tmp_path / "first")
    first = release(batch, tmp_path / "first", set_aside_disputes=True)
    second = release(batch, tmp_path / "second")

    assert (first.n_disputes_set_aside, second.n_disputes_set_aside) == (3, 0)
    reasons = {verdicts.current_verdict(item).set_aside_reason for item in batch.items.all()}
    assert reasons == {SetAside.DISAGREEMENT}


def test_a_dispute_that_a_review_ended_is_settled_before_it_counts_as_disagreement(
    pool, bob, dora, tmp_path
):
    batch = judge_and_settle(judge_batch(launched(pool), bob), dora, label="malformed")
    release(batch, tmp_path / "first", set_aside_disputes=True)
    reject(Judgement.objects.filter(assignment__annotator=dora).first())

    with pytest.raises(ReleaseError, match="1 of its items would end otherwise now"):
        release(batch, tmp_path / "second")


# Which of two batches has the say


def test_an_old_batch_that_is_opened_and_closed_again_does_not_become_the_newest(
    plausibility, bob, dora, out
):
    judge_and_settle(launched(plausibility.pool, name="second"), bob, dora, label="implausible")
    settle_batch(close_batch(reopen_batch(plausibility)))

    release(plausibility, out)

    endings = {row["plausibility"] for row in answers_of(out, sampled="drawn")}
    assert endings == {"implausible"}


# What happens while it is made


def meanwhile(monkeypatch, act):
    """The act is done when all is read and nothing recorded yet."""
    made = files.release_manifest

    def manifest(*args, **options):
        act()
        return made(*args, **options)

    monkeypatch.setattr(files, "release_manifest", manifest)


@pytest.mark.parametrize("decides", ["adjudicated", "excluded", "reviewed", "reopened"])
def test_a_decision_in_a_batch_while_its_release_is_made_is_in_the_way(
    plausibility, carol, alice, out, monkeypatch, decides
):
    item = plausibility.items.first()
    acts = {
        "adjudicated": lambda: reviews.adjudicate(
            item=item, label="malformed", reason="look at it", by=carol
        ),
        "excluded": lambda: reviews.exclude(item=item, reason="confusing", by=alice),
        "reviewed": lambda: reject(Judgement.objects.filter(assignment__item=item).first()),
        "reopened": lambda: reopen_batch(plausibility),
    }
    meanwhile(monkeypatch, acts[decides])

    assert refusal(plausibility, out) == (
        f"something was decided in the batch {plausibility.name} while the release was made:"
        " make it again"
    )


def test_a_judgement_that_comes_late_is_in_no_releases_way(
    plausibility, study, alice, out, monkeypatch
):
    late = Assignment.objects.create(
        item=plausibility.items.first(),
        annotator=member(study, "eve", Role.ANNOTATOR, by=alice),
        state=AssignmentState.EXPIRED,
        claimed_at=NOW,
        expires_at=NOW,
    )
    n_before = Judgement.objects.count()
    meanwhile(monkeypatch, lambda: submit(late, "malformed"))

    release(plausibility, out)

    assert Judgement.objects.count() == n_before + 1
    assert len(table(out, "judgements")) == n_before


def test_disputes_of_a_release_that_is_not_made_are_not_set_aside(
    pool, bob, dora, carol, out, monkeypatch
):
    batch = judge_and_settle(judge_batch(launched(pool), bob), dora, label="malformed")
    item = batch.items.first()
    meanwhile(
        monkeypatch,
        lambda: reviews.adjudicate(item=item, label="malformed", reason="so", by=carol),
    )

    refusal(batch, out, set_aside_disputes=True)

    states = [verdicts.current_verdict(each).state for each in batch.items.order_by("pk")]
    assert sorted(states) == ["decided", "disputed", "disputed"]


def test_what_a_release_says_of_disputes_is_what_is_written_with_its_record(pool, bob, dora, out):
    batch = judge_and_settle(judge_batch(launched(pool), bob), dora, label="malformed")

    release(batch, out, set_aside_disputes=True)

    stored = {str(each.public_id): verdicts.current_verdict(each) for each in batch.items.all()}
    rows = {row["item_id"]: row for row in table(out, "items")}
    for name, verdict in stored.items():
        row = rows[name]
        assert (row["state"], row["set_aside_reason"], row["source"], row["rule"]) == (
            verdict.state,
            verdict.set_aside_reason,
            verdict.source,
            verdict.rule,
        )
        assert json.loads(row["votes"]) == verdict.votes
        assert row["decided_at"] == timestamp(verdict.decided_at)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_others_write_while_a_release_reads_and_writes_its_files(plausibility, out, monkeypatch):
    said = []

    def write_elsewhere():
        with at_work(lambda: Event.objects.create(actor="bob", verb="judged", target="a stone")):
            pass
        said.append(Event.objects.filter(verb="judged").exists())

    meanwhile(monkeypatch, write_elsewhere)

    release(plausibility, out)

    assert said == [False]  # it is not of the moment that the release tells of
    assert Event.objects.filter(verb="judged").exists()


# What it leaves behind


def test_the_folder_that_a_command_names_is_a_copy_of_what_is_kept(
    plausibility, out, settings, tmp_path
):
    settings.RELEASES = tmp_path / "releases"

    release(plausibility, out)

    kept = folder_of(Release.objects.get())
    assert kept.is_relative_to(settings.RELEASES)
    files = {path.relative_to(kept): path for path in kept.rglob("*") if path.is_file()}
    assert len(files) > 10
    for name, path in files.items():
        assert (out / name).read_bytes() == path.read_bytes()


def test_a_release_that_cannot_be_recorded_leaves_no_folder(
    plausibility, out, monkeypatch, settings, tmp_path
):
    settings.RELEASES = tmp_path / "releases"

    def fails(**act):
        raise RuntimeError("the record cannot be written")

    monkeypatch.setattr(events, "record", fails)

    with pytest.raises(RuntimeError):
        release(plausibility, out)

    assert not out.exists()
    assert not Release.objects.exists()
    assert not list(settings.RELEASES.rglob("*.json"))
