"""What a new version of a data set takes along of the version before it (docs/adr/0035).

Its turns are compared with those of all versions that it continues, and its runs are copied, hidden until
the version is published. Verdicts stay where they were given: exports.rows reads them through Turn.same_as.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from corpus import digests, versions
from corpus import queries as corpus_queries
from corpus.actions import bulk_rows
from corpus.models import Answer, Citation, Dataset, Passage, Run, RunKind, Turn
from corpus.records import AnswerRecord, CitationRecord, DatasetRecords, turn_id
from corpus.same_turns import Comparison, Version, changes
from jobs.models import Job

# So many keys a query names one by one.
KEYS_AT_ONCE = 500
# So many turns of each kind a message names.
MOST_NAMED = 20


@dataclass(frozen=True)
class Continuation:
    """The comparison of a version with those before, and by id of a turn the first that is the same.

    `same_in` has by id of a turn the newest version before in which it is the same.
    """

    comparison: Comparison
    same_as: dict[str, int]
    same_in: dict[str, Dataset]


def compare(newest: Dataset, records: DatasetRecords) -> Continuation:
    """Compare records with the version `newest` and those that it continues."""
    new, same_as = Version.from_records(records), dict[str, int]()
    same_in: dict[str, Dataset] = {}
    changed: dict[str, list[str]] = {}
    known: set[str] = set()
    gone: Collection[str] = ()
    for dataset in versions.lineage(newest):
        old = Version.from_records(corpus_queries.dataset_records(dataset))
        firsts = _first_turns(dataset)
        other_texts = new.other_texts(old)
        cited = _citing(dataset, other_texts)
        for turn in new.turns.keys() & old.turns.keys() - same_as.keys():
            parts = changes(turn, new, old, other_texts, cited)
            if not parts:
                same_as[turn], same_in[turn] = firsts[turn], dataset
            elif turn not in known:
                changed[turn] = list(parts)
        known |= old.turns.keys()
        if dataset == newest:
            gone = old.turns.keys() - new.turns.keys()
    return Continuation(
        Comparison(
            unchanged=len(same_as),
            changed={turn: changed[turn] for turn in _sorted(changed.keys() - same_as.keys())},
            new=_sorted(new.turns.keys() - known),
            gone=_sorted(gone),
        ),
        same_as,
        same_in,
    )


def _first_turns(dataset: Dataset) -> dict[str, int]:
    """Return by id of a turn the first of those that are the same."""
    rows = Turn.objects.of(dataset).values_list("conversation__key", "number", "pk", "same_as")
    return {turn_id(key, number): first or pk for key, number, pk, first in rows}


def _citing(dataset: Dataset, docids: set[str]) -> dict[str, set[str]]:
    """Return by turn those of the passages that answers to it cite."""
    names = {pk: turn for turn, pk in corpus_queries.turn_ids(dataset).items()} if docids else {}
    found: dict[str, set[str]] = {}
    wanted = sorted(docids)
    for start in range(0, len(wanted), KEYS_AT_ONCE):
        cited = Citation.objects.filter(
            passage__dataset=dataset, passage__docid__in=wanted[start : start + KEYS_AT_ONCE]
        )
        for turn, docid in cited.values_list("answer__turn_id", "passage__docid").iterator():
            found.setdefault(names[turn], set()).add(docid)
    return found


def _sorted(turns: Collection[str]) -> list[str]:
    return sorted(turns, key=digests.natural)


def carried(dataset: Dataset, runs: Iterable[Run]) -> dict[str, Any]:
    """Return what a version took along, as plain values; nothing where it continues none."""
    if dataset.continues is None:
        return {}
    return _carried(dataset.continues, runs, dataset.comparison)


def _carried(before: Dataset, runs: Iterable[Run], comparison: Mapping[str, Any]) -> dict[str, Any]:
    return {"from": str(before), "runs": [run.name for run in runs], **comparison}


def forecast(newest: Dataset, records: DatasetRecords) -> dict[str, Any]:
    """Return what a version of these records after `newest` would take along."""
    runs = newest.runs.counting().exclude(kind=RunKind.REFERENCE).order_by("name")
    return _carried(newest, runs, compare(newest, records).comparison.to_dict())


def in_words(carried: Mapping[str, Any]) -> str:
    """Return the forecast as a sentence, for a message: "28 turns are the same; 1 changed (3_1: reference)"."""
    lists = (
        ("changed", changed_turns(carried["changed"])),
        ("new", carried["new"]),
        ("gone", carried["gone"]),
    )
    said = [f"{len(names)} {what} ({named(names)})" for what, names in lists if names]
    n, n_runs = carried["unchanged"], len(carried["runs"])
    same = "1 turn is the same" if n == 1 else f"{n:,} turns are the same"
    runs = f"{n_runs} {'run' if n_runs == 1 else 'runs'} would be taken along"
    return "; ".join([same, *said, *([runs] if n_runs else [])])


def changed_turns(changed: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the turns with what has changed of each: "3_1: reference"."""
    return [f"{turn}: {' and '.join(parts)}" for turn, parts in changed.items()]


def named(names: Sequence[str]) -> str:
    """Return the first of the names, for a message, and how many more there are."""
    n_more = len(names) - MOST_NAMED
    return "; ".join(names[:MOST_NAMED]) + (f" and {n_more} more" if n_more > 0 else "")


def numbers(carried: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same in numbers, for the audit record."""
    if not carried:
        return {}
    parts = ("changed", "new", "gone")
    return {
        "continues": carried["from"],
        "n_carried_runs": len(carried["runs"]),
        "n_unchanged_turns": carried["unchanged"],
        **{f"n_{part}_turns": len(carried[part]) for part in parts},
    }


def missing_runs(dataset: Dataset, before: Dataset) -> list[Run]:
    """Return the runs of the version `before` that count and that this version has not, by name.

    A copy that has another name now is the run that it was made of, and the name is not free.
    """
    own = dataset.runs.order_by()
    firsts = own.filter(carried_from__isnull=False).values("carried_from")
    runs = before.runs.counting().exclude(kind=RunKind.REFERENCE).select_related("carried_from")
    missing = runs.exclude(name__in=own.values("name")).alias(first=versions.first_run())
    return list(missing.exclude(first__in=firsts).order_by("name"))


def still_counting(before: Dataset | None, staged: Sequence[Run]) -> list[Run]:
    """Return those of the staged copies whose run was not withdrawn meanwhile in the version `before`."""
    if before is None:
        return list(staged)
    firsts = set(versions.counting_first_runs(before))
    return [run for run in staged if run.carried_from_id in firsts]


def stage_runs(
    dataset: Dataset, before: Dataset, by: User, job: Job | None, beat: Callable[[], None]
) -> list[Run]:
    """Write a copy of each missing run, in pieces; all stay hidden until they are published."""
    return [_stage_run(run, dataset, by, job, beat) for run in missing_runs(dataset, before)]


def _stage_run(
    run: Run, dataset: Dataset, by: User, job: Job | None, beat: Callable[[], None]
) -> Run:
    beat()
    first = run.carried_from or run  # copies leave answers out, the first run has all
    there = corpus_queries.turn_ids(dataset)
    records = answers_to(first, dataset, there)
    n_dropped = first.n_answers - len(records)
    copy = Run(
        dataset=dataset,
        # Name and description may have been changed since it was imported.
        name=run.name,
        kind=run.kind,
        team=run.team,
        system=run.system,
        setup=run.setup,
        digest=digests.digest(records) if n_dropped else first.digest,
        answers_digest=digests.answers_digest(records),
        files=first.files,
        n_answers=len(records),
        n_empty=sum(not record.text.strip() for record in records),
        n_citing=sum(bool(record.citations) for record in records),
        n_left_out=first.n_left_out + n_dropped,
        carried_from=first,
        created_by=by,
        staged_by=job,
    )
    copy.save()
    bulk_rows.write_answers(copy, records, beat)
    return copy


def answers_to(run: Run, dataset: Dataset, there: Collection[str]) -> list[AnswerRecord]:
    """Return the run's answers to turns of the data set, with the texts of passages that it lacks."""
    names = {pk: turn for turn, pk in corpus_queries.turn_ids(run.dataset).items()}
    cited = _citations(run, dataset)
    answers = Answer.objects.filter(run=run).order_by("pk")
    rows = answers.values_list("pk", "turn_id", "text", "rewrite").iterator()
    kept = ((pk, names[turn], text, rewrite) for pk, turn, text, rewrite in rows)
    return [
        AnswerRecord(turn, text, rewrite, tuple(cited.get(pk, ())), index)
        for index, (pk, turn, text, rewrite) in enumerate(
            (each for each in kept if each[1] in there), start=1
        )
    ]


def _citations(run: Run, dataset: Dataset) -> dict[int, list[CitationRecord]]:
    has_text = set(dataset.passages.with_text().values_list("docid", flat=True).iterator())
    passages = Passage.objects.filter(citations__answer__run=run, text__isnull=False).distinct()
    texts = {
        docid: (text, title)
        for docid, text, title in passages.values_list("docid", "text", "title").iterator()
        if docid not in has_text
    }
    rows = Citation.objects.filter(answer__run=run).order_by("pk")
    found: dict[int, list[CitationRecord]] = defaultdict(list)
    for answer, docid, rank, score, quote in rows.values_list(
        "answer_id", "passage__docid", "rank", "score", "quote"
    ).iterator():
        text, title = texts.get(docid, (None, ""))
        found[answer].append(CitationRecord(docid, rank, score, quote, text, title))
    return found
