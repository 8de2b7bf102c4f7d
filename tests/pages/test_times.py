"""Times on pages: in UTC, in elements that a script shows in the browser's zone, and inputs that take both."""

from datetime import UTC, datetime

from django import forms

from pages.times import LocalTimeInput, time_element, with_elements, zone_in_help
from tests.cases import all_cases

AT = datetime(2026, 3, 2, 9, 5, 7, tzinfo=UTC)
ELEMENT = '<time datetime="2026-03-02T09:05:07+00:00" data-local>2026-03-02 09:05 UTC</time>'


def test_a_time_is_an_element_with_its_moment_and_says_utc():
    assert time_element(AT) == ELEMENT


def test_times_in_a_sentence_become_elements_and_the_rest_is_escaped():
    found = with_elements("<b>, 2026-03-02 09:05 UTC, then 2026-13-02 09:05 UTC")

    assert found == (
        "&lt;b&gt;, "
        '<time datetime="2026-03-02T09:05:00+00:00" data-local>2026-03-02 09:05 UTC</time>'
        ", then 2026-13-02 09:05 UTC"
    )


@all_cases(
    ("value", "shown"),
    [
        (AT, "2026-03-02T09:05"),
        ("2026-03-02T09:05", "2026-03-02T09:05"),
        ("2026-03-02T17:05:00+08:00", "2026-03-02T09:05"),  # as the script sends it
        ("2026-03-02T09:05:00.000Z", "2026-03-02T09:05"),
        ("9999-12-31T23:59-12:00", "9999-12-31T23:59-12:00"),  # UTC cannot express it
        ("2026-13-02T09:05", "2026-13-02T09:05"),
        ("soon", "soon"),
        (None, None),
    ],
)
def test_an_input_shows_utc_whatever_was_sent(value, shown):
    assert LocalTimeInput().format_value(value) == shown


def test_an_input_says_its_zone_to_the_script_and_to_people():
    class Form(forms.Form):
        until = forms.DateTimeField(widget=LocalTimeInput, help_text=zone_in_help("Later <ends>."))

    html = str(Form()["until"].as_field_group())

    assert 'type="datetime-local"' in html
    assert " data-local " in html
    assert "In the time zone <span data-zone>UTC</span>. Later &lt;ends&gt;." in html
