"""find_evidence: which batches it takes, and that a mistake takes no pool's name."""

from sampling.models import Pool
from tests.commands.command_calls import open_batch
from tests.parts import part

FIND = ("find_evidence", "--batch", "plausible", "--name", "evidence")


@part
def faithful(commands, settled):
    """A rehearsed and settled batch that asked whether the plausible answers are faithful."""
    commands.run(*FIND, "--sas-threshold", "none")
    open_batch(commands, Pool.objects.get(name="evidence"), name="faithful", scheme="faithfulness")
    commands.run("rehearse", "--batch", "faithful")
    commands.run("close_batch", "--batch", "faithful")
    commands.run("settle", "--batch", "faithful", "--rule", "majority")


def test_a_batch_that_judged_by_evidence_is_refused(commands, faithful):
    said = commands.error("find_evidence", "--batch", "faithful", "--name", "again")

    assert said == (
        "the batch faithful judged by evidence already (its pool is evidence): name the batch that"
        " found the answers plausible"
    )
    assert not Pool.objects.filter(name="again").exists()


def test_a_scorer_that_is_not_there_leaves_the_name_free(commands, settled, tiny):
    assert "--scorer: This field is required" in commands.error(*FIND, "--scorer", "")
    for scorer in ("./nowhere", "x" * 300, "~nobody-at-all/model"):
        assert "There is no folder" in commands.error(*FIND, "--scorer", scorer), scorer
        assert not Pool.objects.filter(name="evidence").exists(), scorer

    said = commands.run(*FIND, "--scorer", tiny, "--sas-threshold", 0)

    assert said["pool"] == "evidence"
