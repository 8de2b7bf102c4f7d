"""The commands of a page of docs/: its lines that are set in as code and begin with python."""

import re
import shlex
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


def commands(page: str, heading: str) -> list[list[str]]:
    """Return the commands under a heading of the page, each as its words without the program."""
    text = (DOCS / page).read_text(encoding="utf-8")
    _, _, after = text.partition(f" {heading}\n")
    part = re.split(r"^#+ ", after, maxsplit=1, flags=re.MULTILINE)[0]
    lines = re.findall(r"^ {4,}(python manage\.py .+)$", part, flags=re.MULTILINE)
    return [shlex.split(line)[2:] for line in lines]
