"""gold.json and silver.json of a data set that has read a release, byte for byte as they were."""

from typing import Any

from corpus import accepted
from corpus import queries as corpus_queries
from corpus.models import Dataset


def records(dataset: Dataset) -> dict[str, list[dict[str, Any]]]:
    """Return the records of the files by name; none if the data set has read no release."""
    if not dataset.release:
        return {}
    turns = corpus_queries.dataset_records(dataset).turns
    return {file: accepted.truth_records(turns, file) for file in accepted.FILES}
