"""What people accepted in a release that was read back is not asked again."""

from sampling.queries import turn_answers
from scoring.models import Scorer
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.release_folders import accepted, released, write_release
from tests.whole_way import touchstone


def test_an_accepted_answer_is_closed_to_draws_as_a_reference_is(study, tmp_path):
    first = create_dataset(study, tmp_path, [turn(1, "Slate.")])
    create_run(first, tmp_path, [answer(1, "A dark slab.")])
    records = [released(1, "Slate.", accepted("A dark slab."), accepted("Rock.", "silver"))]
    options = ("--study", study.slug, "--name", "touch", "--format", "release", "--new-version")
    touchstone("import_dataset", *options, write_release(tmp_path / "release", records))
    second = study.datasets.by_name("touch")
    touchstone("score", "--study", study.slug, "--dataset", second, "--metric", "f1")

    (found,) = turn_answers(second, Scorer.objects.get(metric="f1"))

    assert set(found.references) == {"Slate.", "A dark slab.", "Rock."}
    assert found.answers[0].score == 0
