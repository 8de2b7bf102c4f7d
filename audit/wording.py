"""Sentences about events."""

from collections.abc import Callable, Mapping
from typing import Any

from pages.words import name_in_words

Details = Mapping[str, Any]

# Acts whose word, as it is kept, makes no sentence with what it was done to.
VERBS = {
    "granted": "gave a role to",
    "noted": "wrote a note on",
    "settled again": "gave a second label to",
    "asked again": "asked for one more judgement of",
    "asked for more": "asked for more judgements of",
    "audited again": "corrected the audit of",
    "marked the guideline unclear": "marked the guideline as unclear at",
    "unmarked the guideline": "undid the mark of an unclear guideline at",
    "drew second looks": "drew second looks in",
    "reviewed in bulk": "reviewed judgements of",
    "undid reviews": "undid reviews of",
    "imported scores": "imported scores of",
    "carried over": "took the work on the version before along to",
    "set the deadline": "set the deadline of",
    "returned to draft": "made a draft again of",
    "set disputes aside": "set aside the disputes of",
    "made a new link": "made a new link of",
    "used": "used for the first time",
    "copied": "copied the settings of",
    "named the primary comparison": "named the primary comparison in",
    "froze the plan of": "froze the plan of analysis of",
}
# What people do to nothing but their own access.
OWN_ACCESS = {
    "signed in": "signed in",
    "signed out": "signed out",
    "signed out everywhere": "signed out everywhere",
    "changed the password": "changed their password",
    "set a password by a link": "set a password by a link",
    "failed to sign in": "failed to sign in under a name that nobody has",
}
# Acts kept with one word that are two acts, by what they were done to.
VERBS_BY_KIND = {
    ("took back", "user"): "took a role from",
    ("took back", "item"): "undid the adjudication of",
    ("granted", "qualification"): "granted",
}
KINDS = {"apitoken": "API token"}
# Kinds of jobs are stored, so their names stay; pages have the field's term.
KINDS_OF_JOBS = {"measures_against_people": "automatic measures vs human judgements"}
# Things that have no name that people know them by.
NAMELESS = {
    "item": "an item",
    "assignment": "a judgement",
    "flag": "a flag",
    "message": "a message of an annotator",
    "precisionitem": "an accepted answer",
}


def kind_of_job_in_words(kind: str) -> str:
    return KINDS_OF_JOBS.get(kind, name_in_words(kind))


def action_in_words(verb: str, target: str) -> str:
    """Return the action as a sentence without its subject: imported data set everyday@1."""
    kind, _, which = target.partition(" ")
    if verb in OWN_ACCESS:
        return OWN_ACCESS[verb]
    verb = VERBS_BY_KIND.get((verb, kind)) or VERBS.get(verb, verb)
    if kind in NAMELESS:
        return f"{verb} {NAMELESS[kind]}"
    if kind == "job":
        job, _, key = which.partition(" ")
        which = f"{kind_of_job_in_words(job)}: {key}"
    return f"{verb} {KINDS.get(kind, name_in_words(kind))} {which}"


def summary(verb: str, details: Details) -> str:
    """Return the details as a sentence; empty if the verb has none, or the details lack a value."""
    sentence = SENTENCES.get(verb, ABRIDGED.get(verb))
    try:
        return sentence(details) if sentence else ""
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""  # the details are of another act, or another time


def is_abridged(verb: str) -> bool:
    """Return whether the summary leaves out details."""
    return verb in ABRIDGED


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def _review(details: Details) -> str:
    paid = "paid" if details["is_paid"] else "not paid"
    counted = "counted" if details["is_counted"] else "not counted"
    if details["paid_reason"] == details["counted_reason"]:
        return f"{paid} and {counted}: {details['paid_reason']}"
    return f"{paid}: {details['paid_reason']}; {counted}: {details['counted_reason']}"


def _settlement(details: Details) -> str:
    ended = (
        f"{details['n_decided']:,} decided, {details['n_disputed']:,} in dispute,"
        f" {details['n_set_aside']:,} set aside"
    )
    return f"by the rule {details['rule']}: {ended}, of {_count(details['n_items'], 'item')}"


def _rehearsal(details: Details) -> str:
    people = _count(details["n_annotators"], "simulated annotator")
    return (
        f"{_count(details['n_judgements'], 'judgement')} by {people}, right with a probability of"
        f" {details['accuracy']:g}; seed {details['seed']}"
    )


def _creation(details: Details) -> str:
    """Summarise the creation of an invitation, or of a batch, whose details have its pool, or of a qualification."""
    if "rule" in details:
        return _rule(details["rule"])
    if "pool" in details:
        return f"{details['scheme']}, on the pool {details['pool']}"
    until = str(details["expires_at"])[:16].replace("T", " ")
    note = f": {details['note']}" if details["note"] else ""
    return f"for {_count(details['n_most'], 'person').replace('persons', 'people')}, until {until} UTC{note}"


def _rule(rule: Details) -> str:
    """Summarise the rule of a qualification; of a group, which has none, that people decide."""
    if not rule:
        return "a group without a rule"
    bars = {"accuracy": rule["accuracy"], **rule["recall"]}
    listed = ", ".join(f"{name} {bar:g}" for name, bar in bars.items())
    return (
        f"{listed}, with a confidence of {rule['confidence']:g}; {_count(rule['min_answers'], 'answer')} at least,"
        f" {_count(rule['attempts'], 'attempt')}, {'acts' if rule['acts'] else 'suggests'}"
    )


def _granted(details: Details) -> str:
    """Summarise roles given to a user, or a qualification, whose details have the annotator."""
    return _standing(details) if "annotator" in details else ", ".join(details["roles"])


def _standing(details: Details) -> str:
    rule = " (by its rule)" if details["decided_by"] == "rule" else ""
    return f"{details['annotator']}: {details['reason']}{rule}"


def _taken_back(details: Details) -> str:
    """Summarise roles taken from a user, or an adjudication taken back, whose details have its label."""
    return f"it was {details['label']}" if "label" in details else ", ".join(details["roles"])


def _draw(details: Details) -> str:
    if "batch" in details["rule"]:
        return f"the plausible answers of {details['rule']['batch']}, with their evidence"
    if "audit_of" in details["rule"]:
        return f"{_count(details['n_candidates'], 'answer')} that {details['rule']['audit_of']} left out"
    if "n_candidates" not in details:
        return "the evidence for the references"
    candidates = _count(details["n_candidates"], "candidate")
    return f"{candidates} for {_count(details['n_turns'], 'question')}"


def _sentences(details: Details) -> str:
    return f"{_count(details['n_sentences'], 'sentence')}, as {', '.join(details['runs'])}"


def _import(details: Details) -> str:
    """List the numbers, without hashes and other details."""
    numbers = {name: n for name, n in details.items() if type(n) is int}
    return ", ".join(f"{name_in_words(name)} {n:,}" for name, n in numbers.items())


def changed_fields(details: Details) -> str:
    """List the fields that changed, with their values before and after."""
    return "; ".join(
        f"{name_in_words(field)}: {details['before'][field] or 'not specified'} → {text or 'not specified'}"
        for field, text in details["after"].items()
    )


def _place(details: Details) -> str:
    return f"from {details['address'] or 'an unknown address'}"


def _revoked_tokens(details: Details) -> str:
    return f"with {_count(details['n_tokens_revoked'], 'API token')} revoked"


def _largest_share(details: Details) -> str:
    before, after = (
        "no limit" if n is None else _count(n, "item")
        for n in (details["before"], details["after"])
    )
    return f"from {before} to {after} a person"


def _primary(details: Details) -> str:
    pairs = "; ".join(details["pairs"]) or "all pairs"
    return f"{details['measure']}, {pairs}, after {_count(details['n_judgements'], 'judgement')}"


# These say all that the event keeps.
SENTENCES: dict[str, Callable[[Details], str]] = {
    "signed in": _place,
    "failed to sign in": _place,
    "failed to sign in as": _place,
    "signed out everywhere": _revoked_tokens,
    "changed the password": _revoked_tokens,
    "set a password by a link": _revoked_tokens,
    "set up a second factor for": _revoked_tokens,
    "adjudicated": lambda details: f"as {details['label']}: {details['reason']}",
    "reviewed": _review,
    "excluded": lambda details: str(details["reason"]),
    "readmitted": lambda details: str(details["reason"]),
    "withdrew": lambda details: str(details["reason"]),
    "brought back": lambda details: str(details["reason"]),
    "deleted": lambda details: f"it had the id {details['id']}",
    "noted an erratum of": lambda details: f"{details['answer_id']}: {details['reason']}",
    "noted": lambda details: str(details["text"]),
    "answered": lambda details: str(details["text"]),
    "opened": lambda details: _count(details["n_items"], "item"),
    "closed": lambda details: f"{_count(details['n_missing'], 'judgement')} missing then",
    "paused an annotator of": lambda details: f"{details['annotator']}: {details['reason']}",
    "resumed an annotator of": lambda details: f"{details['annotator']}: {details['reason']}",
    "changed the guideline of": lambda details: f"version {details['version']}",
    "renamed": lambda details: f"it was called {details['before']}",
    "set the largest share of": _largest_share,
    "raised the judgements of": lambda details: (
        f"from {details['before']} to {details['after']} of each item:"
        f" {_count(details['n_judgements'], 'further judgement')}"
    ),
    "returned to draft": lambda details: (
        f"{_count(details['n_items'], 'item')} removed, {_count(details['n_claims'], 'claim')} ended"
    ),
    "routed answers to": lambda details: (
        f"{_count(details['n_items'], 'answer')} of {details['first_round']}, {_count(details['n_excluded'], 'item')} excluded"
    ),
    "set disputes aside": lambda details: _count(details["n_items"], "item"),
    "granted": _granted,
    "revoked": _standing,
    "did not grant": _standing,
    "reserved items of": lambda details: (
        f"{_count(details['n_items'], 'item')} for {details['annotator']}, {details['how']}"
    ),
    "reassigned items of": lambda details: (
        f"{_count(details['n_items'], 'item')} of {details['annotator']} to {details['taker']}: {details['reason']}"
    ),
    "released items of": lambda details: (
        f"{_count(details['n_items'], 'item')} of {details['annotator']} to everybody: {details['reason']}"
    ),
    "took back": _taken_back,
    "joined": lambda details: f"as {details['role']}, by invitation {details['invitation']}",
    "created": _creation,
    "changed the description of": changed_fields,
    "changed": lambda details: f"on the pool {details['pool']}",
    "rehearsed": _rehearsal,
    "named the primary comparison": _primary,
    "froze the plan of": lambda details: (
        f"after {_count(details['n_judgements'], 'judgement')}, sha256 {details['sha256']}"
    ),
    "imported scores": lambda details: (
        f"{_count(details['n_scores'], 'score')} of {details['metric']} by {details['scorer']}"
    ),
}


# These say the gist of it.
def _release(details: Details) -> str:
    return f"as release {details['number']}, {_count(len(details['files']), 'file')}"


ABRIDGED: dict[str, Callable[[Details], str]] = {
    "settled": _settlement,
    "released": _release,
    "released the comparison of": _release,
    "drew": _draw,
    "took sentences of": _sentences,
    "described": lambda details: f"changed: {', '.join(map(name_in_words, details['after']))}",
    "imported": _import,
    "carried over": _import,
}
