"""Markdown of guidelines and consent texts: what people write is shown, and can do nothing."""

import pytest

from pages import markdown


def test_headings_lists_tables_and_emphasis_are_shown():
    text = "# Rules\n\n- *one*\n- **two**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"

    html = markdown.html(text)

    for piece in ("<h1>Rules</h1>", "<em>one</em>", "<strong>two</strong>", "<td>2</td>"):
        assert piece in html


def test_a_link_opens_beside_the_page_and_says_nothing_of_it():
    html = markdown.html("[examples](https://example.org/a)")

    assert '<a href="https://example.org/a"' in html
    assert 'rel="noopener noreferrer"' in html
    assert 'target="_blank"' in html


@pytest.mark.parametrize(
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
