"""docs/architecture.md and the other pages name what there is: rooms, files, functions."""

import re
import subprocess
import sys
from pathlib import Path

from tests.cases import all_cases

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "bench/README.md")),
    )
)
APPS = (
    *("accounts", "audit", "jobs", "annotation", "config", "corpus", "dashboard", "exports"),
    *("monitoring", "pages", "performance", "sampling", "scoring", "stats", "text"),
)
FOLDERS = (*APPS, "bench", "demo", "deploy", "docs", "static", "templates", "tests")
IN_FOLDER = re.compile(rf"(?<![\w./-])((?:{'|'.join(FOLDERS)})/[\w/.-]*\w)(?![\w*<…-])")
DOTTED = re.compile(rf"`((?:{'|'.join(APPS)})(?:\.\w+)+)`")
ENDINGS = ("py", "md", "html", "js", "css", "csv", "json")
# Folders that hold modules of every app alike.
ALIKE = {"management", "commands", "migrations", "templatetags"}


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_drawing_is_current():
    done = subprocess.run(
        [sys.executable, "docs/architecture_drawing.py", "--check"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_every_room_and_sub_room_has_a_line():
    packages = {
        path.parent.relative_to(ROOT)
        for app in APPS
        for path in (ROOT / app).rglob("__init__.py")
        if has_modules(path.parent)
    }
    lines = set(re.findall(r"^\| `([\w/]+)/`", text("docs/architecture.md"), re.MULTILINE))

    assert {str(each) for each in packages if not ALIKE & set(each.parts)} - lines == set()
    assert {name for name in lines if not (ROOT / name).is_dir()} == set()


def has_modules(folder: Path) -> bool:
    """Whether there is more in it than an empty __init__.py."""
    return any(path.name != "__init__.py" or path.stat().st_size for path in folder.rglob("*.py"))


@all_cases("page", PAGES)
def test_every_path_and_module_that_a_page_names_exists(page):
    paths = set(IN_FOLDER.findall(text(page)))
    names = {name for name in DOTTED.findall(text(page)) if name.split(".")[-1] not in ENDINGS}

    assert {path for path in paths if not (ROOT / path).exists()} == set()
    assert {name for name in names if not is_defined(name)} == set()


def test_every_constant_that_the_map_names_with_its_module_exists():
    named = re.findall(r"`([A-Z_]{4,})` of `([\w/]+\.py)`", text("docs/architecture.md"))

    assert named
    assert [(name, path) for name, path in named if not re.search(rf"\b{name}\b", text(path))] == []


def is_defined(name: str) -> bool:
    """Whether a dotted name is a module, or a function, class or value at the top of one."""
    parts = name.split(".")
    if (ROOT / Path(*parts)).is_dir() or (ROOT / Path(*parts)).with_suffix(".py").exists():
        return True
    parent = ROOT / Path(*parts[:-1])
    module = parent / "__init__.py" if parent.is_dir() else parent.with_suffix(".py")
    if not module.exists():
        return False
    top = re.compile(rf"^(?:(?:async )?def|class) {parts[-1]}\b|^{parts[-1]}\b.* = ", re.MULTILINE)
    return bool(top.search(module.read_text(encoding="utf-8")))


DECISIONS = sorted(path.name for path in (ROOT / "docs" / "adr").glob("[0-9]*.md"))
PARTS = ["## Context", "## Decision", "## Consequences"]


@all_cases("name", DECISIONS)
def test_every_decision_has_a_date_a_status_three_parts_and_half_a_page(name):
    written = text(f"docs/adr/{name}")

    assert re.match(rf"# {int(name[:4])}\. .+\n\nDate: \d{{4}}-\d\d-\d\d\nStatus: \w", written)
    assert re.findall(r"^## .+$", written, re.MULTILINE) == PARTS
    assert len(written.split()) <= 400


def test_every_decision_has_one_line_in_their_list():
    lines = re.findall(r"^\| (\d+) \|(.+)$", text("docs/adr/README.md"), re.MULTILINE)
    pages = {name for _, line in lines for name in re.findall(r"\((\d{4}-[\w-]+\.md)\)", line)}

    assert [int(number) for number, _ in lines] == list(range(1, len(lines) + 1))
    assert pages == set(DECISIONS)


def test_every_decision_that_a_module_names_exists():
    named = subprocess.run(
        ["git", "grep", "-hoE", r"docs/adr/[0-9]{4}[a-z0-9.-]*", "--", "*.py", ":!tests/"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    begun = {name.removeprefix("docs/adr/").rstrip(".") for name in named}

    assert begun
    assert {name for name in begun if not any(page.startswith(name) for page in DECISIONS)} == set()
