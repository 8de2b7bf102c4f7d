"""The evidence for the references of all turns: which sentences, of which passages, and who sees it."""

import pytest

from jobs.actions import execution
from sampling.actions import reference_evidence
from sampling.actions.pools import PoolError
from sampling.actions.reference_evidence import ReferenceEvidenceRule
from sampling.models import EvidenceSpan, Pool, Purpose, SpanMatch
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.parts import part

RULE = ReferenceEvidenceRule(scorer="none", sas_threshold=None)
PASSAGES = (
    '{"id": "touch", "text": "A touchstone is a dark stone. Buy shoes."}\n'
    '{"id": "colour", "text": "They are as dark as coal. Some are green."}\n'
)


@part
def cited(study, folder):
    """The first turn's truth names a passage, the second's is cited by a run; the third has no reference."""
    turns = [
        turn(1, "A dark stone.", passages=["touch"]),
        turn(2, "As dark as coal."),
        turn(3, ""),
        turn(4, "Nothing says this."),
    ]
    dataset = create_dataset(study, folder, turns, passages=PASSAGES)
    run = [answer(2, "Black.", Model_passages={"colour": 1.0})]
    create_run(dataset, folder, run, name="alder")
    return dataset


def find(dataset, name="references", rule=RULE):
    return reference_evidence.begin(
        dataset=dataset, name=name, rule=rule, model="none", by=dataset.created_by
    )


def found(pool):
    return [
        (span.turn.key, span.passage.docid, span.passage.text[span.start : span.end])
        for span in EvidenceSpan.objects.filter(pool=pool).order_by("turn_id", "position")
    ]


def test_each_turns_reference_is_looked_for_in_all_its_passages(cited):
    result = execution.run(find(cited)).result

    pool = Pool.objects.get(name="references")
    assert found(pool) == [
        ("1_1", "touch", "A touchstone is a dark stone."),
        ("1_2", "colour", "They are as dark as coal."),
    ]
    assert (pool.purpose, pool.candidates.count()) == (Purpose.REFERENCES, 0)
    assert {key: result[key] for key in ("n_turns", "n_turns_with_evidence", "n_spans")} == {
        "n_turns": 3,
        "n_turns_with_evidence": 2,
        "n_spans": 2,
    }


def test_every_sentence_is_found_for_the_reference(cited):
    execution.run(find(cited))

    matches = SpanMatch.objects.filter(span__pool__name="references")
    assert [each.candidate_id for each in matches] == [None, None]


def test_nobody_can_be_asked_about_it(cited):
    execution.run(find(cited))

    assert not Pool.objects.usable().filter(name="references").exists()


def test_the_same_search_goes_on_where_it_stopped(cited):
    job = find(cited)

    assert find(cited).pk == job.pk
    execution.run(job)
    with pytest.raises(PoolError, match="there is a pool references already"):
        find(cited)


def test_another_rule_needs_another_name(cited):
    find(cited)

    with pytest.raises(PoolError, match="there is a pool references already"):
        find(cited, rule=ReferenceEvidenceRule("none", None, threshold=0.5))


@pytest.mark.parametrize("change", [{"threshold": float("nan")}, {"max_words": 0}])
def test_an_invalid_rule_takes_no_name(change, cited):
    with pytest.raises(PoolError, match="has to be"):
        find(cited, rule=ReferenceEvidenceRule("none", None, **change))

    assert not Pool.objects.exists()


def test_a_data_set_without_references_has_nothing_to_look_for(study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, "")])

    with pytest.raises(PoolError, match="no turn of touch@1 has a reference"):
        find(dataset)
