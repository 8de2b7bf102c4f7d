"""A new version of a data set takes along the runs, and which turns are the same is said."""

import pytest
from django.urls import reverse

from accounts.permissions import NotAllowedError
from audit.models import Event
from corpus.actions import (
    datasets,
    import_checks,
    later_carry_over,
    run_descriptions,
    staged_imports,
    withdrawn_runs,
)
from corpus.jobs import CARRY_OVER, IMPORT_DATASET
from corpus.models import Answer, Citation, Dataset, Run, Turn
from corpus.readers import scai
from jobs.actions import execution, jobs
from jobs.handlers import JobCancelledError, JobFailedError
from tests.corpus.imports import (
    answer,
    create_dataset,
    create_run,
    passage_table,
    save_dataset,
    turn,
)
from tests.corpus.reader_files import write_file
from tests.corpus.row_counts import n_rows
from tests.jobs.clients import client_of
from tests.parts import part

TURNS = [turn(1, "A stone."), turn(2, "Dark."), turn(1, "Gold.", conversation=2)]
PASSAGES = passage_table(("1_1", "p1", "It is a stone."), ("2_1", "p2", "It is gold."))
MENDED = [TURNS[0] | {"Truth_answer": "A dark stone."}, *TURNS[1:]]


@part
def first(study, folder):
    dataset = create_dataset(study, folder, TURNS, passages=PASSAGES)
    cited = {"Model_passages": {"p1": 2.5, "unknown": 1.0}}
    said = [answer(1, " Stone. "), answer(2, ""), answer(1, "Gold.", conversation=2)]
    create_run(dataset, folder, [said[0] | cited, *said[1:]], team="Quarry", setup="original")
    create_run(dataset, folder, said[:1], name="birch")
    return dataset


def second_of(study, folder, turns=MENDED, **settings) -> Dataset:
    settings = {"passages": PASSAGES} | settings
    save_dataset(study, folder, turns, as_new_version=True, **settings)
    return study.datasets.by_name("touch")


def contents(run):
    fields = ("turn__conversation__key", "turn__number", "text", "rewrite")
    answers = run.answers.order_by(*fields[:2])
    cited = ("citations__passage__docid", "citations__rank", "citations__score")
    return list(answers.values_list(*fields, *cited).order_by(*fields[:2], *cited))


def test_the_runs_come_along_with_all_that_is_known_of_them(first, study, tmp_path):
    second = second_of(study, tmp_path)

    names = set(second.runs.exclude(kind="reference").values_list("name", flat=True))
    assert names == {"alder", "birch"}
    before, after = first.runs.get(name="alder"), second.runs.get(name="alder")
    assert contents(after) == contents(before)
    same = ("team", "setup", "kind", "digest", "answers_digest", "files", "n_answers", "n_empty")
    assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]
    assert (after.n_citing, after.carried_from) == (1, before)


def test_answers_to_turns_that_are_gone_stay_behind_and_are_counted(first, study, tmp_path):
    second = second_of(
        study, tmp_path, TURNS[:2], passages=passage_table(("1_1", "p1", "It is a stone."))
    )

    run = second.runs.get(name="alder")
    assert (run.n_answers, run.n_left_out) == (2, 1)
    assert second.comparison["gone"] == ["2_1"]


@pytest.mark.parametrize(
    ("turns", "passages", "changed"),
    [
        (MENDED, PASSAGES, {"1_1": ["reference"]}),
        (
            [TURNS[0] | {"Truth_rewrite": "What?"}, *TURNS[1:]],
            PASSAGES,
            {"1_1": ["question"], "1_2": ["earlier questions"]},
        ),
        (TURNS, PASSAGES.replace("It is a stone.", "It is a slab."), {"1_1": ["passages"]}),
        (
            [*TURNS[:2], TURNS[2] | {"Truth_passages": ["p2"]}],
            PASSAGES,
            {},
        ),
        ([*TURNS[:2], TURNS[2] | {"Truth_passages": ["p1"]}], PASSAGES, {"2_1": ["passages"]}),
        ([each | {"Truth_answer": f"{each['Truth_answer']} "} for each in TURNS], PASSAGES, {}),
    ],
    ids=["reference", "question", "text of a passage", "offered already", "named", "white space"],
)
def test_what_changed_is_named_by_turn(first, study, tmp_path, turns, passages, changed):
    second = second_of(study, tmp_path, turns, passages=passages)

    assert second.comparison["changed"] == changed
    assert second.comparison["unchanged"] == 3 - len(changed)


def test_a_turn_whose_answers_cite_a_passage_of_another_text_has_changed(study, tmp_path):
    texts = passage_table(("2_1", "p1", "It is a stone."))
    dataset = create_dataset(study, tmp_path, TURNS, passages=texts)
    cited = {"Model_passages": {"p1": 2.5}}
    create_run(dataset, tmp_path, [answer(1, "Stone.") | cited])

    second = second_of(study, tmp_path, TURNS, passages=texts.replace("stone", "slab"))

    assert second.comparison["changed"] == {"1_1": ["passages"], "2_1": ["passages"]}


def test_withdrawn_runs_stay_behind(first, study, tmp_path, alice):
    withdrawn_runs.withdraw(run=first.runs.get(name="birch"), reason="wrong file", by=alice)

    second = second_of(study, tmp_path)

    assert not second.runs.filter(name="birch").exists()


def test_the_check_says_beforehand_what_the_version_has_then(first, study, tmp_path):
    read = scai.read(
        truth=write_file(tmp_path, MENDED, "truth.json"),
        passages_file=write_file(tmp_path, PASSAGES, "passages"),
    )
    said = {"study": study, "read": read, "name": "touch", "licence": "", "citation": ""}

    found = import_checks.dataset(**said, as_new_version=False)

    assert found.carried == {
        "from": "touch@1",
        "runs": ["alder", "birch"],
        "unchanged": 2,
        "changed": {"1_1": ["reference"]},
        "new": [],
        "gone": [],
    }
    made = datasets.save(
        study=study, read=read, name="touch", by=study.created_by, as_new_version=True
    )
    assert made.carried == found.carried


def test_the_refusal_without_the_word_says_what_the_next_version_would_take_along(
    first, study, tmp_path
):
    with pytest.raises(datasets.ChangedError) as refused:
        save_dataset(study, tmp_path, MENDED, passages=PASSAGES)

    assert "2 turns are the same; 1 changed (1_1: reference); 2 runs would be taken along" in str(
        refused.value
    )


def test_the_audit_record_has_the_numbers(first, study, tmp_path):
    second_of(study, tmp_path)

    details = Event.objects.filter(verb="imported", target="dataset touch@2").get().details
    assert details["continues"] == "touch@1"
    assert (details["n_carried_runs"], details["n_changed_turns"]) == (2, 1)


@part
def unlinked(first, study, folder):
    """A second version as earlier releases of Touchstone made it: with nothing taken along."""
    second = second_of(study, folder)
    Turn.objects.filter(conversation__dataset=second).update(same_as=None)
    copies = second.runs.exclude(kind="reference")
    Citation.objects.filter(answer__run__in=copies).delete()
    Answer.objects.filter(run__in=copies).delete()
    copies.delete()
    Dataset.objects.filter(pk=second.pk).update(continues=None, comparison={})
    return Dataset.objects.get(pk=second.pk)


def carry_over(dataset, by):
    job = jobs.start(
        study=dataset.study,
        kind="carry_over",
        key=str(dataset),
        params={"dataset": dataset.pk},
        by=by,
    )
    return execution.run(job).result


def test_a_version_that_is_there_already_takes_the_work_along_as_a_new_one_does(
    unlinked, first, alice
):
    result = carry_over(unlinked, alice)

    assert result["carried"]["runs"] == ["alder", "birch"]
    assert result["carried"]["changed"] == {"1_1": ["reference"]}
    assert contents(unlinked.runs.get(name="alder")) == contents(first.runs.get(name="alder"))
    again = n_rows()
    assert carry_over(unlinked, alice)["carried"]["runs"] == []
    assert n_rows() == again
    assert Event.objects.filter(verb="carried over").count() == 1


def test_a_run_that_was_sent_again_for_the_new_version_is_the_same_run(
    unlinked, first, alice, tmp_path
):
    create_run(unlinked, tmp_path, [answer(1, " Stone. ")], name="birch")
    create_run(unlinked, tmp_path, [answer(1, "Another.")], name="alder")

    result = carry_over(unlinked, alice)

    assert result["carried"]["same_runs"] == ["birch"]
    assert unlinked.runs.get(name="birch").carried_from == first.runs.get(name="birch")
    assert unlinked.runs.get(name="alder").carried_from is None


def test_a_run_that_came_to_the_version_before_since_is_taken_along_later(
    first, study, tmp_path, alice
):
    second = second_of(study, tmp_path)
    create_run(first, tmp_path, [answer(1, "Late.")], name="late")

    assert carry_over(second, alice)["carried"]["runs"] == ["late"]
    assert second.runs.get(name="late").answers.get().text == "Late."


@pytest.mark.parametrize("renamed_in", [0, 1])
def test_a_run_that_has_another_name_in_one_version_is_not_taken_along_again(
    first, study, tmp_path, alice, renamed_in
):
    second = second_of(study, tmp_path)
    run = (first, second)[renamed_in].runs.get(name="alder")
    run_descriptions.describe(dataset=run.dataset, wanted={run.pk: {"name": "ash"}}, by=alice)
    create_run(first, tmp_path, [answer(1, "Late.")], name="late")

    assert carry_over(second, alice)["carried"]["runs"] == ["late"]
    assert second.runs.exclude(kind="reference").count() == 3


def test_a_run_is_taken_along_as_the_version_before_describes_it(first, study, tmp_path, alice):
    second = second_of(study, tmp_path)
    wanted = {"name": "ash", "team": "Slate", "system": "s", "setup": "", "kind": "baseline"}
    run = second.runs.get(name="alder")
    run_descriptions.describe(dataset=second, wanted={run.pk: wanted}, by=alice)
    create_run(second, tmp_path, [answer(1, "Another.")], name="alder")

    third = second_of(study, tmp_path, [*MENDED, turn(2, "New.", conversation=2)])

    copy = third.runs.get(name="ash")
    assert {field: getattr(copy, field) for field in wanted} == wanted
    assert copy.carried_from == first.runs.get(name="alder")
    assert third.runs.get(name="alder").answers.get().text == "Another."


def test_no_two_runs_of_a_version_are_the_same_run(first, study, tmp_path, alice):
    second = second_of(study, tmp_path)
    run = second.runs.get(name="birch")
    run_descriptions.describe(dataset=second, wanted={run.pk: {"name": "ash"}}, by=alice)
    create_run(second, tmp_path, [answer(1, " Stone. ")], name="birch")

    carry_over(second, alice)

    assert second.runs.get(name="birch").carried_from is None


def test_a_third_version_follows_when_the_second_is_joined_to_the_first(
    unlinked, first, study, tmp_path, alice
):
    third = second_of(study, tmp_path, [*MENDED, turn(2, "New.", conversation=2)])

    carry_over(unlinked, alice)
    carry_over(third, alice)

    roots = set(Turn.objects.filter(conversation__dataset=third).values_list("same_as", flat=True))
    of_first = set(Turn.objects.filter(conversation__dataset=first).values_list("pk", flat=True))
    assert len(roots & of_first) == 2
    assert third.runs.get(name="alder").carried_from == first.runs.get(name="alder")


def test_carrying_over_that_is_broken_off_leaves_nothing_to_be_seen_and_can_be_repeated(
    unlinked, first, alice
):
    job = jobs.start(
        study=unlinked.study,
        kind="carry_over",
        key="touch@2",
        params={"dataset": unlinked.pk},
        by=alice,
    )
    beats = iter(range(6))

    def beat():
        if next(beats, None) is None:
            raise JobCancelledError

    with pytest.raises(JobCancelledError):
        CARRY_OVER.compute(job, {}, beat)

    assert Run.everything.filter(staged_by=job).exists()
    assert not unlinked.runs.exclude(kind="reference").exists()
    assert Dataset.objects.get(pk=unlinked.pk).continues is None
    assert carry_over(unlinked, alice)["carried"]["runs"] == ["alder", "birch"]
    assert not Run.everything.filter(staged_by__isnull=False).exists()


def test_only_the_requester_takes_work_along(unlinked, bob):
    with pytest.raises(NotAllowedError):
        carry_over(unlinked, bob)


def test_the_page_of_a_version_offers_to_take_the_work_along_and_shows_what_came(
    unlinked, first, alice
):
    client = client_of(alice)
    page = reverse("dataset", args=[first.study.slug, "touch", 2])
    assert "Nothing of what was done there counts here" in client.get(page).text

    client.post(reverse("carry_over", args=[first.study.slug, unlinked.pk]))
    job = first.study.jobs.get(kind="carry_over")
    execution.run(job)

    text = " ".join(client.get(reverse("job", args=[first.study.slug, job.pk])).text.split())
    assert "2 turns: what people decided" in text
    assert "1_1: reference" in text
    assert '2 (<span dir="auto">alder, birch</span>)' in text
    assert "This version continues" in client.get(page).text
    again = client.post(reverse("carry_over", args=[first.study.slug, unlinked.pk]), follow=True)
    assert "There is nothing that touch@2 could still take along." in again.text


def test_a_first_version_has_nothing_to_take_along(first, alice):
    with pytest.raises(JobFailedError, match="there is no version before touch@1"):
        carry_over(first, alice)


def test_a_new_version_whose_import_is_broken_off_leaves_nothing(first, study, tmp_path, alice):
    before = n_rows()
    files = {
        "truth": str(write_file(tmp_path, MENDED, "mended.json")),
        "passages": str(write_file(tmp_path, PASSAGES, "passages")),
    }
    settings = {"name": "touch", "as_new_version": True}
    params = {"files": files, "settings": settings}
    job = jobs.start(study=study, kind="import_dataset", key="touch", params=params, by=alice)
    beats = iter(range(10))

    def beat():
        if next(beats, None) is None:
            raise JobCancelledError

    with pytest.raises(JobCancelledError):
        IMPORT_DATASET.compute(job, {}, beat)
    staged = Dataset.everything.get(staged_by=job)
    assert Run.everything.filter(dataset=staged, carried_from__isnull=False).exists()
    assert not study.datasets.filter(version=2).exists()

    jobs.cancel(job=job, by=alice)
    staged_imports.clear(job)

    assert n_rows() == before


def test_a_version_after_a_withdrawn_one_continues_the_newest_that_stands(
    first, study, tmp_path, alice
):
    second = second_of(study, tmp_path)
    Dataset.objects.filter(pk=second.pk).update(is_withdrawn=True)

    third = second_of(study, tmp_path, [TURNS[0], TURNS[1] | {"Truth_answer": "Black."}, TURNS[2]])

    assert (third.version, third.continues) == (3, first)
    assert third.comparison["changed"] == {"1_2": ["reference"]}


def test_where_all_versions_are_withdrawn_the_newest_is_continued(first, study, tmp_path):
    Dataset.objects.update(is_withdrawn=True)

    assert second_of(study, tmp_path).continues == first


def test_a_run_that_is_withdrawn_while_its_copy_is_written_is_not_taken_along(
    unlinked, first, alice
):
    job = jobs.start(
        study=first.study, kind="carry_over", key="x", params={"dataset": unlinked.pk}, by=alice
    )
    staged = later_carry_over.stage(dataset=unlinked, by=alice, job=job, beat=lambda: None)
    withdrawn_runs.withdraw(run=first.runs.get(name="birch"), reason="wrong file", by=alice)

    result = later_carry_over.publish(staged=staged, by=alice)

    assert result["carried"]["runs"] == ["alder"]
    assert not unlinked.runs.filter(name="birch").exists()


def test_nor_into_a_version_that_is_imported_then(first, study, tmp_path, alice):
    read = scai.read(
        truth=write_file(tmp_path, MENDED, "truth.json"),
        passages_file=write_file(tmp_path, PASSAGES, "passages"),
    )
    job = jobs.start(study=study, kind="import_dataset", key="touch", params={}, by=alice)
    staged = datasets.stage(
        study=study, name="touch", read=read, by=alice, as_new_version=True, job=job
    )
    withdrawn_runs.withdraw(run=first.runs.get(name="birch"), reason="wrong file", by=alice)

    result = datasets.publish(staged=staged, by=alice)

    assert result.carried["runs"] == ["alder"]
    second = study.datasets.by_name("touch")
    assert set(second.runs.exclude(kind="reference").values_list("name", flat=True)) == {"alder"}
