"""Forecasts of imports. Nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from accounts.models import Study
from corpus import accepted, digests, question_meta, quotes, versions
from corpus import queries as corpus_queries
from corpus.actions import bulk_rows, carry_over, dataset_descriptions, runs
from corpus.actions.datasets import ChangedError
from corpus.formats import SCAI
from corpus.models import Dataset, Run, RunKind, Turn
from corpus.readers.base import ReadDataset
from corpus.records import AnswerRecord, DatasetRecords


class Outcome(StrEnum):
    NEW = "new"
    NEXT_VERSION = "next version"
    SAME = "same"  # it is there already: nothing would change
    DESCRIBED = "described"  # it is there already: what is said of it would change
    REFUSED = "refused"  # something else bears the name


@dataclass(frozen=True)
class Forecast:
    """The forecast of an import. `name` is that of the new or of the existing object.

    `difference` describes the difference to an existing object that prevents the import or that the
    new version follows, and `carried` what that version would take along: carry_over.carried.
    `description` has the licence and citation of a data set that would be there.
    """

    outcome: Outcome
    name: str
    counts: dict[str, int]
    difference: str = ""
    warnings: tuple[str, ...] = ()
    carried: Mapping[str, Any] = field(default_factory=dict)
    description: Mapping[str, str] = field(default_factory=dict)


def dataset(
    *,
    study: Study,
    read: ReadDataset,
    name: str,
    licence: str,
    citation: str,
    as_new_version: bool,
    format: str = SCAI.name,
) -> Forecast:
    """Return what datasets.save would do. Raises ValidationError if the name is not allowed."""
    counts = _counts(read.records)
    digest = read.digest
    newest = study.datasets.filter(name=name).order_by("-version").first()
    if newest is not None and newest.digest == digest:
        changes = _changed_descriptions(newest, {"licence": licence, "citation": citation})
        outcome = Outcome.DESCRIBED if changes else Outcome.SAME
        return Forecast(outcome, str(newest), counts, warnings=(*read.warnings, *changes))
    continued = versions.to_continue(study.datasets.filter(name=name))
    about = {"licence": licence, "citation": citation}
    description = dataset_descriptions.with_those_of(continued, about)
    planned = Dataset(
        study=study,
        name=name,
        version=newest.version + 1 if newest else 1,
        format=read.format or format,
        **description,
        digest=digest,
        created_by=study.created_by,
    )
    planned.full_clean(exclude=["files", "study", "created_by"])
    if newest is None:
        return Forecast(
            Outcome.NEW, str(planned), counts, warnings=read.warnings, description=description
        )
    before = corpus_queries.dataset_records(newest).records
    difference = str(digests.difference(before, read.records.records))
    outcome = Outcome.NEXT_VERSION if as_new_version else Outcome.REFUSED
    named = str(planned if as_new_version else newest)
    carried = carry_over.forecast(newest, read.records)
    return Forecast(outcome, named, counts, difference, read.warnings, carried, description)


def _counts(records: DatasetRecords) -> dict[str, int]:
    return {
        "n_conversations": len({turn.conversation for turn in records.turns}),
        "n_turns": len(records.turns),
        "n_references": sum(
            1 + len(turn.other_references) for turn in records.turns if turn.reference.strip()
        ),
        "n_passages": len({passage.docid for passage in records.passages}),
        **accepted.numbers(records.turns),
        **question_meta.numbers(records.turns),
    }


def _changed_descriptions(dataset: Dataset, about: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"its {field} becomes {text}, and is {getattr(dataset, field) or 'not specified'}"
        for field, text in about.items()
        if text and text != getattr(dataset, field)
    )


def run(*, dataset: Dataset, read: runs.ReadRun, name: str, about: Mapping[str, str]) -> Forecast:
    """Return what runs.save would do; `about` has each of runs.ABOUT.

    Raises ValidationError as it does.
    """
    counts = _counts_of_run(dataset, read)
    before = dataset.runs.filter(name=name).first()
    if before is None:
        description = dict(about) | {"kind": about["kind"] or RunKind.SYSTEM}
        planned = Run(dataset=dataset, name=name, digest="-", answers_digest="-", **description)
        planned.full_clean(exclude=["files", "dataset", "created_by"])
        return Forecast(Outcome.NEW, name, counts, warnings=_warnings(dataset, read.records))
    if before.digest != digests.digest(read.records):
        difference = digests.difference(corpus_queries.run_records(before), read.records)
        return Forecast(Outcome.REFUSED, name, counts, str(difference))
    try:
        runs.require_same_description(before, about)
    except ChangedError as error:
        return Forecast(Outcome.REFUSED, name, counts, str(error))
    return Forecast(Outcome.SAME, name, counts)


def _counts_of_run(dataset: Dataset, read: runs.ReadRun) -> dict[str, int]:
    return {
        "n_answers": len(read.records),
        "n_empty": sum(not answer.text.strip() for answer in read.records),
        "n_citations": sum(len(answer.citations) for answer in read.records),
        "n_left_out": len(read.left_out),
        "n_unanswered": Turn.objects.of(dataset).count() - len(read.records),
    }


def _warnings(dataset: Dataset, answers: tuple[AnswerRecord, ...]) -> tuple[str, ...]:
    """Return the warnings that the import will have."""
    twins = dataset.runs.filter(answers_digest=digests.answers_digest(answers))
    cited = [(answer.turn_id, citation) for answer in answers for citation in answer.citations]
    wanted = {each.docid for _, each in cited}
    known_texts = dataset.passages.with_text().values_list("docid", "text")
    texts = {each.docid: each.text for _, each in cited if each.text is not None}
    texts |= {docid: text or "" for docid, text in known_texts.iterator() if docid in wanted}
    most = bulk_rows.MOST_QUOTED_WORDS
    statuses = (
        (quotes.check(each.quote, texts.get(each.docid), most_words=most).status, turn)
        for turn, each in cited
        if each.quote
    )
    return runs.warnings(
        twins=twins.values_list("name", flat=True),
        quote_statuses=statuses,
        without_text=((each.docid, turn) for turn, each in cited if each.docid not in texts),
    )
