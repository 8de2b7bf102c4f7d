from pathlib import Path

TEMPLATES = Path(__file__).parent.parent / "templates"
LONGEST = 160


def test_no_line_of_a_template_is_longer_than_can_be_read():
    """Pages only: pictures become files too, which stay as they are byte by byte."""
    paths = sorted(TEMPLATES.rglob("*.html"))
    too_long = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST
    ]

    assert paths
    assert not too_long
