"""Which teams offered the passages of extracted sentences, read from the database."""

from exports.leave_one_team_out.figures import OFFERED
from exports.leave_one_team_out.queries import givers_of_passages
from jobs.actions import execution
from sampling.actions import extracted_answers
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, draw_pool, import_scores

PASSAGES = (
    '{"id": "cited", "text": "Tablets can test gold."}\n'
    '{"id": "named", "text": "A tablet will test gold."}\n'
    '{"id": "other", "text": "A tablet to test silver."}\n'
)
TABLET = "A tablet to test gold."


@part
def extracted(study, folder):
    """alder and birch, of one team, and cedar cite; the truth names another passage; one is cited elsewhere."""
    turns = [turn(1, "A touchstone.", passages=["named"]), turn(2, "Black.")]
    dataset = create_dataset(study, folder, turns, passages=PASSAGES)
    cites = {"Model_passages": {"cited": 1.0}}
    for name, team in (("alder", "Trees"), ("birch", "Trees"), ("cedar", "")):
        create_run(dataset, folder, [answer(1, TABLET, **cites)], name=name, team=team)
    elsewhere = answer(2, "Dark.", Model_passages={"cited": 1.0})
    create_run(dataset, folder, [elsewhere], name="dogwood", team="Others")
    import_scores(dataset, folder, {"alder": [("1_1", 0.9)]})
    execution.run(begin_evidence(draw_pool(dataset)))
    evidence = study.pools.get(name="evidence")
    execution.run(extracted_answers.begin(pool=evidence, name="extracted", by=dataset.created_by))
    return dataset


def test_each_passage_is_of_the_teams_that_cite_it_for_the_turn(extracted):
    assert givers_of_passages(extracted) == {
        ("1_1", "cited"): {"Trees", "\0cedar"},
        ("1_1", "named"): {OFFERED},
    }


def test_withdrawn_runs_offer_nothing(extracted):
    extracted.runs.filter(name="cedar").update(is_withdrawn=True)

    assert givers_of_passages(extracted)["1_1", "cited"] == {"Trees"}


def test_without_sentences_nothing_is_read(extracted, django_assert_num_queries):
    extracted.runs.filter(kind="extracted").update(is_withdrawn=True)

    with django_assert_num_queries(1):
        assert givers_of_passages(extracted) == {}
