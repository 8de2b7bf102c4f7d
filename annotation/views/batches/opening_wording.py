"""What opening a batch does, in words."""

import re

from annotation import schemes
from annotation.models import Batch
from annotation.schemes.choice import ChoiceScheme
from sampling.evidence.reading_time import minutes
from sampling.models import Pool
from text.segmentation import WORDS_PER_MINUTE


def created_sentence(batch: Batch, n_asked: int, n_without: int) -> str:
    """The items and judgements of opening; `n_without` items have no evidence, and are not asked about by default."""
    n_each = batch.judgements_per_item
    without = f", without the {n_without} items that have no evidence" if n_without > 1 else ""
    without = ", without the item that has no evidence" if n_without == 1 else without
    return (
        f"{n_asked + n_without} items are created, and {n_asked * n_each} judgements asked for"
        f" ({n_each} of each{without})."
    )


def training_sentences(batch: Batch, n_items: int) -> list[str]:
    """What a training asks, what it pays, and what becomes of its answers."""
    items = "1 item" if n_items == 1 else f"{n_items} items"
    sentences = [
        f"Everybody judges the same {items} in the same order, and reads after each what was expected. Nothing can be"
        " skipped or undone, and nothing of it counts in a result."
    ]
    if batch.price:
        sentences.append(
            f"It pays {batch.price} a judgement, {batch.price.times(n_items)} to who finishes it."
        )
    asked = batch.trains_for
    if asked is None:
        return sentences
    acts = bool(asked.rule.get("acts"))
    who = "its rule decides at the end" if acts else "you decide, when they have finished"
    return [*sentences, f"Who holds “{asked.name}” is what it is about: {who}."]


def audience_sentence(batch: Batch, n_people: int) -> str:
    """Return the sentence that says who can begin at once and how many they are, or that nobody can yet."""
    if batch.qualification is None:
        return f"Every annotator of the study can begin at once: there are {n_people}."
    name = batch.qualification.name
    if not n_people:
        return f"Nobody who annotates holds “{name}” yet: nobody can begin until you grant it."
    return (
        f"Annotators who hold “{name}” can begin at once: there are {n_people}. Others do not see the batch. Who works"
        " on it is frozen: for another audience make another batch."
    )


def unnamed_labels_sentences(batch: Batch) -> list[str]:
    """A sentence on the labels of the scheme that the guideline does not name; [] if it names all or is empty."""
    scheme, text = schemes.get(batch.scheme), batch.guideline.text
    if not text or not isinstance(scheme, ChoiceScheme):
        return []
    words = set(re.findall(r"\w+", text.casefold()))
    missing = [
        label
        for label in scheme.labels
        if not words.issuperset(re.findall(r"\w+", label.casefold()))
    ]
    if not missing:
        return []
    return [f"The guideline does not name {', '.join(missing)}: is it the text for {scheme.name}?"]


def reading_time_sentences(pool: Pool) -> list[str]:
    """The reading time of the evidence; [] for an old pool without these counts."""
    median, ninetieth = (pool.counts.get(f"n_words_{each}") for each in ("median", "ninetieth"))
    if median is None or ninetieth is None:
        return []
    return [
        f"The evidence of half of the questions is at most {median:g} words long ({minutes(median)} at"
        f" {WORDS_PER_MINUTE} words a minute), that of nine in ten at most {ninetieth} ({minutes(ninetieth)})."
    ]
