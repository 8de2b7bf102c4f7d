"""A stored data set or run as records, as the readers return them."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import Case, CharField, Count, QuerySet, Value, When

from audit.events import target_text
from audit.models import Event
from audit.wording import changed_fields
from corpus import accepted
from corpus.models import (
    Answer,
    Citation,
    Dataset,
    Offer,
    Passage,
    Run,
    RunChange,
    RunWithdrawal,
    Turn,
)
from corpus.records import (
    AnswerRecord,
    CitationRecord,
    DatasetRecords,
    PassageRecord,
    TurnRecord,
    turn_id,
)
from corpus.versions import later_versions
from jobs.basis import Decisions

Datasets = Collection[Dataset] | QuerySet[Any, Any]


def turn_ids(dataset: Dataset, turns: Collection[int] | None = None) -> dict[str, int]:
    """Return the primary keys of all turns, or of those in `turns`, by their id in files."""
    selected = Turn.objects.of(dataset)
    if turns is not None:
        selected = selected.filter(pk__in=turns)
    rows = selected.values_list("conversation__key", "number", "pk")
    return {turn_id(conversation, number): pk for conversation, number, pk in rows}


def dataset_records(dataset: Dataset) -> DatasetRecords:
    references = _references(dataset)
    turns = tuple(
        TurnRecord(
            conversation=turn.conversation.key,
            number=turn.number,
            question=turn.question,
            rewrite=turn.rewrite,
            reference=next(iter(references[turn.pk]), ""),
            truth_passages=tuple(turn.truth_passages),
            source=turn.source,
            other_references=tuple(references[turn.pk][1:]),
            record=turn.record,
            part=turn.part,
            accepted=accepted.from_stored(turn.accepted),
            meta=turn.meta,
        )
        for turn in Turn.objects.of(dataset)
    )
    return DatasetRecords(turns, (*_offered_passages(dataset), *_passages_with_text(dataset)))


def _references(dataset: Dataset) -> dict[int, list[str]]:
    """Return the references of each turn in the order of their runs, which is that of the file."""
    references: dict[int, list[str]] = defaultdict(list)
    answers = Answer.objects.references(dataset).order_by("run_id")
    for turn, text in answers.values_list("turn_id", "text"):
        references[turn].append(text)
    return references


def _offered_passages(dataset: Dataset) -> list[PassageRecord]:
    offers = Offer.objects.filter(turn__conversation__dataset=dataset)
    related = offers.select_related("passage", "turn__conversation")
    return [_passage(offer.passage, offer.turn.key) for offer in related]


def _passages_with_text(dataset: Dataset) -> list[PassageRecord]:
    with_text = Passage.objects.filter(dataset=dataset, offers=None, text__isnull=False)
    return [_passage(each, None) for each in with_text]


def _passage(passage: Passage, turn: str | None) -> PassageRecord:
    return PassageRecord(
        docid=passage.docid,
        text=passage.text or "",
        url=passage.url,
        turn_id=turn,
        title=passage.title,
        sentences=tuple(passage.sentences),
    )


def parts(dataset: Dataset) -> list[str]:
    """Return the names of the files of a data set of lines, in order; empty for other formats."""
    named = Turn.objects.of(dataset).exclude(record="").values_list("part", flat=True)
    return list(dict.fromkeys(named))


def lines(dataset: Dataset, part: str) -> Iterator[str]:
    """Yield the lines of a file that the data set came from, as they were read, with line ends."""
    turns = Turn.objects.of(dataset).filter(part=part).exclude(record="")
    for record in turns.values_list("record", flat=True).iterator():
        yield f"{record}\n"


def run_decisions(datasets: Collection[int]) -> Decisions:
    """Return how often a run of these data sets was withdrawn, restored, renamed or described anew.

    `datasets` are primary keys.
    """
    kinds: dict[int, dict[str, int]] = {key: {} for key in datasets}
    for dataset, kind, n in chain(_n_withdrawals(datasets), _n_changes(datasets)):
        kinds[dataset][kind] = n
    n_in_all = sum(n for found in kinds.values() for n in found.values())
    return Decisions(n_in_all, {f"data set {key}": found for key, found in kinds.items()})


def _n_withdrawals(datasets: Collection[int]) -> QuerySet[Any, Any]:
    """Return by data set the numbers of runs withdrawn and of runs brought back."""
    is_return = When(is_withdrawn=False, then=Value("restored run"))
    kind = Case(is_return, default=Value("withdrawn run"), output_field=CharField())
    return _by_kind(RunWithdrawal.objects.filter(run__dataset__in=datasets), kind)


def _n_changes(datasets: Collection[int]) -> QuerySet[Any, Any]:
    """Return by data set the numbers of runs renamed, and of those of which only the description changed."""
    is_renamed = When(after__has_key="name", then=Value("renamed run"))
    kind = Case(is_renamed, default=Value("new run description"), output_field=CharField())
    return _by_kind(RunChange.objects.filter(run__dataset__in=datasets), kind)


def _by_kind(rows: QuerySet[Any], kind: Case) -> QuerySet[Any, Any]:
    grouped = rows.order_by().annotate(kind=kind).values("run__dataset", "kind")
    found: QuerySet[Any, Any] = grouped.annotate(n=Count("pk"))
    return found.values_list("run__dataset", "kind", "n")


def n_run_changes(datasets: Datasets) -> int:
    """Return how often a run of the data sets was renamed or described anew."""
    return RunChange.objects.filter(run__dataset__in=datasets).count()


def runs_by_name_at(dataset: Dataset, moment: datetime) -> dict[str, Run]:
    """Return the runs that were there at the moment, by the names that they had then."""
    runs = {run.pk: run for run in dataset.runs.filter(created_at__lte=moment)}
    names = {run.pk: run.name for run in runs.values()}
    renamed = RunChange.objects.filter(run__in=runs, changed_at__gt=moment).order_by("-pk")
    for change in renamed:
        names[change.run_id] = change.before.get("name", names[change.run_id])
    return {names[pk]: run for pk, run in runs.items()}


def versions_with_other_copies(
    dataset: Dataset, changed: Mapping[Run, Mapping[str, str]]
) -> list[Dataset]:
    """Return the later versions with a copy of a changed run whose field has another value than the new one.

    `changed` has the new values by run.
    """
    later = {each.pk: each for each in later_versions(dataset)}
    wanted = {run.carried_from_id or run.pk: after for run, after in changed.items()}
    copies = Run.objects.filter(dataset__in=later, carried_from__in=wanted).order_by()
    other = {
        copy.dataset_id
        for copy in copies
        for field, value in wanted[copy.carried_from_id or copy.pk].items()
        if getattr(copy, field) != value
    }
    return [each for pk, each in later.items() if pk in other]


@dataclass(frozen=True)
class DescribedChange:
    """A change of a name or a description, in words."""

    at: datetime
    who: str
    words: str


def changes_of_run(run: Run) -> list[DescribedChange]:
    """Return the changes of the run's name and description, newest first."""
    rows = run.changes.select_related("changed_by").order_by("-pk")
    return [
        DescribedChange(
            row.changed_at,
            row.changed_by.username,
            changed_fields({"before": row.before, "after": row.after}),
        )
        for row in rows
    ]


def changes_of_dataset(dataset: Dataset) -> list[DescribedChange]:
    """Return the changes of the data set's licence and citation, newest first."""
    events = Event.objects.filter(
        study=dataset.study.slug,
        target=target_text(dataset),
        verb="changed the description of",
    )
    return [
        DescribedChange(event.at, event.actor, changed_fields(event.details))
        for event in events.order_by("-at", "-pk")
    ]


def is_used(run: Run) -> bool:
    """Return whether something rests on the run's answers: drawn from them, or scores that people brought."""
    answers = Answer.objects.filter(run=run)
    return (
        answers.filter(fates__isnull=False).exists()
        or answers.filter(imported_scores__isnull=False).exists()
    )


def run_records(run: Run) -> list[AnswerRecord]:
    cited: dict[int, list[CitationRecord]] = defaultdict(list)
    for each in Citation.objects.filter(answer__run=run).select_related("passage"):
        cited[each.answer_id].append(
            CitationRecord(each.passage.docid, each.rank, each.score, each.quote)
        )
    answers = Answer.objects.filter(run=run).select_related("turn__conversation")
    return [
        AnswerRecord(answer.turn.key, answer.text, answer.rewrite, tuple(cited[answer.pk]), index)
        for index, answer in enumerate(answers, start=1)
    ]
