"""The tags that show questions, answers and passages."""

from django.template import engines
from django.utils.safestring import SafeString


def rendered(source, **context):
    return engines["django"].from_string("{% load texts %}" + source).render(context)


def test_a_text_as_it_was_written_has_nothing_around_it():
    text = "\n  a\tb  <c>\n"

    html = rendered("{% as_written text %}", text=text)

    assert html == '<p class="text as-written" dir="auto">\n  a\tb  &lt;c&gt;\n</p>'


def test_the_element_its_classes_and_its_id_can_be_others():
    html = rendered('{% as_written text css="quiet" id="asked" tag="h3" %}', text="a")

    assert html == '<h3 class="text as-written quiet" id="asked" dir="auto">a</h3>'


def test_marked_words_of_a_text_stay_marked():
    html = rendered("{% as_written text %}", text=SafeString("<mark>a</mark>"))

    assert "<mark>a</mark>" in html


def test_an_answer_is_shown_as_it_was_written_unless_markdown_is_asked_for():
    html = rendered("{% answer_text text shows_markdown %}", text="**a**")

    assert '<p class="text as-written" dir="auto">**a**</p>' in html
    assert "<strong>" not in html
    assert "<details" not in html


def test_markdown_has_the_answer_as_it_was_written_beside_it():
    html = rendered("{% answer_text text True %}", text="**a**")

    assert '<div class="text markdown"><p dir="auto"><strong>a</strong></p>' in html
    assert '<p class="text as-written" dir="auto">**a**</p>' in html
    assert "Show as written" in html


def test_an_answer_that_markdown_would_hide_says_so():
    html = rendered("{% answer_text text True %}", text=">" * 60 + " deep")

    assert "markdown" not in html
    assert "Shown as written: with Markdown, part of this text would be hidden." in html
