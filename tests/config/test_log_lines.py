"""Lines of the log as text and as JSON: no secrets in either, and the id of the request or job in both."""

import json
import logging
from io import StringIO

import pytest

from config.log_lines import JsonLines, TextLines
from monitoring import log_context
from tests.logged_lines import written_to

logger = logging.getLogger(__name__)

LINKS = [
    "/join/s3cr-et_T0ken/",
    "/password/18-dih2jm-5e79/",
    "/first-steps/?token=s3cr-et_T0ken",
    "/sign-in/?next=%2Fjoin%2Fs3cr-et_T0ken%2F",
    "/sign-in/?next=%2fjoin%2fs3cr-et_T0ken%2f",
    "/sign-in/?next=/sign-in/%3Fnext%3D%252Fjoin%252Fs3cr-et_T0ken%252F",
    "/JOIN/s3cr-et_T0ken/",
    "//password//18-dih2jm-5e79",
    "/first-steps/?x=1&token=s3cr-et_T0ken",
    "/sign-in/?next=%2Ffirst-steps%2F%3Ftoken%3Ds3cr-et_T0ken",
]
SECRETS = ("s3cr", "T0ken", "dih2jm")
FORMATS = [TextLines, JsonLines]


@pytest.fixture(autouse=True)
def no_request():
    log_context.begin_request("")
    log_context.request_id.set("")


@pytest.mark.parametrize("lines", FORMATS)
@pytest.mark.parametrize("link", LINKS)
def test_no_line_has_a_link_that_works_be_it_in_message_field_or_traceback(lines, link):
    written = StringIO()
    with written_to(written, lines):
        logger.info("asked for %s", link)
        logger.info("a field", extra={"fields": {"path": link}})
        try:
            raise ValueError(f"cannot be read: {link}")
        except ValueError:
            logger.exception("an error")

    assert "…" in written.getvalue()
    assert [secret for secret in SECRETS if secret in written.getvalue()] == []


def test_a_json_line_is_one_object_with_known_fields_only():
    """Django hangs the request on its records, Celery the arguments of tasks."""
    written = StringIO()
    with written_to(written, JsonLines):
        try:
            raise ValueError('a "quoted"\nline')
        except ValueError:
            logger.exception("not %s", "so", extra={"request": object(), "data": {"args": [1]}})

    (line,) = written.getvalue().splitlines()
    fields = json.loads(line)
    assert fields.keys() == {"time", "level", "logger", "message", "exception"}
    assert (fields["level"], fields["message"]) == ("ERROR", "not so")
    assert fields["exception"].endswith('ValueError: a "quoted"\nline')


@pytest.mark.parametrize(
    ("lines", "context"),
    [
        (TextLines, " request=abcdefgh job=7: found"),
        (JsonLines, '"request": "abcdefgh", "job": "7"'),
    ],
)
def test_a_line_names_its_request_and_its_job(lines, context):
    written = StringIO()
    log_context.begin_request("abcdefgh")
    with written_to(written, lines), log_context.job(7):
        logger.info("found")

    assert context in written.getvalue()


@pytest.mark.parametrize("given", ["", "short", "a" * 65, "two words", "line\nbreak", "é" * 10])
def test_an_id_that_is_not_well_formed_is_replaced(given):
    assert log_context.WELL_FORMED.fullmatch(log_context.begin_request(given))
    assert log_context.request_id.get() != given
