"""Why an answer has another tier than in the release before. Without Django."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

NOWHERE = "no batch that counts asks about it"
OF_EARLIER = "accepted in the release that the data set has read, and nobody decided otherwise here"


@dataclass(frozen=True)
class Decided:
    """How an answer ended under a scheme, in which batch, and whether an adjudicator decided it."""

    outcome: str
    batch: str
    is_adjudicated: bool


@dataclass(frozen=True)
class Accepted:
    """An accepted answer of the release before. `faithful` is None of a silver answer."""

    tier: str
    plausible: Decided
    faithful: Decided | None
    runs: tuple[str, ...]


@dataclass(frozen=True)
class Circumstances:
    """What counts no longer: batches by name with what happened to them, and withdrawn runs."""

    batches: Mapping[str, str]
    withdrawn_runs: Collection[str]


def reason(
    before: Accepted | None,
    plausible: Decided | None,
    faithful: Decided | None,
    circumstances: Circumstances,
    *,
    is_plausible: bool,
) -> str:
    """Return why the answer's tier changes. `is_plausible` says whether it is accepted as plausible now."""
    first = _part(before.plausible if before else None, plausible, circumstances)
    if plausible is None and before is not None:
        return first or _without_runs(before, circumstances)
    if not is_plausible:
        return first or NOWHERE
    second = _part(before.faithful if before else None, faithful, circumstances)
    if faithful is None and before is not None and before.faithful is not None and not second:
        second = f"{_quoted(before.faithful.batch)} judged it by a verdict that has changed since"
    return "; ".join(filter(None, (first, second))) or NOWHERE


def _part(before: Decided | None, now: Decided | None, circumstances: Circumstances) -> str:
    """Return what happened to a verdict; "" if nothing did, or if it is not known."""
    what = circumstances.batches.get(before.batch, "") if before else ""
    if now is None:
        return f"{_quoted(before.batch)} {what}" if before and what else ""
    if now == before:
        return ""
    by = ", adjudicated" if now.is_adjudicated else ""
    text = f"{now.outcome.replace('_', ' ')} in {_quoted(now.batch)}{by}"
    if before is None or before.batch == now.batch:
        return text
    if what:
        return f"{text}, because {_quoted(before.batch)} {what}"
    return f"{text}, which decides instead of {_quoted(before.batch)}"


def _without_runs(before: Accepted, circumstances: Circumstances) -> str:
    withdrawn = [name for name in before.runs if name in circumstances.withdrawn_runs]
    if not withdrawn:
        return NOWHERE
    return f"every run that gave it was withdrawn: {', '.join(withdrawn)}"


def _quoted(name: str) -> str:
    return f"“{name}”"
