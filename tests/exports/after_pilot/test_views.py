"""The page After the pilot, from its figures to the full batch that opens."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from accounts.models import Role, User
from annotation.actions import checks, reviews
from annotation.models import Batch, BatchState, Guideline, Item, Qualification, Standing
from annotation.queries.opening_warnings import PLACEHOLDER
from audit.models import Event
from jobs.models import Job, JobState
from tests.annotation.desk_pages import text_of
from tests.annotation.trust import grant, group, open_batch, qualification, revoke
from tests.conftest import member
from tests.exports.after_pilot.pilot_page import href, opened, page, words
from tests.exports.rows_for_tests import agreement_result
from tests.factories import CandidateFactory

pytestmark = pytest.mark.django_db


def test_it_shows_time_wage_yield_and_disputes(requester, pilot, pool):
    text = page(requester, pilot)

    assert "30.0 s a judgement (median active time; 30 s were expected)" in text
    assert "18 min for 36 judgements of 3 people" in text
    assert "$0.06 a judgement, an hour $7.20 under the US federal minimum, $7.25" in text
    assert "0.306 accepted items a judgement (95 % interval 0.215 to 0.328)" in text
    assert "11 items of 12 accepted, 36 judgements" in text
    assert "These figures are not final. 1 item in dispute" in text
    assert "plausible 12 12 100 % 1 11 of 11" in text
    assert "implausible 12 12 100 % 1 0 of 11" in text


def test_what_a_small_pilot_showed_is_read_for_each_view(requester, pilot, carol):
    before = page(requester, pilot)
    last = pilot.items.order_by("position").last()
    reviews.adjudicate(item=last, label="implausible", reason="it is not", by=carol)
    after = page(requester, pilot)

    assert "11 items of 12 accepted" in before
    assert "plausible 12 12 100 % 0 11 of 12" in after
    assert "stored figures" not in before + after


def test_who_passes_and_how_many_remain_moves_with_the_bar(requester, pilot, pool):
    """Eleven right of eleven have a lower bound of .843."""
    low, high = (
        page(requester, pilot, judgements="2"),
        page(requester, pilot, judgements="2", bar="0.9"),
    )

    assert "0.8 chosen 2 of 3 2 2 min" in low
    assert "2 people are ticked, as the rule says at 0.8" in low
    assert low.count("passes all answers: 11 of 11 right") == 2
    assert "11 of 11 0.8431" in low
    assert "0 of 12 0.0000 does not pass" in low
    assert "0.8 2 of 3 2 2 min" in high
    assert "0.9 chosen 0 of 3 0 nobody" in high
    assert "0 people are ticked, as the rule says at 0.9" in high


def test_the_full_batch_is_priced_by_pool_and_judgements(requester, pilot, pool):
    text = page(requester, pilot, judgements="3")

    assert "5 items of the rest , 15 judgements" in text
    assert "$0.90, at $0.06 a judgement" in text
    assert "8 min of all people together, at 30.0 s a judgement" in text
    assert "0.8 chosen 2 of 3 2 too few" in text


def test_the_pilots_largest_share_counts_in_how_many_people_are_needed(requester, pilot, pool):
    """A half of five items are three of each person, of ten judgements."""
    Batch.objects.filter(pk=pilot.pk).update(largest_share=0.5)

    text = page(requester, pilot, judgements="2")

    assert "0.8 chosen 2 of 3 2 too few" in text
    assert (
        "With these people nobody can finish it: nobody is handed more than 3 items, so that it needs 4 people."
        in text
    )


def test_the_pilots_own_pool_is_offered_last_and_says_so(requester, pilot):
    CandidateFactory(pool=pilot.pool)

    assert "own pool its answers are asked about again" in page(requester, pilot)


def test_one_form_grants_the_qualification_and_opens_the_batch_for_it(
    requester, pilot, pool, bob, dora, fay, alice
):
    reply = opened(requester, pilot, pool, bob, dora, plan="Two judgements, unanimous.\r\n")

    full = Batch.objects.get(name="full")
    made = Qualification.objects.get(name="trusted")
    assert reply.url == reverse("batch", args=[pilot.study.slug, full.pk])
    assert (full.state, full.qualification, full.pool) == (BatchState.OPEN, made, pool)
    assert (full.judgements_per_item, full.reward, full.scheme) == (2, pilot.reward, pilot.scheme)
    assert full.guideline == pilot.guideline
    assert full.items.count() == 5
    assert made.rule["accuracy"] == 0.8
    plan = full.analysis_plans.get()
    assert (plan.text, plan.is_before_judgements) == ("Two judgements, unanimous.\n", True)
    rows = Standing.objects.filter(state="granted", by=alice, reason="right in the pilot")
    assert {row.user for row in rows} == {bob, dora}
    assert rows[0].evidence["batch_name"] == "pilot"
    assert "is granted to 2 people, and “full” is open" in text_of(requester.get(reply.url))


def test_the_full_batch_asks_the_pilots_questions_on_the_guideline(
    requester, pilot, pool, bob, dora, alice
):
    check = checks.check_of(pilot.study, "Is it lit?\n( ) no\n(x) yes\n> Look.", alice)
    Batch.objects.filter(pk=pilot.pk).update(comprehension_check=check)

    opened(requester, pilot, pool, bob, dora)

    assert Batch.objects.get(name="full").comprehension_check == check


def test_it_warns_before_and_after_of_controls_that_lack_a_template_and_answers_asked_about_again(
    requester, pilot, bob, dora
):
    """On the pilot's own pool, whose items came without candidates: eleven are decided, one is in dispute."""
    CandidateFactory(pool=pilot.pool)
    Batch.objects.filter(pk=pilot.pk).update(control_every=10, repeat_every=25)
    Guideline.objects.filter(pk=pilot.guideline_id).update(text=f"{PLACEHOLDER}.")
    warned = (
        "The guideline still says “Replace these with examples from your own data”, as its template does.",
        "11 of its answers have a verdict in the batch pilot already, and are judged again.",
        "1 of its answers are asked about in the batch pilot too, and not decided there yet.",
        "One item in 10 is to be a control item, and the batch has none: add some on its page Control items",
    )

    before = page(requester, pilot)
    reply = opened(requester, pilot, pilot.pool, bob, dora)
    after = words(requester.get(reply.url))

    assert Batch.objects.get(name="full").control_every == 10
    assert Batch.objects.get(name="full").repeat_every == 25
    for warning in warned:
        assert warning in before
        assert warning in after


def test_a_full_batch_on_new_answers_is_warned_of_for_nothing(requester, pilot, pool, bob, dora):
    reply = opened(requester, pilot, pool, bob, dora)

    said = [str(each) for each in get_messages(reply.wsgi_request)]
    assert len(said) == 1
    assert "“full” is open" in said[0]


def test_an_existing_qualification_keeps_who_holds_it(requester, pilot, pool, bob, dora):
    asked = qualification(pilot.study, accuracy=0.7)
    grant(asked, dora)
    text = page(requester, pilot, qualification=str(asked.pk))
    assert "0.7 chosen 2 of 3 2" in text
    assert "1 person holds it already" in text

    opened(requester, pilot, pool, bob, dora, qualification=str(asked.pk), new_name="")

    assert asked.standings.count() == 2
    assert Batch.objects.get(name="full").qualification == asked


def test_who_lost_it_is_not_ticked_by_the_rule_and_a_person_can_grant_it_again(
    requester, pilot, pool, bob, dora
):
    asked = qualification(pilot.study)
    grant(asked, bob)
    revoke(asked, bob)

    text = page(requester, pilot, qualification=str(asked.pk))

    assert "bob p0002 revoked" in text
    assert "0.8 chosen 2 of 3 1" in text
    assert "1 person is ticked, as the rule says at 0.8" in text
    assert "With these people nobody can finish it: each item needs 3 different ones." in text
    opened(requester, pilot, pool, bob, dora, qualification=str(asked.pk), new_name="")
    assert {row.user for row in asked.standings.granted()} == {bob, dora}


def test_the_agreement_that_a_job_computed_has_both_intervals(requester, pilot, alice):
    Job.objects.create(
        study=pilot.study,
        kind="agreement",
        key=pilot.name,
        state=JobState.DONE,
        result=agreement_result(),
        created_by=alice,
        finished_at=timezone.now(),
    )

    text = page(requester, pilot)

    assert "95 % interval Picture Generalised to other annotators" in text


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"name": "pilot"}, "there is a batch pilot already"),
        ({"name": ""}, "This field is required"),
        ({"new_name": ""}, "Name the new qualification, or choose one above."),
        ({"reason": " "}, "This field is required"),
        ({"bar": "2"}, "less than or equal to 0.999"),
        ({"person": []}, "nobody would hold trusted: tick the people who go on"),
        ({"pool": "999999"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_done_is_done_in_no_part_and_says_why(
    sent, says, requester, pilot, pool, bob
):
    reply = opened(requester, pilot, pool, bob, **sent)

    assert reply.status_code == 400
    assert says in words(reply)
    assert not Batch.objects.filter(name="full").exists()
    assert not Qualification.objects.exists()
    assert not Standing.objects.exists()
    assert not Event.objects.filter(verb="granted", target__startswith="qualification").exists()


def test_what_was_typed_and_ticked_stays_where_something_is_wrong(requester, pilot, pool, fay):
    reply = opened(requester, pilot, pool, fay, bar="2", plan="Unanimous.")

    member = pilot.study.memberships.get(user=fay)
    assert f'name="person" value="{member.pk}" checked' in text_of(reply)
    assert "Unanimous." in text_of(reply)
    assert 'value="right in the pilot"' in text_of(reply)


def test_holders_who_were_deactivated_are_nobody_who_would_work(requester, pilot, pool, dora):
    asked = qualification(pilot.study)
    grant(asked, dora)
    User.objects.filter(pk=dora.pk).update(is_active=False)

    reply = opened(requester, pilot, pool, qualification=str(asked.pk), new_name="")

    assert "nobody would hold trusted" in words(reply)
    assert not Batch.objects.filter(name="full").exists()


def test_somebody_of_another_study_cannot_be_ticked(requester, pilot, pool, carol, mallory):
    assert opened(requester, pilot, pool, carol, mallory).status_code == 400
    assert not Standing.objects.exists()


def test_an_unsettled_batch_says_that_nothing_is_final_and_people_can_be_ticked(
    requester, study, bob, dora, fay
):
    batch = open_batch(study, None, judgements_per_item=2)
    text = page(requester, batch)

    assert "These figures are not final. The batch is open: 0 of 6 judgements are there." in text
    assert "undefined: there are no judgements" in text
    assert "none: the batch is unpaid, so there is no wage" in text
    assert "undefined: no item has a verdict" in text
    assert "No rule can say who passes: the batch" in text
    assert "Nobody judged in the batch" in text


def test_a_group_is_granted_to_who_is_ticked(requester, pilot, pool, fay):
    asked = group(pilot.study)

    opened(requester, pilot, pool, fay, qualification=str(asked.pk), new_name="")

    assert asked.standings.granted().get().user == fay


def test_a_label_that_the_scheme_lacks_is_named(requester, pilot, pool):
    odd = qualification(pilot.study, "odd", recall={"unfaithful": 0.5})

    assert "has no label unfaithful" in page(requester, pilot, qualification=str(odd.pk))


@pytest.mark.parametrize("bar", [0.3, 0.9999])
def test_a_rule_with_any_bar_has_its_page(requester, pilot, pool, bar):
    asked = qualification(pilot.study, accuracy=bar)

    assert "chosen" in page(requester, pilot, qualification=str(asked.pk))


def test_a_draft_leads_back_to_its_page(requester, study):
    draft = open_batch(study, None, n_items=0, state="draft")

    assert requester.get(href(draft)).url == reverse("batch", args=[study.slug, draft.pk])


def test_a_rehearsal_opens_nothing(requester, pilot, pool, bob):
    Batch.objects.filter(pk=pilot.pk).update(is_rehearsal=True)

    assert "Open the full batch" not in page(requester, pilot)
    assert "is a rehearsal" in words(opened(requester, pilot, pool, bob))


def test_a_batch_without_verdicts_has_its_times_and_no_rule(requester, study):
    batch = open_batch(study, None, scheme="rating", state=BatchState.PAUSED)

    text = page(requester, batch)

    assert "None: no judgements of a scheme that ends with one label." in text
    assert "No rule can say who passes" in text


def test_the_number_of_queries_does_not_grow_with_people(
    requester, study, pilot, pool, alice, django_assert_max_num_queries
):
    asked = qualification(study)
    address = f"{href(pilot)}?qualification={asked.pk}"
    with django_assert_max_num_queries(45) as before:
        requester.get(address)
    for number in range(10):
        grant(asked, member(study, f"person{number}", Role.ANNOTATOR, by=alice))
    assert Item.objects.filter(batch=pilot).count() == 12

    with django_assert_max_num_queries(len(before)):
        requester.get(address)


def test_the_page_of_a_batch_leads_to_it(requester, pilot):
    batch = text_of(requester.get(reverse("batch", args=[pilot.study.slug, pilot.pk])))

    assert f'href="{href(pilot)}"' in batch
