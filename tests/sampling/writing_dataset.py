"""A small data set of the project's own in the format of CLAP-NQ: questions with one passage each, in two parts."""

from pathlib import Path

from accounts.models import Study
from corpus.actions import datasets
from corpus.clapnq import line_of
from corpus.models import Dataset
from corpus.readers.clapnq import read_parts
from sampling.actions import writing_pools
from sampling.models import Pool
from sampling.writing.rule import WritingRule

LAMP = {
    "title": "The lamp of Greyholm",
    "sentences": [
        "The lighthouse of Greyholm was first lit in 1702.",
        "Its lamp burnt oil until 1869.",
        "Gas was brought by boat once a week.",
        "In winter the boat often did not come.",
        "The keepers then went back to oil.",
        "Since 1931 the lamp has been electric.",
    ],
}
KEEPERS = {
    "title": "The keepers",
    "sentences": [f"Keeper {n} stayed {n} winters." for n in range(1, 8)],
}
SHORT = {"title": "A rock", "sentences": ["It is bare.", "It is steep.", "Nobody lives there."]}


def question(key: str, asked: str, passage: dict, **fields: object) -> dict:
    """A line of a file of CLAP-NQ whose passage answers nothing."""
    text = " ".join(passage["sentences"]) + " "
    line = {"id": key, "input": asked, "passages": [{"text": text, **passage}], "output": []}
    return line | fields


DEV = (
    question("1", "when was the lamp of greyholm lit", LAMP),
    question("2", "what did the lamp burn", LAMP),
    question("3", "who lives on the rock", SHORT),
)
TRAIN = (question("4", "how long did the keepers stay", KEEPERS),)


def create_writing_dataset(
    study: Study, folder: Path, *, name: str = "lights", **parts: tuple[dict, ...]
) -> Dataset:
    """The data set of these parts, or of DEV and TRAIN."""
    files = []
    for part, lines in (parts or {"dev": DEV, "train": TRAIN}).items():
        file = folder / f"{part}.jsonl"
        file.write_text("".join(f"{line_of(line)}\n" for line in lines), encoding="utf-8")
        files.append(file)
    read = read_parts(paths=files)
    datasets.save(study=study, name=name, read=read, by=study.created_by, format="clapnq")
    return study.datasets.by_name(name)


def draw_writing(dataset: Dataset, *, name: str = "writing", **rule: object) -> Pool:
    return writing_pools.draw_writing(
        study=dataset.study,
        dataset=dataset,
        name=name,
        rule=WritingRule(**rule),
        by=dataset.study.created_by,
    )
