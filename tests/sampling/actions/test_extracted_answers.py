"""Runs of sentences of evidence: what is in them, and what stands in the way."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from audit.models import Event
from corpus.models import Answer, Citation, RunKind
from jobs.actions import execution
from jobs.handlers import JobFailedError
from sampling.actions import extracted_answers
from sampling.actions.pools import PoolError
from tests.parts import part
from tests.sampling.scored_dataset import RULE, begin_evidence, draw_pool, import_scores


@part
def evidence(dataset):
    drawn = draw_pool(dataset)
    execution.run(begin_evidence(drawn))
    return drawn.study.pools.get(name="evidence")


def extract(pool, by, **options):
    return execution.run(
        extracted_answers.begin(pool=pool, name="extracted", by=by, **options)
    ).result


def texts(dataset):
    answers = Answer.objects.filter(run__dataset=dataset, run__kind=RunKind.EXTRACTED)
    return set(answers.values_list("run__name", "turn__number", "text"))


def test_the_sentences_become_runs_of_the_kind_with_one_answer_a_turn(evidence, alice):
    found = extract(evidence, alice)

    assert texts(evidence.dataset) == {
        ("extracted", 1, "It is used to test gold."),
        ("extracted", 2, "Most of them are black."),
        ("extracted 2", 1, "A touchstone is a small dark tablet."),
        ("extracted 2", 2, "Some are green."),
    }
    assert found == {
        "runs": ["extracted", "extracted 2"],
        "n_sentences": 4,
        "n_turns": 2,
        "n_equal": 0,
        "n_beyond": 0,
    }


def test_each_sentence_quotes_the_passage_that_it_stands_in(evidence, alice):
    extract(evidence, alice)

    cited = Citation.objects.filter(answer__run__kind=RunKind.EXTRACTED)
    assert {(each.passage.docid, each.quote_status) for each in cited} == {
        ("touch", "usable"),
        ("colour", "usable"),
    }
    assert all(each.quote == each.answer.text for each in cited)


def test_the_history_says_who_took_sentences_of_which_pool(evidence, alice):
    extract(evidence, alice, most=1)

    event = Event.objects.get(verb="took sentences of")
    assert (event.actor, event.target) == (alice.username, "pool evidence")
    assert (event.details["runs"], event.details["n_beyond"]) == (["extracted"], 2)


def test_a_sentence_that_is_a_candidate_is_not_asked_about_again(evidence, alice, tmp_path):
    """Once drawn, the first sentences are candidates: of the pool only the others are left."""
    extract(evidence, alice, most=1)
    import_scores(evidence.dataset, tmp_path, {"extracted": [("1_1", 0.9), ("1_2", 0.9)]})
    draw_pool(evidence.dataset, name="more")

    again = extracted_answers.choose(evidence)

    assert (again.n_sentences, again.n_equal) == (2, 2)


def test_they_are_drawn_by_the_usual_rule(evidence, alice, tmp_path):
    extract(evidence, alice)
    import_scores(evidence.dataset, tmp_path, {"extracted": [("1_1", 0.9), ("1_2", 0.7)]})

    drawn = draw_pool(evidence.dataset, name="all")

    credited = drawn.fates.filter(state="drawn", answer__run__kind=RunKind.EXTRACTED)
    assert [each.answer.text for each in credited] == ["It is used to test gold."]
    assert drawn.rule == RULE.to_dict()


def test_runs_that_are_there_are_not_written_again(evidence, alice):
    extract(evidence, alice)

    with pytest.raises(PoolError, match=r"has a run extracted already: choose another name"):
        extracted_answers.begin(pool=evidence, name="extracted", by=alice)


def test_a_name_taken_of_a_later_rank_writes_nothing(evidence, alice):
    job = extracted_answers.begin(pool=evidence, name="extracted", by=alice)
    evidence.dataset.runs.filter(name="fir").update(name="extracted 2")

    with pytest.raises(JobFailedError, match="has a run extracted 2 already"):
        execution.run(job)

    assert texts(evidence.dataset) == set()


def test_a_name_that_no_run_can_have_is_refused(evidence, alice):
    with pytest.raises(ValidationError):
        extracted_answers.begin(pool=evidence, name="a\nb", by=alice)


def test_a_pool_of_answers_has_no_sentences(evidence, alice):
    pool = evidence.study.pools.get(name="pool")

    with pytest.raises(PoolError, match="has no evidence"):
        extracted_answers.begin(pool=pool, name="extracted", by=alice)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"is_rehearsal": True}, "is a rehearsal"),
        ({"is_withdrawn": True}, "is withdrawn"),
        ({"built_at": None}, "is still being built"),
    ],
)
def test_a_pool_that_is_not_in_use_gives_none(change, why, evidence, alice):
    for field, value in change.items():
        setattr(evidence, field, value)
    evidence.save()

    with pytest.raises(PoolError, match=why):
        extracted_answers.begin(pool=evidence, name="extracted", by=alice)


def test_fewer_than_one_sentence_is_refused(evidence, alice):
    with pytest.raises(PoolError, match="has to be 1 or more"):
        extracted_answers.begin(pool=evidence, name="extracted", most=0, by=alice)


def test_without_any_sentence_left_it_says_so(evidence, alice, tmp_path):
    extract(evidence, alice)
    scores = [("1_1", 0.9), ("1_2", 0.9)]
    import_scores(evidence.dataset, tmp_path, {"extracted": scores, "extracted 2": scores})
    draw_pool(evidence.dataset, name="more")

    with pytest.raises(PoolError, match="each of the 4 sentences"):
        extracted_answers.choose(evidence)


def test_a_withdrawn_pools_candidates_are_asked_about_no_more(evidence, alice):
    """Whatever was drawn and withdrawn may be asked about again."""
    drawn = evidence.study.pools.get(name="pool")
    drawn.candidates.filter(text="Green.").update(text="Some are green.")
    drawn.is_withdrawn, drawn.built_at = True, timezone.now()
    drawn.save()

    assert extracted_answers.choose(evidence).n_sentences == 4
