"""A release is read back as the next version of its data set, and the version is written as the release was."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import Study
from corpus import versions
from corpus.models import Answer, References, Run, RunKind, Turn
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from scoring import queries as scoring_queries
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.reader_files import write_file
from tests.corpus.release_folders import accepted, released, write_release
from tests.corpus.test_clapnq import clapnq, parts  # noqa: F401  a fixture
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.django_db

TURNS = [turn(1, "Slate.", rewrite="What is it?"), turn(2, "Black.", rewrite="What colour?")]
QUESTIONS = [{"Conversation_no": 1, "Turn_no": n, "Question": text} for n, text in ((1, "What?"),)]
GOLD, LATER = accepted("A dark slab."), accepted("Dark stone.")
RELEASED = [
    released(1, "Slate.", GOLD, LATER, accepted("Some rock.", "silver")),
    released(2, "Black.", rewrite="What colour?"),
]


@part
def dataset(study, folder):
    found = create_dataset(study, folder, TURNS, questions=QUESTIONS)
    create_run(found, folder, [answer(1, "A dark slab."), answer(2, "Green.")])
    return found


def command(of, study: Study, *args, **options):
    out = StringIO()
    call_command(of, *map(str, args), study=study.slug, json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def read_back(study, folder, *, name="touch", new_version=True):
    return command(
        "import_dataset", study, folder, format="release", name=name, new_version=new_version
    )


def exported(study, folder, dataset="touch"):
    command("export_dataset", study, dataset=dataset, out=str(folder))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_next_version_has_the_accepted_answers_as_references_by_tier_and_all_else_of_the_version(
    study, dataset, tmp_path
):
    read_back(study, write_release(tmp_path / "release", RELEASED))

    new = study.datasets.by_name("touch")
    assert (new.version, new.format, new.continues) == (2, "scai", dataset)
    runs = new.runs.filter(kind=RunKind.REFERENCE).order_by("pk")
    assert list(runs.values_list("name", "tier")) == [
        ("reference", ""),
        ("accepted gold", "gold"),
        ("accepted gold 2", "gold"),
        ("accepted silver", "silver"),
    ]
    first = Turn.objects.of(new).first()
    assert first.question == "What?"
    assert {
        chosen.value: scoring_queries.references(new, [first.pk], chosen)[first.pk]
        for chosen in References
    } == {
        "truth": ("Slate.",),
        "gold": ("A dark slab.", "Dark stone.", "Slate."),
        "silver": ("A dark slab.", "Dark stone.", "Slate.", "Some rock."),
    }


def test_the_work_on_the_version_before_stands_and_its_runs_come_along(study, dataset, tmp_path):
    found = read_back(study, write_release(tmp_path / "release", RELEASED))

    assert found["carried"]["unchanged"] == 2
    assert found["carried"]["runs"] == ["alder"]
    new = study.datasets.by_name("touch")
    assert len(versions.own_turns(new)) == 2


def test_what_was_read_is_written_byte_for_byte(study, dataset, tmp_path):
    folder = write_release(tmp_path / "release", RELEASED)
    read_back(study, folder)

    assert exported(study, tmp_path / "out") == {
        name: (folder / name).read_bytes() for name in ("gold.json", "silver.json")
    }


def test_the_version_keeps_which_release_it_has_read(study, dataset, tmp_path):
    found = read_back(study, write_release(tmp_path / "release", RELEASED))

    release = study.datasets.by_name("touch").release
    assert (release["study"], release["number"], release["n_gold"], release["n_silver"]) == (
        "elsewhere",
        3,
        2,
        1,
    )
    assert (found["counts"]["n_gold"], found["counts"]["n_silver"]) == (2, 1)


def test_the_same_release_again_changes_nothing_and_says_so(study, dataset, tmp_path):
    folder = write_release(tmp_path / "release", RELEASED)
    read_back(study, folder)

    again = read_back(study, folder)

    assert (again["created"], again["name"]) == (False, "touch@2")
    assert study.datasets.count() == 2


def test_a_later_release_of_the_new_version_makes_the_one_after_it(study, dataset, tmp_path):
    read_back(study, write_release(tmp_path / "release", RELEASED))
    second = study.datasets.by_name("touch")
    of = {"name": "touch", "version": 2, "digest": second.digest}
    later = [
        released(1, "Slate.", GOLD),
        released(2, "Black.", accepted("Dark."), rewrite="What colour?"),
    ]
    folder = write_release(tmp_path / "later", later, release=4, dataset=of)

    read_back(study, folder)

    assert study.datasets.by_name("touch").version == 3
    assert exported(study, tmp_path / "out")["gold.json"] == (folder / "gold.json").read_bytes()
    third = Answer.objects.references(study.datasets.by_name("touch"), References.SILVER)
    assert sorted(third.values_list("text", flat=True)) == [
        "A dark slab.",
        "Black.",
        "Dark.",
        "Slate.",
    ]


def test_without_new_version_it_is_refused_with_the_difference(study, dataset, tmp_path):
    with pytest.raises((CommandError, JobFailedError), match=r"1 changed .*accepted in 1"):
        read_back(study, write_release(tmp_path / "release", RELEASED), new_version=False)


def test_where_the_study_has_no_such_data_set_the_release_alone_is_one(study, tmp_path):
    folder = write_release(tmp_path / "release", RELEASED)

    found = read_back(study, folder, name="other")

    assert found["name"] == "other@1"
    assert "without passages" in found["warnings"][0]
    assert (
        exported(study, tmp_path / "out", "other")["gold.json"]
        == (folder / "gold.json").read_bytes()
    )
    assert read_back(study, folder, name="other")["created"] is False


def test_a_turn_that_differs_from_the_version_is_refused_by_record_and_field(
    study, dataset, tmp_path
):
    other = [released(1, "Gold.", GOLD), released(3, "Old.")]

    with pytest.raises((CommandError, JobFailedError)) as found:
        read_back(study, write_release(tmp_path / "release", other))

    said = str(found.value)
    assert (
        'silver.json: record 1: Truth_answer: "Gold." is not that of the turn 1_1 of touch@1'
        in said
    )
    assert "silver.json: record 2: 1_3 is not a turn of touch@1" in said
    assert "silver.json: 1_2 is a turn of touch@1 and not there" in said
    assert study.datasets.count() == 1


@pytest.mark.database
@pytest.mark.parametrize("name", ["Accepted gold", "accepted golden", "accepted gold standard"])
def test_a_run_that_is_called_nearly_so_keeps_its_name(study, dataset, tmp_path, name):
    create_run(dataset, tmp_path, [answer(1, "No.")], name=name)

    read_back(study, write_release(tmp_path / "release", RELEASED))

    assert study.datasets.by_name("touch").runs.filter(name=name).exists()


@pytest.mark.parametrize("name", ["accepted gold", "accepted silver 2"])
def test_a_run_that_is_called_as_accepted_answers_are_is_to_be_renamed_first(
    study, dataset, tmp_path, name
):
    create_run(dataset, tmp_path, [answer(1, "No.")], name=name)

    with pytest.raises((CommandError, JobFailedError), match="rename the run"):
        read_back(study, write_release(tmp_path / "release", RELEASED))


def test_a_folder_that_is_no_release_is_refused(study, dataset, tmp_path):
    folder = write_release(tmp_path / "release", RELEASED)
    (folder / "silver.json").unlink()

    with pytest.raises(CommandError, match=r"is no release: there is no silver\.json in it"):
        read_back(study, folder)


def test_further_references_and_lines_of_the_version_stay(study, parts, tmp_path):  # noqa: F811
    before = clapnq(study, *parts)
    truth = [turn.source for turn in Turn.objects.of(before)]
    records = [
        truth[0] | {"Truth_answers_alternative": [GOLD]},
        truth[1] | {"Truth_answers_alternative": []},
    ]
    of = {"name": "clapnq", "version": 1, "digest": before.digest}

    read_back(study, write_release(tmp_path / "release", records, dataset=of), name="clapnq")

    new = study.datasets.by_name("clapnq")
    assert sorted(exported(study, tmp_path / "out", "clapnq")) == [
        "answerable.jsonl",
        "gold.json",
        "silver.json",
        "unanswerable.jsonl",
    ]
    (texts,) = scoring_queries.references(new, None, References.GOLD).values()
    assert texts == ("A dark slab.", "One.", "Two.")
    assert not Run.objects.filter(dataset=before, tier="gold").exists()


# Versions that were corrected

MENDED = [TURNS[0], TURNS[1] | {"Truth_answer": "Black or grey."}]
TWO = [
    released(1, "Slate.", GOLD, accepted("Some rock.", "silver")),
    released(2, "Black.", LATER, rewrite="What colour?"),
]


def corrected(study, folder, turns=MENDED, **options):
    """Import turns as the next version."""
    folder.mkdir()
    truth = write_file(folder, turns, "truth.json")
    questions = write_file(folder, QUESTIONS, "questions.json")
    options = {"name": "touch", "questions": str(questions), "new_version": True} | options
    return command("import_dataset", study, truth, **options)


def accepted_texts(version):
    found = Answer.objects.references(version, References.SILVER).exclude(run__tier="")
    return sorted(found.values_list("text", flat=True))


def test_a_release_of_an_older_version_warns_which_turns_come_back(study, dataset, tmp_path, alice):
    corrected(study, tmp_path / "mended")
    of = {"name": "touch", "version": 1, "digest": dataset.digest}
    folder = write_release(tmp_path / "release", RELEASED, dataset=of)

    checked = check(
        study,
        {name: folder / f"{name}.json" for name in ("manifest", "gold", "silver")},
        "release",
    )
    page = client_of(alice).get(job_page(study)).text
    with pytest.raises((CommandError, JobFailedError), match="which differ in 1 turn"):
        read_back(study, folder, new_version=False)
    found = read_back(study, folder)

    for warnings in (checked["warnings"], found["warnings"]):
        (warning,) = warnings
        assert "made of touch@1, and touch@2 is newer" in warning
        assert "which differ in 1 turn (1_2: reference)" in warning
    assert "which differ in 1 turn (1_2: reference)" in page


def test_a_release_of_the_newest_version_or_of_one_with_the_same_turns_warns_of_nothing(
    study, dataset, tmp_path
):
    of = {"name": "touch", "version": 1, "digest": dataset.digest}
    first = read_back(study, write_release(tmp_path / "release", RELEASED, dataset=of))
    second = read_back(study, write_release(tmp_path / "later", TWO, release=4, dataset=of))

    assert first["warnings"] == second["warnings"] == []


def test_a_corrected_version_takes_along_the_accepted_answers_of_the_turns_that_are_the_same(
    study, dataset, tmp_path
):
    read_back(study, write_release(tmp_path / "release", TWO))

    found = corrected(study, tmp_path / "mended")

    third = study.datasets.by_name("touch")
    assert found["name"] == "touch@3"
    assert accepted_texts(third) == ["A dark slab.", "Some rock."]
    assert (third.release["number"], third.release["n_gold"], third.release["n_silver"]) == (
        3,
        1,
        1,
    )
    warning = found["warnings"][-1]
    assert "do not come along for 1 turn that changed or is gone (1_2: 1 answer)" in warning
    assert exported(study, tmp_path / "out")["silver.json"]


def test_the_check_of_a_corrected_version_says_the_same(study, dataset, tmp_path, alice):
    read_back(study, write_release(tmp_path / "release", TWO))

    files = {
        "truth": write_file(tmp_path, MENDED, "mended.json"),
        "questions": write_file(tmp_path, QUESTIONS, "questions.json"),
    }
    checked = check(study, files, "scai")
    page = client_of(alice).get(job_page(study)).text

    assert (checked["counts"]["n_gold"], checked["counts"]["n_silver"]) == (1, 1)
    assert "(1_2: 1 answer)" in checked["warnings"][-1]
    assert "(1_2: 1 answer)" in page
    assert study.datasets.count() == 2


def test_the_same_files_again_change_nothing_after_a_release_was_read(study, dataset, tmp_path):
    read_back(study, write_release(tmp_path / "release", TWO))

    original = corrected(study, tmp_path / "original", TURNS)
    corrected(study, tmp_path / "mended")
    again = corrected(study, tmp_path / "again")

    assert (original["created"], original["name"]) == (False, "touch@2")
    assert (again["created"], again["name"]) == (False, "touch@3")


def test_what_a_correction_took_back_comes_along_again_where_the_turn_is_as_it_was(
    study, dataset, tmp_path
):
    read_back(study, write_release(tmp_path / "release", TWO))
    corrected(study, tmp_path / "mended")

    corrected(study, tmp_path / "as before", TURNS)

    fourth = study.datasets.by_name("touch")
    assert fourth.version == 4
    assert accepted_texts(fourth) == ["A dark slab.", "Dark stone.", "Some rock."]


def test_where_every_turn_with_accepted_answers_changed_the_version_has_read_no_release(
    study, dataset, tmp_path
):
    read_back(
        study,
        write_release(
            tmp_path / "release", [TWO[0], released(2, "Black.", rewrite="What colour?")]
        ),
    )

    corrected(study, tmp_path / "mended", [TURNS[0] | {"Truth_answer": "Shale."}, TURNS[1]])

    third = study.datasets.by_name("touch")
    assert third.release == {}
    assert accepted_texts(third) == []


def test_the_same_release_after_a_correction_says_what_it_does_not_bring_back(
    study, dataset, tmp_path
):
    folder = write_release(tmp_path / "release", TWO)
    read_back(study, folder)
    corrected(study, tmp_path / "mended")

    again = read_back(study, folder)

    assert (again["created"], again["name"]) == (False, "touch@3")
    assert "not those of turns that were changed since (1_2)" in again["warnings"][0]


def check(study, files, format):
    """What the page finds that checks files before they are imported."""
    terms = {"licence": "", "citation": ""}
    settings = {"name": "touch", "as_new_version": True, "format": format} | terms
    params = {"files": {name: str(path) for name, path in files.items()}, "settings": settings}
    job = jobs.start(
        study=study, kind="check_dataset", key="touch", params=params, by=study.created_by
    )
    execution.run(job)
    job.refresh_from_db()
    return job.result


def job_page(study):
    return reverse("job", args=[study.slug, study.jobs.latest("pk").pk])
