"""The commands on batches and items, on a batch that simulated people judged."""

import pytest

from activity.tasks import work_on
from annotation.models import Assignment, AssignmentState, Batch, Item, Review, Verdict
from sampling.models import Pool
from tests.commands.calling import open_batch
from tests.corpus.importing import DEMO


def disputed(desk):
    return desk.do("disputes", "--batch", "plausible")["disputes"][0]["item"]


def test_open_batch_counts_what_it_asks(desk, pool):
    guideline = ("--guideline", DEMO / "guideline-plausibility.md")

    assert open_batch(desk, pool, "--judgements", 3, *guideline) == {
        "batch": "plausible",
        "state": "open",
        "n_items": 3,
        "n_without_evidence": 0,
        "n_judgements_wanted": 9,
        "is_rehearsal": False,
        "warnings": [],
    }
    batch = Batch.objects.get()
    assert batch.guideline.text == guideline[1].read_text(encoding="utf-8")


def test_open_batch_warns_of_items_that_are_judged_once(desk, pool):
    warnings = open_batch(desk, pool, "--judgements", 1)["warnings"]

    assert warnings == ["items that are judged once settle only by adjudication"]


def test_open_batch_refuses_what_cannot_be(desk, pool, tmp_path):
    named = ("open_batch", "--name", "plausible", "--scheme", "plausibility", "--pool")
    open_batch(desk, pool)

    assert "there is a batch plausible already" in desk.refused(*named, pool.name)
    assert desk.refused(*named, "puddle") == "the study lighthouses has no pool puddle"
    assert "there is no file" in desk.refused(*named, pool.name, "--guideline", tmp_path / "no.md")
    assert "largest_share" in desk.refused(
        *("open_batch", "--name", "other", "--scheme", "plausibility", "--pool", pool.name),
        *("--largest-share", 2),
    )
    assert "needs a pool of evidence" in desk.refused(
        *("open_batch", "--name", "faith", "--scheme", "faithfulness", "--pool", pool.name)
    )
    assert Batch.objects.count() == 1


def test_a_batch_is_paused_resumed_and_closed(desk, pool):
    open_batch(desk, pool)
    named = ("--batch", "plausible")

    assert desk.do("pause_batch", *named) == {"batch": "plausible", "state": "paused"}
    assert desk.do("resume_batch", *named)["state"] == "open"
    assert desk.do("close_batch", *named)["state"] == "closed"


def test_a_batch_refuses_what_its_state_does_not_allow(desk, pool):
    open_batch(desk, pool)
    named = ("--batch", "plausible")

    assert desk.refused("resume_batch", *named) == "the batch plausible is open, not paused"
    assert "is open: close it first" in desk.refused("settle", *named, "--rule", "majority")
    desk.do("close_batch", *named)
    assert desk.refused("pause_batch", *named) == "the batch plausible is closed, not open"
    assert "is closed" in desk.refused("close_batch", *named)
    assert "is closed, not open" in desk.refused("rehearse", *named)


@pytest.mark.parametrize(
    "command",
    [
        "pause_batch",
        "resume_batch",
        "close_batch",
        "rehearse",
        "settle",
        "disputes",
        "find_evidence",
    ],
)
def test_a_batch_that_is_not_there_is_refused(desk, command):
    more = {"settle": ("--rule", "majority"), "find_evidence": ("--name", "evidence")}

    said = desk.refused(command, "--batch", "nowhere", *more.get(command, ()))

    assert said == "the study lighthouses has no batch nowhere"


def test_rehearse_has_simulated_people_judge_all_of_it(desk, pool):
    open_batch(desk, pool)

    said = desk.do("rehearse", "--batch", "plausible", "--annotators", 4, "--seed", 2)

    assert said == {"batch": "plausible", "n_items": 3, "n_judgements": 6, "n_annotators": 4}
    assert Batch.objects.get().is_rehearsal


def test_rehearse_refuses_a_batch_that_people_have_worked_on(desk, pool, bob):
    open_batch(desk, pool)
    item = Item.objects.first()
    Assignment.objects.create(
        item=item,
        annotator=bob,
        state=AssignmentState.EXPIRED,
        claimed_at=item.batch.created_at,
        expires_at=item.batch.created_at,
    )

    assert "was worked on already" in desk.refused("rehearse", "--batch", "plausible")


def test_settle_counts_how_the_items_ended_and_twice_adds_nothing(desk, settled):
    again = desk.do("settle", "--batch", "plausible", "--rule", "unanimous")

    assert (again["n_new"], again["n_superseded"]) == (0, 0)
    assert again["n_items"] == again["n_decided"] + again["n_disputed"] + again["n_set_aside"]
    assert again["n_disputed"] > 0
    assert "invalid choice: 'dictator'" in desk.refused(
        "settle", "--batch", "plausible", "--rule", "dictator"
    )


def test_disputes_show_what_an_adjudicator_may_see(desk, settled):
    said = desk.do("disputes", "--batch", "plausible")

    assert said["n_disputed"] == len(said["disputes"]) > 0
    assert set(said["disputes"][0]) == {"item", "turn", "question", "answer", "votes", "comments"}


def test_adjudicate_settles_a_disputed_item(desk, settled):
    item = disputed(desk)
    because = ("--reason", "It answers the question", "--by", "carol")

    said = desk.do("adjudicate", "--item", item, "--label", "plausible", *because)

    assert said == {"item": item, "label": "plausible", "source": "adjudication"}
    assert Verdict.objects.current().get(item__public_id=item).decided_by.username == "carol"


def test_adjudicate_refuses_who_and_what_cannot_be(desk, settled, bob):
    item = disputed(desk)
    command = ("adjudicate", "--reason", "Because", "--item")

    assert "alice is not adjudicator" in desk.refused(*command, item, "--label", "plausible")
    carols = ("--by", "carol", "--label")
    assert "has no label good: plausible, " in desk.refused(*command, item, *carols, "good")
    assert desk.refused(*command, "7", *carols, "plausible") == "7 is not an id"
    missing = "00000000-0000-4000-8000-000000000000"
    assert "has no item" in desk.refused(*command, missing, *carols, "plausible")
    assert "there is no user erin" in desk.refused(*command, item, "--by", "erin", "--label", "x")


def assignment(settled):
    return Assignment.objects.filter(item__batch=settled, state=AssignmentState.SUBMITTED).first()


def test_review_decides_what_is_paid_and_what_is_counted(desk, settled):
    reviewed = assignment(settled)
    decided = ("--paid", "yes", "--counted", "no", "--reason", "random clicks")

    said = desk.do("review", "--assignment", reviewed.public_id, *decided, "--ask-again")

    assert said == {
        "assignment": str(reviewed.public_id),
        "is_paid": True,
        "is_counted": False,
    }
    review = Review.objects.get()
    assert (review.paid_reason, review.counted_reason) == ("random clicks", "random clicks")
    assert Item.objects.get(pk=reviewed.item_id).n_open == 1


def test_review_refuses_who_and_what_cannot_be(desk, settled, bob):
    command = ("review", "--reason", "because", "--paid", "yes", "--counted", "no", "--assignment")
    reviewed = assignment(settled)
    item = Item.objects.exclude(assignments=reviewed).first()
    skipped = Assignment.objects.create(
        item=item,
        annotator=bob,
        state=AssignmentState.SKIPPED,
        claimed_at=reviewed.claimed_at,
        expires_at=reviewed.expires_at,
    )

    assert "bob is not adjudicator or requester" in desk.refused(
        *command, reviewed.public_id, "--by", "bob"
    )
    assert "has no judgement" in desk.refused(*command, skipped.public_id)
    assert "has no assignment" in desk.refused(*command, item.public_id)
    assert desk.refused(*command, "seven") == "seven is not an id"


def test_exclude_item_leaves_an_item_out_and_takes_it_in_again(desk, settled):
    item = disputed(desk)
    command = ("exclude_item", "--item", item, "--reason", "confusing")

    assert desk.do(*command) == {"item": item, "is_excluded": True}
    assert desk.refused(*command) == f"the item {item} is excluded already"
    assert desk.do(*command, "--readmit") == {"item": item, "is_excluded": False}
    assert desk.refused(*command, "--readmit") == f"the item {item} is not excluded already"


def test_ask_again_opens_a_place_and_the_batch(desk, settled):
    item = disputed(desk)

    said = desk.do("ask_again", "--item", item)

    assert said == {"item": item, "n_wanted": 3, "n_open": 1}
    settled.refresh_from_db()
    assert settled.state == "open"
    assert "carol is not requester" in desk.refused("ask_again", "--item", item, "--by", "carol")
    assert desk.refused("ask_again", "--item", "7") == "7 is not an id"


def test_find_evidence_builds_a_pool_that_can_be_judged(desk, settled):
    by_overlap = ("--sas-threshold", "none", "--max-words", 120)

    said = desk.do("find_evidence", "--batch", "plausible", "--name", "evidence", *by_overlap)

    pool = Pool.objects.get(name="evidence")
    assert said == {"pool": "evidence", **pool.counts}
    assert pool.is_rehearsal
    assert pool.rule["max_words"] == 120
    opened = open_batch(desk, pool, name="faithful", scheme="faithfulness")
    assert opened["n_items"] == pool.counts["n_candidates"]
    assert opened["n_without_evidence"] == pool.counts["n_candidates_without_evidence"]
    assert opened["is_rehearsal"]


def test_find_evidence_takes_a_sample_and_a_model_by_its_folder(desk, settled, tiny):
    said = desk.do(
        *("find_evidence", "--batch", "plausible", "--name", "evidence", "--sample", 5),
        *("--seed", 2, "--scorer", tiny, "--sas-threshold", 0),
    )

    pool = Pool.objects.get(name="evidence")
    assert said["n_candidates"] == 5
    assert pool.scorer.name == pool.rule["scorer"] == "tiny"
    # The rule is published: where the model lies on this machine is no part of it.
    assert str(tiny.parent) not in str(pool.rule)


def test_find_evidence_uses_the_scorers_own_threshold_unless_told(desk, settled, monkeypatch, tiny):
    monkeypatch.setattr(work_on, "delay", lambda job_id: None)
    for name, options in {
        "embedded": (),
        "tiny": ("--scorer", tiny),
        "told": ("--sas-threshold", "0.5"),
        "none": ("--sas-threshold", "none"),
    }.items():
        desk.do("find_evidence", "--batch", "plausible", "--name", name, "--background", *options)

    thresholds = {pool.name: pool.rule.get("sas_threshold") for pool in Pool.objects.all()}
    assert thresholds["embedded"] not in (None, 0.8)
    assert (thresholds["tiny"], thresholds["told"], thresholds["none"]) == (0.8, 0.5, None)


def test_find_evidence_refuses_what_cannot_be(desk, settled):
    command = ("find_evidence", "--batch", "plausible", "--name")

    assert "--sas-threshold: much is neither a number nor none" in desk.refused(
        *command, "evidence", "--sas-threshold", "much"
    )
    assert "sas_threshold is nan" in desk.refused(*command, "evidence", "--sas-threshold", "nan")
    assert "sample is 0" in desk.refused(*command, "evidence", "--sample", 0)
    assert "there is a pool pool already" in desk.refused(*command, "pool")
    assert "There is no folder ./nowhere" in desk.refused(
        *command, "evidence", "--scorer", "./nowhere"
    )


def test_find_evidence_refuses_a_batch_without_plausible_answers(desk, pool):
    open_batch(desk, pool)

    assert "has no plausible answers: settle it first" in desk.refused(
        "find_evidence", "--batch", "plausible", "--name", "evidence"
    )
