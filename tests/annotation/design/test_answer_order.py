"""In which order answers stand: annotation/design/answer_order.py, and that it is stored as it was shown."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.actions import judgements
from annotation.design import answer_order
from annotation.models import Judgement
from annotation.schemes import Shows, payloads
from tests.annotation.desk_pages import address, client_of, open_desk
from tests.annotation.sheets import (
    ANSWERS,
    batch_of_sheets,
    content,
    first_part,
    hidden_fields,
    ratings,
    second_part,
)

MANY = [f"Answer {n}." for n in range(1, 13)]


def payload_with(n_answers):
    return payloads.payload(
        question="Who?", context=[], answers=MANY[:n_answers], evidence=None, passages=[]
    )


@given(st.integers(0, 12), st.integers(0, 9), st.uuids(), st.integers(1, 9))
def test_the_answers_stand_in_some_order_of_all_of_them_and_always_in_the_same(
    n_answers, seed, item, annotator
):
    def of():
        about = {"seed": seed, "batch": 1, "item": item, "annotator": annotator}
        return answer_order.screen_order(Shows.ANSWERS, payload_with(n_answers), **about)

    assert sorted(of()) == list(range(1, n_answers + 1))
    assert of() == of()


def test_people_and_items_have_orders_of_their_own():
    found = {
        tuple(
            answer_order.screen_order(
                Shows.ANSWERS,
                payload_with(5),
                seed=1,
                batch=1,
                item=f"i{item}",
                annotator=annotator,
            )
        )
        for item in range(10)
        for annotator in range(10)
    }

    assert len(found) > 50  # of 120


def test_a_single_answer_and_none_stand_as_they_are():
    about = {"seed": 1, "batch": 1, "item": "i", "annotator": 1}

    assert answer_order.screen_order(Shows.ANSWERS, payload_with(1), **about) == [1]
    assert answer_order.screen_order(Shows.PASSAGES, payload_with(0), **about) == []


def test_the_order_on_the_screen_is_the_same_after_a_reload_and_is_stored_with_the_judgement(
    study, bob
):
    batch = batch_of_sheets(study, payload=content(3, 1))
    desk = client_of(bob)

    def shown():
        page = open_desk(desk, batch)
        return page, [each["number"] for each in page.context["payload"]["answers"]]

    page, order = shown()
    assert shown()[1] == order
    texts = [page.content.decode().index(ANSWERS[number - 1]) for number in order]
    assert texts == sorted(texts)
    submit = address("desk_submit", batch, page.context["assignment"])
    desk.post(submit, hidden_fields(page) | first_part(ratings(3)))
    desk.post(submit, hidden_fields(page) | second_part(ratings(3)))

    stored = Judgement.objects.get()
    assert stored.order == order == judgements.screen_order(stored.assignment, batch)
