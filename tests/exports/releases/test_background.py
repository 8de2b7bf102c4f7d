"""What annotators said of themselves in a release: exports/rows/background.py."""

import pytest
from django.urls import reverse

from annotation.models import Judgement
from exports.models import Release
from exports.personal_data import actions as personal_data
from exports.releases import actions as release_actions
from exports.rows.background import Included, background_rows
from exports.rows.judgements import judgement_rows
from exports.verification.program import verify
from jobs.actions import execution
from jobs.models import Job
from tests.accounts.background import TEXT, ask, say
from tests.annotation.desk_pages import client_of
from tests.commands.command_calls import run_command
from tests.conftest import member
from tests.exports.judged_batches import manifest_of, reject, release
from tests.exports.releases.stored_release import folder_of
from tests.factories import UserFactory
from tests.recomputed_tables import table


@pytest.fixture
def batch(study, plausibility, bob, dora, alice):
    """Two people judged and answered; a third was asked and did not judge."""
    ask(study)
    say(study, bob, "Often", "At home, =1+1")
    say(study, dora, "", "")
    say(study, member(study, "erin", "annotator", by=alice), "Never", "At sea")
    plausibility.refresh_from_db()
    return plausibility


def released(batch, out, **options):
    release(batch, out, **options)
    rows = table(out, "background")
    outcome = verify(out)
    assert [str(each) for of in outcome.found.values() for each in of.problems] == []
    return [(row["annotator"], row["question"], row["kind"], row["answer"]) for row in rows]


def pseudonym(study, person):
    return study.memberships.get(user=person).pseudonym


def test_a_release_has_the_choices_of_whoever_judged_and_no_words(batch, study, bob, tmp_path):
    rows = released(batch, tmp_path / "release")

    assert rows == [(pseudonym(study, bob), "Do you sail?", "choice", "Often")]
    assert manifest_of(tmp_path / "release")["background"] == "choices"


def test_with_all_answers_it_has_those_in_words_too(batch, study, bob, tmp_path):
    rows = released(batch, tmp_path / "release", background=Included.ALL)

    assert rows[1:] == [
        (pseudonym(study, bob), "Where did you learn it?", "words", "At home, =1+1")
    ]


def test_it_can_leave_all_out(batch, tmp_path):
    assert released(batch, tmp_path / "release", background=Included.NONE) == []
    assert manifest_of(tmp_path / "release")["background"] == "none"


def test_a_study_that_asks_nothing_has_an_empty_table_and_no_word_in_the_manifest(
    plausibility, tmp_path
):
    assert released(plausibility, tmp_path / "release") == []
    assert "background" not in manifest_of(tmp_path / "release")


def test_somebody_whose_judgements_do_not_count_is_not_in_it(batch, study, bob):
    for judgement in Judgement.objects.filter(assignment__annotator=bob):
        reject(judgement)

    assert background_rows(study, judgement_rows([batch]), Included.ALL) == []


def test_a_question_that_is_asked_no_more_is_in_no_release(batch, study, tmp_path):
    ask(study, TEXT.split("\n\n")[1])

    rows = released(batch, tmp_path / "release", background=Included.ALL)

    assert [each[1] for each in rows] == ["Where did you learn it?"]


def test_what_an_erased_person_said_is_in_no_later_release(batch, bob, tmp_path):
    personal_data.erase(user=bob, by=UserFactory(username="root", is_superuser=True))

    assert released(batch, tmp_path / "release", background=Included.ALL) == []


def test_the_command_includes_what_it_is_told(batch, study, tmp_path):
    dataset = batch.pool.dataset
    out = tmp_path / "release"
    options = ("--dataset", dataset.name, "--out", out, "--background-answers", "all")

    run_command("release", "--study", study.slug, *options)

    assert {row["kind"] for row in table(out, "background")} == {"choice", "words"}


@pytest.mark.parametrize(("chosen", "n"), [({}, 1), ({"background": "all"}, 2)])
def test_the_page_of_a_new_release_offers_the_choice(batch, study, alice, chosen, n):
    href = reverse("release_new", args=[study.slug])
    page = client_of(alice).get(href).content.decode()
    assert '<option value="all">All answers, also those in words</option>' in page

    sent = client_of(alice).post(href, {"dataset": batch.pool.dataset.pk, **chosen})
    assert sent.status_code == 302
    execution.run(Job.objects.latest("pk"))

    folder = folder_of(Release.objects.get())
    assert len(table(folder, "background")) == n


def test_the_choice_stays_while_its_effect_is_looked_at(batch, study, alice):
    said = {"dataset": batch.pool.dataset.pk, "show": "1", "background": "none"}

    shown = client_of(alice).post(reverse("release_new", args=[study.slug]), said, follow=True)

    assert '<option value="none" selected>' in shown.content.decode()


def test_without_questions_the_page_offers_no_choice(plausibility, study, alice):
    page = client_of(alice).get(reverse("release_new", args=[study.slug])).content.decode()

    assert "What annotators said of themselves" not in page


def test_by_default_no_caller_releases_words():
    assert release_actions.prepare.__kwdefaults__["background"] == Included.CHOICES
    assert release_actions.release.__kwdefaults__["background"] == Included.CHOICES
