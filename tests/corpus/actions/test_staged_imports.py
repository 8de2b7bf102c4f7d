"""An import is written in pieces that nobody sees, and shown at once: corpus/actions/staged_imports.py."""

import pytest
from django.db import OperationalError, connection

from audit import events
from audit.models import Event
from corpus import jobs as import_jobs
from corpus import tasks
from corpus.actions import datasets, staged_imports
from corpus.models import Answer, Citation, Dataset, Passage, Run, Turn
from dashboard.progress import study_progress
from jobs import transactions
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Chunk, Job, JobState
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, save_run, turn
from tests.corpus.row_counts import n_rows
from tests.corpus.test_import_jobs import dataset_job, run_job
from tests.jobs.threads import at_work
from tests.parts import part

TURNS = [turn(number, f"Stone {number}.") for number in range(1, 6)]
PASSAGES = passage_table(*((f"1_{number}", f"p{number}", "Slate.") for number in range(1, 6)))
ANSWERS = [
    answer(number, f"A stone, {number}.", Model_passages={"p1": 0.5, f"q{number}": 0.4})
    for number in range(1, 6)
]


@part
def dataset(study, folder):
    return create_dataset(study, folder, TURNS, passages=PASSAGES)


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(transactions, "PIECE_SIZE", 2)


def between_pieces(monkeypatch, act):
    """The act is done after each piece."""
    monkeypatch.setattr(transactions, "give_way", act)


def stop_once(number, error):
    """An act that raises the error when it is done for the number-th time, and never again."""
    done = iter([*[None] * (number - 1), error])

    def act():
        if stop := next(done, None):
            raise stop

    return act


def visible_rows(study):
    """What readers see of a study."""
    found = study_progress(study)
    return (
        [str(each) for each in study.datasets.all()],
        sorted(Run.objects.values_list("name", flat=True)),
        (found.n_datasets, found.n_turns, found.n_runs, found.n_answers),
        [
            (
                Answer.objects.of_systems(each).count(),
                Answer.objects.references(each).count(),
                each.runs.count(),
                each.passages.with_text().count(),
            )
            for each in study.datasets.all()
        ],
    )


def test_nobody_sees_a_run_before_all_of_it_is_there(
    study, dataset, tmp_path, monkeypatch, small_pieces
):
    before, meanwhile = visible_rows(study), []
    between_pieces(
        monkeypatch, lambda: meanwhile.append((visible_rows(study), Answer.objects.count()))
    )

    execution.run(run_job(dataset, tmp_path, ANSWERS))

    assert len(meanwhile) > 5
    n_references = 5
    assert {n - n_references for _, n in meanwhile} == {2, 4, 5}  # they were being written
    assert all(each == before for each, _ in meanwhile)
    imported = dataset.runs.get(name="alder")
    assert imported.answers.count() == 5
    assert Citation.objects.filter(answer__run=imported).count() == 10


def test_nobody_sees_a_data_set_before_all_of_it_is_there(
    study, tmp_path, monkeypatch, small_pieces
):
    before, meanwhile = visible_rows(study), []
    between_pieces(
        monkeypatch, lambda: meanwhile.append((visible_rows(study), Turn.objects.count()))
    )

    execution.run(dataset_job(study, tmp_path, TURNS, passages=PASSAGES))

    assert {n for _, n in meanwhile} == {0, 2, 4, 5}
    assert all(each == before for each, _ in meanwhile)
    assert visible_rows(study)[0] == ["touch@1"]
    assert visible_rows(study)[3] == [(0, 5, 1, 5)]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["run", "dataset"])
def test_others_write_between_the_pieces_of_an_import(
    study, dataset, tmp_path, monkeypatch, small_pieces, alice, what
):
    n_written = []

    def write_elsewhere():
        assert not connection.in_atomic_block
        with at_work(lambda: events.record(study=study, by=alice, verb="judged", target="x")):
            pass
        n_written.append(Event.objects.filter(verb="judged").count())

    between_pieces(monkeypatch, write_elsewhere)
    execution.run(
        run_job(dataset, tmp_path, ANSWERS)
        if what == "run"
        else dataset_job(study, tmp_path, TURNS, name="other")
    )

    assert len(n_written) > 5
    assert n_written == list(range(1, len(n_written) + 1))


@pytest.mark.parametrize("number", [1, 3, 6])
def test_an_import_that_fails_while_it_writes_leaves_nothing_but_names_of_passages(
    study, dataset, tmp_path, monkeypatch, small_pieces, number
):
    before = n_rows()
    for job in (
        run_job(dataset, tmp_path, ANSWERS),
        dataset_job(study, tmp_path, TURNS, name="other", passages=PASSAGES),
    ):
        between_pieces(monkeypatch, stop_once(number, RuntimeError("out of memory")))
        with pytest.raises(RuntimeError):
            execution.run(job)
        job.refresh_from_db()
        assert job.state == JobState.FAILED

    nameless = Passage.objects.filter(text=None).count()
    assert n_rows() == before | {"Passage": before["Passage"] + nameless}


def test_an_import_that_is_cancelled_while_it_writes_leaves_nothing(
    study, dataset, tmp_path, monkeypatch, small_pieces, alice
):
    before = n_rows()
    job = run_job(dataset, tmp_path, [answer(1, "A stone."), answer(2, "A.")])
    calls = iter([lambda: jobs.cancel(job=job, by=alice)])
    between_pieces(monkeypatch, lambda: next(calls, lambda: None)())

    assert execution.work(job) == 0

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert n_rows() == before


def test_what_a_killed_import_left_goes_when_the_next_worker_has_done_it(
    study, dataset, tmp_path, monkeypatch, small_pieces
):
    job = run_job(dataset, tmp_path, ANSWERS)
    with monkeypatch.context() as killed:
        between_pieces(killed, stop_once(4, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            execution.run(job)
    assert Run.everything.filter(staged_by=job).count() == 1

    execution.run(Job.objects.get(pk=job.pk))

    assert Run.everything.filter(name="alder").count() == 1
    assert Answer.objects.filter(run__name="alder").count() == 5


def test_what_a_killed_import_left_that_was_given_up_is_cleared_from_time_to_time(
    study, dataset, tmp_path, monkeypatch, small_pieces, alice
):
    before = n_rows()
    job = dataset_job(study, tmp_path, TURNS, name="other", passages=PASSAGES)
    with monkeypatch.context() as killed:
        between_pieces(killed, stop_once(6, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            execution.run(job)
    assert tasks.clear_staged() == 0  # a worker may be writing it
    jobs.cancel(job=job, by=alice)

    assert tasks.clear_staged() == 1

    assert n_rows() == before
    assert tasks.clear_staged() == 0


def test_what_a_resumed_import_publishes_stays_while_what_it_left_is_cleared(
    study, tmp_path, monkeypatch, small_pieces, alice
):
    job = dataset_job(study, tmp_path, TURNS, passages=PASSAGES)
    with monkeypatch.context() as killed:
        between_pieces(killed, stop_once(9, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            execution.run(job)
    jobs.cancel(job=job, by=alice)
    staged = []

    def resume():
        jobs.resume(job=Job.objects.get(pk=job.pk), by=alice)
        read = import_jobs.read_dataset(job, {}, lambda: None)
        staged.append(datasets.stage(study=study, name="touch", read=read, by=alice, job=job))

    def publish():
        datasets.publish(staged=staged.pop(), by=alice)

    acts = iter([resume, lambda: None, publish])

    def act():
        with monkeypatch.context() as within:
            between_pieces(within, lambda: None)
            next(acts, lambda: None)()

    between_pieces(monkeypatch, act)

    tasks.clear_staged()
    while staged:
        publish()

    assert visible_rows(study)[3] == [(0, 5, 1, 5)]
    assert Turn.objects.of(study.datasets.get()).count() == 5


@pytest.mark.parametrize("what", ["run", "dataset"])
def test_an_import_that_is_tried_again_on_a_full_disk_is_never_there_more_than_once(
    study, dataset, tmp_path, monkeypatch, small_pieces, what
):
    rows = Run if what == "run" else Dataset
    job = (
        run_job(dataset, tmp_path, ANSWERS)
        if what == "run"
        else dataset_job(study, tmp_path, TURNS, name="other", passages=PASSAGES)
    )
    n_turns, n_answers = Turn.objects.count(), Answer.objects.count()

    def full():
        n_written = Turn.objects.count() - n_turns + Answer.objects.count() - n_answers
        if n_written % 5 == 0 and n_written and not clearing:
            raise OperationalError("database or disk is full")

    clearing = []
    between_pieces(monkeypatch, full)
    clear_earlier = staged_imports.clear_earlier

    def cleared(*given):
        clearing.append(True)
        clear_earlier(*given)
        clearing.clear()

    monkeypatch.setattr(staged_imports, "clear_earlier", cleared)
    for _ in range(3):
        with pytest.raises(OperationalError):
            execution.work(job)

        assert rows.everything.filter(staged_by=job).count() == 1
        assert Turn.objects.count() + Answer.objects.count() == n_turns + n_answers + 5


def test_an_import_that_was_overtaken_removes_nothing_of_what_the_other_stages(
    dataset, tmp_path, monkeypatch, small_pieces
):
    job = run_job(dataset, tmp_path, ANSWERS)
    with monkeypatch.context() as killed:
        between_pieces(killed, stop_once(6, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            execution.run(job)
    before = n_rows()
    clear_earlier = staged_imports.clear_earlier

    def overtaken(*given):
        Chunk.objects.filter(job=job).update(worker="another")
        clear_earlier(*given)

    monkeypatch.setattr(staged_imports, "clear_earlier", overtaken)

    assert execution.work(job) == 0

    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    assert n_rows() == before


def test_a_name_that_was_taken_while_the_run_was_written_is_refused_and_nothing_is_left(
    dataset, tmp_path, monkeypatch
):
    job = run_job(dataset, tmp_path, ANSWERS)
    other = iter([lambda: save_run(dataset, tmp_path, [answer(1, "Another stone.")])])
    between_pieces(monkeypatch, lambda: next(other, lambda: None)())

    with pytest.raises(JobFailedError, match="has another run alder"):
        execution.run(job)

    assert Run.everything.filter(name="alder").count() == 1
    assert Answer.objects.filter(run__name="alder").count() == 1


def test_a_data_set_that_was_imported_twice_at_once_is_there_once(study, tmp_path, monkeypatch):
    job = dataset_job(study, tmp_path, TURNS)
    other = iter([lambda: create_dataset(study, tmp_path, TURNS)])
    between_pieces(monkeypatch, lambda: next(other, lambda: None)())

    execution.run(job)

    assert job.result["created"] is False
    assert Dataset.everything.count() == 1
    assert Run.everything.count() == 1


def test_a_second_run_may_name_the_passages_that_a_first_one_is_being_written_with(
    dataset, tmp_path, monkeypatch, small_pieces
):
    once = iter([lambda: create_run(dataset, tmp_path, [ANSWERS[0]], name="birch")])
    job = run_job(dataset, tmp_path, ANSWERS)
    between_pieces(monkeypatch, lambda: next(once, lambda: None)())

    execution.run(job)

    assert Passage.objects.filter(docid="q1").count() == 1
    assert Citation.objects.filter(passage__docid="q1").count() == 2


def test_the_count_of_a_data_sets_passages_is_of_those_that_it_tells(dataset, tmp_path):
    create_run(dataset, tmp_path, ANSWERS)

    assert dataset.passages.count() == 10
    assert dataset.passages.with_text().count() == 5
