"""The README of a release says what it is, how it was judged, and how to verify it."""

import re

import pytest

from accounts.models import Study
from annotation.actions import guideline_versions
from annotation.models import Guideline
from corpus.models import Dataset
from exports.releases.guideline_files import guideline_files
from exports.releases.readme import FILES, VERIFY
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle, judge_batch, manifest_of, release
from tests.factories import BatchFactory


@pytest.fixture
def page(first_release):
    return (first_release / "README.md").read_text(encoding="utf-8")


def test_it_has_the_counts_and_the_batches(page, plausibility):
    assert "0 gold answers, found plausible and faithful" in page
    assert "3 silver ones" in page
    assert f"| {plausibility.name} | plausibility | 3 | 2 | 6 counted of 6 | 3 plausible |" in page


def test_it_names_every_file_of_the_release(page, tmp_path):
    paths = (path.relative_to(tmp_path / "out").parts for path in (tmp_path / "out").rglob("*"))
    found = {parts[0] if len(parts) == 1 else f"{parts[0]}/" for parts in paths} - {"guidelines"}

    assert found - {"README.md"} <= FILES.keys()
    assert all(f"- `{name}`: " in page for name in FILES)


def test_it_has_licence_and_citation_or_says_that_they_are_not_specified(
    plausibility, study, tmp_path
):
    Study.objects.update(licence="CC BY 4.0", citation="Doe\n(2026)")
    plausibility.refresh_from_db()
    Dataset.objects.update(licence="", citation="")

    release(Study.objects.get().batches.get(), tmp_path / "out")

    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "- This release: licence CC BY 4.0\n  - to cite: Doe (2026)" in text
    assert "- The data set: licence not specified\n  - to cite: not specified" in text


def test_the_program_in_it_verifies_the_release(page, first_release, monkeypatch):
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert program in VERIFY + "\n"
    monkeypatch.chdir(first_release)
    exec(program, {})

    (first_release / "items.csv").write_text("changed")

    with pytest.raises(AssertionError, match=r"items\.csv"):
        exec(program, {})


def test_the_same_rows_give_the_same_page(page, plausibility, tmp_path):
    release(plausibility, tmp_path / "again")

    assert (tmp_path / "again" / "README.md").read_text(encoding="utf-8") == page


def test_it_names_what_was_left_out_and_what_was_decided_differently(
    plausibility, bob, dora, tmp_path
):
    for name, label in (("again", "malformed"), ("third", "malformed")):
        judge_and_settle(launched(plausibility.pool, name=name), bob, dora, label=label)

    release(plausibility, tmp_path / "out", left_out=["third"])

    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "- Batches left out by choice: third" in text
    assert "Several batches decided 3 answers differently." in text


def test_names_do_not_break_its_tables(plausibility, tmp_path):
    type(plausibility).objects.update(name="a | b <i>")

    release(plausibility, tmp_path / "out")

    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "| a \\| b &lt;i> | plausibility |" in text


def test_guidelines_are_named_by_batch_and_never_the_same(pool):
    names = ("Pilot", "pilot", "Ωμέγα", "?", "without a guideline")
    batches = [BatchFactory(pool=pool, name=name) for name in names]
    for batch in batches[:-1]:
        batch.guideline = Guideline(text="Judge.")
    batches[-1].guideline = Guideline(text="")

    assert guideline_files(batches) == {
        "?": "guidelines/batch.md",
        "Pilot": "guidelines/pilot.md",
        "pilot": "guidelines/pilot-2.md",
        "Ωμέγα": "guidelines/ωμέγα.md",
    }


def test_it_says_which_file_is_which_version_of_a_guideline_and_when(
    pool, alice, bob, dora, tmp_path
):
    batch = launched(pool, guideline="Be kind.")
    judge_batch(batch, bob)
    guideline_versions.change(batch=batch, text="Be strict.", by=alice)
    batch.refresh_from_db()
    release(judge_and_settle(batch, dora), tmp_path / "out")

    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    [told] = manifest_of(tmp_path / "out")["batches"]
    first, second = told["guideline_versions"]
    since = second["since"]
    assert f"- version 1, `guidelines/{first['sha256']}.md`: from the opening to {since}" in text
    assert f"- version 2, `{told['guideline_file']}`: from {since}\n" in text
