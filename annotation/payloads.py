"""What one screen shows, and nothing else. Plain Python.

A payload is built from the question, the answers' texts and the evidence alone: no run, score, reference
or identifier of them can be in it, because none is given to it.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any


def payload(
    *,
    question: str,
    context: Sequence[str],
    answers: Sequence[str],
    evidence: Sequence[str] | None,
) -> dict[str, Any]:
    """The content of a screen; `evidence` is None under a scheme that shows none."""
    content: dict[str, Any] = {
        "question": question,
        "context": list(context),
        "answers": [{"number": n, "text": text} for n, text in enumerate(answers, start=1)],
    }
    if evidence is not None:
        content["evidence"] = list(evidence)
    return content


def sha256(content: object) -> str:
    """Of a JSON value, in one canonical form: keys sorted by code point, no spaces, UTF-8."""
    written = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text_sha256(written)


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
