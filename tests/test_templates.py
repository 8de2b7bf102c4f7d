from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parent.parent / "templates"
LONGEST = 160
# Grows until it is "." alone.
FOLDERS = (
    "exports/agreement",
    "exports/annotators",
    "exports/meta_evaluation",
    "exports/missed_answers",
    "exports/releases",
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_line_of_a_template_is_longer_than_can_be_read(folder):
    too_long = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted((TEMPLATES / folder).rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST
    ]

    assert not too_long
