"""The size of the tree itself: a table of what git tracks.

    python -m bench.house [--functions]      # also the functions longer than 50 lines

All numbers are of tracked files as they are in the working tree.

- Product: Python, templates (`*.html`, and text under `templates/`), JavaScript and CSS, without `tests/`, `bench/`
  and migrations. Lines are all lines, with blank ones, comments and docstrings.
- Modules: Python files of the product, with `__init__.py`; files with code are those that are not empty.
- Management commands: modules in `management/commands/`, without those that begin with an underscore.
- Test functions: `def test_…` in `tests/`; one with parameters counts once.
- Words of documents: what white space separates in `docs/*.md`, `docs/adr/**/*.md`, README.md, CONTRIBUTING.md,
  CHANGELOG.md and bench/README.md, with tables and code.
- Functions: every `def` of the product's Python, also within a class or a function, from its first line (without
  decorators) to its last.
"""

import argparse
import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
LONG = 50
CODE = frozenset({".py", ".html", ".js", ".css"})
NOT_PRODUCT = ("tests", "bench", "migrations")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md")


def tracked(root: Path = ROOT) -> list[PurePosixPath]:
    """Return the files that git tracks and that are there."""
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=root, text=True).split("\0")
    return [PurePosixPath(name) for name in names if name and (root / name).is_file()]


def is_product(path: PurePosixPath) -> bool:
    is_code = path.suffix in CODE or (path.suffix == ".txt" and path.parts[0] == "templates")
    return is_code and not set(NOT_PRODUCT) & set(path.parts[:-1])


def is_document(path: PurePosixPath) -> bool:
    return path.suffix == ".md" and (path.parts[0] == "docs" or str(path) in DOCUMENTS)


def is_command(path: PurePosixPath) -> bool:
    return path.parts[-3:-1] == ("management", "commands") and not path.name.startswith("_")


def n_lines(text: str) -> int:
    return len(text.splitlines())


def functions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name and the lines of each function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def measures(texts: dict[PurePosixPath, str]) -> Iterator[tuple[str, str]]:
    """Yield each measure's name and value, of the texts of all tracked files that are text."""
    product = {path: text for path, text in texts.items() if is_product(path)}
    python = {path: text for path, text in product.items() if path.suffix == ".py"}
    for kind in sorted({path.suffix for path in product}):
        parts = [text for path, text in product.items() if path.suffix == kind]
        yield f"lines of product, {kind}", f"{sum(map(n_lines, parts)):,} in {len(parts):,} files"
    yield "lines of product", f"{sum(map(n_lines, product.values())):,} in {len(product):,} files"
    n_code = sum(bool(text.strip()) for text in python.values())
    yield "Python modules", f"{len(python):,}, {n_code:,} of them not empty"
    yield "templates", f"{sum(path.parts[0] == 'templates' for path in product):,}"
    yield "management commands", f"{sum(map(is_command, python)):,}"
    tests = {p: t for p, t in texts.items() if p.parts[0] == "tests" and p.suffix == ".py"}
    n_tests = sum(
        name.startswith("test_") for text in tests.values() for name, _ in functions(text)
    )
    yield "test functions", f"{n_tests:,}"
    yield "lines of tests, .py", f"{sum(map(n_lines, tests.values())):,} in {len(tests):,} files"
    bench = [t for p, t in texts.items() if p.parts[0] == "bench" and p.suffix == ".py"]
    yield "lines of bench, .py", f"{sum(map(n_lines, bench)):,} in {len(bench):,} files"
    n_words = sum(len(text.split()) for path, text in texts.items() if is_document(path))
    yield "words of documents", f"{n_words:,}"
    lengths = [lines for text in python.values() for _, lines in functions(text)]
    n_long = sum(lines > LONG for lines in lengths)
    yield f"functions longer than {LONG} lines", f"{n_long:,} of {len(lengths):,}"
    yield "lines a function, mean", f"{sum(lengths) / max(len(lengths), 1):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.house", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--functions", action="store_true", help="name the long functions")
    options = parser.parse_args()
    suffixes = CODE | {".md", ".txt"}
    texts = {
        path: (ROOT / path).read_text(encoding="utf-8")
        for path in tracked()
        if path.suffix in suffixes
    }
    print("| measure | |\n| --- | --- |")
    for name, value in measures(texts):
        print(f"| {name} | {value} |")
    if options.functions:
        for path in filter(is_product, texts):
            for name, lines in functions(texts[path]) if path.suffix == ".py" else ():
                if lines > LONG:
                    print(f"{path}: {name}, {lines} lines")


if __name__ == "__main__":
    main()
