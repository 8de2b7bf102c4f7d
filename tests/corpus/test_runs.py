"""What becomes of a run's file in the database."""

import json
import random

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from audit.models import Event
from corpus.actions import runs
from corpus.actions.datasets import ChangedError
from corpus.models import Answer, Citation, Passage, RunKind
from corpus.problems import ImportProblems
from jobs import transactions
from tests.corpus.imports import (
    answer,
    create_dataset,
    create_demo_dataset,
    create_run,
    demo_answers,
    passage_table,
    save_run,
    turn,
)
from tests.corpus.reader_files import problem_lines, write_file
from tests.corpus.row_counts import n_rows
from tests.factories import RunFactory
from tests.parts import part

ANSWERS = [answer(1, " A dark stone."), answer(2, "Black.")]
SLATE = "Slate is a fine-grained stone. It is used to try gold."


@part
def dataset(study, folder):
    turns = [turn(1, "A stone."), turn(2, "It is dark."), turn(3)]
    return create_dataset(study, folder, turns, passages=passage_table(("1_1", "p1", SLATE)))


def cite(number=1, *, passages=None, evidence=None):
    fields = {"Model_passages": passages or {}}
    if evidence is not None:
        fields["Model_evidence"] = {"passage_id": evidence[0], "text": evidence[1]}
    return answer(number, "A stone.", **fields)


def test_answers_are_kept_raw_with_their_rewrite(dataset, tmp_path):
    imported = create_run(
        dataset, tmp_path, [answer(1, " A dark stone.\n", Model_rewrite="What is it?")]
    )

    stored = imported.answers.get()
    assert (stored.turn.key, stored.text) == ("1_1", " A dark stone.\n")
    assert stored.rewrite == "What is it?"


def test_a_run_that_cites_nothing_is_imported_without_reading_the_passages(dataset, tmp_path):
    with CaptureQueriesContext(connection) as captured:
        create_run(dataset, tmp_path, ANSWERS)

    assert not [each["sql"] for each in captured if '"corpus_passage"."text",' in each["sql"]]


def test_an_import_counts_what_it_wrote_and_leaves_an_event(dataset, tmp_path):
    imported = save_run(dataset, tmp_path, [*ANSWERS, cite(3, passages={"p1": 1.5})])

    assert imported.created
    assert imported.counts == {"n_answers": 3, "n_empty": 0, "n_citations": 1, "n_left_out": 0}
    assert imported.warnings == ()
    event = Event.objects.get(target="run alder")
    assert (event.actor, event.verb, event.details["n_answers"]) == ("alice", "imported", 3)


def test_a_run_says_whose_it_is(dataset, tmp_path):
    about = {"team": "Quarry", "system": "Pick", "setup": "rewritten", "kind": RunKind.BASELINE}
    imported = create_run(dataset, tmp_path, ANSWERS, **about)

    assert {name: getattr(imported, name) for name in about} == about


def test_an_empty_answer_is_an_answer(dataset, tmp_path):
    imported = create_run(dataset, tmp_path, [answer(1, ""), {"Conversation_no": 1, "Turn_no": 2}])

    assert [each.text for each in imported.answers.all()] == ["", ""]


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\u00a0", "\u2003\u3000", "\x1f", "\x85", "\u200b", "x\n\n"]
)
def test_empty_answers_are_counted_and_empty_is_what_strips_to_nothing(dataset, tmp_path, text):
    imported = save_run(dataset, tmp_path, [answer(1, text), answer(2, "Black.")])

    assert imported.counts["n_empty"] == (not text.strip())


# The same again, and something else


def test_the_same_file_again_changes_nothing_and_says_so(dataset, tmp_path):
    save_run(dataset, tmp_path, ANSWERS)
    before = n_rows()

    again = save_run(dataset, tmp_path, ANSWERS)

    assert (again.created, again.counts["n_answers"]) == (False, 2)
    assert n_rows() == before
    assert Event.objects.filter(target="run alder").count() == 1


def test_the_same_content_in_another_form_is_the_same_run(study, tmp_path):
    everyday = create_demo_dataset(study, "alder")
    answers = demo_answers("alder")
    random.Random(1).shuffle(answers)
    for each in answers:
        if "Model_passages" in each:
            each["Model_passages"] = dict(reversed(each["Model_passages"].items()))

    again = save_run(everyday, tmp_path, json.dumps(answers, indent=7))

    assert not again.created


def test_a_changed_run_is_refused_with_the_difference(dataset, tmp_path):
    save_run(dataset, tmp_path, ANSWERS)
    before = n_rows()

    with pytest.raises(ChangedError) as caught:
        save_run(dataset, tmp_path, [answer(1, "A dark stone."), answer(3, "Nothing.")])

    assert str(caught.value) == (
        "the dataset touch@1 has another run alder: 1 added (answer 1_3); 1 removed (answer 1_2);"
        " 1 changed (answer 1_1: text in 1). The answers of a run never change: import it"
        " under another name"
    )
    assert n_rows() == before


def test_other_citations_are_another_run(dataset, tmp_path):
    save_run(dataset, tmp_path, [cite(passages={"p1": 1.0})])

    with pytest.raises(ChangedError, match="citations in 1"):
        save_run(dataset, tmp_path, [cite(passages={"p1": 2.0})])


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"team": "Shovel"}, "team is Quarry, not Shovel"),
        ({"setup": "original"}, "setup is not specified, not original"),
        ({"kind": RunKind.SYSTEM}, "kind is baseline, not system"),
        (
            {"system": "Pick", "team": "X"},
            "team is Quarry, not X and its system is not specified, not Pick",
        ),
    ],
)
def test_the_same_answers_with_something_else_said_of_them_are_refused(
    dataset, tmp_path, other, difference
):
    save_run(dataset, tmp_path, ANSWERS, team="Quarry", kind=RunKind.BASELINE)

    with pytest.raises(ChangedError) as caught:
        save_run(dataset, tmp_path, ANSWERS, **other)

    assert str(caught.value) == (
        f"the dataset touch@1 has the run alder with the same answers, but its {difference}. An"
        " import changes no run that is there: leave them out, and change them in the table of runs"
    )


def test_what_is_not_said_again_of_a_run_claims_nothing(dataset, tmp_path):
    about = {"team": "Quarry", "setup": "original", "kind": RunKind.BASELINE}
    save_run(dataset, tmp_path, ANSWERS, **about)

    assert not save_run(dataset, tmp_path, ANSWERS).created
    assert not save_run(dataset, tmp_path, ANSWERS, **about).created
    stored = dataset.runs.get(name="alder")
    assert {name: getattr(stored, name) for name in about} == about


def test_nobody_can_import_over_the_references(dataset, tmp_path):
    with pytest.raises(ChangedError, match="another run reference"):
        save_run(dataset, tmp_path, ANSWERS, name="reference")


def test_runs_with_the_same_answers_are_flagged_by_name(dataset, tmp_path):
    save_run(dataset, tmp_path, ANSWERS, name="alder")
    save_run(dataset, tmp_path, [answer(1, "A stone.")], name="birch")

    # Outer white space and an empty answer make no difference; a citation makes none either.
    same = [cite(1) | {"Model_answer": "A dark stone. "}, answer(2, "Black."), answer(3, " ")]
    imported = save_run(dataset, tmp_path, same, name="copy")

    assert imported.created
    assert imported.warnings == ("the run alder gives the same answers",)


@pytest.mark.parametrize("name", ["a" * 201, "al|der", "al\tder", "alder ", " ", ""])
def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_written(dataset, tmp_path, name):
    before = n_rows()
    read = runs.read(dataset=dataset, path=write_file(tmp_path, ANSWERS, "run.json"))

    with pytest.raises(ValidationError):
        runs.save(dataset=dataset, name=name, read=read, by=dataset.created_by)
    assert n_rows() == before


@pytest.mark.database
def test_the_database_keeps_the_bar_out_of_runs_names(dataset):
    with pytest.raises(IntegrityError, match="corpus_run_name_has_no_bar"), transaction.atomic():
        RunFactory(dataset=dataset, name="al|der")


# Turns that are not there


def test_answers_on_unknown_turns_are_refused_each_with_its_record(dataset, tmp_path):
    path = write_file(tmp_path, [answer(8, "?"), *ANSWERS, answer(1, "?", conversation=2)])

    assert problem_lines(lambda path: runs.read(dataset=dataset, path=path), path) == [
        "record 1: Turn_no: 1_8 is not a turn of touch@1",
        "record 4: Turn_no: 2_1 is not a turn of touch@1",
    ]


def test_answers_on_unknown_turns_are_left_out_on_request_and_counted(dataset, tmp_path):
    answers = [answer(8, "?", Model_passages={"p9": 1}), *ANSWERS]
    imported = save_run(dataset, tmp_path, answers, leave_out_unknown=True)

    assert imported.counts == {"n_answers": 2, "n_empty": 0, "n_citations": 0, "n_left_out": 1}
    assert not Passage.objects.filter(docid="p9").exists()


def test_what_was_left_out_does_not_make_it_another_run(dataset, tmp_path):
    save_run(dataset, tmp_path, ANSWERS)

    again = save_run(dataset, tmp_path, [*ANSWERS, answer(8, "?")], leave_out_unknown=True)

    assert not again.created


# Citations


def test_citations_are_ranked_by_score(dataset, tmp_path):
    imported = create_run(dataset, tmp_path, [cite(passages={"low": -1, "p1": 2.5, "tie": 2.5})])

    cited = Citation.objects.filter(answer__run=imported).select_related("passage")
    assert [(each.rank, each.passage.docid, each.score) for each in cited] == [
        (1, "tie", 2.5),
        (2, "p1", 2.5),
        (3, "low", -1.0),
    ]


def test_a_passage_whose_text_was_never_given_is_stored_without_text(dataset, tmp_path):
    create_run(
        dataset,
        tmp_path,
        [cite(1, passages={"p1": 2, "unheard": 1}), cite(2, passages={"unheard": 3})],
    )

    assert list(Passage.objects.values_list("docid", "text")) == [("p1", SLATE), ("unheard", None)]


def test_cited_passages_without_text_are_counted_and_named_each_time(dataset, tmp_path):
    cited = {f"https://stones.example/{n}": 1 / n for n in range(1, 8)}
    in_both = {docid: score for docid, score in cited.items() if docid[-1] < "5"}
    answers = [cite(1, passages=cited | {"p1": 2}), cite(2, passages=in_both)]

    first = save_run(dataset, tmp_path, answers)
    again = save_run(dataset, tmp_path, answers)

    assert (
        first.warnings
        == again.warnings
        == (
            "7 passages that it cites have no text in the data set and can be no evidence:"
            ' "https://stones.example/1" (turns 1_1, 1_2), "https://stones.example/2" (turns 1_1, 1_2),'
            ' "https://stones.example/3" (turns 1_1, 1_2), "https://stones.example/4" (turns 1_1, 1_2),'
            ' "https://stones.example/5" (turn 1_1) and 2 more',
        )
    )


def test_one_cited_passage_without_text_is_said_in_the_singular(dataset, tmp_path):
    (said,) = save_run(dataset, tmp_path, [cite(2, passages={"unheard": 1})]).warnings

    assert said == (
        '1 passage that it cites has no text in the data set and can be no evidence: "unheard" (turn 1_2)'
    )


def test_a_run_that_cites_more_than_is_written_at_once_is_written_whole(
    dataset, tmp_path, monkeypatch
):
    monkeypatch.setattr(transactions, "PIECE_SIZE", 3)
    cited = {f"p{n}": 1 / (n + 1) for n in range(7)}

    imported = create_run(dataset, tmp_path, [cite(1, passages=cited), cite(2, passages={"p1": 1})])

    stored = Citation.objects.filter(answer__run=imported, answer__turn__number=1)
    assert {each.passage.docid: each.score for each in stored} == cited
    assert Citation.objects.count() == 8


def test_a_second_run_cites_the_passage_that_is_there(dataset, tmp_path):
    create_run(dataset, tmp_path, [cite(passages={"unheard": 1})], name="alder")
    create_run(dataset, tmp_path, [cite(passages={"unheard": 1, "p1": 2})], name="birch")

    assert Passage.objects.count() == 2
    assert Citation.objects.filter(passage__docid="unheard").count() == 2


def test_a_passage_that_is_only_quoted_has_neither_rank_nor_score(dataset, tmp_path):
    create_run(
        dataset, tmp_path, [cite(passages={"other": 1}, evidence=("p1", "a fine-grained stone"))]
    )

    quoted = Citation.objects.get(passage__docid="p1")
    assert (quoted.rank, quoted.score, quoted.quote_status) == (None, None, "usable")


@pytest.mark.parametrize(
    ("docid", "quote", "status"),
    [
        ("p1", "It is used to try gold.", "usable"),
        ("p1", " fine-grained ", "usable"),
        ("p1", "it is used", "not in passage"),
        ("unheard", "It is used", "passage not held"),
        ("p1", " \n", "empty"),
        ("p1", "", ""),
    ],
)
def test_a_quote_is_kept_with_what_became_of_it(dataset, tmp_path, docid, quote, status):
    imported = save_run(dataset, tmp_path, [cite(evidence=(docid, quote))])

    stored = Citation.objects.get()
    assert (stored.quote, stored.quote_status) == (quote, status)
    bad = status not in {"", "usable"}
    said = [each for each in imported.warnings if "quote" in each]
    assert said == ([f"1 quote is not usable: {status} (turn 1_1)"] if bad else [])


def test_a_quote_of_more_than_a_hundred_words_is_kept_as_not_usable(study, tmp_path):
    long = " ".join(f"word{n}" for n in range(101))
    dataset = create_dataset(
        study, tmp_path, [turn(1, "A."), turn(2, "B.")], passages=passage_table(("1_1", "p", long))
    )
    shorter = long.rpartition(" ")[0]

    create_run(dataset, tmp_path, [cite(1, evidence=("p", long)), cite(2, evidence=("p", shorter))])

    statuses = Citation.objects.order_by("answer__turn__number").values_list(
        "quote_status", flat=True
    )
    assert list(statuses) == ["too long", "usable"]


def test_the_quotes_of_the_demonstration_are_usable_but_for_one(study, tmp_path):
    everyday = create_demo_dataset(study, "alder")

    statuses = list(Citation.objects.filter(answer__run__dataset=everyday).exclude(quote=""))
    assert [each.answer.turn.key for each in statuses if each.quote_status != "usable"] == ["6_3"]
    assert len(statuses) > 5


# Files with something wrong


def test_one_bad_answer_keeps_the_whole_run_out(dataset, tmp_path):
    before = n_rows()

    with pytest.raises(ImportProblems) as caught:
        save_run(dataset, tmp_path, [*ANSWERS, answer(3, 7), answer(1, "again")])

    assert [problem.index for problem in caught.value.problems] == [3, 4]
    assert n_rows() == before


@pytest.mark.parametrize("bad", ["\\u0000", "\\ud800"])
@pytest.mark.parametrize(
    "fields",
    [
        {"Model_answer": "~"},
        {"Model_rewrite": "~"},
        {"Model_passages": {"~": 1}},
        {"Model_evidence": {"passage_id": "p1", "text": "~"}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_what_a_database_cannot_hold_is_refused_wherever_it_stands(dataset, tmp_path, bad, fields):
    before = n_rows()
    text = json.dumps([answer(1, "A stone.") | fields]).replace("~", bad)

    with pytest.raises(ImportProblems, match="which a database cannot hold"):
        save_run(dataset, tmp_path, text)
    assert n_rows() == before


@pytest.mark.parametrize("text", ["\u202eמה\u202c", "👩🏽‍🚀", "x" * 10_000, "a\u2028b\tc\r\n"])
def test_answers_come_back_byte_by_byte(dataset, tmp_path, text):
    create_run(dataset, tmp_path, [answer(1, text, Model_passages={text[:100]: 1})])

    assert Answer.objects.get(run__name="alder").text == text
    assert Passage.objects.filter(docid=text[:100]).exists()
