"""What people say of a question, its answer and its proof, and the texts that result. Imports no Django.

A response of the scheme `curation` says of each text whether it stays, is edited or is rejected. Two edits are the same
if they are equal in NFC and after folding white space.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from text.white_space import folded

KEEP, EDIT, REJECT, NONE = "keep", "edit", "reject", "none"
KEPT, EDITED, REJECTED = "kept", "edited", "rejected"
TEXTS = ("question", "answer", "proof")
TYPE, PROMOTE = "type", "promote"
TICK = "yes"

Response = Mapping[str, str]
Texts = dict[str, str]


def text_name(field: str) -> str:
    """The name of an edited text in a response."""
    return f"{field}_text"


def edits(response: Response) -> Texts:
    """The texts that the response changes, by field; a proof that is not in the text is empty."""
    found: Texts = {}
    for field in TEXTS:
        if response.get(field) == EDIT:
            found[field] = response.get(text_name(field), "")
        elif response.get(field) == NONE:
            found[field] = ""
    return found


def whole_response(label: str, original: Mapping[str, str], texts: Mapping[str, str]) -> Texts:
    """The response that gives these texts in place of the original ones; `texts` without a field keep it.

    A proof that is empty is not in the text.
    """
    if label == REJECTED:
        return {"question": REJECT}
    found: Texts = {}
    for field, before in original.items():
        after = texts.get(field, before)
        if folded(after) == folded(before):
            found[field] = KEEP
        elif field == "proof" and not folded(after):
            found[field] = NONE
        else:
            found |= {field: EDIT, text_name(field): after}
    return found


def vote(response: Response) -> str:
    """The response as a vote: kept, rejected, or "edited:" with the beginning of a hash of the edited texts.

    >>> vote({"question": "keep", "answer": "keep"}), vote({"question": "keep", "answer": "reject"})
    ('kept', 'rejected')
    """
    if REJECT in (response.get("question"), response.get("answer")):
        return REJECTED
    changed = {field: folded(text) for field, text in edits(response).items()}
    if not changed:
        return KEPT
    canonical = json.dumps(changed, ensure_ascii=False, sort_keys=True)
    return f"{EDITED}:{hashlib.sha256(canonical.encode()).hexdigest()[:8]}"


def label_of(vote: str) -> str:
    """The label of a vote."""
    return vote.partition(":")[0]


def decided_texts(original: Mapping[str, str], label: str, responses: Iterable[Response]) -> Texts:
    """The texts as they were decided by the counted responses of an item that ended with `label`.

    Edits are those of the edited version that most responses have: a rule that counts votes has found it. Its spelling
    is that of the first of them. Without an edited one the texts are the original ones.
    """
    texts = {field: original[field] for field in TEXTS if field in original}
    edited = [each for each in responses if label_of(vote(each)) == EDITED]
    if label != EDITED or not edited:
        return texts
    n_of = Counter(vote(each) for each in edited)
    most = max(edited, key=lambda each: n_of[vote(each)])
    return texts | edits(most)


def decided_type(original: str, responses: Sequence[Response]) -> str:
    """The type that more than half of the responses with a type name; else the original one.

    >>> decided_type("open", [{"type": "recall"}, {"type": "recall"}]), decided_type("open", [{"type": "recall"}, {}])
    ('recall', 'recall')
    """
    named = [each[TYPE] for each in responses if TYPE in each]
    if not named:
        return original
    chosen, n = Counter(named).most_common(1)[0]
    return chosen if 2 * n > len(named) else original


def is_promoted(responses: Sequence[Response]) -> bool:
    """Whether at least half of the responses that do not reject the question promote it."""
    keeping = [each for each in responses if vote(each) != REJECTED]
    return bool(keeping) and 2 * sum(each.get(PROMOTE) == TICK for each in keeping) >= len(keeping)


def decided_response(
    original: Mapping[str, str], original_type: str, label: str, responses: Sequence[Response]
) -> Texts:
    """The response that says what was decided by the counted responses of an item that ended with `label`."""
    found = whole_response(label, original, decided_texts(original, label, responses))
    if label == REJECTED:
        return found
    chosen = decided_type(original_type, responses)
    found |= {TYPE: chosen} if chosen else {}
    return found | ({PROMOTE: TICK} if is_promoted(responses) else {})
