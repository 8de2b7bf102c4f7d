"""What a class means is said in one style sheet."""

import re
from collections import defaultdict
from pathlib import Path

from django.conf import settings

SHEETS = Path(settings.BASE_DIR, "static", "css")
SHARED = {"base", "components"}  # every page has them; a page's own sheet may add to their classes
TOGETHER = {"desk", "sheet"}  # the second adds to the first on the same page
RULE = re.compile(r"([^{}]+)\{[^{}]*\}")
CLASS = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")


def classes_by_sheet():
    found = {}
    for path in SHEETS.glob("*.css"):
        css = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        found[path.stem] = {name for rule in RULE.findall(css) for name in CLASS.findall(rule)}
    return found


def test_a_class_of_a_page_has_its_rules_in_one_style_sheet():
    by_sheet = classes_by_sheet()
    shared = set().union(*(by_sheet.pop(name) for name in SHARED))
    sheets = defaultdict(set)
    for sheet, classes in by_sheet.items():
        for name in classes - shared:
            sheets[name].add(sheet)

    twice = {name: sorted(where) for name, where in sheets.items() if len(where) > 1}
    assert {name: where for name, where in twice.items() if not set(where) <= TOGETHER} == {}
