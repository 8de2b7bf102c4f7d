"""Results of RAGAS become imported scores of the answers that they are of."""

import pytest

from corpus.actions import runs
from corpus.problems import ImportProblems
from corpus.readers.ragas import read
from scoring.actions import ragas_scores
from scoring.models import ImportedScore, Scorer
from tests.commands.command_calls import StudyCommands
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.made_questions import made_dataset, question
from tests.corpus.reader_files import problem_lines, write_file
from tests.corpus.test_readers_answers_jsonl import jsonl
from tests.parts import part
from tests.scoring.ragas_files import ragas

pytestmark = pytest.mark.django_db

TURNS = [
    turn(1, "A stone.", rewrite="What is it?"),
    turn(2, "Dark.", rewrite="Which colour?"),
    turn(1, "A sea.", conversation=2, rewrite="What is it?"),
    turn(1, "A ship.", conversation=3, rewrite="What is this?"),
]


@part
def dataset(study, folder):
    made = create_dataset(study, folder, TURNS)
    create_run(made, folder, [answer(1, " A dark stone."), answer(2, "Black.")])
    return made


def save(dataset, folder, text, run="alder"):
    table = read(write_file(folder, text, "ragas.csv"))
    by = dataset.study.created_by
    return ragas_scores.save(dataset=dataset, table=table, scorer="gpt-4", run=run, by=by)


def stored():
    rows = ImportedScore.objects.order_by("value").values_list("scorer__metric", "value")
    return list(rows)


def test_rows_are_joined_by_the_text_of_the_question_and_empty_cells_counted(dataset, tmp_path):
    columns = ("user_input", "response", "reference", "faithfulness", "answer_correctness")
    row = ("Which colour?", "Black.", "Dark.", "", ".25")

    found = save(dataset, tmp_path, ragas(row, columns=columns))

    assert stored() == [("answer_correctness", 0.25)]
    assert (found.n_empty, found.metrics["answer_correctness"].n_new) == (1, 1)


def test_rows_are_joined_by_an_id_where_there_is_one(dataset, tmp_path):
    columns = ("id", "run", "user_input", "response", "m")

    row = ("1_1", "alder", "What is it?", "A dark stone.", "1")
    save(dataset, tmp_path, ragas(row, columns=columns), "")

    assert stored() == [("m", 1.0)]


def test_an_id_is_that_of_the_question_of_the_row_and_no_other(study, tmp_path):
    made = made_dataset(study, tmp_path, question("q1"), question("q1_1", question="When?"))
    said = [{"id": turn, "answer": "There."} for turn in ("q1", "q1_1")]
    read_run = runs.read(dataset=made, path=write_file(tmp_path, jsonl(*said), "alder.jsonl"))
    runs.save(dataset=made, name="alder", read=read_run, by=study.created_by)
    columns = ("id", "user_input", "response", "m")

    save(made, tmp_path, ragas(("q1_1", "When?", "There.", "1"), columns=columns))

    assert ImportedScore.objects.get().answer.turn.key == "q1_1_1"
    for asked, problem in {
        "Who?": 'user_input: "Who?" is not the question of the turn q1_1 or q1_1_1',
        "": 'id: "q1_1" may be the turn q1_1 or q1_1_1',
    }.items():
        with pytest.raises(ImportProblems) as caught:
            save(made, tmp_path, ragas(("q1_1", asked, "There.", "1"), columns=columns))
        assert str(caught.value) == f"ragas.csv: row 2: {problem}"


def test_an_empty_column_and_the_numbers_of_rows_of_pandas_make_no_scorer(dataset, tmp_path):
    columns = ("", "Unnamed: 0", "user_input", "response", "m", "empty")

    save(dataset, tmp_path, ragas(("0", "0", "Which colour?", "Black.", "1", ""), columns=columns))

    assert [each.metric for each in Scorer.objects.filter(study=dataset.study)] == ["m"]


def test_two_columns_of_one_name_are_a_problem(tmp_path):
    columns = ("user_input", "response", "m", "m")
    file = write_file(tmp_path, ragas(("a", "b", "1", "2"), columns=columns), "two.csv")

    assert problem_lines(read, file) == ['row 1: column "m" is 2 times in the header']


@pytest.mark.parametrize(
    ("row", "run", "problem"),
    [
        (
            ("What is it?", "A dark stone.", "", "1"),
            "alder",
            'user_input: "What is it?" is the question of 2 turns: add a column id',
        ),
        (
            ("Who?", "Black.", "", "1"),
            "alder",
            'user_input: "Who?" is no question of the data set',
        ),
        (
            ("Which colour?", "White.", "", "1"),
            "alder",
            'response: "White." is not what the run alder answered to the turn 1_2',
        ),
        (
            ("Which colour?", "Black.", "", "1"),
            "birch",
            'run: "birch" is no run of the data set that has answers',
        ),
        (
            ("What is this?", "Black.", "", "1"),
            "alder",
            'run: "alder" has no answer to the turn 3_1',
        ),
        (
            ("Which colour?", "Black.", "", "1"),
            "",
            "run: is not there: name the run that answered, or add a column run",
        ),
    ],
)
def test_a_row_of_no_certain_answer_is_a_problem_and_nothing_is_imported(
    dataset, tmp_path, row, run, problem
):
    with pytest.raises(ImportProblems) as caught:
        save(dataset, tmp_path, ragas(row), run)

    assert str(caught.value) == f"ragas.csv: row 2: {problem}"
    assert not stored()


def test_the_same_answer_twice_is_a_problem(dataset, tmp_path):
    row = ("Which colour?", "Black.", "", "1")

    with pytest.raises(ImportProblems, match="row 3: user_input: is the answer of row 2 again"):
        save(dataset, tmp_path, ragas(row, row))


def test_a_value_that_is_no_number_and_a_file_without_metrics_are_problems(tmp_path):
    wrong = write_file(tmp_path, ragas(("a", "b", "c", "good")), "wrong.csv")
    without = write_file(tmp_path, ragas(("a", "b"), columns=("user_input", "response")), "no.csv")

    assert problem_lines(read, wrong) == [
        'row 2: answer_correctness: "good" is not a number',
    ]
    assert problem_lines(read, without) == ["row 1: there is no column of a metric"]


def test_the_command_imports_all_metrics_or_the_one_that_is_named(study, dataset, tmp_path):
    file = write_file(tmp_path, ragas(("Which colour?", "Black.", "", ".5")), "ragas.csv")
    commands = StudyCommands(study.slug)
    options = (file, "--dataset", "touch", "--scorer", "gpt-4", "--format", "ragas")

    summary = commands.run("import_scores", *options, "--run", "alder")

    assert summary["metrics"]["answer_correctness"]["n_new"] == 1
    assert 'column "other" is not in the header' in commands.error(
        "import_scores", *options, "--run", "alder", "--metric", "other"
    )
    assert "--metric: This field is required" in commands.error(
        "import_scores", file, "--dataset", "touch", "--scorer", "x"
    )
