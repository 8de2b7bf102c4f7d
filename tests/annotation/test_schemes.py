"""What is promised of schemes: annotation/schemes."""

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import schemes, tables
from annotation.actions import batches, judging, settling, verdicts
from annotation.schemes import ResponseError, Row, UnknownSchemeError
from tests.annotation.desk import claim_one, submission
from tests.annotation.pools import launched, pool_of

COHERENCE = """
from annotation.schemes.base import ChoiceScheme, Option

SCHEME = ChoiceScheme(
    name="coherence",
    asks="Does the response hold together?",
    options=(Option("coherent", "1", "Yes"), Option("incoherent", "2", "No")),
    accepted="coherent",
    shows_evidence=False,
    prevalence={"coherent": 0.5, "incoherent": 0.5},
)
"""

every_scheme = pytest.mark.parametrize("name", schemes.names())


@pytest.fixture
def with_a_third(tmp_path, monkeypatch) -> Iterator[ModuleType]:
    """The registry as it is after one file was added to its folder."""
    folder = tmp_path / "copied_schemes"
    shutil.copytree(Path(schemes.__file__).parent, folder)
    (folder / "coherence.py").write_text(COHERENCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("copied_schemes")
    for name in [name for name in sys.modules if name.startswith("copied_schemes")]:
        del sys.modules[name]


def test_a_third_scheme_is_one_file(with_a_third):
    assert with_a_third.names() == ["coherence", "faithfulness", "plausibility"]
    assert with_a_third.get("coherence").labels == ("coherent", "incoherent")


def test_a_batch_under_a_third_scheme_goes_the_whole_way(
    with_a_third, monkeypatch, study, alice, bob, dora
):
    monkeypatch.setattr(schemes, "_schemes", with_a_third._schemes)
    batch = launched(pool_of(study, n_turns=1, n_each=1), scheme="coherence")
    for person in (bob, dora):
        said = submission("incoherent", scheme="coherence")
        judging.submit(assignment=claim_one(batch, person), submission=said, by=person)
    batches.close(batch=batch, by=alice)

    settled = settling.settle(batch=batch, rule="unanimous", by=alice)

    assert settled.n_decided == 1
    assert verdicts.current(batch.items.get()).label == "incoherent"
    assert not tables.accepted_candidates(batch).exists()


def test_there_are_two_schemes():
    assert schemes.names() == ["faithfulness", "plausibility"]


def test_a_module_without_a_scheme_is_none():
    with pytest.raises(UnknownSchemeError, match="there are faithfulness, plausibility"):
        schemes.get("base")


@every_scheme
def test_a_scheme_is_sound(name):
    scheme = schemes.get(name)
    keys = [option.key for option in scheme.options]

    assert scheme.name == name
    assert scheme.accepted in scheme.labels
    assert len(set(scheme.labels)) == len(scheme.labels) >= 2
    assert len(set(keys)) == len(keys)
    assert all(option.words for option in scheme.options)
    assert set(scheme.prevalence) == set(scheme.labels)
    assert sum(scheme.prevalence.values()) == pytest.approx(1)


def test_the_labels_are_those_of_the_method_in_the_order_of_their_keys():
    labels = {name: schemes.get(name).labels for name in schemes.names()}

    assert labels == {
        "faithfulness": ("faithful", "unfaithful", "irrelevant"),
        "plausibility": ("plausible", "implausible", "malformed"),
    }


def test_only_faithfulness_shows_evidence():
    assert [name for name in schemes.names() if schemes.get(name).shows_evidence] == [
        "faithfulness"
    ]


@every_scheme
def test_every_label_goes_into_a_response_and_comes_out_again(name):
    scheme = schemes.get(name)

    for label in scheme.labels:
        response = scheme.clean(scheme.response(label))
        assert response == {name: label}
        assert scheme.label(response) == label
        assert scheme.rows(response, order=[1]) == [Row(1, name, label, 1)]


def test_a_cleaned_response_holds_the_answer_and_nothing_else():
    scheme = schemes.get("plausibility")

    assert scheme.clean({"plausibility": "malformed", "run": "SENTINEL"}) == {
        "plausibility": "malformed"
    }


@pytest.mark.parametrize(
    "response",
    [
        None,
        "plausible",
        [],
        {},
        {"plausibility": "yes"},
        {"plausibility": "Plausible"},
        {"plausibility": ""},
        {"plausibility": None},
        {"plausibility": 1},
        {"plausibility": ["plausible"]},
        {"plausibility": {"plausible": True}},
        {"faithfulness": "plausible"},
    ],
)
def test_what_is_no_answer_is_refused_with_the_choices(response):
    with pytest.raises(ResponseError, match="choose one of plausible, implausible, malformed"):
        schemes.get("plausibility").clean(response)


@given(st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_whatever_comes_it_is_an_answer_or_refused(value):
    scheme = schemes.get("plausibility")

    for response in (value, {"plausibility": value}):
        try:
            assert scheme.clean(response)["plausibility"] in scheme.labels
        except ResponseError:
            continue
