"""Self-agreement on the pages of annotators."""

import pytest
from django.test import Client

from accounts.models import Role
from annotation.actions import repeats
from annotation.models import Assignment, Batch
from tests.annotation.batches_with_repeats import label_of, repeating_batch, worked
from tests.annotation.desk import after, submit
from tests.conftest import member
from tests.exports.annotators.test_views import compute_figures, members, page, table, words


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def repeated(study, alice) -> Batch:
    """A batch in which fay judged four items twice, three of them with the same label."""
    batch = repeating_batch(study, alice, n=12)
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    items = worked(batch, fay, 8)
    for k in range(4):
        again = repeats.repeats_of([items[k].pk], items[k])[items[k].pk]
        assignment = Assignment.objects.create(
            item=again, annotator=fay, claimed_at=after(500), expires_at=after(900)
        )
        submit(assignment, label_of(k if k else 1), now=after(600))
    return batch


def test_people_are_listed_with_their_self_agreement_and_all_together(client, study, repeated):
    said = words(page(client, "batch_annotators", study.slug, repeated.pk))

    assert "All together: 3 of 4 repeats judged the same, 0.750 (0.284 to 0.972)." in said
    assert "fay" in said


def test_a_person_s_page_has_their_self_agreement_and_the_table_its_columns(
    client, repeated, study
):
    compute_figures(client, repeated)
    fay = members(study)["fay"]

    said = words(page(client, "batch_annotator", study.slug, repeated.pk, fay))
    [row] = table(client, "batch_annotators_table", study.slug, repeated.pk)

    assert "0.750 (0.284 to 0.972); 3 of 4 repeats judged the same" in said
    assert (row["repeats"], row["repeats_same"], row["self_agreement"]) == ("4", "3", "0.75")


def test_without_a_repeat_judged_it_is_undefined_and_a_batch_without_says_nothing(
    client, study, alice, repeated
):
    batch = repeating_batch(study, alice, n=8, name="young")
    worked(batch, member(study, "gus", Role.ANNOTATOR, by=alice), 8)
    Batch.objects.filter(pk=repeated.pk).update(repeat_every=None)

    young = words(page(client, "batch_annotators", study.slug, batch.pk))
    plain = words(page(client, "batch_annotators", study.slug, repeated.pk))

    assert "Self-agreement is undefined: nobody judged a repeat yet." in young
    assert "Self-agreement" not in plain
