"""What is promised of the command ask_more."""

from accounts.models import Role
from annotation.actions import batches, settlement
from annotation.models import Batch, BatchState, ExtraRound
from tests.annotation import judged_batches
from tests.conftest import member
from tests.parts import part

OPTIONS = ("ask_more", "--batch", "campaign", "--rule", "majority")


@part
def judged_batch(study, alice, bob, dora):
    found = judged_batches.create_judged_batch(study, alice, bob, dora, closed=False)
    member(study, "gus", Role.ANNOTATOR, by=alice)
    for item in found.batch.items.all():
        item.n_wanted, item.n_open = item.n_counted, 0
        item.save()
    batches.close(batch=found.batch, by=alice)
    settlement.settle(batch=found.batch, rule="majority", by=alice)
    return found


def test_a_preview_says_what_it_would_bring_and_changes_nothing(commands, judged_batch):
    told = commands.run(*OPTIONS, "--preview")

    assert (told["n_unsettled"], told["n_asked"], told["cost"]) == (5, 5, "unpaid")
    assert 0 < told["expected_by_next"] <= 5
    assert ExtraRound.objects.count() == 0


def test_it_asks_and_opens_the_batch_again(commands, judged_batch):
    commands.run(*OPTIONS, "--cap", "2")

    assert ExtraRound.objects.get().cap == 2
    assert Batch.objects.get(pk=judged_batch.batch.pk).state == BatchState.OPEN
    assert "5 wait for a judgement" in commands.error(*OPTIONS)


def test_an_adjudicator_may_look_and_not_ask(commands, judged_batch, carol):
    assert commands.run(*OPTIONS, "--preview", "--by", "carol")["n_asked"] == 5
    assert "carol is not requester" in commands.error(*OPTIONS, "--by", "carol")


def test_annotators_learn_nothing_by_a_preview(commands, judged_batch, bob):
    assert "bob is not requester or adjudicator" in commands.error(
        *OPTIONS, "--preview", "--by", "bob"
    )
