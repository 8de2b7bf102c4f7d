"""Bringing a run in: read and checked as a whole first, written in one transaction after."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.actions import people
from accounts.models import Role, User
from activity.actions import events
from corpus import digests, quotes, tables
from corpus.actions.datasets import ChangedError, Imported, describe
from corpus.models import Answer, Citation, Dataset, Passage, Run, RunKind
from corpus.problems import ImportProblems, Problem, shown
from corpus.readers import scai_run
from corpus.records import AnswerRecord

N_AT_ONCE = 5_000
# What is said of a run besides its answers.
ABOUT = ("kind", "team", "system", "setup")
# A longer quote is not evidence but a passage: reported and kept as not usable.
MOST_QUOTED_WORDS = 100


@dataclass(frozen=True)
class ReadRun:
    """A run as it was read and checked against its data set, not written yet."""

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
    """Read a run; `beat` is called between the steps. Raises ImportProblems with every problem of the file.

    Answers on turns that the data set does not have are problems, unless they are to be left out.
    """
    answers = scai_run.read(path)
    beat()
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
    kind: RunKind | None = None,
    team: str = "",
    system: str = "",
    setup: str = "",
) -> Imported:
    """Write a run that was read; it is a system's where no kind is said.

    The same content again changes nothing and says so. Other content under the same name is refused
    with the difference (ChangedError), and so is something else said of it: a run never changes. Runs
    with the same answers are flagged. Raises ValidationError where the run cannot be called so.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    people.lock(dataset.study)
    digest = digests.digest(read.records)
    before = dataset.runs.filter(name=name).first()
    about = {"kind": kind, "team": team, "system": system, "setup": setup}
    if before is not None and before.digest == digest:
        require_alike(before, about)
        return Imported(
            created=False, name=name, counts=_counts(before), warnings=_warnings(before)
        )
    if before is not None:
        difference = digests.difference(tables.run_records(before), read.records)
        raise ChangedError(
            f"the dataset {dataset} has another run {name}: {difference}."
            " A run never changes: import it under another name"
        )
    run = Run(
        dataset=dataset,
        name=name,
        kind=kind or RunKind.SYSTEM,
        team=team,
        system=system,
        setup=setup,
        digest=digest,
        answers_digest=digests.answers_digest(read.records),
        files=read.files,
        n_answers=len(read.records),
        n_empty=sum(not answer.text.strip() for answer in read.records),
        n_citing=sum(bool(answer.citations) for answer in read.records),
        n_left_out=len(read.left_out),
        created_by=by,
    )
    run.full_clean(exclude=["files", "dataset"])
    run.save()
    _write_answers(run, read.records)
    counts = _counts(run)
    events.record(study=dataset.study, by=by, verb="imported", target=run, digest=digest, **counts)
    return Imported(created=True, name=name, counts=counts, warnings=_warnings(run))


def require_alike(run: Run, about: Mapping[str, str | None]) -> None:
    """Refuse what is said of a run otherwise than when it was imported; what is not said claims nothing."""
    other = [
        f"{field} is {getattr(run, field) or 'not said'}, not {said}"
        for field, said in about.items()
        if said and said != getattr(run, field)
    ]
    if other:
        raise ChangedError(
            f"the dataset {run.dataset} has the run {run.name} with the same answers, but its"
            f" {' and its '.join(other)}. A run never changes: leave these options out, or import it"
            " under another name"
        )


def _warnings(run: Run) -> tuple[str, ...]:
    others = run.dataset.runs.filter(answers_digest=run.answers_digest).exclude(pk=run.pk)
    quoted = Citation.objects.filter(answer__run=run).exclude(quote_status="")
    cited = Passage.objects.filter(citations__answer__run=run, text=None)
    return warnings(
        twins=others.values_list("name", flat=True),
        quote_statuses=quoted.values_list("quote_status", flat=True),
        without_text=cited.values_list("docid", flat=True),
    )


def warnings(
    *, twins: Iterable[str], quote_statuses: Iterable[str], without_text: Iterable[str]
) -> tuple[str, ...]:
    """What should be known of a run: which runs give the same answers, what became of each of its quotes,
    and which passages it cites that nobody has told the text of."""
    said = [f"the run {name} gives the same answers" for name in twins]
    times = Counter(quote_statuses)
    said += [
        f"{times[status]} {'quote is' if times[status] == 1 else 'quotes are'} not usable: {status}"
        for status in sorted(times)
        if status != quotes.QuoteStatus.USABLE
    ]
    if docids := set(without_text):
        said.append(
            f"{len(docids)} passages that it cites have no text in the data set and can be no evidence:"
            f" {digests.named(map(shown, docids))}"
        )
    return tuple(said)


def _counts(run: Run) -> dict[str, int]:
    return {
        "n_answers": run.n_answers,
        "n_empty": run.n_empty,
        "n_citations": Citation.objects.filter(answer__run=run).count(),
        "n_left_out": run.n_left_out,
    }


def _write_answers(run: Run, records: Sequence[AnswerRecord]) -> None:
    turns = tables.turn_ids(run.dataset)
    answers = Answer.objects.bulk_create(
        Answer(run=run, turn_id=turns[record.turn_id], text=record.text, rewrite=record.rewrite)
        for record in records
    )
    passages = _cited_passages(run.dataset, records)
    citations = (
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
    # Millions, where systems cite a hundred passages an answer: never all of them in memory.
    while some := list(islice(citations, N_AT_ONCE)):
        Citation.objects.bulk_create(some)


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
