"""The same rule, data and seed draw the same pools on every database and machine.

The digests were written down on SQLite; `database` has this run on PostgreSQL too, whose order of texts,
numbers and empty values is another one.
"""

import hashlib
import json
from dataclasses import replace

import pytest

from jobs.actions import execution
from sampling.actions import pool_chunks, surveys
from sampling.models import Candidate, EvidenceSpan, Fate, SpanMatch
from sampling.pools.rule import Rule
from scoring import queries as scoring_tables
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, draw_pool, evidence_rule, import_scores

pytestmark = pytest.mark.database

# Equal scores, so that the texts decide; and texts that collations order in other ways than code points do.
TEXTS = [
    "Zebra stone",
    "zebra",
    "Äpfel",
    "apfel stone",
    "Apfel",
    "_under",
    "éclair",
    "Éclair stone",
    "石头",
    " 石",
]
PASSAGE = "Zebra stone is a stone. The apfel, and Äpfel too, were in an éclair. Nobody was _under it. 石头很黑。"
RULE = Rule(scorer="paper", threshold=0.5, min_candidates=2, cap_per_turn=4, seed=7, near=0.8)

DRAWN, DRAWN_BY_ANOTHER_SEED = "1added3daf3f5ad5", "00dfdfa3a370f00c"
OF_SOME_TURNS = "77b5ae86dce443fb"
EVIDENCE = "75bbec42e2f3fa15"


@part
def dataset(study, folder):
    turns = [turn(n, "A dark tablet.") for n in range(1, 6)]
    passages = passage_table(*((f"1_{n}", f"p{n}", PASSAGE) for n in range(1, 6)))
    dataset = create_dataset(study, folder, turns, passages=passages)
    scores = {}
    for place, text in enumerate(TEXTS):
        name = f"{'Ää_aZz éE'[place % 9]}{place}".replace(" ", "-")
        create_run(dataset, folder, [answer(n, f"{text} {n}") for n in range(1, 6)], name=name)
        scores[name] = [(f"1_{n}", 0.5 + 0.1 * ((place + n) % 3)) for n in range(1, 6)]
    import_scores(dataset, folder, scores)
    return dataset


def digest(rows):
    plain = json.dumps(sorted(map(list, rows), key=json.dumps), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def candidates_and_fates(pool):
    candidates = Candidate.objects.filter(pool=pool)
    fates = Fate.objects.filter(pool=pool)
    return digest(
        [
            *candidates.values_list("turn__number", "text", "score", "inclusion_probability"),
            *fates.values_list(
                "answer__turn__number", "answer__run__name", "state", "candidate__text"
            ),
        ]
    )


def evidence(pool):
    spans = EvidenceSpan.objects.filter(pool=pool)
    matches = SpanMatch.objects.filter(span__pool=pool)
    return digest(
        [
            *spans.values_list("turn__number", "passage__docid", "position", "start", "end"),
            *matches.values_list("span__turn__number", "span__position", "candidate__text", "f1"),
            *Candidate.objects.filter(pool=pool).values_list("turn__number", "text"),
        ]
    )


def test_the_same_rule_and_seed_draw_the_same_pool(dataset):
    pool = draw_pool(dataset, RULE)

    assert pool.counts["n_candidates"] == 20
    assert pool.counts["n_merged"] > 0
    assert candidates_and_fates(pool) == DRAWN
    assert (
        candidates_and_fates(draw_pool(dataset, replace(RULE, seed=8), name="other"))
        == DRAWN_BY_ANOTHER_SEED
    )


def test_the_same_turns_are_drawn_at_once_and_in_parts(dataset, study, alice, monkeypatch):
    rule = replace(RULE, n_turns=3, strata="depth", allocation="equal", prefer="disagreement")
    pool = draw_pool(dataset, rule, name="at once")
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    execution.run(
        surveys.begin(dataset=dataset, scorer=pool.scorer, bag=rule.bag, near=rule.near, by=alice)
    )

    begun = pool_chunks.begin(study=study, dataset=dataset, name="parts", rule=rule, by=alice)
    execution.run(begun)

    assert (pool.counts["n_turns"], pool.counts["n_turns_not_drawn"]) == (3, 2)
    parts = study.pools.get(name="parts")
    assert candidates_and_fates(pool) == candidates_and_fates(parts) == OF_SOME_TURNS
    assert parts.counts == pool.counts


def test_in_parts_it_is_the_same_pool(dataset, study, alice, monkeypatch):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    begun = pool_chunks.begin(study=study, dataset=dataset, name="pool", rule=RULE, by=alice)
    execution.run(begun)

    assert candidates_and_fates(study.pools.get()) == DRAWN


def test_the_same_rule_and_seed_take_the_same_sample_and_find_the_same_evidence(dataset, study):
    execution.run(begin_evidence(draw_pool(dataset, RULE), evidence_rule(sample=7, seed=3)))

    pool = study.pools.get(name="evidence")
    assert pool.counts["n_candidates"] == 7
    assert evidence(pool) == EVIDENCE
