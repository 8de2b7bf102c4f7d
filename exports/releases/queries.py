"""What a new release of a data set would change against the one before it, as the database has it now."""

import json
from collections import Counter

from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.models import Dataset
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
    releases = Release.objects.filter(dataset=dataset, is_rehearsal=is_rehearsal)
    since = releases.order_by("-number").first()
    if since is None:
        return None
    before = _tiers_of(since)
    batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
    plausibility, faithfulness = (
        decisions(batches, scheme.name) for scheme in (ACCEPTANCE, GROUNDING)
    )
    found = []
    gained: Counter[str] = Counter()
    for answer in sorted(before.keys() | plausibility.keys()):
        plausible, faithful = plausibility.get(answer), faithfulness.get(answer)
        was, now = before.get(answer, ""), _tier(plausible, faithful)
        if was != now:
            found.append(Change(*answer, was, now, _why(plausible, faithful)))
            gained[now] += 1
            gained[was] -= 1
    return Changes(since.number, found, {name: gained[name] for name in (GOLD, SILVER)})


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
