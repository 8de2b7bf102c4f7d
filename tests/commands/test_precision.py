"""draw_precision_audit."""

from exports.models import PrecisionAudit


def test_it_draws_accepted_answers_and_says_how_many_there_were(commands, settled):
    said = commands.run(
        *("draw_precision_audit", "--dataset", "everyday", "--silver", "3", "--rehearsal")
    )

    gold, silver = said["tiers"]
    assert (said["audit"], said["dataset"]) == (1, "everyday@1")
    assert (gold["n_accepted"], gold["n_drawn"]) == (0, 0)
    assert silver["n_accepted"] > silver["n_drawn"] == 3
    assert PrecisionAudit.objects.get().is_rehearsal


def test_it_refuses_where_nothing_is_accepted_and_what_cannot_be_meant(commands, settled):
    command = ("draw_precision_audit", "--dataset", "everyday")

    assert "no answer is accepted yet" in commands.error(*command)
    assert "a sample of none" in commands.error(
        *command, "--rehearsal", "--gold", "9", "--silver", "0"
    )
    assert "--gold: Ensure this value is greater" in commands.error(
        *command, "--rehearsal", "--gold", "-1"
    )
    assert "--seed: Ensure this value is less" in commands.error(
        *command, "--rehearsal", "--seed", str(10**30)
    )
    assert "has no dataset slate" in commands.error("draw_precision_audit", "--dataset", "slate")
    assert not PrecisionAudit.objects.exists()
