"""Files for the readers' tests, and the problems that a reader lists."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.problems import ImportProblems

Reader = Callable[[Path], object]

TRUTH = {
    "Conversation_no": 1,
    "Turn_no": 2,
    "Truth_rewrite": "What is a touchstone?",
    "Truth_passages": ["p1"],
    "Truth_answer": "A stone on which gold is tried.",
}
QUESTION = {"Conversation_no": 1, "Turn_no": 2, "Question": "What is it?"}
ANSWER = {"Conversation_no": 1, "Turn_no": 2, "Model_answer": " A dark stone."}


def write_file(folder: Path, content: object, name: str = "file.json") -> Path:
    """Write a file: bytes and text as they are, anything else as JSON."""
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8", newline="")
    else:
        path.write_text(json.dumps(content), encoding="utf-8")
    return path


def problem_lines(read: Reader, path: Path) -> list[str]:
    """The problems of the file, without its name."""
    with pytest.raises(ImportProblems) as caught:
        read(path)
    return [str(problem).removeprefix(f"{path.name}: ") for problem in caught.value.problems]
