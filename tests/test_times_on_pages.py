"""Templates show every time as an element, so that the script can show it in the browser's zone."""

import re

from tests.test_templates import TEMPLATES

# A day without a time of day, and a moment that only a script reads.
ALLOWED = {"accounts/tokens.html: |date:", "annotation/desk/desk.html: |date:"}
BARE = re.compile(r"""\|date:|<time\b|="[^"]*\|when\b[^"]*\"""")


def test_no_template_writes_a_time_without_the_filter_for_it():
    """`when` is the element itself: not in another one, and not in an attribute, which has `when_text`."""
    found = {
        f"{path.relative_to(TEMPLATES)}: {match[0]}"
        for path in TEMPLATES.rglob("*.html")
        for match in BARE.finditer(path.read_text(encoding="utf-8"))
    }

    assert found == ALLOWED
