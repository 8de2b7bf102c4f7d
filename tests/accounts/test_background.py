"""What people are asked about themselves: accounts/actions/background.py and accounts/queries/background.py."""

import pytest
from django.db import IntegrityError, transaction

from accounts.actions import background, consent, studies
from accounts.actions.background import BackgroundAnswerError
from accounts.background_questions import LONGEST_ANSWER, BackgroundTextError
from accounts.models import BackgroundAnswer, BackgroundQuestion, Membership, Study
from accounts.permissions import ArchivedError, NotAllowedError
from accounts.queries import background as queries
from annotation.actions import archived_studies, study_copies
from audit.models import Event
from exports.deletions import actions as deletions
from tests.accounts.background import TEXT, ask, say
from tests.commands.command_calls import command_error, run_command


def due(person, study):
    return [each.text for each in queries.due(person, study)]


def test_a_study_without_questions_asks_nothing_and_costs_no_query(
    study, bob, django_assert_num_queries
):
    with django_assert_num_queries(0):
        assert not consent.is_needed(bob, study)
        assert queries.due(bob, study) == []


def test_everybody_is_asked_once_whether_they_answer_or_skip(study, bob, dora):
    ask(study)
    assert due(bob, study) == ["Do you sail?", "Where did you learn it?"]

    say(study, bob, "Often", "")

    assert due(bob, study) == []
    assert not consent.is_needed(bob, study)
    assert consent.is_needed(dora, study)


def test_whether_somebody_is_to_be_asked_takes_one_query(study, bob, django_assert_num_queries):
    ask(study)

    with django_assert_num_queries(1):
        assert consent.is_needed(bob, study)


def test_once_the_questions_change_only_what_is_new_is_asked(study, bob):
    ask(study)
    say(study, bob, "Never", "At home")

    ask(study, f"Can you swim?\n( ) yes\n( ) no\n\n{TEXT.replace('Where', 'When')}")

    assert due(bob, study) == ["Can you swim?", "When did you learn it?"]


def test_an_answer_stays_with_the_wording_that_it_answered(study, bob):
    ask(study)
    say(study, bob, "Never", "At home")

    ask(study, "Do you sail?\n( ) Always\n( ) Never")

    assert [
        (each.question.text, each.question.choices, each.text)
        for each in BackgroundAnswer.objects.order_by("pk")
    ] == [
        ("Do you sail?", ["Often", "Never"], "Never"),
        ("Where did you learn it?", [], "At home"),
    ]
    assert due(bob, study) == ["Do you sail?"]


def test_a_question_that_comes_back_has_its_answers_again(study, bob):
    ask(study)
    say(study, bob, "Never", "At home")

    ask(study, "")
    assert not BackgroundQuestion.objects.exclude(position=None).exists()
    ask(study)

    assert due(bob, study) == []


def test_the_order_of_the_questions_is_that_of_the_text(study):
    ask(study)
    ask(study, "\n\n".join(reversed(TEXT.split("\n\n"))))

    assert [each.text for each in queries.asked(study)] == [
        "Where did you learn it?",
        "Do you sail?",
    ]


def test_a_change_of_the_questions_is_in_the_history_and_the_same_questions_are_none(study):
    ask(study)
    n = Event.objects.count()

    ask(study, f"\n{TEXT.replace('( ) ', '()   ')}\n\n")

    assert Event.objects.count() == n
    assert Event.objects.last().details["after"]["background"] == TEXT


def test_what_is_said_is_in_no_history(study, bob):
    ask(study)
    n = Event.objects.count()

    say(study, bob, "Often", "At home")

    assert Event.objects.count() == n


def test_wrong_questions_change_nothing(study, alice):
    with pytest.raises(BackgroundTextError, match="line 2"):
        studies.describe_study(study=study, by=alice, title="Ships", background="Q?\n(x) a")

    assert Study.objects.get().title == study.title


def test_only_a_requester_asks(study, bob):
    with pytest.raises(NotAllowedError):
        studies.describe_study(study=study, by=bob, background=TEXT)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (("Sometimes", ""), "choose one"),
        (("Often", "x" * (LONGEST_ANSWER + 1)), "at most 500"),
        (("", "a\0b"), "NUL"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_all_of_them(study, bob, said, why):
    ask(study)

    with pytest.raises(BackgroundAnswerError, match=why):
        say(study, bob, *said)

    assert not BackgroundAnswer.objects.exists()


def test_an_answer_of_the_longest_length_is_kept(study, bob):
    ask(study)

    say(study, bob, "", "é" * LONGEST_ANSWER)

    assert BackgroundAnswer.objects.get(question__text__startswith="Where").text == "é" * 500


def test_an_answer_is_changed_and_the_time_with_it_and_an_unchanged_one_keeps_its_time(study, bob):
    ask(study)
    say(study, bob, "Often", "At home")
    first = {each.pk: each.answered_at for each in BackgroundAnswer.objects.all()}

    say(study, bob, "Never", "At home")

    sail, where = BackgroundAnswer.objects.order_by("question__position")
    assert (sail.text, where.text) == ("Never", "At home")
    assert sail.answered_at > first[sail.pk]
    assert where.answered_at == first[where.pk]


def test_whoever_removes_what_they_said_is_not_asked_again(study, bob, dora):
    ask(study)
    for person in (bob, dora):
        say(study, person, "Often", "At home")

    assert background.remove(study=study, by=bob) == 2

    own = BackgroundAnswer.objects.filter(membership__user=bob)
    assert set(own.values_list("text", flat=True)) == {""}
    assert due(bob, study) == []
    assert BackgroundAnswer.objects.filter(text="Often").count() == 1


def test_nobody_answers_questions_of_another_study(study, bob, alice):
    elsewhere = studies.create_study(slug="lamps", title="Lamps", requester=alice)
    ask(elsewhere)
    key = elsewhere.background_questions.first().pk

    background.answer(study=study, answers={key: "Often"}, by=bob)

    assert not BackgroundAnswer.objects.exists()


def test_an_outsider_answers_nothing(study, mallory):
    ask(study)

    with pytest.raises(Membership.DoesNotExist):
        say(study, mallory, "Often", "")
    with pytest.raises(Membership.DoesNotExist):
        background.remove(study=study, by=mallory)


def test_in_an_archived_study_nothing_is_changed(study, alice, bob):
    ask(study)
    say(study, bob, "Often", "At home")
    archived_studies.archive(study=study, by=alice)

    with pytest.raises(ArchivedError):
        say(study, bob, "Never", "")
    with pytest.raises(ArchivedError):
        background.remove(study=study, by=bob)


def test_the_figures_count_people_by_answer_and_mark_the_few(study, bob, dora, carol):
    ask(study)
    say(study, bob, "Often", "At home")
    say(study, dora, "Often", "")
    say(study, carol, "", "At sea")

    sail, where = queries.figures(study)

    assert (sail.n_answered, sail.n_skipped) == (2, 1)
    assert [(each.answer, each.n, each.is_few) for each in sail.said] == [
        ("Often", 2, True),
        ("Never", 0, False),
    ]
    assert [(each.answer, each.n) for each in where.said] == [("At home", 1), ("At sea", 1)]


@pytest.mark.parametrize(("n", "is_few"), [(0, False), (1, True), (4, True), (5, False)])
def test_fewer_than_five_people_are_few(n, is_few):
    assert queries.Said("Often", n).is_few is is_few


def test_a_question_that_is_asked_no_more_is_last_and_only_with_answers(study, bob):
    ask(study)
    say(study, bob, "Often", "")
    ask(study, "Can you swim?\n( ) yes\n( ) no")

    assert [each.question.text for each in queries.figures(study)] == [
        "Can you swim?",
        "Do you sail?",
    ]


def test_a_copy_of_the_study_asks_the_same_and_has_no_answers(study, alice, bob):
    ask(study)
    say(study, bob, "Often", "At home")

    copy = study_copies.copy_study(
        study=study,
        slug="again",
        title="Again",
        people=study.memberships.filter(user=bob),
        by=alice,
    )

    assert due(bob, copy) == ["Do you sail?", "Where did you learn it?"]
    assert BackgroundAnswer.objects.count() == 2


def test_a_deleted_study_takes_questions_and_answers_along(study, alice, bob):
    ask(study)
    say(study, bob, "Often", "At home")

    deletions.delete_study(study=study, by=alice)

    assert not BackgroundQuestion.objects.exists()
    assert not BackgroundAnswer.objects.exists()


@pytest.mark.database
def test_a_wording_is_kept_once_and_answered_once_by_a_member(study, bob):
    ask(study)
    say(study, bob, "Often", "")
    kept = BackgroundAnswer.objects.filter(text="Often").get()

    with pytest.raises(IntegrityError), transaction.atomic():
        BackgroundAnswer.objects.create(question=kept.question, membership=kept.membership)
    with pytest.raises(IntegrityError), transaction.atomic():
        BackgroundQuestion.objects.create(study=study, sha256=kept.question.sha256, text="Q?")
    with pytest.raises(IntegrityError), transaction.atomic():
        BackgroundQuestion.objects.create(study=study, sha256="0", text="Q?", position=0)


# The command


def test_the_command_sets_the_questions_of_a_file_and_lists_what_was_answered(study, bob, tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text(TEXT, encoding="utf-8")

    run_command("background_questions", "--study", study.slug, "--questions", file)
    study.refresh_from_db()
    say(study, bob, "Often", "")
    listed = run_command("background_questions", "--study", study.slug)["questions"]

    assert listed == [
        {
            "question": "Do you sail?",
            "is_asked": True,
            "n_answered": 1,
            "n_skipped": 0,
            "answers": [
                {"answer": "Often", "n": 1, "is_few": True},
                {"answer": "Never", "n": 0, "is_few": False},
            ],
        },
        {
            "question": "Where did you learn it?",
            "is_asked": True,
            "n_answered": 0,
            "n_skipped": 1,
            "answers": [],
        },
    ]


def test_an_empty_file_asks_nothing_any_more(study, tmp_path):
    ask(study)
    file = tmp_path / "questions.txt"
    file.write_text("\n", encoding="utf-8")

    assert (
        run_command("background_questions", "--study", study.slug, "--questions", file)["questions"]
        == []
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"Q?\n( ) a\n", "questions.txt: the question in line 1 has 1 choice"),
        (b"Q?\xff\n___", "questions.txt is not UTF-8"),
        (None, "there is no file"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(study, tmp_path, content, says):
    file = tmp_path / "questions.txt"
    if content is not None:
        file.write_bytes(content)

    assert says in command_error("background_questions", "--study", study.slug, "--questions", file)


def test_the_command_is_for_requesters(study, bob):
    assert "is not requester" in command_error(
        "background_questions", "--study", study.slug, "--by", "bob"
    )
