"""What is promised of reading a release: what it holds, and what is no release."""

from hashlib import sha256

import pytest

from corpus.accepted import FILES
from corpus.problems import ImportProblems
from corpus.readers import release
from tests.cases import all_cases
from tests.corpus.release_folders import accepted, released, write_release
from text import canonical_json

RECORDS = [
    released(1, "Slate.", accepted("A dark slab.", votes={"plausible": 3})),
    released(2, "", rewrite="And then?"),
    released(3, "Gold.", accepted("A soft metal."), accepted("Some metal.", "silver")),
]


def read(folder):
    return release.read(
        **{name: folder / f"{name}.json" for name in ("manifest", "gold", "silver")}
    )


def problems(folder):
    with pytest.raises(ImportProblems) as found:
        read(folder)
    return str(found.value)


def test_a_release_holds_the_truth_and_its_accepted_answers_with_their_tiers(tmp_path):
    found = read(write_release(tmp_path, RECORDS))

    assert [turn.reference for turn in found.records.turns] == ["Slate.", "", "Gold."]
    assert [[(each.text, each.tier) for each in turn.accepted] for turn in found.records.turns] == [
        [("A dark slab.", "gold")],
        [],
        [("A soft metal.", "gold"), ("Some metal.", "silver")],
    ]
    assert found.records.turns[0].accepted[0].source["votes"] == {"plausible": 3}


def test_of_its_manifest_is_kept_which_release_it_is(tmp_path):
    found = read(write_release(tmp_path, RECORDS))

    assert found.release["study"] == "elsewhere"
    assert found.release["number"] == 3
    assert (found.release["n_gold"], found.release["n_silver"]) == (2, 1)
    assert [file["name"] for file in found.files] == ["manifest.json", "gold.json", "silver.json"]
    assert found.release["manifest_sha256"] == found.files[0]["sha256"]
    assert found.warnings == ()


def test_a_release_of_a_rehearsal_is_read_with_a_warning(tmp_path):
    found = read(write_release(tmp_path, RECORDS, is_rehearsal=True))

    assert "simulated people" in found.warnings[0]


def test_a_changed_file_is_refused(tmp_path):
    folder = write_release(tmp_path, RECORDS)
    with (folder / "gold.json").open("a") as file:
        file.write("\n")

    assert problems(folder) == (
        "gold.json: is not what was released: manifest.json has another sha256 of gold.json"
    )


def test_gold_that_is_not_silver_without_its_silver_answers_is_refused_at_its_line(tmp_path):
    write_release(tmp_path, [RECORDS[0] | {"Truth_answers_alternative": []}, *RECORDS[1:]])
    gold = (tmp_path / "gold.json").read_bytes()
    other = sha256(gold).hexdigest()
    folder = write_release(tmp_path, RECORDS)
    silver = sha256((folder / "silver.json").read_bytes()).hexdigest()
    write_release(tmp_path, RECORDS, files={"gold.json": other, "silver.json": silver})
    (tmp_path / "gold.json").write_bytes(gold)

    assert problems(folder).startswith("gold.json: line 5: is not as Touchstone writes it")


@all_cases(
    ("answers", "message"),
    [
        ([accepted("Lead.", "bronze")], '[1].tier: "bronze" is not gold or silver'),
        ([accepted("Lead."), accepted(" ")], "[2].answer: says nothing"),
        ([{"answer": "Lead."}], "[1].tier: is missing"),
        ([accepted("Lead.", plausible={})], "[1].plausible.verdict: is not text"),
        ([accepted("Lead.", evidence="")], '[1].evidence: "" is not a list'),
        (
            [accepted("Lead.", extracted_from="p1")],
            '[1].extracted_from: "p1" is not a list of texts',
        ),
        ([accepted("Lead."), accepted("Lead. ", "silver")], ': "Lead." is there twice'),
        (
            [accepted("Lead.", "silver"), accepted("Iron.\0")],
            "[2].answer: character 6 is U+0000, which a database cannot hold",
        ),
    ],
)
def test_a_wrong_accepted_answer_is_named_with_record_and_field(tmp_path, answers, message):
    folder = write_release(tmp_path, [RECORDS[0], released(2, "Gold.", *answers)])

    assert f"silver.json: record 2: Truth_answers_alternative{message}" in problems(folder)


def test_accepted_answers_on_a_turn_without_truth_are_refused(tmp_path):
    folder = write_release(tmp_path, [released(1, " ", accepted("Slate."))])

    assert "has answers, and the turn has no Truth_answer" in problems(folder)


def test_a_truth_without_accepted_answers_is_no_release(tmp_path):
    record = {key: value for key, value in RECORDS[0].items() if "alternative" not in key}
    folder = write_release(tmp_path, RECORDS)
    contents = canonical_json.contents([record])
    write_release(folder, RECORDS, files=dict.fromkeys(FILES, sha256(contents).hexdigest()))
    for name in FILES:
        (folder / name).write_bytes(contents)

    assert problems(folder) == "silver.json: record 1: Truth_answers_alternative: is missing"


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ({"files": {"systems.csv": "0"}}, "are those of a released comparison"),
        ({"files": {"gold.json": "0"}}, "files.silver.json: is missing"),
        ({"dataset": None}, "dataset: is missing"),
        ({"release": 0}, "release: 0 is below 1"),
        ({"is_rehearsal": "no"}, "is_rehearsal: is not true or false"),
    ],
)
def test_another_manifest_is_refused_with_its_field(tmp_path, manifest, message):
    assert message in problems(write_release(tmp_path, RECORDS, **manifest))


@pytest.mark.parametrize(
    ("text", "message"), [("[]", "is not an object"), ("{", "not JSON"), ("", "not JSON")]
)
def test_a_manifest_that_is_no_object_is_refused(tmp_path, text, message):
    folder = write_release(tmp_path, RECORDS)
    (folder / "manifest.json").write_text(text)

    assert message in problems(folder)
