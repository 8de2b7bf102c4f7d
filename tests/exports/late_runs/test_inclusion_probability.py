"""What a topped-up run gave too is asked about for certain: the top-up would have drawn what a cap left out."""

from dataclasses import replace

import pytest

from exports.rows.inclusion_probability import inclusion_probabilities
from sampling.actions import top_ups
from sampling.models import Candidate
from scoring.text_hashes import text_sha256
from tests.corpus.imports import answer, create_run
from tests.sampling.scored_dataset import RULE, create_scored_dataset, draw_pool, import_scores

pytestmark = pytest.mark.django_db


def test_an_answer_under_a_cap_is_certain_once_a_topped_up_run_gave_it(study, tmp_path):
    dataset = create_scored_dataset(study, tmp_path)
    pool = draw_pool(dataset, replace(RULE, cap_per_turn=1))
    capped = Candidate.objects.get(pool=pool, turn__number=2)
    given = [answer(1, "A pebble."), answer(2, capped.text)]
    late = create_run(dataset, tmp_path, given, name="kestrel")
    import_scores(dataset, tmp_path, {"kestrel": [("1_1", 0.9), ("1_2", capped.score)]})

    top_up = top_ups.draw(pool=pool, run=late, name="top-up", by=pool.created_by)

    key = (capped.turn_id, text_sha256(capped.text))
    assert inclusion_probabilities([pool])[key] == 0.5
    assert inclusion_probabilities([pool, top_up])[key] == 1
