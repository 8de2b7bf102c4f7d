"""Which written answers are routed to a second round: annotation/schemes/routing.py."""

from dataclasses import astuple

from hypothesis import given
from hypothesis import strategies as st

from annotation.schemes import routing
from annotation.schemes.routing import Kind, Routes, Written
from tests.cases import all_cases

answers = st.builds(
    Written,
    outcome=st.sampled_from(["answered", "unanswerable", "skip"]),
    answer=st.just("It burns."),
    ticked=st.sets(st.integers(0, 9)).map(lambda ticks: tuple(sorted(ticks))),
)


@all_cases(
    ("ticked", "kind"),
    [
        ((2, 4), Kind.GAPS),
        ((1, 2, 3, 9), Kind.GAPS),
        ((4, 5, 6), Kind.CONSECUTIVE),
        ((9, 10), Kind.CONSECUTIVE),
        ((3,), Kind.ONE),
        ((0, 3), Kind.ONE),  # the title is no sentence
        ((0, 1, 2), Kind.CONSECUTIVE),
        ((0,), Kind.ONE),
    ],
)
def test_an_answer_is_routed_if_its_sentences_do_not_follow_one_another(ticked, kind):
    written = Written("answered", "It burns.", ticked)

    assert written.kind == kind
    assert written.is_routed(Routes.GAPS) == (kind == Kind.GAPS)
    assert written.is_routed(Routes.ALL)


@given(st.lists(answers), st.sampled_from(Routes))
def test_the_counts_add_up_and_the_routed_are_those_that_are_routed(written, routes):
    counts = routing.counts(written, routes)

    n_written, *parts = astuple(counts)
    assert n_written == len(written) == sum(parts)
    assert counts.n_routed == sum(each.is_routed(routes) for each in written)


@given(answers)
def test_a_skipped_question_is_never_routed_and_more_routes_route_no_fewer(written):
    by = {routes: written.is_routed(routes) for routes in Routes}

    assert by[Routes.GAPS] <= by[Routes.UNANSWERABLE]
    assert by[Routes.GAPS] <= by[Routes.ALL]
    assert not (written.outcome == "skip" and any(by.values()))
    assert by[Routes.ALL] == (written.outcome == "answered")


@given(answers)
def test_what_a_payload_has_is_what_the_response_said(written):
    response = {"outcome": written.outcome, "answer": written.answer}
    response |= {f"s.1.{n}": "yes" for n in reversed(written.ticked)}

    assert Written.of_response(response) == written
    assert Written.of_payload(written.to_payload()) == written
    assert set(written.to_payload()) == {"outcome", "answer", "ticked"}
