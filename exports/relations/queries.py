"""The accepted answers of a release that pairs are drawn from, and the pairs that were drawn before."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain

from annotation.models import Batch, ItemAnswer
from annotation.schemes import ACCEPTANCE
from corpus import versions
from corpus.models import Dataset
from exports.models import Release
from exports.rows.ids import answer_id
from exports.rows.pairs import RELATIONS
from exports.writers import stored_folders
from sampling.actions.answer_pairs import AcceptedText
from sampling.models import AnswerPair, Pool, Purpose
from sampling.pairs.rule import Pair
from scoring.queries import key_slices

ANSWERS, ITEMS = "answers.csv", "items.csv"


def accepted_texts(release: Release) -> dict[tuple[str, str], AcceptedText]:
    """The accepted answers of the release by turn, as its id in files, and hash of the text.

    Answers that the data set has read from an earlier release, and nobody was asked about in this one, are not among
    them. Raises OSError and ValueError where a file cannot be read or is not what was released.
    """
    dataset = release.dataset
    if dataset is None:
        return {}
    accepted = {row["answer_id"] for row in _rows(release, ANSWERS) if row["tier"]}
    items = [row["item_id"] for row in _rows(release, ITEMS) if _accepts(row, accepted)]
    shown = ItemAnswer.objects.select_related("candidate__turn__conversation")
    parts = (shown.filter(item__public_id__in=some) for some in key_slices(items))
    own_turns = versions.own_turns(dataset)
    return {
        (each.candidate.turn.key, each.candidate.text_sha256): AcceptedText(
            each.candidate, own_turns.get(each.candidate.turn_id, each.candidate.turn_id)
        )
        for each in sorted(chain.from_iterable(parts), key=lambda each: each.pk)
    }


def _accepts(row: dict[str, str], accepted: set[str]) -> bool:
    """Whether the item is the one by which its answer was found plausible."""
    decides = row["is_newest"] == row["stands"] == "true" and row["is_control"] == "false"
    return decides and row["scheme"] == ACCEPTANCE.name and row["answer_id"] in accepted


def _rows(release: Release, name: str) -> Iterator[dict[str, str]]:
    folder = stored_folders.folder_of(release)
    if folder.sha256(name) != release.manifest["files"][name]:
        raise ValueError(f"{name} is not what was released")
    with folder.open(name) as file, io.TextIOWrapper(file, "utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def shown_first(batches: Sequence[Batch], dataset: Dataset) -> dict[str, str]:
    """The first answer of the screen, by its id in files, of each item of these batches that asks about a pair."""
    asked = [batch for batch in batches if batch.scheme in RELATIONS]
    shown = ItemAnswer.objects.filter(
        versions.stands(dataset, "item__turn"), item__batch__in=asked, number=1
    )
    return {
        str(each.item.public_id): answer_id(each.candidate.turn.key, each.candidate.text_sha256)
        for each in shown.select_related("item", "candidate__turn__conversation")
    }


def pools_of_pairs(dataset: Dataset, *, is_rehearsal: bool) -> list[Pool]:
    """The pools of pairs of the data set in this version and those before, without withdrawn ones, oldest first."""
    pools = Pool.objects.usable().filter(
        dataset__in=versions.lineage_keys(dataset),
        purpose=Purpose.PAIRS,
        is_rehearsal=is_rehearsal,
    )
    return list(pools.order_by("created_at", "pk"))


def drawn_pairs(pools: list[Pool], dataset: Dataset) -> set[Pair]:
    """The pairs of these pools on turns that stand in this version: of another turn their relations do not count in it."""
    rows = AnswerPair.objects.filter(versions.stands(dataset, "first__turn"), pool__in=pools)
    rows = rows.select_related("first__turn__conversation", "second")
    return {
        Pair(each.first.turn.key, each.first.text_sha256, each.second.text_sha256) for each in rows
    }
