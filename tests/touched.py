"""Which tests a change touches: by what they import, and if they drive a browser by the views, templates and scripts
of the addresses that stand in them.

    python -m tests.touched [BASE]    the browser tests that are touched, the closest first

The change is what was committed since BASE, else since the environment's CI_BASE, else in the hours before the newest
commit, and what is not committed.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import ast
import inspect
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from django.urls import Resolver404, resolve

from tests import crawling

ROOT = Path(__file__).resolve().parent.parent
HOURS = 3
_IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.+)|import ([\w.]+))", re.MULTILINE)
_FILE = re.compile(r"""["']([\w/.-]+\.(?:html|js|css))["']""")


def change(base: str = "") -> frozenset[str]:
    """Return the paths of the files that the change touches, relative to the root."""
    begin = base or os.environ.get("CI_BASE") or _commit_hours_ago()
    untracked = _git("ls-files", "--others", "--exclude-standard")
    return frozenset(_git("diff", "--name-only", begin) + untracked)


def _commit_hours_ago() -> str:
    """Return the newest commit that is HOURS older than HEAD; HEAD if there is none."""
    newest = int(_git("log", "-1", "--format=%ct")[0])
    older = _git("rev-list", "-1", f"--before={newest - HOURS * 3600}", "HEAD")
    return older[0] if older else "HEAD"


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def ranks(tests: Iterable[Path], changed: frozenset[str]) -> dict[Path, int]:
    """Return the tests that are touched: with 0 if their own files are, 1 if something of their pages is that most
    tests do not share, else 2.
    """
    reached = {path: _reached(path.relative_to(ROOT).as_posix()) for path in tests}
    counts = Counter(name for names in reached.values() for name in names)
    shared = {name for name, n in counts.items() if n > 0.7 * len(reached)}
    found = {}
    for path, names in reached.items():
        touched = names & changed
        if touched:
            own = {name for name in touched - shared if name.startswith("tests/")}
            found[path] = 0 if own else 1 if touched - shared else 2
    return found


def _reached(test: str) -> frozenset[str]:
    """Return the test and what it imports; of a browser test also what its helpers import, and its pages' files."""
    if not test.startswith("tests/browser/"):
        return _references(test) | {test}
    own = _closure(test, lambda name: name.startswith("tests/"))
    views = set().union(*(_views(name) for name in own))
    pages = set().union(
        *(
            _closure(name, lambda each: not each.endswith(".py")) | _references(name)
            for name in views
        )
    )
    return own | _references(test) | views | pages


def _closure(first: str, follows: Callable[[str], bool]) -> frozenset[str]:
    found, waiting = set(), [first]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += filter(follows, _references(name))
    return frozenset(found)


@cache
def _references(name: str) -> frozenset[str]:
    """Return the files that this one imports, includes, extends or loads."""
    path = ROOT / name
    text = path.read_text(encoding="utf-8")
    found = set(_imported(text)) if name.endswith(".py") else set()
    for each in _FILE.findall(text):
        beside = os.path.normpath(Path(name).parent / each)
        found |= {f"templates/{each}", f"static/{each}", beside}
    return frozenset(each for each in found if (ROOT / each).is_file())


def _imported(text: str) -> Iterator[str]:
    for module, names, whole in _IMPORT.findall(text):
        path = (module or whole).replace(".", "/")
        yield f"{path}.py"
        yield from (f"{path}/{each}.py" for each in re.findall(r"\w+", names))


@cache
def _views(name: str) -> frozenset[str]:
    """Return the modules of the views whose addresses, or their names, stand in the file."""
    patterns = _patterns()
    found = set()
    for text in _texts(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
        view = patterns.get(text)
        if view is None and text.startswith("/"):
            try:
                view = resolve(text.partition("?")[0]).func
            except Resolver404:
                continue
        if view is not None:
            file = inspect.unwrap(view).__code__.co_filename
            found.add(Path(file).relative_to(ROOT).as_posix())
    return frozenset(found)


@cache
def _patterns() -> dict[str, Callable[..., object]]:
    """Return the views by the names of their addresses."""
    return {str(each.name): each.callback for each in crawling.patterns() if each.name}


def _texts(module: ast.Module) -> Iterator[str]:
    """Yield the texts of the module; in those with values, its own constants, and 1 for any other."""
    constants = {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(_part(each, constants) for each in node.values)


def _part(node: ast.expr, constants: dict[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    value = node.value if isinstance(node, ast.FormattedValue) else None
    return constants.get(value.id, "1") if isinstance(value, ast.Name) else "1"


def main() -> None:
    tests = sorted(ROOT.glob("tests/browser/test_*.py"))
    found = ranks(tests, change(*sys.argv[1:2]))
    for path in sorted(found, key=lambda each: (found[each], each)):
        sys.stdout.write(f"{found[path]} {path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
