from django.template import engines


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


def test_an_undefined_value_says_why():
    html = rendered("{% undefined reason %}", reason="n < 2")

    assert html == (
        '<span class="quiet">undefined</span><span class="under reason">n &lt; 2</span>'
    )
