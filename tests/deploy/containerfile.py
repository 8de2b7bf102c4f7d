"""deploy/Containerfile, parsed."""

import io

from dockerfile_parse import DockerfileParser

from tests.jobs.installation import ROOT


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage with their values."""
    text = (ROOT / "deploy" / "Containerfile").read_bytes()
    found: list[list[tuple[str, str]]] = []
    for step in DockerfileParser(fileobj=io.BytesIO(text)).structure:
        if step["instruction"] == "FROM":
            found.append([])
        if found and step["instruction"] != "COMMENT":
            found[-1].append((step["instruction"], step["value"]))
    return found


def values(stage: list[tuple[str, str]], instruction: str) -> list[str]:
    return [value for name, value in stage if name == instruction]
