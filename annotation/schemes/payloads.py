"""What one screen shows, and nothing else. Plain Python.

A payload is built from the question, the answers' texts and the evidence alone: no run, score, reference
or identifier of them can be in it, because none is given to it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from text.lettering import letter


def payload(
    *,
    question: str,
    context: Sequence[str],
    answers: Sequence[str],
    evidence: Sequence[str] | None,
    passages: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The content of a screen; `evidence` and `passages` are None under a scheme that shows none.

    A passage has `title`, `text` and `sentences` (empty where the file does not part it). Answers and
    passages are numbered in their order, from 1.
    """
    content: dict[str, Any] = {
        "question": question,
        "context": list(context),
        "answers": [{"number": n, "text": text} for n, text in enumerate(answers, start=1)],
    }
    if evidence is not None:
        content["evidence"] = list(evidence)
    if passages is not None:
        content["passages"] = [{"number": n, **each} for n, each in enumerate(passages, start=1)]
    return content


def letters(order: Sequence[int]) -> dict[int, str]:
    """What the answers are called on a screen on which they stand so: A, B, … Z, AA, AB, …"""
    return {number: letter(at) for at, number in enumerate(order)}


def by_number(content: Mapping[str, Any]) -> dict[int, str]:
    """What the answers are called where they stand as they are numbered, on no annotator's screen."""
    return letters([each["number"] for each in content["answers"]])


def as_numbered(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content as it stands on no annotator's screen."""
    return presented(content, list(by_number(content)))


def presented(content: Mapping[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """The content as somebody sees it: the answers in their order, each with its `letter`."""
    called = letters(order)
    answers = {each["number"]: each for each in content["answers"]}
    return {
        **content,
        "answers": [{**answers[number], "letter": called[number]} for number in order],
    }


def sha256(content: object) -> str:
    """Of a JSON value, in one canonical form: keys sorted by code point, no spaces, UTF-8."""
    written = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text_sha256(written)


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
