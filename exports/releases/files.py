"""The files of a release, written into a folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.models import Batch, Verdict
from corpus.models import Dataset, Turn
from exports.errata import page as errata_page
from exports.errata.queries import errata_before
from exports.precision_audit.queries import precision_rows
from exports.relations.queries import shown_first
from exports.releases import column_page, merge, queries, reader, shared_task
from exports.releases.choice import Choice
from exports.releases.guideline_files import write_guidelines
from exports.releases.readme import readme
from exports.releases.report import CountedAnswers, report
from exports.rows import earlier_answers, earlier_releases
from exports.rows.answers import iter_answer_rows
from exports.rows.background import Included, background_rows
from exports.rows.columns import (
    AnswerRow,
    ItemRow,
    JudgementRow,
    RunRow,
)
from exports.rows.derived_columns import (
    BackgroundRow,
    PrecisionRow,
    ReferenceEvidenceRow,
    RelationRow,
    SoftLabelRow,
)
from exports.rows.earlier_answers import Answer, Earlier
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.per_run import run_rows
from exports.rows.reference_evidence import manifest_entry, reference_evidence_rows
from exports.rows.relations import relation_rows
from exports.rows.soft_labels import soft_labels
from exports.rows.tiers import TIERS
from exports.verification import one_file
from exports.writers import columns, csv_table, json_file, release_rows
from exports.writers.manifests import release_manifest
from exports.writers.plans import plan_entries, with_plans
from exports.writers.stored_folders import NewStoredFolder
from sampling.models import Pool

EVALUATE = Path(__file__).resolve().parent.parent / "writers" / "evaluate.py"


@dataclass(frozen=True)
class _Tables:
    """The rows of a release; of `answers` those that a report needs, as all are in their file.

    `earlier` are the accepted answers of an earlier release that stand, `decided` the tiers here of what was decided.
    """

    judgements: list[JudgementRow]
    items: list[ItemRow]
    answers: list[AnswerRow]
    answers_step: dict[str, Any]
    precision: list[PrecisionRow]
    earlier: Earlier
    decided: Mapping[Answer, str]
    reference_evidence: list[ReferenceEvidenceRow]
    relations: list[RelationRow]
    background: list[BackgroundRow]


def write_tables(
    folder: NewStoredFolder,
    choice: Choice,
    batches: Sequence[Batch],
    set_aside: Iterable[tuple[Batch, list[Verdict]]],
    search: Pool | None,
    included: Included,
) -> tuple[dict[str, Any], dict[str, int]]:
    """Write everything that is made of the tables' rows. `search` is that for the evidence of references, if any;
    `included` are the answers to background questions that the release has.

    Return the report, and the number of silver answers by batch of which nobody was asked whether they are faithful.
    """
    rows = _rows(folder, choice, batches, set_aside, search, included)
    figures = report(
        judgements=rows.judgements,
        items=rows.items,
        answers=rows.answers,
        precision=rows.precision,
        relations=rows.relations,
        answers_step=rows.answers_step,
    ) | queries.continued_versions(choice.dataset)
    figures |= earlier_answers.figures(rows.earlier, rows.decided)
    if entries := choice.left_out_entries():
        figures |= {"left_out": [entry["name"] for entry in entries]}
    _write_errata(folder, choice, rows)
    return figures, _write(folder, choice.dataset, rows, figures)


def _write_errata(folder: NewStoredFolder, choice: Choice, rows: _Tables) -> None:
    """Write what is wrong in earlier releases, if anything is."""
    tiers = _tiers_by_id(rows.answers)
    earlier = earlier_answers.by_id(rows.earlier)
    found = errata_before(choice.dataset, tiers, earlier, is_rehearsal=choice.is_rehearsal)
    if found:
        folder.write(errata_page.JSON, json_file.contents(found))
        folder.write(errata_page.PAGE, errata_page.errata_page(found).encode("utf-8"))


def write_description(
    folder: NewStoredFolder,
    choice: Choice,
    batches: Sequence[Batch],
    figures: Mapping[str, Any],
    search: Pool | None,
    included: Included,
) -> dict[str, Any]:
    """Write guidelines, plans of analysis and readme. Return the manifest."""
    guidelines = write_guidelines(folder, batches)
    manifest = release_manifest(
        choice.dataset,
        batches,
        guidelines,
        number=release_rows.next_number(choice.dataset.study),
        is_rehearsal=choice.is_rehearsal,
    )
    names = ("accepted", "accepted_earlier")
    plans, texts = plan_entries(batches)
    for path, text in sorted(texts.items()):
        folder.write(path, text)
    manifest["batches"] = with_plans(manifest["batches"], plans)
    manifest |= {name: figures[name] for name in names if name in figures}
    manifest |= manifest_entry(search)
    if choice.dataset.study.background:
        manifest |= {"background": included.value}
    if entries := choice.left_out_entries():
        manifest |= {"left_out": entries}
    folder.write(
        "README.md",
        readme(manifest, figures, has_errata=errata_page.PAGE in folder.digests).encode("utf-8"),
    )
    return manifest | {"files": dict(folder.digests)}


def _rows(
    folder: NewStoredFolder,
    choice: Choice,
    batches: Sequence[Batch],
    set_aside: Iterable[tuple[Batch, list[Verdict]]],
    search: Pool | None,
    included: Included,
) -> _Tables:
    dataset = choice.dataset
    replacements = {each.item_id: each for _, rows in set_aside for each in rows}
    items = item_rows(batches, replacements, dataset=dataset)
    answers, answers_step = _write_answers(folder, dataset, batches, items)
    decided = earlier_answers.tiers_decided(items, answers)
    tiers = _tiers_by_id(answers)
    judgements = judgement_rows(batches, dataset=dataset)
    return _Tables(
        judgements,
        items,
        answers,
        answers_step,
        precision_rows(dataset, tiers, is_rehearsal=choice.is_rehearsal),
        earlier_answers.standing(
            earlier_releases.earlier_answers(dataset, is_rehearsal=choice.is_rehearsal), decided
        ),
        decided,
        reference_evidence_rows(search),
        relation_rows(items, tiers, shown_first(batches, dataset)),
        background_rows(dataset.study, judgements, included),
    )


def _tiers_by_id(answers: Iterable[AnswerRow]) -> dict[str, str]:
    return {row.answer_id: row.tier for row in answers if row.answer_id}


def _write_answers(
    folder: NewStoredFolder, dataset: Dataset, batches: Sequence[Batch], items: Sequence[ItemRow]
) -> tuple[list[AnswerRow], dict[str, Any]]:
    """Write the rows of answers, of which there may be half a million, one after the other.

    Return those that a report needs, and the first step of its funnel.
    """
    counted = CountedAnswers()
    answers = counted.counting(iter_answer_rows(dataset, batches, items))
    folder.write_lines("answers.csv", csv_table.lines(AnswerRow, answers))
    return counted.rows, counted.step()


def _write(
    folder: NewStoredFolder, dataset: Dataset, rows: _Tables, figures: Mapping[str, Any]
) -> dict[str, int]:
    sources = [(turn.key, turn.source) for turn in Turn.objects.of(dataset).iterator()]
    for name in ("gold", "silver"):
        tiers = TIERS[: TIERS.index(name) + 1]
        records = merge.extended_truth(
            sources, rows.items, rows.answers, tiers=tiers, earlier=rows.earlier
        )
        folder.write_lines(f"{name}.json", json_file.parts(records))
    if rows.earlier:
        folder.write(earlier_answers.NAME, json_file.contents(rows.earlier))
    n_not_asked = reader.n_not_asked(records)  # of the last, which has the silver ones
    made = (records, rows.answers, rows.items, rows.reference_evidence)
    for name, parts in shared_task.files(*made):
        folder.write_lines(name, parts)
    del records
    tables: dict[str, tuple[type[Any], Iterable[Any]]] = {
        "judgements": (JudgementRow, rows.judgements),
        "items": (ItemRow, rows.items),
        "soft_labels": (SoftLabelRow, soft_labels(rows.judgements, rows.items)),
        "per_run": (RunRow, run_rows(rows.answers)),
        "precision": (PrecisionRow, rows.precision),
        "reference_evidence": (ReferenceEvidenceRow, rows.reference_evidence),
        "relations": (RelationRow, rows.relations),
        "background": (BackgroundRow, rows.background),
    }
    for name, (row_type, table_rows) in tables.items():
        folder.write_lines(f"{name}.csv", csv_table.lines(row_type, table_rows))
    folder.write("report.json", json_file.contents(figures))
    folder.write(EVALUATE.name, EVALUATE.read_bytes())
    folder.write(one_file.NAME, one_file.contents())
    folder.write("columns.md", columns.contents(column_page.HEAD, column_page.TABLES))
    return n_not_asked
