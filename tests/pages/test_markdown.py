"""Markdown of guidelines and consent texts: what people write is shown, and can do nothing."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pages import markdown
from tests.cases import all_cases


def test_headings_lists_tables_and_emphasis_are_shown():
    text = "# Rules\n\n- *one*\n- **two**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"

    html = markdown.html(text)

    for piece in ("<h2>Rules</h2>", "<em>one</em>", "<strong>two</strong>", "<td>2</td>"):
        assert piece in html


def headings(text, **where):
    found = re.findall(r"<h(\d)>(\w+)</h(\d)>", markdown.html(text, **where))
    assert all(opened == closed for opened, _, closed in found)
    return [(int(level), words) for level, words, _ in found]


def test_a_page_keeps_its_one_first_heading():
    text = "# Rules\n\n## Examples\n\n### Odd\n\n## Edges\n"

    assert headings(text) == [(2, "Rules"), (3, "Examples"), (4, "Odd"), (3, "Edges")]
    assert headings(text, below=2) == [(3, "Rules"), (4, "Examples"), (5, "Odd"), (4, "Edges")]


@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["", "> ", "- "]))),
    st.integers(1, 3),
)
def test_no_level_is_skipped_whatever_levels_were_written(written, below):
    text = "\n\n".join(f"{within}{'#' * level} w{level}" for level, within in written)

    found = headings(text, below=below)

    assert [words for _, words in found] == [f"w{level}" for level, _ in written]
    levels = [level for level, _ in found]
    assert all(below < level <= 6 for level in levels)
    assert all(b <= a + 1 for a, b in pairwise([below, *levels]))
    for (a, first), (b, second) in pairwise(found):
        if first >= second:
            assert b <= a  # never deeper than the one before, where it was not written so


def test_headings_underlined_and_with_marks_in_them_go_down_too():
    assert markdown.html("Rules *of* it\n=====\n") == "<h2>Rules <em>of</em> it</h2>\n"


def test_a_link_opens_beside_the_page_and_says_nothing_of_it():
    html = markdown.html("[examples](https://example.org/a)")

    assert '<a href="https://example.org/a"' in html
    assert 'rel="noopener noreferrer"' in html
    assert 'target="_blank"' in html


@all_cases(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![a picture](https://elsewhere.example/pixel.png)",
        "[click](javascript:alert(1))",
        "[click](data:text/html;base64,PHNjcmlwdD4=)",
        "<a href='https://example.org' onclick='alert(1)'>x</a>",
        '<p style="position:fixed">x</p>',
        "<iframe src='https://elsewhere.example'></iframe>",
        "`<script>`</code><script>alert(1)</script>",
    ],
)
def test_nothing_that_runs_or_is_fetched_survives(text):
    html = markdown.html(text)

    for forbidden in ("<script", "<img", "<iframe", "<p style", 'href="javascript', 'href="data'):
        assert forbidden not in html
    assert "<a" not in html or "onclick" not in html.split("<a", 1)[1].split(">", 1)[0]


def test_blocks_are_the_words_of_the_text_with_their_looks():
    text = (
        "# Rules\n\nMind *the\nquestion* and [this](https://example.org/a).\n\n"
        "1. **Never `guess`**\n\n   At all.\n2. Two\n\n> Said\n\n| a | b |\n| - | - |\n| 1 | |\n\n"
        "```\ncode\n\nmore\n```\n"
    )

    found = [
        (block.kind, [tuple(span) for span in block.spans if span.text])
        for block in markdown.blocks(text)
    ]

    assert found == [
        ("heading", [("Rules", "")]),
        (
            "text",
            [
                ("Mind ", ""),
                ("the", "em"),
                ("\n", ""),
                ("question", "em"),
                (" and ", ""),
                ("this", ""),
                (" (https://example.org/a)", ""),
                (".", ""),
            ],
        ),
        ("item", [("Never ", "strong"), ("guess", "strong code")]),
        ("text", [("At all.", "")]),
        ("item", [("Two", "")]),
        ("text", [("Said", "")]),
        ("cell", [("a", "")]),
        ("cell", [("b", "")]),
        ("cell", [("1", "")]),
        ("code", [("code", "")]),
        ("code", [("more", "")]),
    ]


def test_a_text_without_words_has_no_blocks():
    assert markdown.blocks(" \n\n---\n![](https://example.org/a.png)\n") == []


def test_lists_show_the_words_of_markdown_alone():
    text = "# **CoQA-Eval** 2026\n\nSee [the *site*](https://a.example) `now`.\n![x](y.png)\n\n- one\n- two"

    assert markdown.plain_text(text) == "CoQA-Eval 2026 See the site now. one two"
