"""export_written."""

from tests.exports.written import rounds
from tests.parts import part


@part
def written(study, folder, bob, dora):
    return rounds.two_rounds(study, folder, bob, dora)


def test_the_folder_is_written_and_the_summary_has_counts_and_agreement(
    commands, written, tmp_path
):
    asked = ("export_written", "--dataset", "lights", "--out", tmp_path / "out")

    said = commands.run(*asked)

    assert (said["batches"], said["n_kept"], said["n_differing"]) == (["R1", "R2", "pilot"], 2, 1)
    assert round(said["rouge_l_of_differing"], 6) == 0.75
    assert (tmp_path / "out/answers/dev.jsonl").exists()
    assert "out is there already" in commands.error(*asked)
    other = ("--out", tmp_path / "other")
    assert "no batch nobody" in commands.error(*asked[:3], *other, "--batch", "nobody")
