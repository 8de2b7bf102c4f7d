#!/usr/bin/env python3
"""Score a run against the references and the accepted answers of a release.

    python evaluate.py gold.json RUN.json
    python evaluate.py silver.json RUN.json --json

Needs Python 3.9 or later and nothing else. The truth is gold.json or silver.json of the release (the
organisers' truth without accepted answers is read too); the run is in the format of the SCAI-QReCC
shared task: [{"Conversation_no", "Turn_no", "Model_answer"}], other fields are ignored.

Measures. Text is normalised as in SQuAD: lower-case; ASCII punctuation deleted; the words a, an, the
replaced by a space; split on white space.
  EM  1 if both texts have the same tokens in the same order, else 0
  F1  2c / (p + r): p and r the numbers of tokens, c the size of their multiset overlap;
      both empty 1, one empty 0
Each is taken against the reference alone, and as the maximum over the reference and the turn's accepted
answers; then averaged over the scored turns.

Denominators. A turn whose Truth_answer is empty has no truth and is not scored. An answer that is missing
counts as an empty one. Answers to turns that the truth does not have are left out. All are counted and
printed. "Equal to an accepted answer" means the same text but for outer white space.

An answer that nobody judged is not wrong: the scores are what the known answers can show, and no more.

Exit code 0, or 1 where a file cannot be scored; what is wrong is then on standard error.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import string
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

ARTICLE = re.compile(r"\b(?:a|an|the)\b")
WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
SHOWN_PROBLEMS = 20

Truth = tuple[str, list[str]]  # the reference and the accepted answers
Value = TypeVar("Value")


class FileError(Exception):
    """A file that cannot be scored; the message says which and what is wrong, a line each."""


def words(text: str) -> list[str]:
    bare = text.lower().translate(WITHOUT_PUNCTUATION)
    return ARTICLE.sub(" ", bare).split()


def exact_match(prediction: str, reference: str) -> float:
    return float(words(prediction) == words(reference))


def token_f1(prediction: str, reference: str) -> float:
    predicted, expected = words(prediction), words(reference)
    if not predicted and not expected:
        return 1.0
    shared = sum((Counter(predicted) & Counter(expected)).values())
    return 2 * shared / (len(predicted) + len(expected))


def score(truth: Mapping[str, Truth], run: Mapping[str, str | None]) -> dict[str, Any]:
    """The figures of a run, {turn: answer or None}, by a truth, {turn: (reference, [accepted])}."""
    scored = {turn: texts for turn, texts in truth.items() if texts[0].strip()}
    given = {turn: run.get(turn) for turn in scored}
    alone, extended = [], []
    for turn, (reference, accepted) in scored.items():
        alone.append(_best(given[turn] or "", [reference]))
        extended.append(_best(given[turn] or "", [reference, *accepted]))
    answered = {turn: text.strip() for turn, text in given.items() if text is not None}
    return {
        "n_turns": len(truth),
        "n_without_truth": len(truth) - len(scored),
        "n_scored": len(scored),
        "n_missing": len(scored) - len(answered),
        "n_empty": sum(not text for text in answered.values()),
        "n_not_in_truth": len(run.keys() - truth.keys()),
        "n_turns_with_accepted": sum(bool(accepted) for _, accepted in scored.values()),
        "n_accepted": sum(len(accepted) for _, accepted in scored.values()),
        "n_equal_to_accepted": sum(
            text in [other.strip() for other in scored[turn][1]] for turn, text in answered.items()
        ),
        "reference": _means(alone),
        "extended": _means(extended),
        "reason": None if scored else "no turn has a truth",
    }


def _best(prediction: str, references: list[str]) -> tuple[float, float]:
    return (
        max(exact_match(prediction, reference) for reference in references),
        max(token_f1(prediction, reference) for reference in references),
    )


def _means(values: list[tuple[float, float]]) -> dict[str, float | None]:
    """Of (em, f1); None of no values."""
    if not values:
        return {"em": None, "f1": None}
    return {
        "em": math.fsum(em for em, _ in values) / len(values),
        "f1": math.fsum(f1 for _, f1 in values) / len(values),
    }


def read_truth(path: str) -> dict[str, Truth]:
    return _read(path, _truth_of)


def read_run(path: str) -> dict[str, str | None]:
    return _read(path, _answer_of)


def _truth_of(record: Mapping[str, Any]) -> Truth:
    reference = record.get("Truth_answer")
    if not isinstance(reference, str):
        raise ValueError("Truth_answer is not a text")
    alternative = record.get("Truth_answers_alternative", [])
    if not isinstance(alternative, list):
        raise ValueError("Truth_answers_alternative is not a list")
    return reference, [_accepted_answer(each) for each in alternative]


def _accepted_answer(record: object) -> str:
    answer = record.get("answer") if isinstance(record, dict) else None
    if not isinstance(answer, str):
        raise ValueError("Truth_answers_alternative holds something without an answer")
    return answer


def _answer_of(record: Mapping[str, Any]) -> str | None:
    answer = record.get("Model_answer")
    if answer is not None and not isinstance(answer, str):
        raise ValueError("Model_answer is not a text")
    return answer


def _read(path: str, value_of: Callable[[Mapping[str, Any]], Value]) -> dict[str, Value]:
    """{turn: value} of a file, in its order; FileError with everything that is wrong with it."""
    found: dict[str, Value] = {}
    problems: list[str] = []
    for number, record in enumerate(_records(path), start=1):
        try:
            turn = _turn_of(record)
            value = value_of(record)
            if turn in found:
                raise ValueError(f"turn {turn} comes twice")
            found[turn] = value
        except ValueError as error:
            problems.append(f"{path}: record {number}: {error}")
    if problems:
        left = len(problems) - SHOWN_PROBLEMS
        more = [f"{path}: and {left} more problems"] if left > 0 else []
        raise FileError("\n".join(problems[:SHOWN_PROBLEMS] + more))
    return found


def _records(path: str) -> list[Any]:
    try:
        records = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: is not JSON in UTF-8: {error}") from error
    if not isinstance(records, list) or not records:
        raise FileError(f"{path}: is not a list of records, or an empty one")
    return records


def _turn_of(record: object) -> str:
    if not isinstance(record, dict):
        raise ValueError("is not an object")
    parts = [_number(record, field) for field in ("Conversation_no", "Turn_no")]
    return "_".join(parts)


def _number(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    if isinstance(value, bool) or not re.fullmatch("0|[1-9][0-9]*", str(value)):
        raise ValueError(f"{field} is missing or not a whole number")
    return str(value)


def lines(figures: Mapping[str, Any]) -> list[str]:
    """The figures in words."""
    f = figures
    table = [
        f"{f['n_scored']} of {f['n_turns']} turns scored, {f['n_without_truth']} have no truth",
        f"{f['n_missing']} answers missing and {f['n_empty']} empty: both count as empty",
        f"{f['n_not_in_truth']} answers to other turns: not scored",
        f"{f['n_accepted']} accepted answers in {f['n_turns_with_accepted']} of the scored turns",
        f"{f['n_equal_to_accepted']} answers equal to an accepted answer",
        "",
    ]
    if f["reason"]:
        return [*table, f"EM and F1 are undefined: {f['reason']}"]
    return [
        *table,
        f"{'against':<30}{'EM':>8}{'F1':>8}",
        _line("the reference alone", f["reference"]),
        _line("reference or accepted answers", f["extended"]),
    ]


def _line(name: str, means: Mapping[str, float]) -> str:
    return f"{name:<30}{means['em']:>8.4f}{means['f1']:>8.4f}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("truth", help="gold.json or silver.json of the release")
    parser.add_argument("run", help="the run to score")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args(arguments)
    try:
        figures = score(read_truth(asked.truth), read_run(asked.run))
    except FileError as error:
        print(error, file=sys.stderr)
        return 1
    print(
        json.dumps(figures, indent=1, sort_keys=True) if asked.json else "\n".join(lines(figures))
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
