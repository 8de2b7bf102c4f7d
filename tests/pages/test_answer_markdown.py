"""Markdown in answers: all of it is shown, nothing of it can be followed, fetched or run."""

import html
import re
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.answer_markdown import MOST_CHARACTERS, answer_html
from tests.cases import all_cases

TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
LONGEST_RENDERING = 1.5  # seconds of the processor; the slowest of these takes half of one


def visible(text: str) -> str:
    rendered = answer_html(text)
    assert rendered is not None
    return html.unescape(re.sub(r"<[^>]*>", "", rendered)).strip()


def tags(text: str) -> set[str]:
    rendered = answer_html(text)
    assert rendered is not None
    return set(re.findall(r"</?(\w+)", rendered))


def test_tables_lists_code_and_emphasis_are_drawn():
    text = "**Yes**, *by* `mason()`:\n\n1. one\n2. two\n\n- a\n\n| x | y |\n| - | - |\n| 1 | 2 |\n\n~~no~~"

    rendered = answer_html(text)

    for piece in (
        "<strong>Yes</strong>",
        "<em>by</em>",
        '<code dir="ltr">mason()</code>',
        "<li>two</li>",
        "<td>2</td>",
        "<s>no</s>",
    ):
        assert piece in rendered


def test_each_block_has_the_direction_of_its_first_letter_and_code_none_but_its_own():
    rendered = answer_html("شكرا\n\nThanks\n\n- نعم\n\n| أ |\n| - |\n| ب |\n\n```\nx = 1\n```\n")

    assert rendered.count('<p dir="auto">') == 2
    assert '<ul dir="auto">' in rendered
    assert '<table dir="auto">' in rendered
    assert '<pre dir="ltr"><code>x = 1\n</code></pre>' in rendered


def test_code_keeps_its_indentation_and_says_its_language():
    rendered = answer_html("```python title=a.py\ndef f():\n\treturn  1\n```")

    assert '<p class="code-language">python title=a.py</p>' in rendered
    assert "def f():\n\treturn  1\n" in rendered


def test_single_line_breaks_stay():
    assert "one<br>\ntwo" in answer_html("one\ntwo")


def test_headings_stand_below_that_of_the_answer_and_none_is_skipped():
    assert re.findall(r"<h\d", answer_html("# A\n\n### B\n\n###### C")) == ["<h3", "<h4", "<h5"]


def test_columns_are_aligned_without_a_style():
    rendered = answer_html("| n | m |\n| -: | :-: |\n| 1 | 2 |")

    assert '<td class="align-right">1</td><td class="align-center">2</td>' in rendered.replace(
        "\n", ""
    )
    assert "style" not in rendered


@all_cases(
    ("written", "read"),
    [
        ("[masons](https://a.example/b_c)", "masons (https://a.example/b_c)"),
        ('[m](/x "the title")', "m (/x “the title”)"),
        ("<https://a.example>", "https://a.example"),
        ("![a mason](https://a.example/m.png)", "![a mason](https://a.example/m.png)"),
        ("[run](javascript:alert(1))", "run (javascript:alert(1))"),
        ("[مصدر](https://a.example/م)", "مصدر (https://a.example/م)"),
        ("[1]: https://a.example 'x'\n\nSee [1].", "[1]: https://a.example 'x'\nSee [1]."),
    ],
)
def test_addresses_are_text_and_nothing_leads_there(written, read):
    assert visible(written) == read
    assert not {"a", "img"} & tags(written)


@pytest.mark.parametrize(
    "formula",
    [
        r"\(a_1 * b_2 * c\)",
        r"\[ \frac{a_1}{b_1} \\ c_1 \]",
        "$a_1 * b_1 * c_1$",
        "$$\nx\n=\n- 3\n+ 4\n$$",
        "\\begin{align}\na &= b \\\\\n- c &= _d_\n\\end{align}",
    ],
)
def test_latex_stays_as_it_was_written(formula):
    assert visible(f"So\n\n{formula}\n\n*end*") == f"So\n{formula}\nend"


def test_latex_in_a_list_ends_with_its_item():
    rendered = answer_html("- $$\n  a_1\n  $$\n- two")

    assert "$$\na_1\n$$" in rendered
    assert "<li>two</li>" in rendered


def test_prices_are_no_latex():
    assert "<em>and</em>" in answer_html("costs $5 *and* $6, or $7-$8")


@all_cases(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<svg><style><img src=x onerror=alert(1)></style></svg>",
        "<iframe srcdoc='<script>1</script>'></iframe>",
        '<p style="position:fixed" onclick="x()">hi</p>',
        "[x](javascript:alert(1))",
        "[x](JaVa&#x53;cript:alert(1))",
        '[x](" onmouseover="alert(1))',
        '![x](x "><script>alert(1)</script>")',
        '```"><script>alert(1)</script>\nx\n```',
        "`<b onclick=x()>`",
        "$<img src=x onerror=alert(1)>$",
        "\\begin{a}<script>alert(1)</script>\\end{a}",
        "| <script> |\n| - |\n| <img onerror=x> |",
        "<!--><script>alert(1)</script>-->",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "java\u200bscript:alert(1) <scr\u200bipt>\u202e<b>",
    ],
)
def test_what_looks_like_html_is_text(attack):
    rendered = answer_html(attack)

    assert rendered is not None
    known = {"p", "ul", "ol", "li", "code", "pre", "span", "em", "br", *TABLE}
    assert tags(attack) <= known
    for tag in re.findall(r"<[^>]*>", rendered):
        assert re.fullmatch(r'</?\w+( (dir|class|start)="[\w-]+")*>', tag)


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n| - | - |\n| 1 | 2 | lost |",
        ">" * 60 + " deep",
        "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(40)),
        "x" * (MOST_CHARACTERS + 1),
        "# long\n" * 150_000,
    ],
    ids=["cells beyond the columns", "quotes", "lists", "long", "1 MB"],
)
def test_what_markdown_would_hide_is_shown_as_it_was_written(text):
    assert answer_html(text) is None


def test_missing_cells_of_a_table_are_empty():
    assert answer_html("| a | b |\n| - | - |\n| 1 |").count("<td>") == 2


def test_numbers_of_lists_and_entities_are_not_missed():
    assert answer_html("1986. A year\n1987. Another") is not None
    assert visible("&eacute;t&eacute; &#65;") == "été A"


@pytest.mark.parametrize(
    "piece",
    [
        "[", "![", "*a _b ", "**", "`", "``` ", "> ", "- ", "  - ", "<", "<a", "&", "\\(", "\\[\n", "$$ ", "$a ", "[a](<b",
        "[a](", "| ", "|-", "\\begin{a}\n", "1. ", "~~", "a_", "[[]]", "<!--", "![](", "\u202e", "\u200b", "\t",
    ],
)  # fmt: skip
def test_no_text_takes_long(piece):
    text = (piece * MOST_CHARACTERS)[:MOST_CHARACTERS]
    began = time.process_time()

    answer_html(text)

    assert time.process_time() - began < LONGEST_RENDERING


LETTERS = st.text(st.sampled_from("ab1 *_`|-#>[]()<>&;\\$!~\n\t:.ش\u202e\u200b"), max_size=60)


@given(LETTERS)
def test_no_letter_is_hidden_and_no_tag_is_let_through(text):
    rendered = answer_html(text)

    if rendered is not None:
        shown = html.unescape(re.sub(r"<[^>]*>", "", rendered))
        letters = Counter(each for each in text if each.isalpha())
        assert not letters - Counter(shown)
        assert all(
            re.fullmatch(r'</?\w+( (dir|class|start)="[\w-]+")*>', tag)
            for tag in re.findall(r"<[^>]*>", rendered)
        )
