"""A text of exactly as many characters as an answer may have, of all that a person may type or paste."""

import unicodedata

MOST = 4_000

# It begins as a formula, and so do its lines.
_LINES = (
    "=1+1 and =HYPERLINK(\"https://x.test\";'a')",
    "+1\tafter a tab,\t\tand two",
    '-1 – “quoted”, \'quoted\', ""twice"", a, comma; and \\n that is no line end',  # noqa: RUF001
    "@SUM(A1)",
    "\tbegins with a tab",
    "Ru\u0308ckwa\u0308rts, cafe\u0301, A\u030angstro\u0308m, \u1112\u1161\u11ab",  # letters and marks apart
    "بُنِيَتِ المنارةُ عام ١٧٠٢ (Greyholm) ثم أُطفئت.",
    "שלום: המגדלור נבנה ב־1702 \u202bמימין\u202c.",  # noqa: RUF001
    "灯塔建于一七〇二年。ともしびは油だった。등대。𠮷野家",
    "👩\u200d👩\u200d👧\u200d👦 👍🏽 🏳️\u200d🌈 🇳🇴 ❤️",
    "</script><script>alert(1)</script> <!-- ]]> --> &amp; {{ 7*7 }} {% if %}",
    "one\u2028two\u2029three\u00a0four\u200bfive\u00ad",
    "  two spaces before, and two after  ",
    "",
)


def kept(text: str) -> str:
    """As the text is to be kept: line ends are LF, and letters are one with their marks. Nothing else."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def pasted(begin: str = "", n: int = MOST) -> str:
    """A text that begins so and has n characters once it is kept; its lines end with CR LF."""
    text = begin
    while len(kept(text)) < n:
        text += "\r\n".join(_LINES)
    while len(kept(text)) > n - 1:
        text = text[:-1]
    return text + "x" * (n - len(kept(text)))
