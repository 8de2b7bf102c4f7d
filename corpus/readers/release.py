"""A release that Touchstone made: the truth with the answers that people accepted.

Of its files three are read: `manifest.json`, which names the release and has the sha256 of the others, and
`gold.json` and `silver.json`, the truth with gold answers added, and with silver ones too. So silver.json holds
all, and gold.json must be what it is without its silver answers: both are written again byte for byte.
"""

import hashlib
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from corpus import accepted
from corpus.accepted import ALTERNATIVE, EXTRACTED_FROM, FILES, GOLD, SILVER
from corpus.problems import ImportProblems, Problem, Report, json_excerpt
from corpus.readers import scai_truth
from corpus.readers.base import Beat, DatasetFormat, Part, ReadDataset, describe
from corpus.readers.fields import Fields, Turns
from corpus.readers.strict_json import objects, single_object
from corpus.records import AcceptedRecord, DatasetRecords, TurnRecord
from text import canonical_json

MANIFEST = "manifest.json"
OTHER_SHA256 = f"is not what was released: {MANIFEST} has another sha256"
# What of a manifest says which release it is, by the name under which a data set keeps it.
NAMED = {
    "study": "study",
    "number": "release",
    "created_at": "created_at",
    "touchstone": "touchstone",
    "is_rehearsal": "is_rehearsal",
}
TRUTH = {
    "Conversation_no": 7,
    "Turn_no": 1,
    "Truth_rewrite": "What are tides?",
    "Truth_passages": [],
    "Truth_answer": "The rising and falling of the sea.",
    ALTERNATIVE: [
        {
            "answer": "When the sea rises and falls.",
            "tier": SILVER,
            "runs": ["alder"],
            "plausible": {"verdict": "plausible", "source": "consensus", "votes": {"plausible": 2}},
            "faithful": {"status": "not asked"},
            "evidence": [],
            "batch": "first round",
            "accepted_at": "2026-04-30T12:00:00.000000Z",
        }
    ],
}
EXAMPLES = {
    "gold.json": canonical_json.text([{**TRUTH, ALTERNATIVE: []}]),
    "silver.json": canonical_json.text([TRUTH]),
}
MANIFEST_EXAMPLE = canonical_json.text(
    {
        "study": "tides",
        "release": 2,
        "created_at": "2026-05-01T12:00:00.000000Z",
        "touchstone": "1.0",
        "is_rehearsal": False,
        "dataset": {"name": "sea", "version": 1, "digest": "9f86d081884c7d65"},
        "files": {
            name: hashlib.sha256(text.encode()).hexdigest() for name, text in EXAMPLES.items()
        },
    }
)


def read(*, manifest: Path, gold: Path, silver: Path, beat: Beat = lambda: None) -> ReadDataset:
    """Return the turns of the release, and in `release` what its manifest says of it.

    Raises ImportProblems if the files are no unchanged release, or with every problem of silver.json.
    """
    values = _manifest(manifest)
    paths = {"gold.json": gold, "silver.json": silver}
    _require_unchanged(paths, values["files"])
    beat()
    turns = _turns(silver)
    beat()
    _require_rewritable(paths, turns)
    about = {field: values[name] for field, name in NAMED.items()}
    described = describe(manifest)
    return ReadDataset(
        DatasetRecords(turns),
        [described, describe(gold), describe(silver)],
        tuple(_warnings(values)),
        release={
            **about,
            "dataset": {name: values["dataset"][name] for name in ("name", "version", "digest")},
            "manifest_sha256": described["sha256"],
            **({f"n_{tier}": 0 for tier in (GOLD, SILVER)} | accepted.numbers(turns)),
        },
    )


def _warnings(manifest: Mapping[str, Any]) -> Iterable[str]:
    if manifest["is_rehearsal"]:
        yield "the release is a rehearsal: its accepted answers are those of simulated people"


def _manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a release of a data set. Raises ImportProblems."""
    report = Report(path.name, "record")
    values = single_object(path, report)
    if values is not None:
        _check_manifest(Fields(values, report, 1))
    report.finish()
    return dict(values or {})


def _check_manifest(fields: Fields) -> None:
    if "systems.csv" in _object(fields, "files"):
        fields.problem("files", "are those of a released comparison: only a data set is read back")
        return
    for name in ("study", "created_at", "touchstone"):
        fields.identifier(name)
    fields.number("release", least=1)
    if fields.required("is_rehearsal") and not isinstance(fields.values["is_rehearsal"], bool):
        fields.problem("is_rehearsal", "is not true or false")
    dataset = Fields(_object(fields, "dataset"), fields.report, fields.index, within="dataset")
    dataset.identifier("name")
    dataset.identifier("digest")
    dataset.number("version", least=1)
    files = Fields(_object(fields, "files"), fields.report, fields.index, within="files")
    for name in FILES:
        files.identifier(name)


def _object(fields: Fields, name: str) -> dict[str, Any]:
    value = fields.values.get(name)
    if isinstance(value, dict):
        return value
    if name != "files":
        fields.problem(name, "is missing" if value is None else "is not an object")
    return {}


def _require_unchanged(paths: Mapping[str, Path], digests: Mapping[str, str]) -> None:
    """Raise ImportProblems for every file that is not what was released."""
    wrong = [
        Problem(path.name, "record", None, "", "", f"{OTHER_SHA256} of {name}")
        for name, path in paths.items()
        if hashlib.sha256(path.read_bytes()).hexdigest() != digests[name]
    ]
    if wrong:
        raise ImportProblems(wrong)


def _turns(path: Path) -> tuple[TurnRecord, ...]:
    report, turns = Report(path.name, "record"), Turns()
    found = tuple(
        _turn(Fields(values, report, index), turns) for index, values in objects(path, report)
    )
    report.finish()
    return found


def _turn(fields: Fields, turns: Turns) -> TurnRecord:
    turn = scai_truth.turn_record(fields, turns)
    if not (turn.rewrite or turn.question):
        fields.problem("Truth_rewrite", "says nothing")
    found = _accepted(fields)
    if found and not turn.reference:
        fields.problem(ALTERNATIVE, "has answers, and the turn has no Truth_answer")
    texts = [each.text.strip() for each in found]
    for text in sorted({text for text in texts if texts.count(text) > 1}):
        fields.problem(ALTERNATIVE, "is there twice", json_excerpt(text))
    return TurnRecord(
        conversation=turn.conversation,
        number=turn.number,
        question="",
        rewrite=turn.rewrite,
        reference=turn.reference,
        truth_passages=turn.truth_passages,
        source=turn.source,
        index=turn.index,
        accepted=tuple(found),
    )


def _accepted(fields: Fields) -> list[AcceptedRecord]:
    if not fields.required(ALTERNATIVE):
        return []
    values = fields.values[ALTERNATIVE]
    if not isinstance(values, list):
        fields.problem(ALTERNATIVE, "is not a list of accepted answers", json_excerpt(values))
        return []
    found = []
    for number, value in enumerate(values, start=1):
        within = f"{ALTERNATIVE}[{number}]"
        if not isinstance(value, dict):
            fields.problem(within, "is not an object", json_excerpt(value))
            continue
        inner = Fields(value, fields.report, fields.index, within=within)
        if not inner.text_unless_blank("answer") and inner.is_sound:
            inner.problem("answer", "says nothing")
        if inner.text("tier") not in (GOLD, SILVER) and inner.is_sound:
            inner.problem("tier", f"is not {GOLD} or {SILVER}", json_excerpt(value["tier"]))
        _check_shape(inner)
        if inner.is_sound:
            found.append(AcceptedRecord(value))
    return found


def _check_shape(fields: Fields) -> None:
    """Report what else of an accepted answer is not as releases, of which it may become a part again, have it."""
    for name in ("batch", "accepted_at"):
        fields.text(name)
    for name in ("runs", "evidence"):
        if fields.required(name) and not isinstance(fields.values[name], list):
            fields.problem(name, "is not a list", json_excerpt(fields.values[name]))
    passages = fields.values.get(EXTRACTED_FROM, [])
    if not isinstance(passages, list) or not all(isinstance(each, str) for each in passages):
        fields.problem(EXTRACTED_FROM, "is not a list of texts", json_excerpt(passages))
    for name, inner_names in (("plausible", ("verdict", "source")), ("faithful", ("status",))):
        inner = fields.values.get(name)
        if not fields.required(name):
            continue
        if not isinstance(inner, dict):
            fields.problem(name, "is not an object", json_excerpt(inner))
            continue
        for inner_name in inner_names:
            if not isinstance(inner.get(inner_name), str):
                fields.problem(f"{name}.{inner_name}", "is not text")


def _require_rewritable(paths: Mapping[str, Path], turns: Iterable[TurnRecord]) -> None:
    """Raise ImportProblems unless both files can be written again byte for byte."""
    wrong = []
    for name, path in paths.items():
        written, there = (
            canonical_json.contents(accepted.truth_records(turns, name)),
            path.read_bytes(),
        )
        if written != there:
            message = "is not as Touchstone writes it, or not what silver.json says"
            line = _first_other_line(written, there)
            wrong.append(Problem(path.name, "line", line, "", "", message))
    if wrong:
        raise ImportProblems(wrong)


def _first_other_line(one: bytes, other: bytes) -> int:
    lines = zip_longest(one.splitlines(), other.splitlines())
    return next((n for n, (left, right) in enumerate(lines, start=1) if left != right), 1)


def _part(name: str, help_text: str, example: str) -> Part:
    return Part(
        name=name,
        label=f"{name}.json",
        help_text=help_text,
        example=example,
        option_help="the folder of a release",
    )


FORMAT = DatasetFormat(
    name="release",
    title="Release",
    is_folder=True,
    parts=(
        _part(
            "manifest",
            "Of a release that Touchstone made of a data set: which it is, and the sha256 of its files.",
            MANIFEST_EXAMPLE,
        ),
        _part("gold", "The truth with the gold answers of the release.", EXAMPLES["gold.json"]),
        _part("silver", "The same with its silver answers too.", EXAMPLES["silver.json"]),
    ),
    read=lambda files, beat: read(
        manifest=files["manifest"], gold=files["gold"], silver=files["silver"], beat=beat
    ),
)
