"""What differs between two releases of a data set, from their files alone. Without Django."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from exports.releases.changes import KINDS
from exports.releases.difference_figures import FigureRow, figure_rows
from exports.releases.reader import (
    BrokenReleaseError,
    RecordsFile,
    ReleaseFiles,
    json_of,
    require_unchanged,
    table_rows,
)
from exports.rows.ids import answer_id
from exports.rows.pairs import RELATIONS
from exports.rows.tiers import GOLD, SILVER
from scoring.text_hashes import text_sha256

ALTERNATIVE = "Truth_answers_alternative"
COMPARED = ("silver.json", "items.csv", "report.json")
REFERENCE = "reference"  # the kind of the runs that have the references
Json = dict[str, Any]
# The scheme and the answer id.
Asked = tuple[str, str]


@dataclass(frozen=True)
class Outcome:
    """How an answer ended under a scheme: its label, or why it has none; in which batch, and by what."""

    label: str
    batch: str
    item_id: str
    decided_at: str


@dataclass(frozen=True)
class VerdictChange:
    """An answer whose outcome under a scheme is another; None where no item decides it."""

    scheme: str
    turn: str
    answer_id: str
    answer: str
    before: Outcome | None
    after: Outcome | None


@dataclass(frozen=True)
class AnswerChange:
    """An accepted answer that is added, gone, or in the other tier; "" is not accepted."""

    turn: str
    answer_id: str
    answer: str
    before: str
    after: str

    @property
    def kind(self) -> str:
        if not self.after:
            return "gone"
        return "moved" if self.before else "added"


@dataclass(frozen=True)
class Difference:
    """What differs, by turn and answer. `runs_renamed` are pairs of names; `accepted` counts by tier, before and after."""

    turns_gone: Sequence[str]
    turns_changed: Sequence[str]
    turns_added: Sequence[str]
    answers: Sequence[AnswerChange]
    verdicts: Sequence[VerdictChange]
    runs_gone: Sequence[str]
    runs_added: Sequence[str]
    runs_renamed: Sequence[tuple[str, str]]
    accepted: Mapping[str, tuple[int, int]]
    figures: Sequence[FigureRow]

    def of_kind(self, kind: str) -> list[AnswerChange]:
        return [each for each in self.answers if each.kind == kind]

    @property
    def is_empty(self) -> bool:
        lists = (self.turns_gone, self.turns_changed, self.turns_added, self.answers, self.verdicts)
        return not any((*lists, self.runs_gone, self.runs_added, self.runs_renamed))


@dataclass(frozen=True)
class Source:
    """The files and the manifest of a release. Equal digests are the same release, wherever its files are."""

    digests: tuple[tuple[str, str], ...]
    files: ReleaseFiles = field(compare=False)
    manifest: Json = field(compare=False)

    @classmethod
    def of(cls, files: ReleaseFiles, manifest: Json, digests: Mapping[str, str]) -> "Source":
        """Return the source with these files, whose sha256 are `digests`, by name."""
        return cls(tuple(sorted(digests.items())), files, manifest)

    def read(self, name: str) -> bytes:
        """Return a file. Raises BrokenReleaseError if it was changed or cannot be read."""
        return RecordsFile(self._digest(name), self.files, name).contents()

    def records(self, name: str) -> Iterator[Json]:
        return RecordsFile(self._digest(name), self.files, name).records()

    def rows(self, name: str) -> Iterator[dict[str, str]]:
        return table_rows(self.files, name, self.read(name))

    def require_unchanged(self) -> None:
        """Raise BrokenReleaseError if a file that a difference is made of was changed or cannot be read."""
        for name in COMPARED:
            require_unchanged(self.files, name, self._digest(name))

    def _digest(self, name: str) -> str:
        for each, digest in self.digests:
            if each == name:
                return digest
        raise BrokenReleaseError(f"{self.files} is no release: its manifest does not name {name}")


@dataclass(frozen=True)
class _Contents:
    truth: Mapping[str, Json]
    accepted: Mapping[tuple[str, str], str]  # tier by turn and text
    outcomes: Mapping[Asked, Outcome]
    answers: Mapping[str, tuple[str, str]]  # turn and text by answer id
    report: Json


@lru_cache(maxsize=8)
def difference(before: Source, after: Source) -> Difference:
    """Return what differs. Raises BrokenReleaseError where a file was changed or cannot be read."""
    old, new = _contents(before), _contents(after)
    gone, changed, added = _turns(old, new, before, after)
    runs = _runs(before.manifest, after.manifest)
    return Difference(
        turns_gone=gone,
        turns_changed=changed,
        turns_added=added,
        answers=_answers(old, new),
        verdicts=_verdicts(old, new),
        runs_gone=runs.gone,
        runs_added=runs.added,
        runs_renamed=runs.renamed,
        accepted={
            tier: (_n_accepted(old, tier), _n_accepted(new, tier)) for tier in (GOLD, SILVER)
        },
        figures=figure_rows(old.report, new.report, dict(runs.renamed)),
    )


def _n_accepted(contents: _Contents, tier: str) -> int:
    """Count those in silver.json: the report has those of an earlier release apart."""
    return list(contents.accepted.values()).count(tier)


def _contents(source: Source) -> _Contents:
    truth, accepted = {}, {}
    for record in source.records("silver.json"):
        turn = f"{record['Conversation_no']}_{record['Turn_no']}"
        for each in record.pop(ALTERNATIVE):
            accepted[turn, each["answer"]] = each["tier"]
        truth[turn] = record
    outcomes, answers = {}, {}
    for row in source.rows("items.csv"):
        if not row["answer_id"]:
            continue  # an item about passages
        answers[row["answer_id"]] = (row["turn_id"], row["answer"])
        if _decides(row) and row["scheme"] not in RELATIONS:
            outcomes[row["scheme"], row["answer_id"]] = _outcome(row)
    report = json_of(source.files, "report.json", source.read("report.json"))
    return _Contents(truth, accepted, outcomes, answers, report)


def _decides(row: Mapping[str, str]) -> bool:
    """Whether the item decides the answer under its scheme."""
    return row["is_newest"] == row["stands"] == "true" and row["is_control"] == "false"


def _outcome(row: Mapping[str, str]) -> Outcome:
    label = row["verdict"] or row["set_aside_reason"] or row["state"] or "not settled"
    return Outcome(label, row["batch"], row["item_id"], row["decided_at"])


def _turns(
    old: _Contents, new: _Contents, before: Source, after: Source
) -> tuple[list[str], list[str], list[str]]:
    """The turns gone, changed and added: by the truth in the files, and by what the report says of versions between."""
    gone = set(old.truth.keys() - new.truth.keys())
    added = set(new.truth.keys() - old.truth.keys())
    rewritten = {
        turn for turn in old.truth.keys() & new.truth.keys() if old.truth[turn] != new.truth[turn]
    }
    changed = set(rewritten)
    first = _version(before.manifest)
    for each in new.report.get("versions", ()) if first != _version(after.manifest) else ():
        gone |= set(each.get("gone", ()))
        added |= set(each.get("new", ()))
        changed |= set(each.get("changed", ()))
        if each["continues"] == first:
            break
    back = gone & added  # it left one version and came back in a later one
    changed = (changed - gone - added) | (back & rewritten)
    return sorted(gone - back), sorted(changed), sorted(added - back)


def _version(manifest: Json) -> str:
    return f"{manifest['dataset']['name']}@{manifest['dataset']['version']}"


def _answers(old: _Contents, new: _Contents) -> list[AnswerChange]:
    return [
        AnswerChange(
            turn,
            answer_id(turn, text_sha256(text)),
            text,
            old.accepted.get((turn, text), ""),
            new.accepted.get((turn, text), ""),
        )
        for turn, text in sorted(old.accepted.keys() | new.accepted.keys())
        if old.accepted.get((turn, text)) != new.accepted.get((turn, text))
    ]


def _verdicts(old: _Contents, new: _Contents) -> list[VerdictChange]:
    found = []
    for asked in old.outcomes.keys() | new.outcomes.keys():
        before, after = old.outcomes.get(asked), new.outcomes.get(asked)
        if (before and before.label) != (after and after.label):
            turn, text = (new if after else old).answers[asked[1]]
            found.append(VerdictChange(asked[0], turn, asked[1], text, before, after))
    return sorted(found, key=lambda each: (each.turn, each.answer, each.scheme))


@dataclass(frozen=True)
class _Runs:
    gone: list[str]
    added: list[str]
    renamed: list[tuple[str, str]]


def _runs(before: Json, after: Json) -> _Runs:
    """A run with the same answers under another name is renamed, if either name is only in one of them.

    References are compared as parts of their turns: the digest of their runs is another in every version.
    """
    old, new = _digests(before), _digests(after)
    gone = sorted(name for name in old if name not in new or old[name] != new[name])
    added = sorted(name for name in new if name not in old or old[name] != new[name])
    by_digest = {new[name]: name for name in added}
    renamed = [(name, by_digest.pop(old[name])) for name in gone if old[name] in by_digest]
    kept = {name for name, _ in renamed}
    return _Runs([name for name in gone if name not in kept], sorted(by_digest.values()), renamed)


def _digests(manifest: Json) -> dict[str, str]:
    runs = manifest["runs"]
    return {run["name"]: run["digest"] for run in runs if run["kind"] != REFERENCE}


def counts_in_words(found: Difference) -> list[str]:
    """Return what differs, as counts; [] where nothing does."""
    counts: list[tuple[int, str]] = [
        (len(found.turns_gone), "turns gone"),
        (len(found.turns_changed), "turns changed"),
        (len(found.turns_added), "turns added"),
        *((len(found.of_kind(kind)), f"answers {words}") for kind, (words, _) in KINDS.items()),
        (len(found.verdicts), "verdicts changed"),
        (len(found.runs_gone), "runs gone"),
        (len(found.runs_added), "runs added"),
        (len(found.runs_renamed), "runs renamed"),
    ]
    return list(_said(counts))


def _said(counts: Iterable[tuple[int, str]]) -> Iterator[str]:
    for n, what in counts:
        if n:
            noun, _, rest = what.partition(" ")
            yield f"{n:,} {noun.removesuffix('s') if n == 1 else noun} {rest}"
