"""What a new release of a data set would change against the one before it, as the database has it now."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any

from annotation.models import Batch, BatchState
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus import versions
from corpus.models import Dataset, Run, RunChange, Turn
from corpus.records import turn_id
from exports.models import Release
from exports.releases.changes import Change, Changes
from exports.releases.choice import Choice
from exports.releases.reader import RecordsFile
from exports.releases.reasons import OF_EARLIER, Accepted, Circumstances, Decided, reason
from exports.rows.answers import NOT_ASKED
from exports.rows.earlier_answers import Answer, accepted_in_files, standing, tiers
from exports.rows.earlier_releases import earlier_answers
from exports.rows.outcomes import Decision, decisions
from exports.rows.tiers import GOLD, SILVER, tier
from exports.writers import stored_folders

ADJUDICATION = "adjudication"
ACCEPTED = "silver.json"  # it has the gold answers too


def release_before(dataset: Dataset, *, is_rehearsal: bool) -> tuple[Release | None, list[int]]:
    """Return the newest release that is not withdrawn, and the numbers of later ones, which are."""
    lineage = versions.lineage_keys(dataset)
    releases = Release.objects.filter(dataset__in=lineage, is_rehearsal=is_rehearsal)
    found = releases.filter(is_withdrawn=False).order_by("-number").first()
    withdrawn = releases.filter(is_withdrawn=True, number__gt=found.number if found else 0)
    return found, list(withdrawn.order_by("number").values_list("number", flat=True))


def accepted_counts(release: Release) -> dict[str, int] | None:
    """Return the numbers of gold and silver answers in its files; None of a comparison."""
    return None if release.dataset_id is None else accepted_in_files(release.manifest)


def changes(choice: Choice) -> Changes:
    """Return what a release of the choice made now would change.

    Raises OSError and ValueError where the files of the release before cannot be read.
    """
    since, withdrawn = release_before(choice.dataset, is_rehearsal=choice.is_rehearsal)
    before = _accepted_in(since) if since else {}
    batches = list(choice.batches())
    plausibility, faithfulness = (
        decisions(batches, scheme.name, dataset=choice.dataset)
        for scheme in (ACCEPTANCE, GROUNDING)
    )
    circumstances = _circumstances(choice, since)
    not_standing = _turns_not_standing(choice.dataset, since) if since else {}
    earlier = _standing_earlier(choice, plausibility, faithfulness)
    found = []
    gained: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    for answer in {**plausibility, **before, **earlier}:
        plausible, faithful = plausibility.get(answer), faithfulness.get(answer)
        old = before.get(answer)
        was = old.tier if old else ""
        now = earlier.get(answer) or _tier(plausible, faithful)
        accepted[now] += 1
        if was != now:
            gained[now] += 1
            gained[was] -= 1
            by_earlier = OF_EARLIER if answer in earlier else ""
            changed = not_standing.get(answer[0], "") if plausible is None else ""
            why = (
                by_earlier
                or changed
                or reason(
                    old,
                    _decided(plausible),
                    _decided(faithful),
                    circumstances,
                    is_plausible=bool(plausible and plausible.outcome == ACCEPTANCE.accepted),
                )
            )
            found.append(Change(*answer, was, now, why))
    found.sort(key=lambda each: (each.turn, each.answer))
    counts = {name: accepted[name] for name in (GOLD, SILVER)}
    if since is None:
        return Changes(None, [], counts, counts, withdrawn)
    gains = {name: gained[name] for name in (GOLD, SILVER)}
    return Changes(since.number, found, gains, counts, withdrawn)


def _turns_not_standing(dataset: Dataset, since: Release) -> dict[str, str]:
    """Return by turn that the version of the release before has, and that does not stand now, why."""
    found: dict[str, str] = {}
    for version in takewhile(lambda each: each.pk != since.dataset_id, versions.lineage(dataset)):
        comparison = version.comparison
        for turn in comparison.get("gone", ()):
            found.setdefault(turn, f"the turn is not in {dataset}")
        for turn, parts in comparison.get("changed", {}).items():
            found.setdefault(turn, f"the turn has another {' and '.join(parts)} in {version}")
    if not found:
        return found
    standing = Turn.objects.filter(
        pk__in=versions.standing_turns(dataset).values("pk"), conversation__dataset=since.dataset_id
    )
    for conversation, number in standing.values_list("conversation__key", "number"):
        found.pop(turn_id(conversation, number), None)
    return found


def continued_versions(dataset: Dataset) -> dict[str, Any]:
    """Return what the report says of the versions that this one continues; nothing where it continues none.

    Each version with the one before it, the number of turns that are the same as in an earlier one, and
    those that are not, on which no earlier verdict counts.
    """
    found = [
        {"version": str(each), "continues": str(each.continues), **each.comparison}
        for each in versions.lineage(dataset)
        if each.continues
    ]
    return {"versions": found} if found else {}


def _standing_earlier(
    choice: Choice,
    plausibility: Mapping[Answer, Decision],
    faithfulness: Mapping[Answer, Decision],
) -> dict[Answer, str]:
    """Return the tiers of the accepted answers of an earlier release that stand in a release of the choice."""
    earlier = earlier_answers(choice.dataset, is_rehearsal=choice.is_rehearsal)
    decided = {
        answer: _tier(decision, faithfulness.get(answer))
        for answer, decision in plausibility.items()
        if decision.outcome in ACCEPTANCE.labels
    }
    return tiers(standing(earlier, decided))


def _accepted_in(release: Release) -> Mapping[Answer, Accepted]:
    """Return what the release accepted."""
    folder = stored_folders.folder_of(release)
    return _accepted_of(RecordsFile(sha256_of_accepted(release), folder, ACCEPTED))


def sha256_of_accepted(release: Release) -> str:
    """Return the sha256 of the file of what the release accepted, as it is now. Raises OSError."""
    return stored_folders.folder_of(release).sha256(ACCEPTED)


@lru_cache(maxsize=1)  # many answers: those of the release that was compared last
def _accepted_of(file: RecordsFile) -> Mapping[Answer, Accepted]:
    return {
        (f"{record['Conversation_no']}_{record['Turn_no']}", each["answer"]): _accepted(each)
        for record in file.records()
        for each in record["Truth_answers_alternative"]
    }


def _accepted(record: dict[str, Any]) -> Accepted:
    plausible, faithful = record["plausible"], record["faithful"]
    return Accepted(
        tier=record["tier"],
        plausible=Decided(
            plausible["verdict"], record["batch"], plausible["source"] == ADJUDICATION
        ),
        faithful=Decided(faithful["status"], faithful["batch"], faithful["source"] == ADJUDICATION)
        if "batch" in faithful
        else None,
        runs=tuple(record["runs"]),
    )


def _circumstances(choice: Choice, before: Release | None) -> Circumstances:
    """Return what became of the batches of the release before, and of the data set's runs."""
    names = [each["name"] for each in before.manifest.get("batches", [])] if before else []
    batches = Batch.objects.filter(study=choice.dataset.study_id, name__in=names)
    found = {each.name: _what_became_of(each, choice) for each in batches}
    return Circumstances(
        {name: what for name, what in found.items() if what}, _withdrawn_runs(choice.dataset)
    )


def _withdrawn_runs(dataset: Dataset) -> set[str]:
    """Return the names that runs have or had, here or in an earlier version, that are withdrawn and count here no more."""
    first = versions.first_run()
    of_lineage = Run.objects.filter(dataset__in=versions.lineage_keys(dataset)).alias(first=first)
    withdrawn = of_lineage.filter(is_withdrawn=True).exclude(
        first__in=versions.counting_first_runs(dataset)
    )
    runs = of_lineage.filter(first__in=withdrawn.order_by().values_list(first))
    changes = RunChange.objects.filter(run__in=runs.values("pk"), before__has_key="name")
    return {
        *runs.values_list("name", flat=True),
        *changes.values_list("before__name", flat=True),
    }


def _what_became_of(batch: Batch, choice: Choice) -> str:
    if batch.is_withdrawn:
        return "was withdrawn"
    if batch.name in choice.left_out:
        return "is left out"
    return "" if batch.state == BatchState.CLOSED else "is open again"


def _tier(plausible: Decision | None, faithful: Decision | None) -> str:
    if plausible is None:
        return ""
    return tier(plausible.outcome, faithful.outcome if faithful else NOT_ASKED)


def _decided(decision: Decision | None) -> Decided | None:
    if decision is None:
        return None
    return Decided(decision.outcome, decision.batch, decision.source == ADJUDICATION)
