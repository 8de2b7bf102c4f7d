"""Import of runs: read and checked as a whole, staged in hidden pieces, published at once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from audit import events
from corpus import digests, formats, quotes
from corpus import queries as corpus_queries
from corpus.actions import bulk_rows, citation_ids
from corpus.actions.datasets import ChangedError, ImportResult
from corpus.models import Citation, Dataset, Run, RunKind
from corpus.problems import ImportProblems, Problem, json_excerpt
from corpus.readers.base import describe
from corpus.records import AnswerRecord, turn_id
from jobs import transactions
from jobs.models import Job

# What is said of a run besides its answers.
ABOUT = ("kind", "team", "system", "setup")


@dataclass(frozen=True)
class ReadRun:
    """A run that was read and checked against its data set, but not written."""

    records: tuple[AnswerRecord, ...]
    left_out: tuple[AnswerRecord, ...]
    files: list[dict[str, Any]]


def read(
    *,
    dataset: Dataset,
    path: Path,
    leave_out_unknown: bool = False,
    beat: Callable[[], None] = lambda: None,
) -> ReadRun:
    """Read a run. `beat` is called between the steps.

    Raises ImportProblems with every problem of the file. Answers to turns that the data set does
    not have are problems, unless they are left out.
    """
    format = formats.of_run(path)
    answers = format.read(path)
    beat()
    known = corpus_queries.turn_ids(dataset)
    unknown = tuple(answer for answer in answers if answer.turn_id not in known)
    if unknown and not leave_out_unknown:
        message = f"is not a turn of {dataset}"
        raise ImportProblems(
            Problem(path.name, format.unit, each.index, format.turn_field, each.turn_id, message)
            for each in unknown
        )
    answers_with_ids = citation_ids.with_passage_ids(
        dataset, [each for each in answers if each.turn_id in known]
    )
    beat()
    if wrong := list(
        citation_ids.contradictions(dataset, answers_with_ids, file=path.name, unit=format.unit)
    ):
        raise ImportProblems(wrong)
    return ReadRun(records=answers_with_ids, left_out=unknown, files=[describe(path)])


@dataclass(frozen=True)
class StagedRun:
    """A run whose rows are written and still hidden.

    If the same run was there already, nothing was written: `row` is None and `there` has the
    result.
    """

    dataset: Dataset
    name: str
    about: Mapping[str, str | None]
    read: ReadRun
    digest: str
    row: Run | None = None
    existing: ImportResult | None = None
    warnings: tuple[str, ...] = ()


def save(
    *,
    dataset: Dataset,
    name: str,
    read: ReadRun,
    by: User,
    kind: RunKind | None = None,
    team: str = "",
    system: str = "",
    setup: str = "",
) -> ImportResult:
    """Write a run in one transaction. Without `kind` it is a system's.

    The same content again changes nothing, and `created` is False. Other content or another
    description under the same name raises ChangedError with the difference: an import changes no run.
    Other runs with the same answers are a warning. Raises ValidationError if the name is not
    allowed.
    """
    about = {"kind": kind, "team": team, "system": system, "setup": setup}
    with transaction.atomic():
        permissions.require(by, dataset.study, Role.REQUESTER)
        lock_study(dataset.study)
        return publish(
            staged=stage(dataset=dataset, name=name, about=about, read=read, by=by), by=by
        )


def stage(
    *,
    dataset: Dataset,
    name: str,
    about: Mapping[str, str | None],
    read: ReadRun,
    by: User,
    job: Job | None = None,
    beat: Callable[[], None] = transactions.no_beat,
) -> StagedRun:
    """Write the run's rows in pieces, each after a `beat`; they stay hidden until publish().

    `job` is the row's mark until then; without one the caller needs one transaction around all.
    Nothing is written if the run exists. Raises ChangedError and ValidationError as save() does.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    _require_counting(dataset)
    staged = StagedRun(dataset, name, about, read, digests.digest(read.records))
    if before := dataset.runs.filter(name=name).first():
        return replace(staged, existing=_result_of_repetition(before, staged))
    description = {field: text for field, text in about.items() if text}
    run = Run(
        dataset=dataset,
        name=name,
        **description,
        digest=staged.digest,
        answers_digest=digests.answers_digest(read.records),
        files=read.files,
        n_answers=len(read.records),
        n_empty=sum(not answer.text.strip() for answer in read.records),
        n_citing=sum(bool(answer.citations) for answer in read.records),
        n_left_out=len(read.left_out),
        created_by=by,
        staged_by=job,
    )
    run.full_clean(exclude=["files", "dataset", "staged_by"])
    run.save()
    bulk_rows.write_answers(run, read.records, beat)
    return replace(staged, row=run, warnings=_about_citations(run))


@transaction.atomic
def publish(*, staged: StagedRun, by: User) -> ImportResult:
    """Make a staged run visible. Returns and raises the same as save().

    If another run took the name meanwhile, the staged one stays hidden, to be cleared.
    """
    dataset, run = staged.dataset, staged.row
    permissions.require(by, dataset.study, Role.REQUESTER)
    if staged.existing is not None or run is None:
        return cast(ImportResult, staged.existing)
    lock_study(dataset.study)
    _require_counting(Dataset.objects.get(pk=dataset.pk))
    if before := dataset.runs.filter(name=staged.name).exclude(pk=run.pk).first():
        return _result_of_repetition(before, staged)
    run.staged_by, run.created_at = None, timezone.now()
    run.save(update_fields=["staged_by", "created_at"])
    counts = _counts(run, staged.read)
    digest = staged.digest
    events.record(study=dataset.study, by=by, verb="imported", target=run, digest=digest, **counts)
    warnings = (*_about_twins(run), *staged.warnings)
    return ImportResult(created=True, name=run.name, counts=counts, warnings=warnings)


def _require_counting(dataset: Dataset) -> None:
    if dataset.withdrawn_objection:
        raise ChangedError(dataset.withdrawn_objection)


def _result_of_repetition(before: Run, staged: StagedRun) -> ImportResult:
    """Return the result of importing the same run again. Raises ChangedError for another run."""
    if before.digest != staged.digest:
        difference = digests.difference(corpus_queries.run_records(before), staged.read.records)
        raise ChangedError(
            f"the dataset {staged.dataset} has another run {before.name}: {difference}."
            " The answers of a run never change: import it under another name"
        )
    require_same_description(before, staged.about)
    return ImportResult(
        created=False,
        name=before.name,
        counts=_counts(before, staged.read),
        warnings=(*_about_twins(before), *_about_citations(before)),
    )


def require_same_description(run: Run, about: Mapping[str, str | None]) -> None:
    """Raise ChangedError if the description differs from that of the run.

    Empty values do not count.
    """
    other = [
        f"{field} is {getattr(run, field) or 'not specified'}, not {value}"
        for field, value in about.items()
        if value and value != getattr(run, field)
    ]
    if other:
        raise ChangedError(
            f"the dataset {run.dataset} has the run {run.name} with the same answers, but its"
            f" {' and its '.join(other)}. An import changes no run that is there: leave them out,"
            " and change them in the table of runs"
        )


def _about_twins(run: Run) -> tuple[str, ...]:
    others = run.dataset.runs.filter(answers_digest=run.answers_digest).exclude(pk=run.pk)
    names = others.values_list("name", flat=True)
    return warnings(twins=names, quote_statuses=(), without_text=())


def _about_citations(run: Run) -> tuple[str, ...]:
    own = Citation.objects.filter(answer__run=run).order_by()
    unusable = own.exclude(quote_status__in=("", quotes.QuoteStatus.USABLE))
    turn = ("answer__turn__conversation__key", "answer__turn__number")
    return warnings(
        twins=(),
        quote_statuses=_with_turns(unusable.values_list("quote_status", *turn)),
        without_text=_with_turns(
            own.filter(passage__text=None).values_list("passage__docid", *turn)
        ),
    )


def _with_turns(rows: Iterable[tuple[str, str, int]]) -> list[tuple[str, str]]:
    return [(found, turn_id(key, number)) for found, key, number in rows]


def warnings(
    *,
    twins: Iterable[str],
    quote_statuses: Iterable[tuple[str, str]],
    without_text: Iterable[tuple[str, str]],
) -> tuple[str, ...]:
    """Return warnings: equal answers, unusable quotes, cited passages without text.

    Statuses of quotes and ids of passages come each with the turn whose answer has them.
    """
    messages = [f"the run {name} gives the same answers" for name in twins]
    turns_by_status = _grouped(quote_statuses)
    messages += [
        f"{len(turns)} {'quote is' if len(turns) == 1 else 'quotes are'} not usable: {status} ({_turns(turns)})"
        for status, turns in sorted(turns_by_status.items())
        if status != quotes.QuoteStatus.USABLE
    ]
    if turns_by_docid := _grouped(without_text):
        n = len(turns_by_docid)
        names = [
            f"{json_excerpt(docid)} ({_turns(turns)})" for docid, turns in turns_by_docid.items()
        ]
        messages.append(
            f"{n} {'passage that it cites has' if n == 1 else 'passages that it cites have'} no text in the data set"
            f" and can be no evidence: {digests.first_names(names)}"
        )
    return tuple(messages)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the turns by what was found in them."""
    found: dict[str, list[str]] = {}
    for what, turn in pairs:
        found.setdefault(what, []).append(turn)
    return found


def _turns(turns: Iterable[str]) -> str:
    """Return the first of the turns, for a message."""
    names = set(turns)
    return f"{'turn' if len(names) == 1 else 'turns'} {digests.first_names(names)}"


def _counts(run: Run, read: ReadRun) -> dict[str, int]:
    """Return the counts of the stored run.

    Its citations are those of `read`, as the digests are equal.
    """
    return {
        "n_answers": run.n_answers,
        "n_empty": run.n_empty,
        "n_citations": sum(len(answer.citations) for answer in read.records),
        "n_left_out": run.n_left_out,
    }
