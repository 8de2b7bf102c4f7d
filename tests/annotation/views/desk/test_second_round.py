"""A second round of written answers at the desk without a script, and in its data request."""

import pytest

from annotation.actions import judgements
from annotation.models import Judgement
from exports.rows.judgements import judgement_rows
from tests.annotation.desk_pages import client_of, open_desk, text_of
from tests.annotation.rounds import CONFIRMED, answered, first_round, second_round, write
from tests.annotation.sheets import fields_of
from tests.annotation.views.desk.test_writing import deliver, send

TEXT = "\n</textarea><script>x</script>\n\u0645\u0631\u062d\u0628\u0627, oil.\n"
WRITTEN = answered(0, 2, 5, text=TEXT)
KEPT = WRITTEN | {"kept": "keep"}


@pytest.fixture
def batch(study, tmp_path, bob, alice):
    first = first_round(study, tmp_path)
    write(first, bob, WRITTEN)
    return second_round(first)


@pytest.fixture
def desk(dora):
    return client_of(dora)


def test_it_begins_with_what_was_written_and_says_nothing_of_who_wrote_it(desk, batch):
    page = open_desk(desk, batch)

    fields = dict(fields_of(page))
    assert {name: fields.get(name) for name in ("outcome", "s.1.0", "s.1.2", "s.1.5")} == {
        "outcome": "answered",
        **dict.fromkeys(("s.1.0", "s.1.2", "s.1.5"), "yes"),
    }
    assert "s.1.1" not in fields
    assert not CONFIRMED.keys() & fields.keys()
    area = page.content.decode().partition('name="answer"')[2].partition(">\n")[2]
    assert area.startswith("\n&lt;/textarea&gt;&lt;script&gt;x")
    assert "bob" not in text_of(page)
    assert "Somebody else wrote this answer." in text_of(page)


def test_without_a_script_an_answer_is_kept_as_a_form_sends_it(desk, batch):
    sent = KEPT | {"answer": TEXT.replace("\n", "\r\n")}

    assert send(desk, open_desk(desk, batch), sent).status_code == 302

    stored = Judgement.objects.get(assignment__item__batch=batch)
    assert stored.response == KEPT
    rows = {row.question: row.label or row.text for row in judgement_rows([batch])}
    assert (rows["kept"], rows["answer"], rows["sentences"]) == ("keep", TEXT, "0|2|5")


def test_what_is_kept_and_changed_at_once_is_refused_with_the_changed_text(desk, batch):
    refused = send(desk, open_desk(desk, batch), KEPT | {"answer": "It burnt gas."})

    assert refused.status_code == 400
    assert "the text differ from it: choose modify" in " ".join(text_of(refused).split())
    assert "It burnt gas." in text_of(refused)


def test_a_question_is_skipped_though_the_text_of_somebody_else_stands_there(desk, batch):
    page = open_desk(desk, batch)
    skipped = {"outcome": "skip", "reason": "several"}

    sent = send(desk, page, {"answer": TEXT} | skipped)

    assert sent.status_code == 302
    stored = Judgement.objects.get(assignment__item__batch=batch)
    assert stored.response == skipped


def test_the_data_request_stores_a_modified_answer_which_undone_comes_back(desk, batch, dora):
    modified = answered(1, 3, text="Gas.", kept="modify")

    reply = deliver(desk, batch, open_desk(desk, batch), modified)

    assert reply.json()["results"][0]["outcome"] == "saved"
    judgements.take_back(judgement=Judgement.objects.get(assignment__item__batch=batch), by=dora)
    fields = dict(fields_of(open_desk(desk, batch)))
    assert (fields["kept"], fields["s.1.1"], fields.get("s.1.2")) == ("modify", "yes", None)


def test_of_the_first_round_nothing_is_handed_to_who_wrote_it(batch, bob):
    assert (
        "assignment"
        not in client_of(bob).get(f"/studies/{batch.study.slug}/desk/{batch.pk}/").context
    )
