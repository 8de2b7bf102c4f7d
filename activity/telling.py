"""Events in words. Plain Python: what an event keeps goes in, sentences come out.

`what` says what was done to what; `how` says the rest of it, shorter than all that the event keeps where
that is long: `leaves_out` says whether it is.
"""

from collections.abc import Callable, Mapping
from typing import Any

Details = Mapping[str, Any]

# Acts whose word, as it is kept, makes no sentence.
VERBS = {"granted": "gave a role to", "took back": "took a role from", "noted": "wrote a note on"}
# Things that have no name that people know them by.
NAMELESS = {
    "item": "an item",
    "assignment": "a judgement",
    "flag": "a flag",
    "precisionitem": "an accepted answer",
}


def what(verb: str, target: str) -> str:
    """What was done, as a sentence without its subject: imported data set everyday@1."""
    kind, _, which = target.partition(" ")
    verb = VERBS.get(verb, verb)
    if kind in NAMELESS:
        return f"{verb} {NAMELESS[kind]}"
    if kind == "job":
        job, _, key = which.partition(" ")
        which = f"{kind_in_words(job).lower()}: {key}"
    return f"{verb} {in_words(kind)} {which}"


def how(verb: str, details: Details) -> str:
    """The rest as a sentence; "" where there is no sentence for it, or what it would say is not there."""
    sentence = SENTENCES.get(verb, SHORT.get(verb))
    try:
        return sentence(details) if sentence else ""
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""  # the details are of another act, or another time


def leaves_out(verb: str) -> bool:
    return verb in SHORT


def kind_in_words(kind: str) -> str:
    """import_dataset: Import data set."""
    return in_words(kind).capitalize()


def in_words(name: str) -> str:
    """n_items: items. The name of a file stays what it is."""
    if "." in name or "/" in name:
        return name
    return name.removeprefix("n_").replace("_", " ").replace("dataset", "data set")


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def _reviewed(said: Details) -> str:
    paid = "paid" if said["is_paid"] else "not paid"
    counted = "counted" if said["is_counted"] else "not counted"
    if said["paid_reason"] == said["counted_reason"]:
        return f"{paid} and {counted}: {said['paid_reason']}"
    return f"{paid}: {said['paid_reason']}; {counted}: {said['counted_reason']}"


def _settled(said: Details) -> str:
    ended = (
        f"{said['n_decided']:,} decided, {said['n_disputed']:,} in dispute,"
        f" {said['n_set_aside']:,} set aside"
    )
    return f"by the rule {said['rule']}: {ended}, of {_count(said['n_items'], 'item')}"


def _rehearsed(said: Details) -> str:
    people = _count(said["n_annotators"], "simulated annotator")
    return (
        f"{_count(said['n_judgements'], 'judgement')} by {people}, right with a probability of"
        f" {said['accuracy']:g}; seed {said['seed']}"
    )


def _created(said: Details) -> str:
    """Only an invitation keeps how many may come; a batch its pool and scheme."""
    if "pool" in said:
        return f"{said['scheme']}, on the pool {said['pool']}"
    until = str(said["expires_at"])[:16].replace("T", " ")
    note = f": {said['note']}" if said["note"] else ""
    return f"for {_count(said['n_most'], 'person').replace('persons', 'people')}, until {until} UTC{note}"


def _drew(said: Details) -> str:
    if "batch" in said["rule"]:
        return f"the plausible answers of {said['rule']['batch']}, with their evidence"
    if "audit_of" in said["rule"]:
        return f"{_count(said['n_candidates'], 'answer')} that {said['rule']['audit_of']} left out"
    candidates = _count(said["n_candidates"], "candidate")
    return f"{candidates} for {_count(said['n_turns'], 'question')}"


def _imported(said: Details) -> str:
    """Numbers only; hashes and the rest are left out."""
    numbers = {name: n for name, n in said.items() if type(n) is int}
    return ", ".join(f"{in_words(name)} {n:,}" for name, n in numbers.items())


# These say all that the event keeps.
SENTENCES: dict[str, Callable[[Details], str]] = {
    "adjudicated": lambda said: f"as {said['label']}: {said['reason']}",
    "reviewed": _reviewed,
    "excluded": lambda said: str(said["reason"]),
    "readmitted": lambda said: str(said["reason"]),
    "noted": lambda said: str(said["text"]),
    "answered": lambda said: str(said["text"]),
    "opened": lambda said: _count(said["n_items"], "item"),
    "paused an annotator of": lambda said: f"{said['annotator']}: {said['reason']}",
    "resumed an annotator of": lambda said: f"{said['annotator']}: {said['reason']}",
    "set disputes aside": lambda said: _count(said["n_items"], "item"),
    "granted": lambda said: ", ".join(said["roles"]),
    "took back": lambda said: ", ".join(said["roles"]),
    "joined": lambda said: f"as {said['role']}, by invitation {said['invitation']}",
    "created": _created,
    "changed": lambda said: f"on the pool {said['pool']}",
    "rehearsed": _rehearsed,
    "imported scores": lambda said: (
        f"{_count(said['n_scores'], 'score')} of {said['metric']} by {said['scorer']}"
    ),
}
# These say the gist of it.
SHORT: dict[str, Callable[[Details], str]] = {
    "settled": _settled,
    "released": lambda said: f"as release {said['number']}, {_count(len(said['files']), 'file')}",
    "drew": _drew,
    "described": lambda said: f"changed: {', '.join(map(in_words, said['after']))}",
    "imported": _imported,
}
