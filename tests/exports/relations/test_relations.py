"""From a release to pairs of its accepted answers, their judgements, and relations.csv of the next release."""

import json
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.test import override_settings
from django.urls import reverse

from annotation.actions import claims, rehearsals, reviews, settlement, withdrawn_batches
from annotation.actions.batches import BatchError
from annotation.models import Batch
from exports.comparison.queries import launched_batches
from exports.models import Release
from exports.relations import queries as relation_queries
from exports.relations.actions import RelationError, draw_pairs
from exports.verification.program import verify
from jobs.actions import execution
from jobs.handlers import JobFailedError
from jobs.models import Job
from sampling.actions.pools import PoolError
from sampling.models import AnswerPair, Pool, Purpose
from sampling.pairs.rule import PairRuleError
from tests.acts_at_once import at_once
from tests.annotation.desk import NOW, submit
from tests.annotation.pools import launched
from tests.commands.command_calls import command_error, run_command
from tests.exports.judged_batches import close_batch, judge_and_settle, release, settle_batch
from tests.exports.releases.stored_release import folder_of
from tests.exports.releases.test_versions import mended, new_version, scores_of  # noqa: F401
from tests.jobs.clients import client_of
from tests.parts import part
from tests.recomputed_tables import table
from tests.sampling.scored_dataset import RULE, create_scored_dataset, draw_pool, import_scores

pytestmark = pytest.mark.usefixtures("releases_of_parts")

BLACK, GREEN, SLATE = "Black.", "Green.", "Slate."
# How the first of two texts relates to the second, whatever order they are shown in.
ALL_SAME = dict.fromkeys(combinations((BLACK, GREEN, SLATE), 2), "same")
CONTRADICTED = ALL_SAME | {(BLACK, SLATE): "contradicts"}
SHORTER = dict.fromkeys(ALL_SAME, "shorter")
CONVERSE = {"shorter": "more_detailed", "more_detailed": "shorter"}


@part
def accepted(study, folder, bob, dora) -> Batch:
    """Three accepted answers to one question, and one to another: three pairs."""
    pool = draw_pool(create_scored_dataset(study, folder), replace(RULE, threshold=0.79))
    return judge_and_settle(launched(pool), bob, dora)


@part
def first(accepted, folder, releases_folder) -> Release:
    with override_settings(RELEASES=releases_folder):
        return first_release(accepted, folder / "1")


def first_release(batch, out) -> Release:
    release(batch, out)
    return Release.objects.select_related("study", "dataset").get()


@part
def pairs(first, alice, releases_folder) -> Pool:
    with override_settings(RELEASES=releases_folder):
        return draw_pairs(release=first, name="pairs", n=10, seed=1, by=alice)


def label_of(item, relations):
    """The label of the pair as this item shows it."""
    shown = tuple(each["text"] for each in item.payload["answers"])
    if shown in relations:
        return relations[shown]
    label = relations[shown[::-1]]
    return CONVERSE.get(label, label)


def judged(batch, relations, *people):
    for person in people:
        while held := claims.claim(batch=batch, by=person, now=NOW):
            submit(held[0], label_of(held[0].item, relations))
    return batch


def related(pool, relations, *people, name="relation"):
    """A batch on the pairs, closed and settled."""
    batch = launched(pool, scheme="relation", name=name)
    return settle_batch(close_batch(judged(batch, relations, *people)))


@part
def contradicted(pairs, bob, dora, folder, releases_folder) -> Path:
    """The folder of a release in which two pairs of the same answers have a third that contradicts."""
    with override_settings(RELEASES=releases_folder):
        release(related(pairs, CONTRADICTED, bob, dora), folder / "2")
    return folder / "2"


def in_file(folder):
    """The relations of relations.csv by texts."""
    rows = table(folder, "relations")
    return {(row["first_answer"], row["second_answer"]): row["relation"] for row in rows}


def complaints(folder):
    return [str(each) for of in verify(folder).found.values() for each in of.problems]


def test_every_pair_of_accepted_answers_of_a_question_is_drawn_as_a_pool(pairs, accepted):
    shown = {frozenset((pair.first.text, pair.second.text)) for pair in pairs.pairs.all()}

    assert pairs.purpose == Purpose.PAIRS
    assert shown == set(map(frozenset, ALL_SAME))
    assert set(pairs.candidates.values_list("source__pool", flat=True)) == {accepted.pool_id}
    assert pairs.counts == {
        "n_candidates": 3,
        "n_turns": 1,
        "n_pairs": 3,
        "n_pairs_drawn_from": 3,
        "n_pairs_earlier": 0,
    }


def test_an_answer_that_is_not_accepted_is_in_no_pair(accepted, alice, carol, tmp_path):
    item = accepted.items.get(answers__candidate__text=SLATE)
    reviews.adjudicate(item=item, label="implausible", reason="A stone is no colour.", by=carol)
    release(accepted, tmp_path / "1")

    pool = draw_pairs(release=Release.objects.get(), name="pairs", n=10, seed=1, by=alice)

    assert [{pair.first.text, pair.second.text} for pair in pool.pairs.all()] == [{BLACK, GREEN}]


def test_pairs_that_were_drawn_are_not_drawn_again_until_their_pool_is_withdrawn(first, alice):
    one = draw_pairs(release=first, name="one", n=1, seed=1, by=alice)
    rest = draw_pairs(release=first, name="rest", n=10, seed=2, by=alice)

    assert (rest.counts["n_pairs"], rest.counts["n_pairs_earlier"]) == (2, 1)
    with pytest.raises(RelationError, match=r"all 3 pairs .* were drawn before"):
        draw_pairs(release=first, name="none", n=10, seed=3, by=alice)
    Pool.objects.filter(pk=one.pk).update(is_withdrawn=True)
    assert draw_pairs(release=first, name="again", n=10, seed=3, by=alice).counts["n_pairs"] == 1


@pytest.mark.parametrize("changed", [2, 3])
def test_on_a_later_version_pairs_of_a_changed_question_are_drawn_again(
    changed,
    pairs,
    new_version,  # noqa: F811
    alice,
    bob,
    dora,
    tmp_path,
):
    """The relations of the others are known in that version."""
    later = new_version(mended(changed, Truth_rewrite="Which one is it?"))
    import_scores(later, tmp_path, scores_of(later))
    rule = replace(RULE, threshold=0.79)
    again = judge_and_settle(
        launched(draw_pool(later, rule, name="again"), name="again"), bob, dora
    )
    release(again, tmp_path / "2")
    draw = partial(draw_pairs, release=Release.objects.get(number=2), n=10, seed=1, by=alice)

    if changed == 3:
        with pytest.raises(RelationError, match="all 3 pairs"):
            draw(name="later")
    else:
        assert draw(name="later").counts["n_pairs"] == 3


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_draws_at_once_share_no_pair(first, study, alice):
    draws = [
        partial(draw_pairs, release=first, name=name, n=2, seed=1, by=alice)
        for name in ("one", "two", "three")
    ]

    one, two, three = at_once(study, *draws)

    assert (one.counts["n_pairs"], two.counts["n_pairs"], two.counts["n_pairs_earlier"]) == (
        2,
        1,
        2,
    )
    assert "all 3 pairs" in str(three)
    drawn = [{pair.first.text, pair.second.text} for pair in AnswerPair.objects.all()]
    assert len(set(map(frozenset, drawn))) == 3


def test_a_release_that_is_withdrawn_while_its_files_are_read_is_refused(first, alice, monkeypatch):
    texts = relation_queries.accepted_texts

    def while_it_is_withdrawn(release):
        Release.objects.update(is_withdrawn=True)
        return texts(release)

    monkeypatch.setattr(relation_queries, "accepted_texts", while_it_is_withdrawn)

    with pytest.raises(RelationError, match="release 1 is withdrawn: bring it back first"):
        draw_pairs(release=first, name="pairs", n=2, seed=1, by=alice)
    assert not Pool.objects.filter(name="pairs").exists()


def test_what_cannot_be_drawn_is_refused_with_the_reason(first, pairs, alice):
    with pytest.raises(PairRuleError, match="has to be 1 to"):
        draw_pairs(release=first, name="none", n=0, seed=1, by=alice)
    Pool.objects.filter(pk=pairs.pk).update(is_withdrawn=True)
    with pytest.raises(PoolError, match="there is a pool pairs already"):
        draw_pairs(release=first, name="pairs", n=5, seed=1, by=alice)
    (folder_of(first) / "answers.csv").write_text("other")
    with pytest.raises(RelationError, match=r"answers\.csv is not what was released"):
        draw_pairs(release=first, name="other", n=5, seed=1, by=alice)
    Release.objects.update(is_withdrawn=True)
    with pytest.raises(RelationError, match="release 1 is withdrawn"):
        draw_pairs(release=first, name="other", n=5, seed=1, by=alice)


def test_a_release_without_two_accepted_answers_to_a_question_has_no_pair(
    pool, bob, dora, alice, tmp_path
):
    batch = judge_and_settle(launched(pool), bob, dora, label="implausible")
    release(batch, tmp_path / "1")

    with pytest.raises(RelationError, match="no question of release 1 has two accepted answers"):
        draw_pairs(release=Release.objects.get(), name="pairs", n=5, seed=1, by=alice)


def test_the_database_keeps_a_pair_once_in_either_order_and_of_two_answers(pairs):
    pair = pairs.pairs.first()

    for first, second in (
        (pair.first, pair.second),
        (pair.second, pair.first),
        (pair.first, pair.first),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            AnswerPair.objects.create(pool=pairs, first=first, second=second, position=9)
    with pytest.raises(IntegrityError), transaction.atomic():
        AnswerPair.objects.filter(pk=pair.pk).update(position=0)


def test_an_item_shows_question_and_answers_in_the_order_of_the_draw_and_nothing_else(pairs):
    batch = launched(pairs, scheme="relation")

    shown = [tuple(each["text"] for each in item.payload["answers"]) for item in batch.items.all()]

    assert sorted(shown) == sorted(
        (pair.first.text, pair.second.text) for pair in pairs.pairs.all()
    )
    assert {frozenset(item.payload) for item in batch.items.all()} == {
        frozenset({"question", "context", "answers"})
    }


def test_everybody_sees_a_pair_in_the_same_order(pairs, bob, dora):
    batch = judged(launched(pairs, scheme="relation"), ALL_SAME, bob, dora)

    orders = [
        assignment.judgements.get().order
        for item in batch.items.all()
        for assignment in item.assignments.all()
    ]
    assert orders == [[1, 2]] * 6


def test_only_a_batch_of_relation_asks_about_pairs_and_it_about_nothing_else(pairs, accepted):
    for pool, scheme in (
        (pairs, "plausibility"),
        (pairs, "preference"),
        (accepted.pool, "relation"),
    ):
        with pytest.raises(BatchError, match="needs a pool of"):
            launched(pool, scheme=scheme, name="wrong")
    with pytest.raises(BatchError, match="leave the opponents out"):
        launched(pairs, scheme="relation", name="wrong", opponents_per_answer=2)


@pytest.mark.parametrize("seed", range(4))
def test_the_release_has_the_relation_of_the_first_id_to_the_second_whatever_was_shown_first(
    seed, first, alice, bob, dora, tmp_path
):
    pool = draw_pairs(release=first, name="pairs", n=10, seed=seed, by=alice)
    batch = related(pool, SHORTER, bob, dora)

    release(batch, tmp_path / "2")

    for texts, relation in in_file(tmp_path / "2").items():
        assert relation == (SHORTER.get(texts) or "more_detailed")
    shown = {(pair.first.text, pair.second.text) for pair in pool.pairs.all()}
    for row in table(tmp_path / "2", "relations"):
        both = (row["first_answer"], row["second_answer"])
        assert (row["is_first_shown_first"] == "true") == (both in shown)
        assert row["first_id"] < row["second_id"]
        assert json.loads(row["votes"]) == {row["relation"]: 2}
    assert complaints(tmp_path / "2") == []


def test_agreement_is_computed_with_the_order_undone(pairs, bob, dora, tmp_path):
    batch = related(pairs, SHORTER | {(BLACK, SLATE): "other_aspect"}, bob, dora)

    release(batch, tmp_path / "2")

    report = json.loads((tmp_path / "2" / "report.json").read_text("utf-8"))
    figures = next(each for each in report["batches"] if each["batch"] == "relation")
    agreement = figures["agreement"]["relation"]
    assert (agreement["level"], agreement["raw"]["value"]) == ("nominal", 1)
    assert agreement["alpha"]["value"] == 1
    in_files = {row["relation"] for row in table(tmp_path / "2", "relations")}
    assert set(figures["verdicts"]) == set(agreement["prevalence"]) == in_files


def test_clusters_follow_same_only_and_what_breaks_transitivity_is_listed(contradicted):
    rows = table(contradicted, "relations")
    report = json.loads((contradicted / "report.json").read_text("utf-8"))["relations"]
    first_id = min(row["first_id"] for row in rows)
    (broken,) = [row for row in rows if row["breaks_transitivity"] == "true"]
    assert {row["first_cluster"] for row in rows} | {row["second_cluster"] for row in rows} == {
        first_id
    }
    assert {broken["first_answer"], broken["second_answer"]} == {BLACK, SLATE}
    assert (report["n_pairs"], report["n_decided"], report["n_clusters"]) == (3, 3, 1)
    assert report["by_relation"] == {"same": 2, "contradicts": 1}
    assert report["by_size"] == [{"n_answers": 3, "n_clusters": 1}]
    assert [each["relation"] for each in report["breaks_transitivity"]] == ["contradicts"]
    assert complaints(contradicted) == []


def test_relations_change_no_accepted_answer_and_enter_no_comparison(first, contradicted, study):
    before = folder_of(first)
    for name in ("gold.json", "silver.json", "answers.csv", "per_run.csv", "precision.csv"):
        assert (contradicted / name).read_bytes() == (before / name).read_bytes()
    runs = [json.loads((at / "report.json").read_text("utf-8")) for at in (before, contradicted)]
    assert runs[0]["runs"] == runs[1]["runs"]
    assert not launched_batches(study).exists()


def test_a_dispute_is_settled_by_an_adjudicator_in_the_words_of_the_screen(
    pairs, bob, dora, carol, tmp_path
):
    batch = launched(pairs, scheme="relation")
    judged(batch, SHORTER, bob)
    judged(batch, ALL_SAME, dora)
    settle_batch(close_batch(batch))
    assert batch.items.filter(verdicts__state="disputed").count() == 3
    for item in batch.items.all():
        label = label_of(item, SHORTER)
        reviews.adjudicate(item=item, label=label, reason="It says less.", by=carol)

    release(batch, tmp_path / "2")

    rows = table(tmp_path / "2", "relations")
    assert {row["source"] for row in rows} == {"adjudication"}
    for row in rows:
        texts = (row["first_answer"], row["second_answer"])
        assert row["relation"] == (SHORTER.get(texts) or "more_detailed")
        assert json.loads(row["votes"]) == {row["relation"]: 1, "same": 1}
    assert complaints(tmp_path / "2") == []


def test_of_two_batches_about_a_pair_the_later_one_decides(pairs, bob, dora, tmp_path):
    related(pairs, ALL_SAME, bob, dora)
    batch = related(pairs, SHORTER, bob, dora, name="again")

    release(batch, tmp_path / "2")

    rows = table(tmp_path / "2", "relations")
    report = json.loads((tmp_path / "2" / "report.json").read_text("utf-8"))
    assert {(row["batch"], row["is_newest"]) for row in rows} == {
        ("relation", "false"),
        ("again", "true"),
    }
    assert (report["relations"]["n_pairs"], report["relations"]["n_clusters"]) == (3, 3)
    assert report["conflicts"] == []
    assert complaints(tmp_path / "2") == []


def test_a_rehearsed_batch_on_pairs_is_released_as_a_rehearsal(accepted, alice, tmp_path):
    rehearsed = launched(accepted.pool, name="rehearsed")
    rehearsals.rehearse(batch=rehearsed, n_annotators=4, accuracy=1.0, seed=3, by=alice)
    settlement.settle(batch=close_batch(rehearsed), rule="majority", by=alice)
    release(rehearsed, tmp_path / "1", is_rehearsal=True, set_aside_disputes=True)
    pool = draw_pairs(release=Release.objects.get(), name="pairs", n=9, seed=1, by=alice)
    batch = launched(pool, scheme="relation")
    rehearsals.rehearse(batch=batch, n_annotators=4, accuracy=1.0, seed=3, by=alice)
    settlement.settle(batch=close_batch(batch), rule="unanimous", by=alice)

    release(batch, tmp_path / "2", is_rehearsal=True, set_aside_disputes=True)

    assert pool.is_rehearsal
    rows = table(tmp_path / "2", "relations")
    assert len(rows) == pool.counts["n_pairs"] > 0
    assert {row["state"] for row in rows} == {"decided"}  # nobody errs, in whatever order
    assert complaints(tmp_path / "2") == []


def test_without_a_batch_of_pairs_the_table_is_empty(first):
    assert table(folder_of(first), "relations") == []
    report = json.loads((folder_of(first) / "report.json").read_text("utf-8"))
    assert report["relations"]["n_pairs"] == report["relations"]["n_clusters"] == 0


def test_a_withdrawn_batch_leaves_its_relations_out(pairs, alice, bob, dora, accepted, tmp_path):
    batch = related(pairs, ALL_SAME, bob, dora)
    withdrawn_batches.withdraw(batch=batch, reason="Another guideline.", by=alice)

    release(accepted, tmp_path / "2")

    assert table(tmp_path / "2", "relations") == []


def test_the_page_of_the_release_leads_to_the_form_which_draws(first, alice):
    client, slug = client_of(alice), first.study.slug
    where = reverse("release_pairs", args=[slug, 1])

    assert where in client.get(reverse("release", args=[slug, 1])).text
    assert "pairs-1-1" in client.get(where).text
    wrong = client.post(where, {"name": "", "n": "0", "seed": "1"})
    started = client.post(where, {"name": "pairs", "n": "2", "seed": "1"})

    assert wrong.status_code == 400
    assert not Pool.objects.filter(name="pairs").exists()
    job = execution.run(Job.objects.get(kind="draw_pairs"))
    assert started.url == reverse("job", args=[slug, job.pk])
    pool = Pool.objects.get(name="pairs")
    where_drawn = reverse("pool", args=[slug, pool.pk])
    assert f'href="{where_drawn}"' in client.get(started.url).text
    page = client.get(where_drawn).text
    assert "2 of 3" in page
    assert BLACK in page
    assert f"{reverse('batch_new', args=[slug])}?pool={pool.pk}" in page
    again = client.post(where, {"name": "pairs", "n": "2", "seed": "1"})
    assert again.status_code == 400
    assert "There is a pool pairs already" in again.text
    assert "Their pairs are not drawn again" in again.text


def test_the_page_reads_no_file_of_the_release_and_the_job_says_what_is_wrong_with_one(
    first, alice
):
    (folder_of(first) / "answers.csv").unlink()
    client, where = client_of(alice), reverse("release_pairs", args=[first.study.slug, 1])

    assert client.get(where).status_code == 200
    started = client.post(where, {"name": "pairs", "n": "2", "seed": "1"})
    with pytest.raises(JobFailedError):
        execution.run(Job.objects.get(kind="draw_pairs"))

    assert "The files of release 1 cannot be read" in client.get(started.url).text


def test_the_page_of_the_release_shows_what_people_said(contradicted, study, alice):
    page = client_of(alice).get(reverse("release", args=[study.slug, 2])).text

    assert "Relations of accepted answers" in page
    assert "Pairs that break transitivity" in page
    assert "contradicts" in page


def test_the_command_draws_and_names_what_is_wrong(first):
    study = ("--study", first.study.slug)

    made = run_command("draw_pairs", 1, *study, "--n", 2, "--seed", 5)

    assert (made["pool"], made["release"], made["n_pairs"]) == ("pairs-1-5", 1, 2)
    assert "no release 7" in command_error("draw_pairs", 7, *study)
    assert "--n: Ensure this value is greater" in command_error("draw_pairs", 1, *study, "--n", 0)
