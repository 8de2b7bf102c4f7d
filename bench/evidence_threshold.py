"""The evidence left by each SAS threshold, by the embedded model: the table of docs/adr/0003.

    python -m bench.evidence_threshold

Reads the shared task's real data (TOUCHSTONE_REAL_DATA, or ../shared/data beside the checkout) and
measures nothing without it. For each turn the evidence of all answers and of the reference is
searched in the passages offered for the turn; as a control also in those of five turns of other
conversations, where hardly a sentence can be right. About a minute on two cores.
"""

import csv
import statistics
from collections import defaultdict
from pathlib import Path

from bench import pairs
from sampling.evidence.search import Sentence, Source, cap, find, keep_similar
from scoring import sas
from scoring.thresholds import DEFAULT_SCORER, evidence_threshold
from text.segmentation import WORDS_PER_MINUTE, n_words

THRESHOLDS = (None, 0.55, 0.62, evidence_threshold(DEFAULT_SCORER), 0.74, 0.80)
MAX_WORDS = 200
N_OTHERS = 5
_LONGEST_PASSAGE = 1_000_000  # characters

Similarity = dict[tuple[str, str], float]


def main() -> None:
    folder = pairs.real_data()
    if folder is None:
        print("no real data: neither TOUCHSTONE_REAL_DATA nor ../shared/data is a folder")
        return
    answers = {turn: _keyed(texts) for turn, texts in pairs.answers(folder).items()}
    sources = _sources(folder)
    own = {turn: find(sources[turn], texts) for turn, texts in answers.items()}
    others = {turn: find(_of_others(turn, sources), texts) for turn, texts in answers.items()}
    alike = _similarity(answers, own, others)
    n_answers = sum(len(texts) for texts in answers.values())
    print(f"{len(answers)} turns, {n_answers} answers with the references, scorer {DEFAULT_SCORER}")
    print("above   turns   words: median, 90 %   seconds: median   cut   own   of other turns")
    for threshold in THRESHOLDS:
        kept = {turn: _kept(found, alike[turn], threshold) for turn, found in own.items()}
        astray = sum(len(_kept(each, alike[turn], threshold)) for turn, each in others.items())
        print(_line(threshold, kept, astray))


def _keyed(texts: list[str]) -> dict[str, str]:
    return {str(place): text for place, text in enumerate(texts)}


def _sources(folder: Path) -> dict[str, list[Source]]:
    found: dict[str, list[Source]] = defaultdict(list)
    csv.field_size_limit(_LONGEST_PASSAGE)
    with (folder / "scai-qrecc" / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            found[row["turn_id"]].append(Source(row["passage_id"], row["passage"]))
    return found


def _of_others(turn: str, sources: dict[str, list[Source]]) -> list[Source]:
    """Return the passages of the next turns of other conversations, in the order of the file."""
    turns = list(sources)
    place = turns.index(turn)
    conversation = turn.rpartition("_")[0]
    after = [*turns[place + 1 :], *turns[:place]]
    strange = [each for each in after if each.rpartition("_")[0] != conversation]
    return [source for each in strange[:N_OTHERS] for source in sources[each]]


def _similarity(
    answers: dict[str, dict[str, str]], *found: dict[str, list[Sentence]]
) -> dict[str, Similarity]:
    keys = [
        (turn, sentence.text, key)
        for each in found
        for turn, sentences in each.items()
        for sentence in sentences
        for key in answers[turn]
    ]
    model = sas.load()
    values = model.similarities([(text, answers[turn][key]) for turn, text, key in keys])
    alike: dict[str, Similarity] = defaultdict(dict)
    for (turn, text, key), value in zip(keys, values, strict=True):
        alike[turn][text, key] = value
    return alike


def _kept(found: list[Sentence], alike: Similarity, threshold: float | None) -> list[Sentence]:
    return found if threshold is None else keep_similar(found, alike, threshold=threshold)


def _line(threshold: float | None, kept: dict[str, list[Sentence]], astray: int) -> str:
    shown = {turn: cap(found, MAX_WORDS) for turn, found in kept.items()}
    n_cut = sum(len(shown[turn]) < len(found) for turn, found in kept.items())
    lengths = [sum(n_words(each.text) for each in found) for found in shown.values() if found]
    matched = {(turn, key) for turn in shown for each in shown[turn] for key, _ in each.matches}
    median = statistics.median(lengths)
    last = statistics.quantiles(lengths, n=10)[-1]
    return (
        f"{'none' if threshold is None else f'{threshold:.2f}':5} {len(lengths):7} {median:13.0f}, {last:4.0f}"
        f" {60 * median / WORDS_PER_MINUTE:17.0f} {n_cut:9} {len(matched):5} {astray:14}"
    )


if __name__ == "__main__":
    main()
