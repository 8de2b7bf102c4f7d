import re
from pathlib import Path

TEMPLATES = Path(__file__).parent.parent / "templates"
LONGEST = 160

# Values that are questions, answers, references or passages, or what people wrote, and what folds them in a list.
SHOWN = re.compile(
    r"question|rewrite|wording|standalone|\b(answer|reference|passage|candidate|sentence)\b"
    r"|\b(message|notice|comment|reply)\b"
)
FOLDED = re.compile(r"\btruncate|truncatewords|truncatechars|blockquote|#pages")


def test_no_line_of_a_template_is_longer_than_can_be_read():
    """Pages only: pictures become files too, which stay as they are byte by byte."""
    paths = sorted(TEMPLATES.rglob("*.html"))
    too_long = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST
    ]

    assert paths
    assert not too_long


def test_questions_answers_and_passages_are_shown_as_they_were_written():
    """By {% as_written %}, or folded in a list: one class that keeps white space, in one place."""
    by_hand = re.compile(
        r'<\w+[^>]*class="(?P<css>[^"]*\btext\b[^"]*)"[^>]*>\s*(<strong>)?\{\{ (?P<shown>[^}]*) \}\}'
    )
    found = [
        f"{path.relative_to(TEMPLATES)}: {match['shown']}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for match in by_hand.finditer(path.read_text(encoding="utf-8"))
        if SHOWN.search(match["shown"]) and not FOLDED.search(match[0])
    ]

    assert not found
