"""The commands on batches and items, on a batch that simulated people judged."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts.models import Role
from annotation.actions import claims, judgements
from annotation.models import Assignment, AssignmentState, Batch, Item, Review, Verdict
from jobs.tasks import work_on
from sampling.models import Pool
from tests.cases import all_cases
from tests.commands.command_calls import open_batch
from tests.conftest import member
from tests.corpus.imports import DEMO


def disputed(commands):
    return commands.run("disputes", "--batch", "plausible")["disputes"][0]["item"]


def test_open_batch_counts_what_it_asks(commands, pool):
    guideline = ("--guideline", DEMO / "guideline-plausibility.md")

    assert open_batch(commands, pool, "--judgements", 3, *guideline) == {
        "batch": "plausible",
        "state": "open",
        "n_items": 3,
        "purpose": "work",
        "n_without_evidence": 0,
        "n_judgements_wanted": 9,
        "is_rehearsal": False,
        "warnings": [],
    }
    batch = Batch.objects.get()
    assert batch.guideline.text == guideline[1].read_text(encoding="utf-8")


def test_open_batch_warns_as_its_page_does(commands, pool):
    open_batch(commands, pool)

    again = open_batch(commands, pool, "--control-every", 5, name="again")["warnings"]

    assert again == [
        "the batch has no guideline: annotators go by the question alone",
        "3 of its answers are asked about in the batch plausible too, and not decided there yet",
        "one item in 5 is to be a control item, and the batch has none: add some on its page Control items or with"
        " add_controls, also after it opened",
    ]


def test_open_batch_says_how_often_items_come_again(commands, pool):
    open_batch(commands, pool, "--repeat-every", 20)
    named = ("open_batch", "--name", "again", "--scheme", "plausibility", "--pool", pool.name)

    assert Batch.objects.get().repeat_every == 20
    assert "--repeat-every: Ensure this value is greater than or equal to 2" in commands.error(
        *named, "--repeat-every", 1
    )
    training = commands.error(*named, "--purpose", "training", "--repeat-every", 5)
    assert "it hides no control items or repeats" in training


def test_open_batch_warns_of_items_that_are_judged_once(commands, pool):
    said, _ = open_batch(commands, pool, "--judgements", 1)["warnings"]

    assert said.startswith("one judgement is too few for a rule: settle sets such items aside")


def test_open_batch_does_not_call_a_batch_no_rehearsal_that_is_to_be_rehearsed(
    commands, pool, capsys
):
    call_command(
        *("open_batch", "--study", pool.study.slug, "--name", "plausible"),
        *("--scheme", "plausibility", "--pool", pool.name),
    )

    printed = capsys.readouterr().out
    assert "state: open" in printed
    assert "rehearsal" not in printed


def test_open_batch_refuses_what_cannot_be(commands, pool, tmp_path):
    named = ("open_batch", "--name", "plausible", "--scheme", "plausibility", "--pool")
    open_batch(commands, pool)

    assert "there is a batch plausible already" in commands.error(*named, pool.name)
    assert commands.error(*named, "puddle") == (
        f"the study lighthouses has no pool puddle; it has {pool.name}"
    )
    assert "there is no file" in commands.error(
        *named, pool.name, "--guideline", tmp_path / "no.md"
    )
    assert "largest_share" in commands.error(
        *("open_batch", "--name", "other", "--scheme", "plausibility", "--pool", pool.name),
        *("--largest-share", 2),
    )
    assert "needs a pool of evidence" in commands.error(
        *("open_batch", "--name", "faith", "--scheme", "faithfulness", "--pool", pool.name)
    )
    assert Batch.objects.count() == 1


def test_open_batch_names_the_command_that_makes_pools_where_there_is_none(commands):
    named = ("open_batch", "--name", "plausible", "--scheme", "plausibility", "--pool", "puddle")

    assert commands.error(*named) == (
        "the study lighthouses has no pool puddle; it has none: make one with draw_pool"
    )


@all_cases(
    ("option", "value", "sentence"),
    [
        ("--judgements", 0, "--judgements: Ensure this value is greater than or equal to 1"),
        ("--judgements", 40_000, "--judgements: Ensure this value is less than or equal to 100"),
        ("--claim-minutes", "nan", "--claim-minutes: nan minutes; a claim lasts from 1 second"),
        ("--claim-minutes", "inf", "--claim-minutes: inf minutes; a claim lasts from 1 second"),
        ("--claim-minutes", 0, "--claim-minutes: 0 minutes"),
        ("--claim-minutes", 0.01, "--claim-minutes: 0.01 minutes"),
        ("--claim-minutes", "-1", "--claim-minutes: -1 minutes"),
        ("--claim-minutes", 1e12, "--claim-minutes: 1e+12 minutes"),
        ("--claim-minutes", 1e308, "--claim-minutes: 1e+308 minutes"),
        ("--largest-share", "nan", "a share is more than 0 and at most 1, not nan"),
        ("--largest-share", 0, "a share is more than 0 and at most 1, not 0.0"),
        ("--largest-share", "-1", "a share is more than 0 and at most 1, not -1.0"),
        ("--reward", "much", "--reward: Enter a number"),
        ("--reward", "nan", "--reward: Enter a number"),
        ("--reward", "0.06", "A paid batch has a reward and its currency, an unpaid one neither."),
        ("--currency", "USD", "A paid batch has a reward and its currency, an unpaid one neither."),
        ("--currency", "XXX", "invalid choice: 'XXX'"),
        ("--expected-seconds", 0, "--expected-seconds: Ensure this value is greater than"),
        ("--largest-share", 1.01, "a share is more than 0 and at most 1, not 1.01"),
        ("--deadline", "2020-01-01", "the deadline 2020-01-01T00:00:00+00:00 has passed"),
        ("--deadline", "soon", "--deadline: soon is not a time: write it like 2026-12-31T18:00"),
        ("--deadline", "9999-12-31T23:59-12:00", "is not a time"),
    ],
)
def test_open_batch_refuses_an_option_that_makes_no_sense_in_a_sentence(
    commands, pool, option, value, sentence
):
    named = ("open_batch", "--name", "plausible", "--scheme", "plausibility", "--pool", pool.name)

    assert sentence in commands.error(*named, f"{option}={value}")
    assert not Batch.objects.exists()


def test_open_batch_takes_a_deadline_in_utc_or_in_its_own_zone(commands, pool):
    open_batch(commands, pool, "--deadline", "2126-12-31T18:00", name="utc")
    open_batch(commands, pool, "--deadline", "2126-12-31T18:00+02:00", name="zone")

    utc, zone = (Batch.objects.get(name=name).deadline_at for name in ("utc", "zone"))
    assert utc.isoformat() == "2126-12-31T18:00:00+00:00"
    assert zone == utc - timedelta(hours=2)


def test_the_deadline_of_an_open_batch_is_set_and_lifted(commands, pool):
    open_batch(commands, pool)
    named = ("set_deadline", "--batch", "plausible")

    said = commands.run(*named, "--deadline", "2126-12-31T18:00+02:00")
    assert said == {
        "batch": "plausible",
        "state": "open",
        "deadline": "2126-12-31T16:00:00+00:00",
    }
    assert Batch.objects.get().deadline_at.isoformat() == said["deadline"]

    assert commands.run(*named, "--none")["deadline"] == ""
    assert Batch.objects.get().deadline_at is None


def test_an_open_batch_is_changed_by_a_command(commands, pool, tmp_path):
    open_batch(commands, pool)
    guideline = tmp_path / "guideline.md"
    guideline.write_text("Be strict.", encoding="utf-8")
    named = ("change_batch", "--batch", "plausible")

    said = commands.run(
        *named, "--judgements", "3", "--largest-share", ".5", "--guideline", str(guideline)
    )

    batch = Batch.objects.get()
    assert batch.guideline.text == "Be strict."
    assert said == {
        "batch": "plausible",
        "guideline_sha256": batch.guideline.sha256,
        "judgements_per_item": 3,
        "most_per_person": batch.most_per_person,
    }
    assert commands.run(*named, "--no-largest-share")["most_per_person"] is None
    assert commands.run(*named, "--name", "better")["batch"] == "better"
    assert "say what to change" in commands.error("change_batch", "--batch", "better")
    assert "can be raised, not lowered" in commands.error(
        "change_batch", "--batch", "better", "--judgements", "1"
    )


def test_an_empty_batch_is_made_a_draft_by_a_command(commands, pool):
    open_batch(commands, pool)

    said = commands.run("return_to_draft", "--batch", "plausible")

    assert said == {"batch": "plausible", "state": "draft"}
    assert "is draft, not open" in commands.error("return_to_draft", "--batch", "plausible")


def test_a_deadline_that_cannot_be_is_refused_in_a_sentence(commands, pool):
    open_batch(commands, pool)
    named = ("set_deadline", "--batch", "plausible")

    assert "has passed" in commands.error(*named, "--deadline", "2020-01-01")
    assert "soon is not a time" in commands.error(*named, "--deadline", "soon")
    commands.run("close_batch", "--batch", "plausible")
    assert commands.error(*named, "--none") == "the batch plausible is closed, not open or paused"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Judge\xff", "guideline.md: the file is not UTF-8: the byte at offset 5"),
        ("Judge".encode("utf-16"), "guideline.md: the file is UTF-16; save it as UTF-8"),
        (b"Judge what is there\0", "Null characters"),
    ],
)
def test_open_batch_refuses_a_guideline_that_is_no_text(
    commands, pool, tmp_path, content, sentence
):
    guideline = tmp_path / "guideline.md"
    guideline.write_bytes(content)
    named = ("open_batch", "--name", "plausible", "--scheme", "plausibility", "--pool", pool.name)

    assert sentence in commands.error(*named, "--guideline", guideline)
    assert not Batch.objects.exists()


def test_a_guideline_is_kept_without_its_byte_order_mark(commands, pool, tmp_path):
    guideline = tmp_path / "guideline.md"
    guideline.write_text("Judge what is there.", encoding="utf-8-sig")

    open_batch(commands, pool, "--guideline", guideline)

    assert Batch.objects.get().guideline.text == "Judge what is there."


def test_a_batch_is_paused_resumed_and_closed(commands, pool):
    open_batch(commands, pool)
    named = ("--batch", "plausible")

    assert commands.run("pause_batch", *named) == {"batch": "plausible", "state": "paused"}
    assert commands.run("resume_batch", *named)["state"] == "open"
    assert commands.run("close_batch", *named)["state"] == "closed"


def test_a_batch_refuses_what_its_state_does_not_allow(commands, pool):
    open_batch(commands, pool)
    named = ("--batch", "plausible")

    assert commands.error("resume_batch", *named) == "the batch plausible is open, not paused"
    assert "is open: close it first" in commands.error("settle", *named, "--rule", "majority")
    commands.run("close_batch", *named)
    assert commands.error("pause_batch", *named) == "the batch plausible is closed, not open"
    assert "is closed" in commands.error("close_batch", *named)
    assert "is closed, not open" in commands.error("rehearse", *named)


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
def test_a_batch_that_is_not_there_is_refused(commands, command):
    more = {"settle": ("--rule", "majority"), "find_evidence": ("--name", "evidence")}

    said = commands.error(command, "--batch", "nowhere", *more.get(command, ()))

    assert said == (
        "the study lighthouses has no batch nowhere; it has none: make one with open_batch"
    )


def test_who_names_no_batch_is_told_which_there_are(commands, pool):
    open_batch(commands, pool, name="second")
    open_batch(commands, pool, name="first")

    assert commands.error("close_batch", "--batch", "third") == (
        "the study lighthouses has no batch third; it has first, second"
    )


def test_rehearse_has_simulated_people_judge_all_of_it(commands, pool):
    open_batch(commands, pool)

    said = commands.run("rehearse", "--batch", "plausible", "--annotators", 4, "--seed", 2)

    counts = {"n_items": 3, "n_judgements": 6, "n_annotators": 4, "n_missing": 0}
    assert said == {"batch": "plausible", **counts}
    assert Batch.objects.get().is_rehearsal


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--annotators", 1), "2 judgements of an item need as many annotators, and 1 is fewer"),
        (("--annotators", 0), "0 annotators: there must be 1 or more"),
        (("--accuracy", "nan"), "the accuracy nan must lie between 0 and 1"),
        (("--accuracy", 1.5), "the accuracy 1.5 must lie between 0 and 1"),
    ],
)
def test_rehearse_refuses_a_crowd_that_cannot_be(commands, pool, options, sentence):
    open_batch(commands, pool)

    assert sentence in commands.error("rehearse", "--batch", "plausible", *options)
    assert not Batch.objects.get().is_rehearsal


def test_rehearse_refuses_a_batch_that_people_have_worked_on(commands, pool, bob):
    open_batch(commands, pool)
    item = Item.objects.first()
    Assignment.objects.create(
        item=item,
        annotator=bob,
        state=AssignmentState.EXPIRED,
        claimed_at=item.batch.created_at,
        expires_at=item.batch.created_at,
    )

    assert "has been worked on" in commands.error("rehearse", "--batch", "plausible")


def test_settle_counts_how_the_items_ended_and_twice_adds_nothing(commands, settled):
    again = commands.run("settle", "--batch", "plausible", "--rule", "unanimous")

    assert (again["n_new"], again["n_superseded"]) == (0, 0)
    assert again["n_items"] == again["n_decided"] + again["n_disputed"] + again["n_set_aside"]
    assert again["n_disputed"] > 0
    assert "invalid choice: 'dictator'" in commands.error(
        "settle", "--batch", "plausible", "--rule", "dictator"
    )


def test_settle_by_posterior_supersedes_another_rule_and_says_so(commands, settled):
    first = commands.run("settle", "--batch", "plausible", "--rule", "posterior")
    again = commands.run("settle", "--batch", "plausible", "--rule", "posterior")

    assert first["rule"] == "posterior"
    assert first["n_new"] == first["n_superseded"] == first["n_items"]
    assert (again["n_new"], again["n_superseded"]) == (0, 0)


def test_disputes_show_what_an_adjudicator_may_see(commands, settled):
    said = commands.run("disputes", "--batch", "plausible")

    assert said["n_disputed"] == len(said["disputes"]) > 0
    assert set(said["disputes"][0]) == {"item", "turn", "question", "answer", "votes", "comments"}


def test_disputes_are_shown_to_requesters_and_adjudicators_only(commands, settled, bob):
    assert commands.run("disputes", "--batch", "plausible", "--by", "carol")["n_disputed"] > 0
    assert "bob is not requester or adjudicator in the study lighthouses" in commands.error(
        "disputes", "--batch", "plausible", "--by", "bob"
    )


def test_adjudicate_settles_a_disputed_item(commands, settled):
    item = disputed(commands)
    because = ("--reason", "It answers the question", "--by", "carol")

    said = commands.run("adjudicate", "--item", item, "--label", "plausible", *because)

    before = {"state": "disputed", "label": "", "source": "consensus", "by": "alice"}
    assert said == {
        "item": item,
        "label": "plausible",
        "source": "adjudication",
        "replaces": before,
    }
    assert Verdict.objects.current().get(item__public_id=item).decided_by.username == "carol"


def test_adjudicating_again_says_what_it_replaces(commands, settled, study, alice):
    item = disputed(commands)
    member(study, "erin", Role.ADJUDICATOR, by=alice)
    command = ("adjudicate", "--item", item, "--reason", "because", "--label")

    commands.run(*command, "plausible", "--by", "carol")
    said = commands.run(*command, "malformed", "--by", "erin")

    assert said["label"] == "malformed"
    assert said["replaces"] == {
        "state": "decided",
        "label": "plausible",
        "source": "adjudication",
        "by": "carol",
    }


def test_who_adjudicates_first_replaces_nothing(commands, pool, carol):
    open_batch(commands, pool)
    commands.run("close_batch", "--batch", "plausible")
    because = ("--label", "plausible", "--reason", "because", "--by", "carol")

    said = commands.run("adjudicate", "--item", Item.objects.first(), *because)

    assert said["replaces"] == {}


def test_mark_correct_settles_an_item_with_the_label_of_a_judgement(commands, settled):
    marked = assignment(settled)
    label = marked.judgements.get().response["plausibility"]

    said = commands.run("mark_correct", "--assignment", marked.public_id, "--by", "carol")

    assert (said["item"], said["label"]) == (str(marked.item), label)
    assert Verdict.objects.current().get(item=marked.item).adjudication.reason == "marked correct"


def test_mark_correct_refuses_who_and_what_cannot_be(commands, settled):
    command = ("mark_correct", "--assignment")
    marked = assignment(settled)

    assert "alice is not adjudicator" in commands.error(*command, marked.public_id)
    assert "has no assignment" in commands.error(*command, marked.item, "--by", "carol")
    assert commands.error(*command, "7", "--by", "carol") == "7 is not an id"


def test_adjudicate_refuses_who_and_what_cannot_be(commands, settled, bob):
    item = disputed(commands)
    command = ("adjudicate", "--reason", "Because", "--item")

    assert commands.error(*command, item, "--label", "plausible") == (
        "alice is not adjudicator in the study lighthouses:"
        " name somebody who is with --by, or grant the role with add_member"
    )
    carols = ("--by", "carol", "--label")
    assert "has no label good: plausible, " in commands.error(*command, item, *carols, "good")
    assert commands.error(*command, "7", *carols, "plausible") == "7 is not an id"
    missing = "00000000-0000-4000-8000-000000000000"
    assert "has no item" in commands.error(*command, missing, *carols, "plausible")
    assert "there is no user erin" in commands.error(*command, item, "--by", "erin", "--label", "x")


def assignment(settled):
    return Assignment.objects.filter(item__batch=settled, state=AssignmentState.SUBMITTED).first()


def test_review_decides_what_is_paid_and_what_is_counted(commands, settled):
    reviewed = assignment(settled)
    decided = ("--paid", "yes", "--counted", "no", "--reason", "random clicks")

    said = commands.run("review", "--assignment", reviewed.public_id, *decided, "--ask-again")

    assert said == {
        "assignment": str(reviewed.public_id),
        "is_paid": True,
        "is_counted": False,
    }
    review = Review.objects.get()
    assert (review.paid_reason, review.counted_reason) == ("random clicks", "random clicks")
    assert Item.objects.get(pk=reviewed.item_id).n_open == 1


def test_review_refuses_who_and_what_cannot_be(commands, settled, bob):
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

    assert "bob is not adjudicator or requester" in commands.error(
        *command, reviewed.public_id, "--by", "bob"
    )
    assert "has no judgement" in commands.error(*command, skipped.public_id)
    assert "has no assignment" in commands.error(*command, item.public_id)
    assert commands.error(*command, "seven") == "seven is not an id"


def test_where_asking_again_is_refused_nothing_is_reviewed(commands, settled):
    reviewed = assignment(settled)
    decided = ("--paid", "yes", "--counted", "no", "--reason", "random clicks", "--ask-again")

    assert "carol is not requester" in commands.error(
        "review", "--assignment", reviewed.public_id, *decided, "--by", "carol"
    )
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [(" ", "is empty"), ("x" * 1001, "has 1001 characters; it may have 1000 at most")],
)
def test_a_reason_that_says_nothing_or_too_much_is_refused_in_a_sentence(
    commands, settled, reason, sentence
):
    reviewed = assignment(settled)
    review = ("review", "--assignment", reviewed.public_id, "--paid", "yes", "--counted", "no")
    adjudicate = ("adjudicate", "--item", reviewed.item, "--label", "plausible", "--by", "carol")

    for command in [
        ("exclude_item", "--item", reviewed.item, "--reason", reason),
        (*adjudicate, "--reason", reason),
        (*review, "--reason", reason),
        (*review, "--reason", "x", "--counted-reason", reason),
    ]:
        assert sentence in commands.error(*command)


def flagged(commands, pool, bob):
    open_batch(commands, pool)
    (held,) = claims.claim(batch=Batch.objects.get(), by=bob)
    return judgements.flag(assignment=held, message="cut off?", by=bob)


def test_flags_lists_what_was_flagged_and_answer_flag_answers_it(commands, pool, bob):
    flag = flagged(commands, pool, bob)

    listed = commands.run("flags", "--batch", "plausible")
    said = commands.run("answer_flag", "--flag", flag, "--answer", "Yes: skip it")

    assert (listed["n_open"], listed["flags"][0]["flag"]) == (1, str(flag))
    assert listed["flags"][0]["answers"] == []
    assert said == {"flag": str(flag), "n_answers": 1}
    again = commands.run("flags", "--batch", "plausible")
    assert (again["n_open"], again["flags"][0]["answers"]) == (0, ["Yes: skip it"])


def test_flags_are_read_and_answered_by_requesters_and_adjudicators_only(
    commands, pool, bob, carol
):
    flag = flagged(commands, pool, bob)
    answer = ("answer_flag", "--flag", flag, "--answer", "Skip it", "--by")

    assert "bob is not requester or adjudicator" in commands.error(
        "flags", "--batch", "plausible", "--by", "bob"
    )
    assert "bob is not adjudicator or requester" in commands.error(*answer, "bob")
    assert commands.run(*answer, "carol")["n_answers"] == 1


def test_answer_flag_refuses_what_cannot_be(commands, pool, bob):
    flag = flagged(commands, pool, bob)
    missing = "00000000-0000-4000-8000-000000000000"

    assert "--answer: This field is required" in commands.error(
        "answer_flag", "--flag", flag, "--answer", " "
    )
    assert "has no flag" in commands.error("answer_flag", "--flag", missing, "--answer", "yes")
    assert commands.error("answer_flag", "--flag", "7", "--answer", "yes") == "7 is not an id"


def test_exclude_item_leaves_an_item_out_and_takes_it_in_again(commands, settled):
    item = disputed(commands)
    command = ("exclude_item", "--item", item, "--reason", "confusing")

    assert commands.run(*command) == {"item": item, "is_excluded": True}
    assert commands.error(*command) == f"the item {item} is excluded already"
    assert commands.run(*command, "--readmit") == {"item": item, "is_excluded": False}
    assert commands.error(*command, "--readmit") == f"the item {item} is not excluded already"


def test_ask_again_opens_a_place_and_the_batch(commands, settled):
    item = disputed(commands)

    said = commands.run("ask_again", "--item", item)

    assert said == {
        "item": item,
        "n_wanted": 3,
        "n_open": 1,
        "batch_state": "open",
        "nobody_left": False,
    }
    settled.refresh_from_db()
    assert settled.state == "open"
    assert "carol is not requester" in commands.error("ask_again", "--item", item, "--by", "carol")
    assert commands.error("ask_again", "--item", "7") == "7 is not an id"


def test_find_evidence_builds_a_pool_that_can_be_judged(commands, settled):
    by_overlap = ("--sas-threshold", "none", "--max-words", 120)

    said = commands.run("find_evidence", "--batch", "plausible", "--name", "evidence", *by_overlap)

    pool = Pool.objects.get(name="evidence")
    assert said == {"pool": "evidence", **pool.counts}
    assert pool.is_rehearsal
    assert pool.rule["max_words"] == 120
    opened = open_batch(commands, pool, name="faithful", scheme="faithfulness")
    assert opened["n_items"] == pool.counts["n_candidates"]
    assert opened["n_without_evidence"] == pool.counts["n_candidates_without_evidence"]
    assert opened["is_rehearsal"]


def test_find_evidence_takes_a_sample_and_a_model_by_its_folder(commands, settled, tiny):
    said = commands.run(
        *("find_evidence", "--batch", "plausible", "--name", "evidence", "--sample", 5),
        *("--seed", 2, "--scorer", tiny, "--sas-threshold", 0),
    )

    pool = Pool.objects.get(name="evidence")
    assert said["n_candidates"] == 5
    assert pool.scorer.name == pool.rule["scorer"] == "tiny"
    # The rule is published: where the model lies on this machine is no part of it.
    assert str(tiny.parent) not in str(pool.rule)


def test_find_evidence_uses_the_scorers_own_threshold_unless_told(
    commands, settled, monkeypatch, tiny, tmp_path
):
    monkeypatch.setattr(work_on, "delay", lambda job_id: None)
    (tmp_path / "modules.json").write_text("[]")
    for name, options in {
        "embedded": (),
        "tiny": ("--scorer", tiny),
        "bi-encoder": ("--scorer", tmp_path),
        "told": ("--sas-threshold", "0.5"),
        "none": ("--sas-threshold", "none"),
    }.items():
        commands.run(
            "find_evidence", "--batch", "plausible", "--name", name, "--background", *options
        )

    thresholds = {pool.name: pool.rule.get("sas_threshold") for pool in Pool.objects.all()}
    assert thresholds["embedded"] == thresholds["bi-encoder"] == 0.68
    assert (thresholds["tiny"], thresholds["told"], thresholds["none"]) == (0.8, 0.5, None)


def test_find_evidence_refuses_what_cannot_be(commands, settled):
    command = ("find_evidence", "--batch", "plausible", "--name")

    assert "--sas-threshold: Enter a number" in commands.error(
        *command, "evidence", "--sas-threshold", "much"
    )
    assert "--sas-threshold: Enter a number" in commands.error(
        *command, "evidence", "--sas-threshold", "nan"
    )
    assert "--sample: Ensure this value is greater" in commands.error(
        *command, "evidence", "--sample", 0
    )
    assert "there is a pool pool already" in commands.error(*command, "pool")
    assert "There is no folder ./nowhere" in commands.error(
        *command, "evidence", "--scorer", "./nowhere"
    )


def test_find_evidence_refuses_a_batch_without_plausible_answers(commands, pool):
    open_batch(commands, pool)

    assert "has no plausible answers: settle it first" in commands.error(
        "find_evidence", "--batch", "plausible", "--name", "evidence"
    )


def test_an_annotator_is_paused_and_resumed_with_a_reason(commands, pool, bob):
    open_batch(commands, pool)
    named = ("--batch", "plausible", "--annotator", "bob", "--reason", "one key")

    told = {"batch": "plausible", "annotator": "bob", "is_paused": True}
    assert commands.run("pause_annotator", *named) == told
    assert commands.error("pause_annotator", *named) == (
        "bob is paused already in the batch plausible"
    )
    assert commands.run("resume_annotator", *named) == told | {"is_paused": False}


def test_an_annotator_is_paused_and_resumed_in_the_whole_study(commands, pool, bob):
    open_batch(commands, pool)
    named = ("--whole-study", "--annotator", "bob", "--reason", "one key")

    told = {"study": "lighthouses", "annotator": "bob", "is_paused": True, "n_batches": 1}
    assert commands.run("pause_annotator", *named) == told
    assert commands.run("resume_annotator", *named) == told | {"is_paused": False}


def test_who_is_not_in_the_study_cannot_be_paused(commands, pool, mallory):
    open_batch(commands, pool)

    said = commands.error(
        "pause_annotator", "--batch", "plausible", "--annotator", "mallory", "--reason", "x"
    )

    assert said == "mallory is not in the study lighthouses: add_member adds people"


def test_a_batch_is_withdrawn_and_brought_back_with_a_reason(commands, pool):
    open_batch(commands, pool)
    named = ("--batch", "plausible", "--reason", "the wrong pool")

    assert commands.run("withdraw", *named) == {"batch": "plausible", "is_withdrawn": True}
    assert commands.error("withdraw", *named) == "plausible is withdrawn already"
    assert commands.error("settle", "--batch", "plausible", "--rule", "majority") == (
        "the batch plausible is withdrawn: bring it back first"
    )
    assert commands.run("bring_back", *named) == {"batch": "plausible", "is_withdrawn": False}
