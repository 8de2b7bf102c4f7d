"""Two releases of a study compared, with the acts that changed verdicts between them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from annotation.models import BatchWithdrawal, Verdict
from annotation.queries.item_history import HistoryLine, verdict_line
from corpus import versions
from corpus.models import RunWithdrawal
from exports.models import Release, ReleaseContents
from exports.releases import difference_summary, stored_differences, version_numbers
from exports.releases.difference import Difference, VerdictChange, counts_in_words
from exports.writers.errors import ReleaseError

AT_ONCE = 500  # items of a query


def compared(before: Release, after: Release) -> Difference:
    """Return what differs. Raises ReleaseError if they cannot be compared, BrokenReleaseError if files were changed."""
    if why := objection(before, after):
        raise ReleaseError(why)
    return stored_differences.difference_of(before, after)


def objection(before: Release, after: Release) -> str:
    """Why the two cannot be compared; "" if they can."""
    for each in (before, after):
        if each.dataset is None:
            return f"release {each} is a comparison of systems: it has no accepted answers"
    if before.number >= after.number:
        return f"release {before} is not earlier than {after}: name the earlier one first"
    if before.is_rehearsal != after.is_rehearsal:
        return f"of the releases {before} and {after} one is a rehearsal"
    if after.dataset and before.dataset_id not in versions.lineage_keys(after.dataset):
        return f"release {before} is of {before.dataset}, release {after} of {after.dataset}, which does not continue it"
    return ""


def earlier(release: Release) -> list[Release]:
    """Return the releases that this one can be compared with, newest first."""
    if release.dataset is None:
        return []
    rows = Release.objects.filter(
        contents=ReleaseContents.DATASET,
        dataset__in=versions.lineage_keys(release.dataset),
        is_rehearsal=release.is_rehearsal,
        number__lt=release.number,
    )
    return list(rows.select_related("dataset").order_by("-number"))


def acts(
    changes: Sequence[VerdictChange], before: Release, after: Release
) -> list[list[HistoryLine]]:
    """Return for each change what was decided of its items between the releases, oldest first.

    Where nothing was, the withdrawals of the batches that decided it, and that the later release left them out.
    """
    decided = _verdicts(_items(changes), before.created_at, after.created_at)
    withdrawn = _batches_not_taken(before, after)
    return [
        [line for item in _items([each]) for line in decided.get(item, ())]
        or [
            line
            for batch in dict.fromkeys(side.batch for side in (each.before, each.after) if side)
            for line in withdrawn.get(batch, ())
        ]
        for each in changes
    ]


def _items(changes: Iterable[VerdictChange]) -> list[str]:
    sides = (side for each in changes for side in (each.before, each.after) if side)
    return list(dict.fromkeys(side.item_id for side in sides))


def _verdicts(
    items: Sequence[str], since: datetime, until: datetime
) -> dict[str, list[HistoryLine]]:
    found: dict[str, list[HistoryLine]] = defaultdict(list)
    rows = Verdict.objects.filter(decided_at__gt=since, decided_at__lte=until).select_related(
        "item", "decided_by", "adjudication", "replaces__adjudication__retraction__retracted_by"
    )
    for start in range(0, len(items), AT_ONCE):
        part = rows.filter(item__public_id__in=items[start : start + AT_ONCE])
        for row in part.order_by("item_id", "pk"):
            found[str(row.item.public_id)].append(verdict_line(row))
    return found


def _batches_not_taken(before: Release, after: Release) -> dict[str, list[HistoryLine]]:
    """By the name of a batch, its withdrawals between the releases, and that the later release left it out."""
    rows = BatchWithdrawal.objects.filter(
        batch__study=after.study,
        withdrawn_at__gt=before.created_at,
        withdrawn_at__lte=after.created_at,
    )
    found: dict[str, list[HistoryLine]] = defaultdict(list)
    for row in rows.select_related("batch", "withdrawn_by").order_by("pk"):
        found[row.batch.name].append(_withdrawal(row, f"the batch “{row.batch}”"))
    for each in after.manifest.get("left_out", ()):
        what = f"left out the batch “{each['name']}”"
        line = HistoryLine(after.created_at, after.created_by.username, what)
        found[each["name"]].append(line)
    return found


def acts_on_runs(before: Release, after: Release) -> list[HistoryLine]:
    """Return the withdrawals and returns of runs between the releases, oldest first."""
    if after.dataset is None:
        return []
    rows = RunWithdrawal.objects.filter(
        run__dataset__in=versions.lineage_keys(after.dataset),
        withdrawn_at__gt=before.created_at,
        withdrawn_at__lte=after.created_at,
    )
    found = rows.select_related("run", "withdrawn_by").order_by("pk")
    return [_withdrawal(row, f"the run “{row.run}”") for row in found]


def _withdrawal(row: Any, what: str) -> HistoryLine:
    verb = "withdrew" if row.is_withdrawn else "brought back"
    return HistoryLine(row.withdrawn_at, row.withdrawn_by.username, f"{verb} {what}", row.reason)


def summary(before: Release, after: Release) -> dict[str, Any]:
    """Return all that differs as JSON values. Raises ReleaseError and BrokenReleaseError as `compared`."""
    found = compared(before, after)
    return {
        "before": before.number,
        "after": after.number,
        "versions": [before.version, after.version],
        "dataset": after.subject,
        "notes": notes(before, after, found),
        **difference_summary.summary(
            found, acts(found.verdicts, before, after), acts_on_runs(before, after)
        ),
    }


def notes(before: Release, after: Release, found: Difference) -> list[str]:
    """Return in sentences how much differs, the least version that it allows, and what is withdrawn."""
    counts = counts_in_words(found)
    sentences = [f"{', '.join(counts)}." if counts else "Nothing differs but words and figures."]
    if before.version:
        step, _ = version_numbers.reasons(found)
        number = version_numbers.number_of(before.version)
        least = version_numbers.in_words(version_numbers.least(number, step, ()))
        sentences.append(f"After version {before.version} it allows {least} at least.")
    sentences += [f"Release {each} is withdrawn." for each in (before, after) if each.is_withdrawn]
    return sentences
