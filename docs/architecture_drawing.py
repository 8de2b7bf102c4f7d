"""Draws the rooms and their imports into docs/architecture.md, as Mermaid text between two markers.

    .venv/bin/python docs/architecture_drawing.py            draws it anew
    .venv/bin/python docs/architecture_drawing.py --check    exits with 1 if the drawing is out of date

An arrow means "imports". An arrow that follows from others is left out.
"""

import sys
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- drawing: begin -->\n"
END = "<!-- drawing: end -->\n"
COMMAND = ".venv/bin/python docs/architecture_drawing.py"

Imports = Mapping[str, Collection[str]]


def layers() -> list[list[str]]:
    """The rooms from top to bottom, as the import contract in pyproject.toml orders them."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = config["tool"]["importlinter"]["contracts"][0]
    return [[room.strip() for room in layer.split("|")] for layer in contract["layers"]]


def imports_between(rooms: Collection[str]) -> dict[str, set[str]]:
    """For each room, the other rooms that it imports."""
    graph = grimp.build_graph(*rooms)
    found: dict[str, set[str]] = {room: set() for room in rooms}
    for module in graph.modules:
        importer = module.partition(".")[0]
        for imported in graph.find_modules_directly_imported_by(module):
            found[importer].add(imported.partition(".")[0])
    return {room: others - {room} for room, others in found.items()}


def reachable(imports: Imports, start: str) -> set[str]:
    """All rooms that `start` imports, directly or through others."""
    found: set[str] = set()
    waiting = list(imports[start])
    while waiting:
        room = waiting.pop()
        if room not in found:
            found.add(room)
            waiting.extend(imports[room])
    return found


def reduced(imports: Imports) -> dict[str, set[str]]:
    """The imports without those that follow from others. There is no circle: the contract forbids it."""
    return {
        room: {
            target
            for target in targets
            if not any(target in reachable(imports, other) for other in targets)
        }
        for room, targets in imports.items()
    }


def drawing() -> str:
    ordered = [room for layer in layers() for room in layer]
    arrows = reduced(imports_between(ordered))
    lines = ["```mermaid", "flowchart TD"]
    lines += [f"    {room}" for room in ordered]
    lines += [
        f"    {room} --> {target}"
        for room in ordered
        for target in sorted(arrows[room], key=ordered.index)
    ]
    return "\n".join([*lines, "```"]) + "\n"


def main(arguments: list[str]) -> int:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    current = before + BEGIN + drawing() + END + after
    if "--check" in arguments:
        if current == page:
            return 0
        sys.stderr.write(f"The drawing in docs/architecture.md is out of date. Run: {COMMAND}\n")
        return 1
    PAGE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
