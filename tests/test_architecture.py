"""The layout keeps its promises: what the import contracts cannot see by themselves."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    *(
        "monitoring",
        "pages",
        "performance",
        "stats",
        "text",
        "accounts",
        "audit",
        "jobs",
        "corpus",
        "scoring",
        "sampling",
    ),
    *("annotation", "dashboard", "exports"),
)
# A module of such a name may import Django, and so may every module of a room of such a name.
DJANGO_S = {
    *("actions", "api", "api_urls", "apps", "commands", "dashboard", "forms", "jobs", "management"),
    *(
        "middleware",
        "migrations",
        "models",
        "performance",
        "queries",
        "stored_figures",
        "tasks",
        "templatetags",
        "urls",
    ),
    "views",
}
# The others that do; no other module imports Django.
BUILT_ON_DJANGO = {
    *("accounts.addresses", "accounts.backends", "accounts.guards", "accounts.hashers"),
    *("accounts.known_browsers", "accounts.permissions", "accounts.withdrawable"),
    "audit.events",
    *("exports.curation.files", "exports.curation.next_version"),
    *("annotation.design.pair_balance", "annotation.design.screens"),
    "annotation.design.second_rounds",
    "annotation.review_decisions",
    *("corpus.upload_files", "corpus.uploads", "corpus.versions"),
    "exports.after_pilot.wording",
    *("exports.comparison.files", "exports.releases.preconditions", "exports.releases.downloads"),
    *("exports.releases.check", "exports.releases.choice", "exports.releases.guideline_files"),
    *("exports.releases.files", "exports.releases.stored_differences"),
    *(
        "exports.writers.manifests",
        "exports.writers.plans",
        "exports.writers.release_rows",
        "exports.writers.stored_folders",
    ),
    *("exports.withdrawals.kinds", "exports.withdrawals.objections"),
    *("exports.deletions.kinds", "exports.deletions.uses", "exports.written.folder"),
    *("exports.personal_data.account", "exports.personal_data.organising"),
    *("exports.personal_data.rows", "exports.personal_data.work"),
    *("exports.rows.answers", "exports.rows.earlier_releases", "exports.rows.evidence"),
    *("exports.rows.background", "exports.rows.inclusion_probability"),
    "exports.meta_evaluation.independent_scorers",
    *("exports.rows.items", "exports.rows.judgements", "exports.rows.outcomes"),
    *("exports.rows.reference_evidence", "exports.rows.released_runs", "exports.rows.rounds"),
    *("exports.rows.scores", "exports.rows.shown_answers"),
    *(
        "pages.answer_markdown",
        "pages.database",
        "pages.documents",
        "pages.errors",
        "pages.listing",
        "pages.markdown",
        "pages.spreadsheet",
        "pages.stored_files",
        "pages.temporary_files",
        "pages.times",
        "pages.validation",
    ),
    *("sampling.eligible_questions", "sampling.passage_setups"),
}
HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "pandas",
    "scipy",
    "sklearn",
    "boto3",
    "storages",
)


def test_every_module_that_is_not_named_as_django_s_is_plain_python():
    """Neither it nor anything that it imports, whatever the way, imports Django."""
    graph = grimp.build_graph(*ROOMS, include_external_packages=True)
    builds_on_django = {
        module
        for framework in ("django", "rest_framework", "celery")
        for module in graph.find_downstream_modules(framework)
    }
    found = {
        module
        for module in builds_on_django
        if not DJANGO_S & set(parts_of(module)) and not graph.find_children(module)
    }

    assert found == BUILT_ON_DJANGO


def parts_of(module: str) -> list[str]:
    """Words of the dotted name: `audit_jobs` is a module of jobs, `study_views` one of views."""
    return [word for part in module.split(".") for word in (part, part.rsplit("_", 1)[-1])]


def python_files() -> list[Path]:
    return [path for app in (*ROOMS, "config") for path in (ROOT / app).rglob("*.py")]


def nodes_where(spelt: str) -> Iterator[tuple[Path, ast.AST]]:
    """The nodes of every file in which the pattern is found, with its path: the others need no parsing."""
    for path in python_files():
        source = path.read_text(encoding="utf-8")
        if re.search(spelt, source):
            yield from ((path, node) for node in ast.walk(ast.parse(source)))


def test_no_signal_receivers_and_no_overridden_save():
    offending = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, node in nodes_where(r"\bdef\s+(save|delete)\b|post_save|pre_save|receiver")
        if (
            isinstance(node, ast.FunctionDef)
            and node.name in {"save", "delete"}
            and _is_method(node)
            # Stores of Django's, which are no models.
            and path.name not in {"sessions.py", "object_storage.py"}
        )
        or (isinstance(node, ast.Name) and node.id in {"post_save", "pre_save", "receiver"})
    ]

    assert offending == []


def _is_method(node: ast.FunctionDef) -> bool:
    return bool(node.args.args) and node.args.args[0].arg == "self"


def test_nothing_catches_everything_and_goes_on():
    offending = []
    for path, node in nodes_where(r"\bexcept\s*:|Exception"):
        if not isinstance(node, ast.ExceptHandler):
            continue
        broad = node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"}
        raises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
        if broad and not raises:
            offending.append(f"{path.relative_to(ROOT)}:{node.lineno}")

    assert offending == []


@pytest.fixture(scope="module")
def loaded() -> dict[str, Any]:
    """What a fresh interpreter has loaded at each point on its way from the web process to every command."""
    script = (
        "import json, sys, django; django.setup()\n"
        "import config.wsgi, jobs.tasks\n"
        "from django.urls import get_resolver, resolve, reverse\n"
        "resolve(reverse('desk', args=['lighthouses', 1])); reverse('study', args=['x'])\n"
        "api = {'rest_framework', 'drf_spectacular', 'config.api_urls'} & set(sys.modules)\n"
        "get_resolver().url_patterns\n"
        "has_numpy = 'numpy' in sys.modules\n"
        "resolve('/api/v1/studies/')\n"
        "api_then = 'rest_framework' in sys.modules\n"
        "from django.core.management import get_commands, load_command_class\n"
        "[load_command_class(app, name) for name, app in get_commands().items()"
        f" if app in {(*ROOMS, 'config')!r}]\n"
        f"heavy = set(sys.modules) & set({HEAVY!r})\n"
        "print(json.dumps({'the API at the desk': sorted(api), 'numpy with all pages': has_numpy,"
        " 'the API once asked': api_then, 'heavy with all commands': sorted(heavy)}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
    )
    return json.loads(done.stdout)


def test_the_web_process_and_starting_a_job_load_nothing_heavy(loaded):
    """The pages' code, the API's, every command, and the tasks."""
    assert loaded["heavy with all commands"] == []


def test_the_web_process_loads_numpy_only_when_a_page_counts(loaded):
    assert loaded["numpy with all pages"] is False


def test_the_web_process_loads_the_api_only_when_it_is_asked_for(loaded):
    """Finding the desk's view and writing its address included."""
    assert loaded["the API at the desk"] == []
    assert loaded["the API once asked"] is True


def test_the_api_and_the_pages_know_nothing_of_each_other():
    """They share actions, never each other's code."""
    offending = [
        f"{path}:{node.lineno}"
        for path in (each.relative_to(ROOT) for each in python_files())
        if {"api", "views"} & set(path.parts)
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and path.parts[0] != "config"
        and (node.module or "").split(".")[0] in ROOMS
        and (
            ("api" in path.parts and {"views", "forms"} & set((node.module or "").split(".")))
            or ("views" in path.parts and "api" in (node.module or "").split("."))
        )
    ]

    assert offending == []


def test_no_scripts_import_each_other_in_a_circle():
    """Their names in production hold the hash of what they import: in a circle there would be no end."""
    folder = ROOT / "static" / "js"
    imported = re.compile(r"^import [^;]*?\"(\.[^\"]+)\";", re.MULTILINE | re.DOTALL)
    graph = {
        script: [
            (script.parent / name).resolve()
            for name in imported.findall(script.read_text(encoding="utf-8"))
        ]
        for script in folder.resolve().rglob("*.js")
    }

    assert sum(map(len, graph.values())) > 20
    assert list(TopologicalSorter(graph).static_order())
