"""The command freeze_plan."""

import hashlib

from annotation.models import AnalysisPlan
from tests.annotation.trust import open_batch


def test_it_freezes_the_file_to_the_letter(commands, study, tmp_path):
    open_batch(study, None, name="full")
    file = tmp_path / "plan.md"
    contents = b"\xef\xbb\xbfUnanimous.\r\n"  # as some editors write it
    file.write_bytes(contents)

    said = commands.run("freeze_plan", "full", str(file))

    assert said["sha256"] == hashlib.sha256(contents).hexdigest()
    assert (said["batch"], said["n_judgements"], said["is_before_judgements"]) == ("full", 0, True)
    assert AnalysisPlan.objects.get().text.encode() == contents
    assert "is the plan of full already" in commands.error("freeze_plan", "full", str(file))


def test_what_is_no_text_or_no_batch_is_said(commands, study, tmp_path):
    open_batch(study, None, name="full")
    file = tmp_path / "plan.md"
    file.write_bytes(b"\xff\xfe")

    assert "UTF-8" in commands.error("freeze_plan", "full", str(file))
    assert "no batch other" in commands.error("freeze_plan", "other", str(file))
    assert "full.md" in commands.error("freeze_plan", "full", str(tmp_path / "full.md"))
