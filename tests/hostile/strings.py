"""What somebody might put into a field in the hope that a browser runs it, a template fills it in, a
spreadsheet computes it, or a line turns round."""

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
BRACES = "{{ 7*7 }}"
ADDRESS = "javascript:alert(1)"
TURNED = "\N{RIGHT-TO-LEFT OVERRIDE}"
TOKEN = "x" * 10_000

FORMULAS = ("=1+1", "+1", "-1", "@SUM(1)")


def name(mark: str) -> str:
    """As hostile as a name can be. The mark says which field it is, to be known again on a page."""
    return f"{SCRIPT}{IMAGE}{BRACES}{TURNED} {mark}"


def reason(mark: str) -> str:
    """As hostile as a few sentences can be."""
    return f"{mark} {SCRIPT} {IMAGE} {BRACES} [x]({ADDRESS}) <{ADDRESS}> {TURNED}{'x' * 600}"


def text(mark: str) -> str:
    """As hostile as a text of any length can be, with a word of ten thousand letters."""
    return f"{reason(mark)} ![x]({ADDRESS}) <a href='{ADDRESS}'>x</a> {TOKEN}"
