"""`verify.py` of a release: the modules of this folder as one file, for Python 3.9 and later."""

import ast
import hashlib
from collections import defaultdict
from functools import cache
from pathlib import Path

NAME = "verify.py"
FOLDER = Path(__file__).resolve().parent
# In an order in which each needs only those before it.
MODULES = (
    *("libraries", "tables", "findings", "intervals", "agreement", "posteriors", "verdicts"),
    *("per_run", "run_people", "runs", "precision", "relations", "recomputed_report"),
    *(
        "files",
        "column_types",
        "crossings",
        "accepted",
        "errata",
        "shared_task",
        "privacy",
        "checks",
        "program",
    ),
)
Imports = dict[str, set[str]]  # the names that are imported, by module
# The first module imports them, where they are installed.
LIBRARIES = ("krippendorff", "numpy", "pandas", "scipy")
NOT_IMPORTED = ("__future__.", "exports.verification.", *(f"{name}." for name in LIBRARIES))
HEAD = '''\
#!/usr/bin/env python3
"""Verify a release of Touchstone.

    python verify.py              the release in whose folder it is
    python verify.py DIR          a folder, or a ZIP archive as it is downloaded
    python verify.py --intervals  its bootstrap intervals too: longer
    python verify.py --json       all that is found

Needs Python 3.9 or later. Where pandas, numpy, scipy and krippendorff are installed, posteriors, agreement, rates and
comparisons of runs, and precision audits are computed with them; where they are not, these are not checked. Six checks:
  1  the files have the sha256 that the manifest gives, none is missing, and there are no others
  2  the tables agree with each other, with the manifest, its plans of analysis and with columns.md
  3  the verdicts and the soft labels follow from the judgements by the rule
  4  gold.json, silver.json, scai_qrecc.json and negatives.json follow from the tables, byte for byte, and so does
     what errata say is accepted
  5  every number of report.json and per_run.csv follows from the tables
  6  no id of a provider, no e-mail address, and no name where a pseudonym belongs
What differs is printed with its path and both values, and so is what is not checked.

Whoever changes a release can change this file and the manifest too. Compare the sha256 of manifest.json with
the one you have from its authors, or run Touchstone's command verify_release, which has a copy of its own.

Exit code 0, or 1 where something is not as it must be.
"""

from __future__ import annotations

'''


@cache
def contents() -> bytes:
    """Return the file."""
    imports: Imports = defaultdict(set)
    bodies = [_body(name, imports) for name in MODULES]
    lines = [
        f"from {module} import {', '.join(sorted(names))}" if names else f"import {module}"
        for module, names in sorted(imports.items(), key=lambda each: (bool(each[1]), each[0]))
    ]
    return (HEAD + "\n".join(lines) + "\n" + "".join(bodies)).encode("utf-8")


def state_of_copy(sha256: str) -> str:
    """How the `verify.py` of a release with this sha256, "" without one, stands to the installed one."""
    if not sha256:
        return "there is none"
    is_same = sha256 == hashlib.sha256(contents()).hexdigest()
    return "the same as the installed one" if is_same else "another one than the installed one"


def _body(name: str, imports: Imports) -> str:
    """The module without its imports, which it adds to the others, and with its docstring as a comment."""
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    lines, tree = text.splitlines(), ast.parse(text)
    docstring = (ast.get_docstring(tree) or "").splitlines()
    for node in tree.body:
        if isinstance(node, ast.Import):
            _blank(lines, node)
            imports |= {each.name: set() for each in node.names if each.name not in LIBRARIES}
        elif isinstance(node, ast.ImportFrom):
            _blank(lines, node)
            module = str(node.module)
            if not f"{module}.".startswith(NOT_IMPORTED):
                imports[module] |= {each.name for each in node.names}
    _blank(lines, tree.body[0])
    rest = "\n".join(lines).strip()
    comment = "".join(f"# {line}".rstrip() + "\n" for line in docstring)
    return f"\n\n# --- {name}\n{comment}\n{rest}\n"


def _blank(lines: list[str], node: ast.stmt) -> None:
    lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or 0) - node.lineno + 1)
