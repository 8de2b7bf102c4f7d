"""Payloads: the content of one screen. Imports no Django.

A payload is made only from the question, the texts of the answers, the evidence and the passages, so it cannot
reveal a run, score or reference.
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
    """The content of a screen. `evidence` and `passages` are None if the scheme shows none.

    A passage has `title`, `text` and `sentences` (empty if the file does not split it). Answers and passages are
    numbered in their order, from 1.
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
    """The letter of each answer, by number, on a screen with this order: A, B, … Z, AA, AB, …"""
    return {number: letter(place) for place, number in enumerate(order)}


def letters_by_number(content: Mapping[str, Any]) -> dict[int, str]:
    """The letters of the answers in the order of their numbers, for readers other than annotators."""
    return letters([each["number"] for each in content["answers"]])


def content_by_number(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with the answers in the order of their numbers, for readers other than annotators."""
    return content_in_order(content, list(letters_by_number(content)))


def content_in_order(content: Mapping[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """The content with the answers in this order, each with its `letter`."""
    letter_of = letters(order)
    answers = {each["number"]: each for each in content["answers"]}
    return {
        **content,
        "answers": [{**answers[number], "letter": letter_of[number]} for number in order],
    }


def sha256(content: object) -> str:
    """SHA-256 of a JSON value in canonical form: keys sorted by code point, no spaces, UTF-8."""
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text_sha256(canonical)


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
