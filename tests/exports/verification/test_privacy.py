"""What is taken for an e-mail address or for the id that a provider gives a person."""

import pytest

from exports.verification.findings import Findings
from exports.verification.privacy import check_texts
from tests.cases import all_cases


def problems(text):
    findings = Findings()
    check_texts({"a.csv[0].comment": text}, findings)
    return [str(each) for each in findings.problems]


@all_cases(
    "text",
    [
        "APPROXIMATELY the same",
        "ACCORDINGLY, and ADMINISTRATION",
        "(ABBREVIATIONS)",
        "ALLGEMEINVERFÜGUNG",
        "of ASTRAZENECA2021",
        "ARTICLE1234567",
        "A20231127120000",
        "file ÄA1B2C3D4E5F6G7",
        "the hash deadbeef",
        "ann at example.org",
    ],
)
def test_a_word_or_a_number_is_no_id_of_a_person(text):
    assert problems(text) == []


@pytest.mark.parametrize(
    "text", ["A1B2C3D4E5F6G7", "I am A10CWWQ8R96SV6!", "AMPMTF5IAAMK8", "id_A3UV55HC87DO9C"]
)
def test_an_id_as_mechanical_turk_gives_it_is_found(text):
    assert problems(text) == ["a.csv[0].comment: holds an id of a provider"]


def test_an_id_as_prolific_gives_it_is_found():
    assert problems("5f3c1a2b4d5e6f7a8b9c0d1e") == ["a.csv[0].comment: holds an id of a provider"]


def test_an_address_is_found_in_a_sentence():
    assert problems("Ask ann.lee@mail.example.org.") == [
        "a.csv[0].comment: holds an e-mail address"
    ]
