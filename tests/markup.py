"""HTML as tests compare it: how a template breaks its lines makes no difference."""

import re


def one_line(html: str) -> str:
    """The HTML with one blank for each run of white space, and none between two tags."""
    return re.sub(r"> <", "><", " ".join(html.split()))
