"""A version of the data set of tests.sampling.scored_dataset that has read a release of another study."""

import io
from pathlib import Path
from typing import Any

from django.core.management import call_command

from corpus.models import Dataset
from tests.corpus.release_folders import Record, write_release
from tests.sampling.scored_dataset import ANSWERS, TURNS, import_scores


def read_foreign_release(
    dataset: Dataset, folder: Path, accepted: dict[int, list[Record]], **manifest: Any
) -> Dataset:
    """Return the next version, with these accepted answers by number of the turn, and with the scores of its runs."""
    records = [
        record | {"Truth_answers_alternative": accepted.get(record["Turn_no"], [])}
        for record in TURNS
    ]
    of = {"name": dataset.name, "version": dataset.version, "digest": dataset.digest}
    release = write_release(folder / "foreign", records, dataset=of, **manifest)
    call_command(
        "import_dataset",
        str(release),
        study=dataset.study.slug,
        name=dataset.name,
        format="release",
        new_version=True,
        stdout=io.StringIO(),
    )
    version = dataset.study.datasets.by_name(dataset.name)
    scores = {
        name: [
            (f"1_{n}", score) for n, (_, score) in enumerate(given, start=1) if score is not None
        ]
        for name, given in ANSWERS.items()
    }
    import_scores(version, folder, scores)
    return version
