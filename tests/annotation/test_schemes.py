"""What is promised of schemes: annotation/schemes."""

import importlib
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import schemes
from annotation.actions import batches, judgements, settlement, verdicts
from annotation.queries import candidates_and_flags
from annotation.schemes import ResponseError, Row, UnknownSchemeError, WrongSchemeError, payloads
from tests.annotation.desk import claim_one, submission
from tests.annotation.pools import launched, pool_of
from tests.cases import all_cases

COHERENCE = """
from annotation.schemes.base import Option
from annotation.schemes.choice import VerdictScheme

SCHEME = VerdictScheme(
    name="coherence",
    asks="Does the response hold together?",
    options=(Option("coherent", "1", "Yes"), Option("incoherent", "2", "No")),
    accepted="coherent",
    prevalence={"coherent": 0.5, "incoherent": 0.5},
)
"""

every_scheme = pytest.mark.parametrize("name", schemes.names())
VERDICTS = [name for name in schemes.names() if schemes.get(name).has_fixed_labels]
every_verdict = pytest.mark.parametrize("name", VERDICTS)
SCREEN = payloads.payload(
    question="Who built it?", context=[], answers=["Fraser."], evidence=None, passages=[]
)

IN_ORDER = payloads.payload(
    question="Who built it?",
    context=[],
    answers=sorted(["Fraser.", "Fraser did."], key=payloads.text_sha256),
    evidence=None,
)


@pytest.fixture
def extended_registry(tmp_path, monkeypatch) -> Iterator[ModuleType]:
    """The registry as it is after one file was added to its folder."""
    with copied(tmp_path, monkeypatch, "coherence.py"):
        yield importlib.import_module("copied_schemes")


@contextmanager
def copied(
    place: Path, monkeypatch: pytest.MonkeyPatch, *added: str, text: str = COHERENCE
) -> Iterator[None]:
    """The folder of the schemes as the package `copied_schemes`, with the third scheme in these files."""
    folder = place / "copied_schemes"
    shutil.copytree(Path(schemes.__file__).parent, folder)
    for file in added:
        (folder / file).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(place)
    yield
    for name in [name for name in sys.modules if name.startswith("copied_schemes")]:
        del sys.modules[name]


def test_a_third_scheme_is_one_file(extended_registry):
    assert extended_registry.names() == sorted([*schemes.names(), "coherence"])
    assert extended_registry.get("coherence").labels == ("coherent", "incoherent")


def test_two_schemes_of_one_name_are_refused_with_their_modules(tmp_path, monkeypatch):
    with (
        copied(tmp_path, monkeypatch, "coherence.py", "unity.py"),
        pytest.raises(Exception, match="called coherence, in the modules coherence and unity"),
    ):
        importlib.import_module("copied_schemes")


def test_a_second_scheme_that_says_which_answers_are_accepted_is_refused(tmp_path, monkeypatch):
    accepting = COHERENCE.replace("    accepted=", "    role=SchemeRole.ACCEPTANCE,\n    accepted=")
    accepting = accepting.replace("import Option", "import Option, SchemeRole")
    with (
        copied(tmp_path, monkeypatch, "coherence.py", text=accepting),
        pytest.raises(Exception, match="role acceptance, and there are coherence, plausibility"),
    ):
        importlib.import_module("copied_schemes")


def test_a_batch_under_a_third_scheme_goes_the_whole_way(
    extended_registry, monkeypatch, study, alice, bob, dora
):
    monkeypatch.setattr(schemes, "_schemes", extended_registry._schemes)
    batch = launched(pool_of(study, n_turns=1, n_each=1), scheme="coherence")
    for person in (bob, dora):
        said = submission("incoherent", scheme="coherence")
        judgements.submit(assignment=claim_one(batch, person), submission=said, by=person)
    batches.close(batch=batch, by=alice)

    settled = settlement.settle(batch=batch, rule="unanimous", by=alice)

    assert settled.n_decided == 1
    assert verdicts.current_verdict(batch.items.get()).label == "incoherent"
    assert not candidates_and_flags.accepted_candidates(batch).exists()


def test_there_are_eight_schemes_and_the_items_of_four_end_with_a_verdict():
    assert schemes.names() == [
        "curation",
        "faithfulness",
        "plausibility",
        "preference",
        "rating",
        "relation",
        "relevance",
        "writing",
    ]
    settled = [name for name in schemes.names() if schemes.get(name).has_verdict]
    assert settled == ["curation", *VERDICTS]
    assert VERDICTS == ["faithfulness", "plausibility", "relation"]


def test_a_scheme_without_verdict_is_refused_where_one_is_needed():
    with pytest.raises(WrongSchemeError, match="items of rating end with no verdict"):
        schemes.verdict_scheme("rating")


def test_a_module_without_a_scheme_is_none():
    with pytest.raises(UnknownSchemeError, match=f"there are {', '.join(schemes.names())}"):
        schemes.get("base")


@every_verdict
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
    labels = {each.name: each.labels for each in (schemes.GROUNDING, schemes.ACCEPTANCE)}

    assert labels == {
        "faithfulness": ("faithful", "unfaithful", "irrelevant"),
        "plausibility": ("plausible", "implausible", "malformed"),
    }


def test_only_faithfulness_shows_evidence():
    assert [name for name in schemes.names() if schemes.get(name).shows_evidence] == [
        "faithfulness"
    ]


@every_verdict
def test_every_label_goes_into_a_response_and_comes_out_again(name):
    scheme = schemes.get(name)

    screen = IN_ORDER if scheme.shows == schemes.Shows.ORDERED_PAIR else SCREEN
    for label in scheme.labels:
        response = scheme.clean(scheme.response(label), screen)
        assert response == {name: label}
        assert scheme.label(response) == label
        assert scheme.rows(response, [1, 2], screen) == [
            Row(question=name, label=label, answer_number=1, position=1)
        ]


def test_a_cleaned_response_holds_the_answer_and_nothing_else():
    scheme = schemes.get("plausibility")

    assert scheme.clean({"plausibility": "malformed", "run": "SENTINEL"}, SCREEN) == {
        "plausibility": "malformed"
    }


@all_cases(
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
        schemes.get("plausibility").clean(response, SCREEN)


@given(st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_whatever_comes_it_is_an_answer_or_refused(value):
    scheme = schemes.get("plausibility")

    for response in (value, {"plausibility": value}):
        try:
            assert scheme.clean(response, SCREEN)["plausibility"] in scheme.labels
        except ResponseError:
            continue


TWO_ANSWERS = payloads.payload(
    question="Who built it?",
    context=[],
    answers=["Fraser.", "I do not know."],
    evidence=None,
    passages=[{"title": "", "text": text, "sentences": []} for text in ("One.", "Two.")],
) | {"made": {"answer": "1702.", "proof": "One.", "type": "open", "types": ["closed", "open"]}}
RATED = {
    "confidence": "4",
    "appropriate.1": "4",
    "appropriate.2": "1",
    "unknown.2": "yes",
    "relevant.1": "relevant",
    "relevant.2": "irrelevant",
    "faithful.1": "3",
    "supports.1.1": "yes",
    "faithful.2": "1",
}


def test_a_whole_sheet_is_stored_as_it_was_sent():
    assert schemes.get("rating").clean(RATED, TWO_ANSWERS) == RATED


@all_cases(
    ("change", "why"),
    [
        ({"confidence": None}, "confidence: choose one of 1, 2, 3, 4"),
        ({"appropriate.2": "5"}, "appropriate.2: choose one of 1, 2, 3, 4, not '5'"),
        ({"supports.1.1": None}, "supports.1: choose at least one"),
        ({"unknown.1": "no"}, "unknown.1: yes or nothing"),
        ({"supports.2.1": "yes"}, "nothing called supports.2.1 is asked here"),
        ({"faithful.3": "1"}, "nothing called faithful.3 is asked here"),
    ],
)
def test_a_sheet_that_is_not_whole_or_says_too_much_is_refused_by_name(change, why):
    sent = {name: said for name, said in (RATED | change).items() if said is not None}

    with pytest.raises(ResponseError, match=why):
        schemes.get("rating").clean(sent, TWO_ANSWERS)


def test_the_rows_of_a_sheet_are_numbers_on_scales_and_labels_elsewhere():
    rows = schemes.get("rating").rows(RATED, [2, 1], TWO_ANSWERS)

    assert Row(question="confidence", value=4.0) in rows
    assert Row(question="appropriate", value=4.0, answer_number=1, position=2) in rows
    assert Row(question="unknown", label="yes", answer_number=2, position=1) in rows
    assert Row(question="relevant", label="irrelevant", passage_number=2) in rows
    assert (
        Row(question="supports", label="no", answer_number=1, passage_number=2, position=2) in rows
    )
    assert not [row for row in rows if row.question == "supports" and row.answer_number == 2]


def test_the_rows_of_a_preference_say_of_each_answer_whether_it_was_preferred():
    rows = schemes.get("preference").rows({"preference": "left"}, [2, 1], TWO_ANSWERS)

    assert rows == [
        Row(question="preference", label="other", answer_number=1, position=2),
        Row(question="preference", label="preferred", answer_number=2, position=1),
    ]


PAIR = payloads.payload(
    question="Who built it?", context=[], answers=["Fraser did.", "Fraser."], evidence=None
)
TURNED = payloads.payload(
    question="Who built it?", context=[], answers=["Fraser.", "Fraser did."], evidence=None
)
CONVERSES = [
    ("same", "same"),
    ("shorter", "more_detailed"),
    ("more_detailed", "shorter"),
    ("other_aspect", "other_aspect"),
    ("contradicts", "contradicts"),
    ("cannot_say", "cannot_say"),
]


@all_cases(("label", "converse"), CONVERSES)
def test_who_saw_the_pair_in_the_other_order_says_the_same_by_the_converse_label(label, converse):
    scheme = schemes.get("relation")

    (row,) = scheme.rows(scheme.response(label), [1, 2], PAIR)
    (turned,) = scheme.rows(scheme.response(converse), [1, 2], TURNED)

    first = PAIR["answers"][row.answer_number - 1]["text"]
    assert first == TURNED["answers"][turned.answer_number - 1]["text"]
    assert row.label == turned.label
    assert {row.position, turned.position} == {1, 2}
    assert scheme.label_in_files(label, PAIR) == row.label
    assert scheme.label_in_files(converse, TURNED) == row.label


def test_in_files_the_label_is_that_of_the_answer_with_the_first_hash():
    hashes = [payloads.text_sha256(each["text"]) for each in PAIR["answers"]]
    first = hashes.index(min(hashes)) + 1

    (row,) = schemes.get("relation").rows({"relation": "shorter"}, [1, 2], PAIR)

    assert row == Row(
        question="relation",
        label="shorter" if first == 1 else "more_detailed",
        answer_number=first,
        position=first,
    )


def test_a_pair_has_the_same_true_relation_in_either_order():
    scheme = schemes.get("relation")

    for seed in range(60):
        label = scheme.true_label(PAIR, [1, 2], seed=seed)
        assert scheme.true_label(TURNED, [1, 2], seed=seed) == dict(CONVERSES)[label]


@every_scheme
@given(seed=st.integers(0, 50), annotator=st.integers(1, 5), accuracy=st.floats(0, 1))
def test_what_a_simulated_annotator_says_is_an_answer(name, seed, annotator, accuracy):
    scheme = schemes.get(name)

    said = scheme.simulated_response(
        TWO_ANSWERS, [2, 1], seed=seed, annotator=annotator, item="i", accuracy=accuracy
    )

    assert scheme.clean(said, TWO_ANSWERS) == said
