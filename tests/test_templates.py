from pathlib import Path

TEMPLATES = Path(__file__).parent.parent / "templates"
LONGEST = 160
# Folders that are still to be broken into lines.
NOT_YET = (
    "corpus",
    "dashboard",
    "exports/comparison",
    "exports/precision_audit",
    "exports/results",
    "scoring",
)


def is_checked(name):
    return not name.startswith(tuple(f"{folder}/" for folder in NOT_YET))


def test_no_line_of_a_template_is_longer_than_can_be_read():
    """Pages only: pictures become files too, which stay as they are byte by byte."""
    paths = {path.relative_to(TEMPLATES).as_posix(): path for path in TEMPLATES.rglob("*.html")}
    too_long = [
        f"{name}:{number}"
        for name, path in sorted(paths.items())
        if is_checked(name)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST
    ]

    assert paths
    assert not too_long
