"""Where a release is read back: its accepted answers are added to the turns of the version that it was made of.

A release has the truth and no more. Questions as they were asked, passages, further references and the lines of
CLAP-NQ are those of the version, which so becomes the next one with the accepted answers (docs/adr/0035).
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from accounts.models import Study
from corpus import digests
from corpus import queries as corpus_queries
from corpus.actions import carry_over
from corpus.actions.bulk_rows import ACCEPTED
from corpus.models import Dataset, RunKind, Tier, Turn
from corpus.problems import ImportProblems, Problem, json_excerpt
from corpus.readers.base import ReadDataset
from corpus.records import DatasetRecords, TurnRecord
from corpus.same_turns import Version, changes

SILVER = "silver.json"
# The names of runs of accepted answers: corpus.actions.bulk_rows.
OF_ACCEPTED = re.compile(rf"{ACCEPTED} (?:{'|'.join(Tier.values)})(?: [0-9]+)?")


def with_version(*, study: Study, name: str, read: ReadDataset) -> ReadDataset:
    """Return the data set to import: the version with the accepted answers, or where there is none the
    release alone. What is no release stays as it is.

    Raises ImportProblems with every turn whose truth is not that of the version.
    """
    if not read.release:
        return read
    versions = list(study.datasets.filter(name=name).order_by("-version"))
    if not versions:
        warning = (
            f"the study has no data set {name}: of the turns there is what a release has, without questions as"
            " they were asked and without passages"
        )
        return replace(read, warnings=(*read.warnings, warning))
    newest = versions[0]
    if newest.release.get("manifest_sha256") == read.release["manifest_sha256"]:
        warnings = (*read.warnings, *_not_in(newest, read.records))
        return replace(read, format=newest.format, known_digest=newest.digest, warnings=warnings)
    before = _version_of(read.release, versions)
    records = corpus_queries.dataset_records(before)
    if problems := [*_differences(before, records, read.records), *_names_in_use(newest)]:
        raise ImportProblems(problems)
    turns = _with_accepted(records.turns, read.records.turns)
    return replace(
        read,
        records=DatasetRecords(turns, records.passages),
        format=before.format,
        known_digest=digest_with_accepted(before.digest, turns),
        warnings=(*read.warnings, *_older_turns(before, records, newest)),
    )


def _not_in(newest: Dataset, released: DatasetRecords) -> Iterator[str]:
    """Yield a warning where the version that has read the release lacks accepted answers, as turns changed since."""
    turns = Turn.objects.of(newest).exclude(accepted="")
    there = {turn.key for turn in turns}
    missing = [turn.turn_id for turn in released.turns if turn.accepted]
    if lost := sorted((key for key in missing if key not in there), key=digests.natural):
        yield (
            f"{newest} has the accepted answers of this release already, but not those of turns that were changed"
            f" since ({carry_over.named(lost)})"
        )


def _older_turns(before: Dataset, records: DatasetRecords, newest: Dataset) -> Iterator[str]:
    """Yield a warning where a newer version has other turns than the one that the release was made of."""
    if before == newest:
        return
    new, old = (
        Version.from_records(each) for each in (records, corpus_queries.dataset_records(newest))
    )
    other_texts = new.other_texts(old)
    both = sorted(new.turns.keys() & old.turns.keys(), key=digests.natural)
    changed = {turn: changes(turn, new, old, other_texts, {}) for turn in both}
    found = [
        *carry_over.changed_turns({turn: parts for turn, parts in changed.items() if parts}),
        *(f"{turn}: not in {newest}" for turn in new.turns.keys() - old.turns.keys()),
        *(f"{turn}: not in {before}" for turn in old.turns.keys() - new.turns.keys()),
    ]
    if found:
        n = f"{len(found):,} turn{'s' * (len(found) != 1)}"
        yield (
            f"the release was made of {before}, and {newest} is newer: the next version has the questions, truth and"
            f" passages of {before} again, which differ in {n} ({carry_over.named(found)}). To keep those of {newest},"
            f" make a release of {newest} and read that one"
        )


def _version_of(release: Mapping[str, Any], versions: Sequence[Dataset]) -> Dataset:
    """Return the version that the release was made of or, where none has its digest, the newest that is
    no release read back, else the newest.
    """
    digest = release["dataset"]["digest"]
    same = (each for each in versions if each.digest == digest)
    own = (each for each in versions if not each.release)
    return next(same, None) or next(own, None) or versions[0]


def _differences(
    before: Dataset, records: DatasetRecords, released: DatasetRecords
) -> Iterator[Problem]:
    truth = {turn.turn_id: turn for turn in records.turns if turn.source}
    there = {turn.turn_id: turn for turn in released.turns}
    for key, turn in there.items():
        if key not in truth:
            yield Problem(SILVER, "record", turn.index, "", key, f"is not a turn of {before}")
            continue
        expected = truth[key].source
        for field in (*turn.source, *(expected.keys() - turn.source.keys())):
            if _text(turn.source.get(field)) != _text(expected.get(field)):
                message = f"is not that of the turn {key} of {before}, which the release extends"
                value = json_excerpt(turn.source.get(field))
                yield Problem(SILVER, "record", turn.index, field, value, message)
    for key in truth.keys() - there.keys():
        yield Problem(SILVER, "record", None, "", key, f"is a turn of {before} and not there")


def _text(value: object) -> str:
    """Return the value as JSON: 1 and true are equal in Python."""
    return json.dumps(value, sort_keys=True)


def _names_in_use(newest: Dataset) -> Iterator[Problem]:
    """Yield a problem for each run that would be taken along and is called as accepted answers are."""
    runs = newest.runs.exclude(kind=RunKind.REFERENCE).order_by("name")
    for name in runs.values_list("name", flat=True):
        # Not by the database: whether its startswith sees "Accepted" as "accepted" is its own affair.
        if OF_ACCEPTED.fullmatch(name):
            message = f"is the name of a run of {newest}, and of accepted answers: rename the run"
            yield Problem(SILVER, "record", None, "", name, message)


def _with_accepted(
    turns: Iterable[TurnRecord], released: Sequence[TurnRecord]
) -> tuple[TurnRecord, ...]:
    """Return the turns with the accepted answers, conversations in the order of the release."""
    found = {turn.turn_id: turn.accepted for turn in released}
    places = {
        key: place
        for place, key in enumerate(dict.fromkeys(turn.conversation for turn in released))
    }
    ordered = sorted(turns, key=lambda turn: places.get(turn.conversation, len(places)))
    return tuple(replace(turn, accepted=found.get(turn.turn_id, ())) for turn in ordered)


def digest_with_accepted(digest: str, turns: Iterable[TurnRecord]) -> str:
    """Return a digest of that of a data set and of the accepted answers.

    That of the records would change when a run brings the text of a passage to the version.
    """
    answers = {
        turn.turn_id: [each.source for each in turn.accepted] for turn in turns if turn.accepted
    }
    return hashlib.sha256(f"{digest} {_text(answers)}".encode()).hexdigest()
