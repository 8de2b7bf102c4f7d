import pytest
from django.template import engines
from django.urls import reverse

from accounts.models import Study
from jobs.models import Job


def rendered(source, **context):
    return engines["django"].from_string("{% load components %}" + source).render(context)


def test_a_table_stands_in_a_region_that_scrolls_under_its_name():
    html = rendered(
        '{% table "Runs" css="work" id="runs" %}<tr><td>{{ run }}</td></tr>{% endtable %}',
        run="<b>",
    )

    assert html == (
        '<div class="scrolls" id="runs" tabindex="0" role="region" aria-label="Runs">'
        '<table class="work"><tr><td>&lt;b&gt;</td></tr></table></div>'
    )


def test_what_a_component_is_given_is_escaped():
    table = rendered("{% table name %}{% endtable %}", name='"><script>')
    fact = rendered("{% fact name %}{{ value }}{% endfact %}", name="<i>", value="<b>")

    assert 'aria-label="&quot;&gt;&lt;script&gt;"' in table
    assert fact == "<dt>&lt;i&gt;</dt><dd>&lt;b&gt;</dd>"


@pytest.fixture
def request_in_study(rf):
    request = rf.get("/")
    request.study = Study(slug="s1")
    return request


def test_figures_can_be_computed_where_no_job_is_at_it(request_in_study):
    source = '{% compute "/start" %} <a href="/more">More</a>{% endcompute %}'

    new = rendered(source, request=request_in_study)
    again = rendered(source, request=request_in_study, computed=Job(pk=1))

    assert '<form method="post" action="/start">' in new
    assert '<button class="primary">Compute</button> <a href="/more">More</a></p>' in new
    assert "<button>Compute again</button>" in again


def test_while_a_job_is_at_it_there_is_a_link_to_it_instead(request_in_study):
    html = rendered(
        '{% compute "/start" %}{% endcompute %}', request=request_in_study, unfinished=Job(pk=7)
    )

    assert f'<a href="{reverse("job", args=["s1", 7])}">see how far it is</a>' in html
    assert "<form" not in html


def test_an_undefined_value_says_why():
    html = rendered("{% undefined reason %}", reason="n < 2")

    assert html == (
        '<span class="quiet">undefined</span><span class="under reason">n &lt; 2</span>'
    )
