"""The one act that a study's home names for the state that its batches are in."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Membership, Role
from annotation.models import Batch, BatchState
from annotation.queries.batch_progress import BatchLine
from annotation.queries.completion import Shortfall
from dashboard import next_steps
from sampling.models import Pool, Purpose
from tests.cases import all_cases

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PLAUSIBILITY, FAITHFULNESS, EVIDENCE = 1, 2, 7


def batch(pk=PLAUSIBILITY, state=BatchState.OPEN, name="first round", **fields):
    fields = {"scheme": "plausibility"} | fields
    return Batch(pk=pk, name=name, state=state, **fields)


def line(of=None, *, n_claimed=0, n_counted=4, n_verdicts=0, n_disputed=0):
    return BatchLine(
        batch=of or batch(),
        n_items=2,
        n_wanted=4,
        n_claimed=n_claimed,
        n_counted=n_counted,
        n_verdicts=n_verdicts,
        n_disputed=n_disputed,
    )


def settled(of=None, **counts):
    of = of or batch()
    of.state = BatchState.CLOSED
    return line(of, n_verdicts=2, **counts)


def evidence(pk=EVIDENCE, built_at=NOW, **rule):
    rule = {"batch": "first round", "sample": None} | rule
    return Pool(pk=pk, name="evidence", purpose=Purpose.EVIDENCE, rule=rule, built_at=built_at)


def second(state=BatchState.OPEN):
    return batch(FAITHFULNESS, state, "second round", pool_id=EVIDENCE)


def next_act(plausibility=(), faithfulness=(), pools=(), never_asked=0, labels=(), **more):
    said = {"n_annotators": 2, "n_adjudicators": 1, "is_released": False, "now": NOW}
    said |= {"shortfalls": {}} | more
    asked = {PLAUSIBILITY: never_asked} if never_asked else {}
    return next_steps.next_action(
        next_steps.Situation(plausibility, faithfulness, labels, pools, never_asked=asked, **said)
    )


def in_short(act):
    return (act.step, act.words, act.page) if act else None


@all_cases(
    ("given", "step", "words", "page"),
    [
        ([], "acceptance", "New batch", "batch_new"),
        ([line(batch(state=BatchState.DRAFT))], "acceptance", "Open “first round”", "batch_open"),
        ([line(n_counted=3)], "acceptance", "Monitor progress of “first round”", "batch"),
        (
            [line(n_counted=3, n_claimed=1)],
            "acceptance",
            "Monitor progress of “first round”",
            "batch",
        ),
        ([line()], "acceptance", "Close “first round”", "batch_close"),
        (
            [line(batch(state=BatchState.PAUSED))],
            "acceptance",
            "Close “first round”",
            "batch_close",
        ),
        (
            [line(batch(state=BatchState.PAUSED), n_counted=3)],
            "acceptance",
            "Resume “first round”",
            "batch_resume",
        ),
        (
            [line(batch(state=BatchState.CLOSED))],
            "acceptance",
            "Settle “first round”",
            "batch_settle",
        ),
        ([settled(n_disputed=1)], "acceptance", "1 dispute of “first round”", "disputes"),
        ([settled(n_disputed=47)], "acceptance", "47 disputes of “first round”", "disputes"),
        ([settled()], "release", "Create the release", "release_new"),  # nothing was plausible
    ],
)
def test_a_plausibility_batch_leads_to_one_act(given, step, words, page):
    assert in_short(next_act(given)) == (step, words, page)


def test_a_deadline_that_has_passed_leads_to_closing():
    over = line(batch(deadline_at=NOW - timedelta(minutes=1)), n_counted=1)
    to_come = line(batch(deadline_at=NOW + timedelta(minutes=1)), n_counted=1)

    assert next_act([over]).words == "Close “first round”"
    assert next_act([to_come]).words == "Monitor progress of “first round”"


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        (3, "Nobody can take what is left: its page says why, and what helps."),
        (1, "The present annotators cannot give all its judgements: its page says why."),
    ],
)
def test_where_people_cannot_finish_it_does_not_say_that_they_are_at_work(missing, why):
    found = Shortfall(3, by_share=missing, by_pause=0, by_skip=0, by_few=0, n_annotators=2)
    act = next_act([line(n_counted=1)], shortfalls={PLAUSIBILITY: found})

    assert (act.words, act.page) == ("See why people cannot finish “first round”", "batch")
    assert act.why == why


def test_while_nobody_can_judge_people_are_invited():
    assert next_act([line(n_counted=0)], n_annotators=0).page == "invitations"


def test_where_nobody_can_settle_disputes_it_says_so():
    assert "under People" in next_act([settled(n_disputed=3)], n_adjudicators=0).why


@pytest.mark.parametrize(
    ("pools", "faithfulness", "step", "words", "page"),
    [
        ([], [], "evidence", "On to faithfulness with “first round”", "evidence_new"),
        ([evidence(batch="another")], [], "evidence", "On to faithfulness with “first round”", "evidence_new"),
        ([evidence(built_at=None)], [], "evidence", "Monitor progress of “evidence”", "pool"),
        ([evidence()], [], "grounding", "Make the faithfulness batch on “evidence”", "batch_new"),
        ([evidence()], [line(second(BatchState.DRAFT))], "grounding", "Open “second round”", "batch_open"),
    ],
)  # fmt: skip
def test_plausible_answers_are_led_on(pools, faithfulness, step, words, page):
    act = next_act([settled()], faithfulness, pools, never_asked=2)

    assert in_short(act) == (step, words, page)


@pytest.mark.parametrize(
    ("given", "step", "words"),
    [
        (line(second(), n_counted=1), "grounding", "Monitor progress of “second round”"),
        (line(second()), "grounding", "Close “second round”"),
        (line(second(BatchState.CLOSED)), "grounding", "Settle “second round”"),
        (settled(second(), n_disputed=2), "grounding", "2 disputes of “second round”"),
        (settled(second()), "release", "Create the release"),
    ],
)
def test_a_faithfulness_batch_leads_to_one_act(given, step, words):
    act = next_act([settled()], [given], [evidence()])

    assert (act.step, act.words) == (step, words)


def test_answers_found_plausible_after_the_evidence_was_drawn_are_led_on_too():
    """Whatever the faithfulness batch waits for: unasked they would end in silver."""
    act = next_act([settled()], [line(second())], [evidence()], never_asked=3)

    assert act.words == "On to faithfulness with 3 answers of “first round”"
    assert "silver" in act.why


def test_what_a_sample_left_out_was_left_out_on_purpose():
    act = next_act([settled()], [settled(second())], [evidence(sample=5)], never_asked=3)

    assert act.words == "Create the release"


def test_disputes_come_before_the_evidence():
    act = next_act([settled(n_disputed=1)], never_asked=2)

    assert act.words == "1 dispute of “first round”"


def test_what_is_ripe_comes_before_what_goes_on_by_itself():
    act = next_act([line(n_counted=1), line(batch(3, BatchState.CLOSED, "pilot"))])

    assert act.words == "Settle “pilot”"


def test_a_draft_beside_batches_that_were_opened_is_nobodys_next_step():
    assert next_act([settled(), line(batch(3, BatchState.DRAFT, "later"))]).page == "release_new"


OTHER = 3


@all_cases(
    ("given", "step", "words"),
    [
        (line(batch(OTHER, BatchState.DRAFT, "fluency")), "labels", "Open “fluency”"),
        (
            line(batch(OTHER, name="fluency"), n_counted=1),
            "labels",
            "Monitor progress of “fluency”",
        ),
        (line(batch(OTHER, name="fluency")), "labels", "Close “fluency”"),
        (line(batch(OTHER, BatchState.CLOSED, "fluency")), "labels", "Settle “fluency”"),
        (settled(batch(OTHER, name="fluency"), n_disputed=2), "labels", "2 disputes of “fluency”"),
        (settled(batch(OTHER, name="fluency")), "release", "Create the release"),
    ],
)
def test_a_batch_that_decides_nothing_of_a_release_is_closed_and_settled_too(given, step, words):
    act = next_act([settled()], [settled(second())], [evidence()], labels=[given])

    assert (act.step, act.words) == (step, words)


def test_after_the_release_nothing_is_left_to_do():
    assert next_act([settled()], [settled(second())], [evidence()], is_released=True) is None


# On the page


@pytest.fixture
def home(study, alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    href = reverse("study", kwargs={"study": study.slug})
    return lambda: client.get(href).text.split("<main")[1]


@pytest.fixture(autouse=True)
def _scored(monkeypatch):
    monkeypatch.setattr("dashboard.progress._is_scored", lambda study: True)


def test_the_home_has_one_dark_button_and_it_leads_to_the_act(home, plausibility):
    page = home()

    href = reverse(
        "evidence_new", kwargs={"study": plausibility.study.slug, "batch": plausibility.pk}
    )
    assert page.count("primary") == 1
    link = page.partition(f'<a class="button primary" href="{href}">')[2].partition("</a>")[0]
    assert link.strip() == "On to faithfulness with “<bdi>plausibility</bdi>”"


def test_without_annotators_people_are_asked_for_only_where_there_is_something_to_judge(
    home, plausibility
):
    Membership.objects.with_role(Role.ANNOTATOR).delete()

    assert "Nobody can judge yet" not in home()
    plausibility.state = BatchState.OPEN
    plausibility.closed_by = plausibility.closed_at = None
    plausibility.save()
    assert "Nobody can judge yet" in home()


def test_rehearsals_only_count_where_nothing_else_is_there(home, plausibility):
    before = home()
    Batch.objects.update(is_rehearsal=True)
    assert "On to faithfulness with “<bdi>plausibility</bdi>”" in before
    assert "On to faithfulness with “<bdi>plausibility</bdi>”" in home()

    Batch.objects.create(
        study=plausibility.study,
        name="real",
        scheme="plausibility",
        pool=plausibility.pool,
        guideline=plausibility.guideline,
        created_by=plausibility.created_by,
    )

    assert "Open “<bdi>real" in home()


@all_cases(
    ("given", "pools", "faithfulness", "leads"),
    [
        (line(), [], [], False),
        (settled(), [], [], True),
        (settled(), [evidence(sample=5)], [], True),
        (settled(), [evidence(sample=5)], [line(second(BatchState.DRAFT))], True),
        (settled(), [evidence(sample=5)], [line(second())], False),
        (settled(), [evidence(sample=5), evidence(3)], [line(second())], True),
        (settled(), [evidence()], [line(second())], True),
    ],
)
def test_accepted_answers_need_not_be_counted_where_no_step_depends_on_them(
    given, pools, faithfulness, leads
):
    assert next_steps.leads_to_evidence(given, pools, faithfulness) is leads
