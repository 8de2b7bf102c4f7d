"""What a new release of a data set would change against the one before it, as the database has it now."""

import json
from collections import Counter
from itertools import takewhile
from typing import Any

from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus import versions
from corpus.models import Dataset, Turn
from corpus.records import turn_id
from exports.models import Release
from exports.releases.changes import Change, Changes
from exports.rows.answers import NOT_ASKED
from exports.rows.outcomes import Decision, decisions
from exports.rows.shown_answers import released_batches
from exports.rows.tiers import GOLD, SILVER, tier
from exports.writers import stored_folders

# A distinct answer: the key of its turn and its text.
Answer = tuple[str, str]


def changes(dataset: Dataset, *, is_rehearsal: bool) -> Changes | None:
    """Return what a release made now would change, or None if there is no release before it.

    Raises OSError and ValueError where the files of the release before cannot be read.
    """
    lineage = versions.lineage_keys(dataset)
    releases = Release.objects.filter(dataset__in=lineage, is_rehearsal=is_rehearsal)
    since = releases.order_by("-number").first()
    if since is None:
        return None
    before = _tiers_of(since)
    batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
    plausibility, faithfulness = (
        decisions(batches, scheme.name, dataset=dataset) for scheme in (ACCEPTANCE, GROUNDING)
    )
    not_standing = _turns_not_standing(dataset, since.dataset_id)
    found = []
    gained: Counter[str] = Counter()
    for answer in sorted(before.keys() | plausibility.keys()):
        plausible, faithful = plausibility.get(answer), faithfulness.get(answer)
        was, now = before.get(answer, ""), _tier(plausible, faithful)
        if was != now:
            why = not_standing.get(answer[0]) or _why(plausible, faithful)
            found.append(Change(*answer, was, now, why))
            gained[now] += 1
            gained[was] -= 1
    return Changes(since.number, found, {name: gained[name] for name in (GOLD, SILVER)})


def _turns_not_standing(dataset: Dataset, since: int) -> dict[str, str]:
    """Return by turn that the version of the release before has, and that does not stand now, why."""
    found: dict[str, str] = {}
    for version in takewhile(lambda each: each.pk != since, versions.lineage(dataset)):
        comparison = version.comparison
        for turn in comparison.get("gone", ()):
            found.setdefault(turn, f"the turn is not in {dataset}")
        for turn, parts in comparison.get("changed", {}).items():
            found.setdefault(turn, f"the turn has another {' and '.join(parts)} in {version}")
    standing = Turn.objects.filter(
        pk__in=versions.standing_turns(dataset).values("pk"), conversation__dataset=since
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


def _tiers_of(release: Release) -> dict[Answer, str]:
    folder = stored_folders.folder_of(release)
    tiers: dict[Answer, str] = {}
    for name in (SILVER, GOLD):  # silver.json has the gold answers too
        for record in json.loads(folder.read(f"{name}.json")):
            turn = f"{record['Conversation_no']}_{record['Turn_no']}"
            for each in record["Truth_answers_alternative"]:
                tiers[turn, each["answer"]] = name
    return tiers


def _tier(plausible: Decision | None, faithful: Decision | None) -> str:
    if plausible is None:
        return ""
    return tier(plausible.outcome, faithful.outcome if faithful else NOT_ASKED)


def _why(plausible: Decision | None, faithful: Decision | None) -> str:
    if plausible is None:
        return "no batch that counts asks about it"
    said = [plausible]
    if faithful is not None and plausible.outcome == ACCEPTANCE.accepted:
        said.append(faithful)
    return "; ".join(f"{each.outcome.replace('_', ' ')} in {each.batch}" for each in said)
