"""reference_evidence.csv and the manifest's entry are of one search, the newest that was finished."""

import pytest

from exports.releases import files
from exports.rows.reference_evidence import newest_search, reference_evidence_rows
from jobs.actions import execution
from sampling.actions import reference_evidence
from sampling.models import Pool, SpanMatch
from tests.exports.judged_batches import manifest_of, release
from tests.recomputed_tables import table
from tests.sampling.test_reference_evidence import RULE


def search(dataset, name: str) -> Pool:
    job = reference_evidence.begin(
        dataset=dataset, name=name, rule=RULE, model="none", by=dataset.created_by
    )
    execution.run(job)
    return Pool.objects.get(name=name)


@pytest.fixture
def first(plausibility) -> Pool:
    return search(plausibility.pool.dataset, "first")


def test_a_search_that_ends_while_a_release_is_written_is_in_none_of_its_files(
    first, plausibility, tmp_path, monkeypatch
):
    write_tables = files.write_tables

    def while_another_ends(*args):
        written = write_tables(*args)
        search(plausibility.pool.dataset, "second")
        return written

    monkeypatch.setattr(files, "write_tables", while_another_ends)
    release(plausibility, tmp_path / "release")

    assert manifest_of(tmp_path / "release")["reference_evidence"]["pool"] == "first"
    assert len(table(tmp_path / "release", "reference_evidence")) == first.counts["n_spans"] > 0
    assert newest_search(plausibility.pool.dataset).name == "second"


def test_a_sentence_that_matches_no_reference_is_named(first):
    SpanMatch.objects.filter(span__position=1, span__pool=first).delete()

    with pytest.raises(
        ValueError, match=r"sentence 1 of the turn 1_1 in the pool first matches no reference"
    ):
        reference_evidence_rows(first)


def test_without_a_search_there_is_no_sentence(plausibility):
    assert newest_search(plausibility.pool.dataset) is None
    assert reference_evidence_rows(None) == []
