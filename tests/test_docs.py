"""The documentation names what there is: every setting, command, option and model."""

import re
from collections import Counter
from pathlib import Path

from django.apps import apps
from django.core.management import get_commands, load_command_class

from tests.cases import all_cases

ROOT = Path(__file__).resolve().parent.parent
OURS = (
    "accounts",
    "audit",
    "jobs",
    "corpus",
    "scoring",
    "sampling",
    "annotation",
    "exports",
    "config",
)
DJANGOS_OPTIONS = {
    "--help",
    "--version",
    "--verbosity",
    "--settings",
    "--pythonpath",
    "--traceback",
    "--no-color",
    "--force-color",
    "--skip-checks",
}
COMMANDS = sorted(name for name, app in get_commands().items() if app in OURS)


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def options_of(command: str) -> set[str]:
    parser = load_command_class(get_commands()[command], command).create_parser(
        "manage.py", command
    )
    names = {name for action in parser._actions for name in action.option_strings}
    return {name for name in names if name.startswith("--")} - DJANGOS_OPTIONS


def section(command: str) -> str:
    """The part of docs/commands.md under the command's heading."""
    _, _, after = text("docs/commands.md").partition(f"### {command}\n")
    return after.partition("\n### ")[0]


def test_every_environment_variable_that_the_settings_read_is_documented():
    code = text("config/settings.py") + text("config/private_files.py")
    read = set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', code))

    assert read
    assert {name for name in read if f"`{name}`" not in text("docs/settings.md")} == set()


def test_every_environment_variable_of_the_example_is_documented():
    named = set(re.findall(r"^# ([A-Z_]+)=", text(".env.example"), re.MULTILINE))

    assert named
    assert {name for name in named if f"`{name}`" not in text("docs/settings.md")} == set()


@all_cases("command", COMMANDS)
def test_every_command_and_each_of_its_options_is_documented(command):
    described = section(command)

    assert described, f"docs/commands.md has no section {command}"
    assert {name for name in options_of(command) if f"`{name}" not in described} == set()


def test_the_commands_page_describes_no_command_that_is_gone():
    headings = re.findall(r"^### (\w+)$", text("docs/commands.md"), re.MULTILINE)

    assert sorted(headings) == COMMANDS


def test_the_glossary_names_every_model():
    names = {model.__name__ for app in OURS for model in apps.get_app_config(app).get_models()}
    glossary = text("docs/glossary.md")

    assert {name for name in names - {"User"} if f"**{name}**" not in glossary} == set()


def test_every_link_between_pages_leads_somewhere():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert broken == []


@all_cases("page", ["README.md", "docs/architecture.md", "docs/glossary.md"])
def test_no_row_stands_twice(page):
    """Neither a row of a table, by its first cell in a section, nor an entry of a list, by its term."""
    section, rows = "", Counter()
    for line in text(page).splitlines():
        if line.startswith("#"):
            section = line
        elif match := re.match(r"\| ([^|]*\w[^|]*) \||- \*\*([^*]+)\*\*", line):
            rows[(section, match[1] or match[2])] += 1
        for target in re.findall(r"^\| .*?\((docs/[\w-]+\.md)\)", line):
            rows[("target", target)] += 1

    assert sum(rows.values()) > 20
    assert [row for row, n in rows.items() if n > 1] == []


def test_the_commands_of_the_readme_exist_with_the_options_that_it_uses():
    joined = text("README.md").replace("\\\n", " ")
    used = re.findall(r"^ +touchstone (\w+)(.*)$", joined, re.MULTILINE)

    assert len(used) > 10
    for command, rest in used:
        if command != "migrate":
            assert set(re.findall(r"--[a-z-]+", rest)) <= options_of(command), command


def test_the_version_is_the_same_everywhere():
    version = re.search(r'^VERSION = "(.+)"$', text("config/settings.py"), re.MULTILINE)[1]

    assert f'version = "{version}"' in text("pyproject.toml")
    assert version in text("CHANGELOG.md")


def test_every_pinned_requirement_says_what_it_is_for():
    lines = [
        line
        for path in ("requirements.txt", "requirements-dev.txt")
        for line in text(path).splitlines()
        if line and not line.startswith(("#", "-r"))
    ]

    assert [line for line in lines if not re.fullmatch(r"[\w.\[\]-]+==\S+\s+# .+", line)] == []
