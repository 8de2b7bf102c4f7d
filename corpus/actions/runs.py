"""Bringing a run in: read and checked as a whole first, written in one transaction after."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.actions import people
from accounts.models import User
from activity.actions import events
from corpus import digests, quotes, tables
from corpus.actions.datasets import ChangedError, Imported, describe
from corpus.models import Answer, Citation, Dataset, Passage, Run, RunKind
from corpus.problems import ImportProblems, Problem
from corpus.readers import scai_run
from corpus.records import AnswerRecord

# A longer quote is not evidence but a passage: reported and kept as not usable.
MOST_QUOTED_WORDS = 100


@dataclass(frozen=True)
class ReadRun:
    """A run as it was read and checked against its data set, not written yet."""

    records: tuple[AnswerRecord, ...]
    left_out: tuple[AnswerRecord, ...]
    files: list[dict[str, Any]]


def read(*, dataset: Dataset, path: Path, leave_out_unknown: bool = False) -> ReadRun:
    """Read a run. Raises ImportProblems with every problem of the file.

    Answers on turns that the data set does not have are problems, unless they are to be left out.
    """
    answers = scai_run.read(path)
    known = tables.turn_ids(dataset)
    unknown = tuple(answer for answer in answers if answer.turn_id not in known)
    if unknown and not leave_out_unknown:
        raise ImportProblems(
            Problem(
                path.name,
                "record",
                each.index,
                "Turn_no",
                each.turn_id,
                f"is not a turn of {dataset}",
            )
            for each in unknown
        )
    kept = tuple(answer for answer in answers if answer.turn_id in known)
    return ReadRun(records=kept, left_out=unknown, files=[describe(path)])


@transaction.atomic
def save(
    *,
    dataset: Dataset,
    name: str,
    read: ReadRun,
    by: User,
    kind: RunKind = RunKind.SYSTEM,
    team: str = "",
    system: str = "",
    setup: str = "",
) -> Imported:
    """Write a run that was read.

    The same content again changes nothing and says so; other content under the same name is refused
    with the difference (ChangedError): a run never changes. Runs with the same answers are flagged.
    """
    people.lock(dataset.study)
    digest = digests.digest(read.records)
    before = dataset.runs.filter(name=name).first()
    if before is not None and before.digest == digest:
        return Imported(created=False, name=name, counts=_counts(before))
    if before is not None:
        difference = digests.difference(tables.run_records(before), read.records)
        raise ChangedError(
            f"the dataset {dataset} has another run {name}: {difference}."
            " A run never changes: import it under another name"
        )
    run = Run(
        dataset=dataset,
        name=name,
        kind=kind,
        team=team,
        system=system,
        setup=setup,
        digest=digest,
        answers_digest=digests.answers_digest(read.records),
        files=read.files,
        n_left_out=len(read.left_out),
        created_by=by,
    )
    run.full_clean(exclude=["files", "dataset"])
    run.save()
    _write_answers(run, read.records)
    counts = _counts(run)
    warnings = (*_same_answers(run), *_bad_quotes(run))
    events.record(study=dataset.study, by=by, verb="imported", target=run, digest=digest, **counts)
    return Imported(created=True, name=name, counts=counts, warnings=warnings)


def _counts(run: Run) -> dict[str, int]:
    return {
        "n_answers": run.answers.count(),
        # Not by a query: databases do not agree on what white space is.
        "n_empty": sum(not text.strip() for text in run.answers.values_list("text", flat=True)),
        "n_citations": Citation.objects.filter(answer__run=run).count(),
        "n_left_out": run.n_left_out,
    }


def _same_answers(run: Run) -> list[str]:
    others = run.dataset.runs.filter(answers_digest=run.answers_digest).exclude(pk=run.pk)
    return [f"the run {other.name} gives the same answers" for other in others]


def _bad_quotes(run: Run) -> list[str]:
    bad = Citation.objects.filter(answer__run=run).exclude(
        quote_status__in=["", quotes.QuoteStatus.USABLE]
    )
    statuses = list(bad.values_list("quote_status", flat=True))
    return [
        f"{statuses.count(status)} quotes are not usable: {status}"
        for status in sorted(set(statuses))
    ]


def _write_answers(run: Run, records: Sequence[AnswerRecord]) -> None:
    turns = tables.turn_ids(run.dataset)
    answers = Answer.objects.bulk_create(
        Answer(run=run, turn_id=turns[record.turn_id], text=record.text, rewrite=record.rewrite)
        for record in records
    )
    passages = _cited_passages(run.dataset, records)
    Citation.objects.bulk_create(
        Citation(
            answer=answer,
            passage=passages[cited.docid],
            rank=cited.rank,
            score=cited.score,
            quote=cited.quote,
            quote_status=_quote_status(cited.quote, passages[cited.docid]),
        )
        for answer, record in zip(answers, records, strict=True)
        for cited in record.citations
    )


def _cited_passages(dataset: Dataset, records: Iterable[AnswerRecord]) -> dict[str, Passage]:
    """Every passage that is cited; one whose text was never given is stored without text."""
    wanted = dict.fromkeys(cited.docid for record in records for cited in record.citations)
    stored = {each.docid: each for each in dataset.passages.all() if each.docid in wanted}
    missing = Passage.objects.bulk_create(
        Passage(dataset=dataset, docid=docid) for docid in wanted if docid not in stored
    )
    return stored | {each.docid: each for each in missing}


def _quote_status(quote: str, passage: Passage) -> str:
    if not quote:
        return ""
    return quotes.check(quote, passage.text, most_words=MOST_QUOTED_WORDS).status.value
