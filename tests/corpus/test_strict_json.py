"""A JSON list is read in pieces, and what is found does not depend on where they end."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.problems import ImportProblems, Report
from corpus.readers import strict_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
# Lists of JSON with a few characters put in, left out or cut off: mostly no JSON any more, just about.
MARKS = st.sampled_from([*'[]{},:"\\-+.0123456789eEtruefalsn \t\n\r\U0001f600', "NaN", "-Infinity"])


@st.composite
def almost_json(draw: st.DrawFn) -> str:
    text = json.dumps(draw(st.lists(VALUES, max_size=5)), indent=draw(st.sampled_from([None, 1])))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(MARKS | st.just("")) + text[place + draw(st.integers(0, 2)) :]
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text


def found(path) -> tuple[list[str], list[str]]:
    """Return the objects and the problems."""
    report = Report(path.name, "record")
    objects = [repr(each) for each in strict_json.objects(path, report)]
    try:
        report.finish()
    except ImportProblems as problems:
        return objects, [str(problem) for problem in problems.problems]
    return objects, []


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("json") / "list.json"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=almost_json(), size=st.integers(1, 40))
def test_objects_and_problems_are_those_of_a_file_that_is_read_whole(text, size, path, monkeypatch):
    path.write_bytes(text.encode())
    whole = found(path)
    with monkeypatch.context() as patch:
        patch.setattr(strict_json, "PIECE", size)

        assert found(path) == whole


def pieces_held(path, monkeypatch) -> Iterator[int]:
    monkeypatch.setattr(strict_json, "PIECE", 1000)
    made = strict_json._Text
    texts = []
    monkeypatch.setattr(strict_json, "_Text", lambda file: texts.append(made(file)) or texts[-1])
    for _ in strict_json.objects(path, Report(path.name, "record")):
        yield len(texts[0]._text)


def test_of_a_long_list_a_piece_is_held_at_a_time(path, monkeypatch):
    path.write_text(json.dumps([{"n": n} for n in range(10_000)]), encoding="utf-8")

    held = list(pieces_held(path, monkeypatch))

    assert len(held) == 10_000
    assert max(held) < 2_100


def test_what_is_wrong_late_in_a_file_has_its_line_and_column(path, monkeypatch):
    monkeypatch.setattr(strict_json, "PIECE", 64)
    path.write_text("[" + '{"a": 1},\n' * 500 + '{"a": oops}]', encoding="utf-8")

    _, problems = found(path)

    assert "not JSON: Expecting value at line 501, column 7" in problems[0]
