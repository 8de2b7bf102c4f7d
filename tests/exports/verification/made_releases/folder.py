"""Folders of made releases: what the program writes into a release is written by its own functions."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exports.errata import page as errata_page
from exports.releases import column_page, shared_task
from exports.releases.merge import extended_truth
from exports.releases.readme import readme
from exports.releases.report import report
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow, RunRow
from exports.rows.derived_columns import (
    BackgroundRow,
    PrecisionRow,
    ReferenceEvidenceRow,
    RelationRow,
    SoftLabelRow,
)
from exports.rows.per_run import run_rows
from exports.rows.soft_labels import soft_labels
from exports.rows.tiers import TIERS
from exports.verification import one_file
from exports.verification.files import MANIFEST, sha256
from exports.writers import columns, csv_table, json_file
from tests.exports.verification.made_releases.rows import Rows
from tests.exports.verification.made_releases.source import GUIDELINE, LABELS, OF_GUIDELINE

FIRST = ("plausibility",)


def write_release(folder: Path, rows: Rows, *, seed: int = 0) -> Path:
    """Write the rows as a release, with all that is computed from them; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guidelines").mkdir(exist_ok=True)
    tables: dict[str, tuple[type[Any], Sequence[Any]]] = {
        "judgements": (JudgementRow, rows.judgements),
        "items": (ItemRow, rows.items),
        "answers": (AnswerRow, rows.answers),
        "precision": (PrecisionRow, rows.precision),
        "soft_labels": (SoftLabelRow, soft_labels(rows.judgements, rows.items)),
        "per_run": (RunRow, run_rows(rows.answers)),
        "relations": (RelationRow, rows.relations),
        "reference_evidence": (ReferenceEvidenceRow, _reference_evidence(rows.answers)),
        "background": (BackgroundRow, _background(rows.judgements)),
    }
    for name, (row_type, table_rows) in tables.items():
        csv_table.write(folder / f"{name}.csv", row_type, table_rows)
    for name in TIERS:
        tiers = TIERS[: TIERS.index(name) + 1]
        truth = extended_truth(_truth(rows.answers), rows.items, rows.answers, tiers=tiers)
        json_file.write(folder / f"{name}.json", truth)
    evidence = _reference_evidence(rows.answers)
    for name, parts in shared_task.files(truth, rows.answers, rows.items, evidence):
        (folder / name).write_text("".join(parts), encoding="utf-8")
    figures = report(**vars(rows), seed=seed)
    json_file.write(folder / "report.json", figures)
    columns.write(folder / "columns.md", column_page.HEAD, column_page.TABLES)
    (folder / "guidelines" / "plausibility.md").write_text(GUIDELINE, encoding="utf-8")
    (folder / one_file.NAME).write_bytes(one_file.contents())
    errata = _errata(rows.answers)
    json_file.write(folder / errata_page.JSON, errata)
    (folder / errata_page.PAGE).write_text(errata_page.errata_page(errata), encoding="utf-8")
    manifest = _manifest(rows, figures)
    (folder / "README.md").write_text(readme(manifest, figures, has_errata=True), encoding="utf-8")
    write_manifest(folder, manifest)
    return folder


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest with the sha256 of the files as they are now."""
    digests = {
        path.relative_to(folder).as_posix(): sha256(path)
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }
    json_file.write(folder / MANIFEST, {**manifest, "files": digests})


def _reference_evidence(answers: Sequence[AnswerRow]) -> list[ReferenceEvidenceRow]:
    """Two sentences of the reference of every second turn."""
    turns = sorted({row.turn_id for row in answers})[::2]
    return [
        ReferenceEvidenceRow(
            turn, place, "p1", 10 * place, 10 * place + 9, f"Sentence{place}", 0.5, None
        )
        for turn in turns
        for place in (1, 2)
    ]


def _background(judgements: Sequence[JudgementRow]) -> list[BackgroundRow]:
    """An answer of everybody with a counted judgement to a question with choices, and of the first one in words."""
    people = sorted({row.annotator for row in judgements if row.counted})
    asked = "Do you sail?"
    return [
        *(BackgroundRow("made", each, 1, asked, "choice", "yes") for each in people),
        *(BackgroundRow("made", each, 2, "Where?", "words", "At sea") for each in people[:1]),
    ]


def _errata(answers: Sequence[AnswerRow]) -> list[dict[str, Any]]:
    """Return an erratum of an answer of each tier, and of one that is not accepted, where there are such."""
    of_tier = {row.tier: row for row in answers if row.answer_id}
    return [
        {
            "release": number,
            "version": "1.0.0" if number == 1 else "",
            "answer_id": row.answer_id,
            "answer": row.answer.strip(),
            "reason": "The passage says\nthe <opposite>.",
            "noted_at": "2026-03-30T12:00:00.000000Z",
            "tier": row.tier,
            "by_earlier": False,
        }
        for number, (_, row) in enumerate(sorted(of_tier.items()), start=1)
    ]


def _truth(answers: Sequence[AnswerRow]) -> list[tuple[str, dict[str, object]]]:
    turns = dict.fromkeys(row.turn_id for row in answers)
    return [(turn, _truth_of(*map(int, turn.split("_")))) for turn in turns]


def _truth_of(conversation: int, turn: int) -> dict[str, object]:
    return {
        "Conversation_no": conversation,
        "Turn_no": turn,
        "Truth_answer": f"The answer to {conversation}, {turn}: “é”",
        "Truth_rewrite": "What?",
        "Truth_passages": [],
    }


def _manifest(rows: Rows, figures: Mapping[str, Any]) -> dict[str, Any]:
    terms = {"licence": "CC BY 4.0", "citation": ""}
    kinds = {row.run: row.kind for row in rows.answers}
    return {
        "touchstone": "made",
        "created_at": "2026-04-01T12:00:00.000000Z",
        "study": "made",
        "title": "A made-up study",
        "release": 4,
        "version": "1.1.0",
        "note": "With the answers of the second round.",
        "is_rehearsal": False,
        **terms,
        "dataset": {"name": "data", "version": 1, **terms},
        "runs": [{"name": name, "kind": kind} for name, kind in sorted(kinds.items())],
        "scorers": [],
        "batches": [
            {
                "name": scheme,
                "scheme": scheme,
                "guideline_sha256": OF_GUIDELINE,
                **({"guideline_file": f"guidelines/{scheme}.md"} if scheme in FIRST else {}),
            }
            for scheme in LABELS
        ],
        "accepted": figures["accepted"],
        "background": "all",
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
