"""The accepted answers of a release that a version before has read, in a version that is imported after it.

They are taken along with the turns that are the same, as runs and verdicts are (docs/adr/0035).
"""

from collections.abc import Mapping
from dataclasses import replace

from accounts.models import Study
from corpus import accepted, digests, versions
from corpus.actions import carry_over
from corpus.actions.read_back import digest_with_accepted
from corpus.models import Dataset, Turn
from corpus.readers.base import ReadDataset
from corpus.records import AcceptedRecord, DatasetRecords

Answers = Mapping[str, tuple[AcceptedRecord, ...]]


def with_carried(*, study: Study, name: str, read: ReadDataset) -> ReadDataset:
    """Return the data set to import, with the accepted answers of the turns that are the same as before.

    A warning names the turns whose accepted answers stay behind because they are changed or gone. A release, which
    has accepted answers of its own, stays as it is.
    """
    before = versions.to_continue(study.datasets.filter(name=name))
    source = (
        next((each for each in versions.lineage(before) if each.release), None) if before else None
    )
    if read.release or before is None or source is None:
        return read
    same_in = carry_over.compare(before, read.records).same_in
    answers = {
        version.pk: _answers(version)
        for version in versions.lineage(before)
        if version.release.get("manifest_sha256") == source.release["manifest_sha256"]
    }
    carried = {
        turn: found
        for turn, version in same_in.items()
        if (found := answers.get(version.pk, {}).get(turn))
    }
    turns = tuple(
        replace(turn, accepted=carried.get(turn.turn_id, ())) for turn in read.records.turns
    )
    return replace(
        read,
        records=DatasetRecords(turns, read.records.passages),
        release={**source.release, **accepted.numbers(turns)} if carried else {},
        known_digest=digest_with_accepted(read.digest, turns) if carried else "",
        warnings=(*read.warnings, *_left_behind(source, answers[source.pk], carried)),
    )


def _answers(version: Dataset) -> Answers:
    """Return the accepted answers by turn."""
    turns = Turn.objects.of(version).exclude(accepted="")
    return {turn.key: accepted.from_stored(turn.accepted) for turn in turns}


def _left_behind(source: Dataset, answers: Answers, carried: Answers) -> tuple[str, ...]:
    """Return a warning about the accepted answers of changed turns; none where there are none."""
    left = sorted(answers.keys() - carried.keys(), key=digests.natural)
    if not left:
        return ()
    names = [f"{turn}: {_count(len(answers[turn]), 'answer')}" for turn in left]
    return (
        f"the accepted answers of the {accepted.about(source.release)} that {source} has do not come along for"
        f" {_count(len(left), 'turn')} that changed or {'is' if len(left) == 1 else 'are'} gone"
        f" ({carry_over.named(names)})",
    )


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' * (n != 1)}"
