"""Changes of a batch after it opened: name, largest share, number of judgements, and back to a draft."""

from django.utils import timezone

from accounts.guards import StudyRequest
from annotation.actions import open_batches as acts
from annotation.actions import returned_drafts
from annotation.actions.open_batches import Increase
from annotation.forms import open_batches as forms
from annotation.models import Batch, BatchState
from annotation.models.limits import MOST_JUDGEMENTS
from annotation.queries import batch_costs
from annotation.views.batches.confirmations import (
    Confirmation,
    FieldRefusalError,
    WrongStateError,
    confirmation_view,
    posted_data,
)

N_PRICED = 3  # numbers of judgements whose price the page shows


def require_at_work(batch: Batch) -> None:
    """Raise WrongStateError unless the batch is open or paused."""
    if batch.state not in acts.AT_WORK:
        first = "change the draft" if batch.state == BatchState.DRAFT else "open it again first"
        raise WrongStateError(f"The batch is {batch.state}: {first}.")


@confirmation_view
def batch_rename(request: StudyRequest, batch: Batch) -> Confirmation:
    require_at_work(batch)
    return Confirmation(
        act=acts.rename,
        title=f"Rename “{batch.name}”",
        consequences=[
            "Annotators see the new name from their next page on.",
            "Items and their order stay as they are. Commands and the history use the new name.",
        ],
        button="Rename the batch",
        done="The batch is renamed.",
        form=forms.NameForm(posted_data(request), initial={"name": batch.name}),
    )


@confirmation_view
def batch_share(request: StudyRequest, batch: Batch) -> Confirmation:
    require_at_work(batch)
    n_items = batch.items.real().count()
    share = batch.largest_share
    return Confirmation(
        act=acts.set_largest_share,
        title=f"Max. items per annotator in “{batch.name}”",
        consequences=[
            f"The batch has {_count(n_items, 'item')}."
            + (
                f" One person may take {batch.most_per_person} of them now."
                if batch.most_per_person
                else " One person may take all of them now."
            ),
            "Annotators who have taken more already keep their items, and get no more.",
        ],
        button="Set the maximum",
        done="The maximum of items per annotator is set.",
        form=forms.ShareForm(
            posted_data(request), initial={"largest_share": round(share * 100) if share else None}
        ),
    )


@confirmation_view
def batch_judgements(request: StudyRequest, batch: Batch) -> Confirmation:
    require_at_work(batch)
    now = batch.judgements_per_item
    measured = batch_costs.measured_seconds(batch)
    seconds = measured or batch.expected_seconds
    possible = range(now + 1, min(now + N_PRICED, MOST_JUDGEMENTS) + 1)
    return Confirmation(
        act=acts.raise_judgements,
        title=f"Judgements of each item of “{batch.name}”",
        consequences=[
            f"Each item needs {now} now.",
            *(
                _increase_sentence(acts.increase(batch, number, seconds=seconds))
                for number in possible
            ),
            f"A judgement is taken to last {seconds:.3g} s, "
            + (
                "the median of this batch."
                if measured
                else f"as expected: fewer than {batch_costs.LEAST_JUDGEMENTS} are there yet."
            ),
            "Existing judgements stay. Each further judgement is by an annotator who has not judged the item.",
            "Adjudicated items, and items set aside without evidence, get none.",
        ],
        button="Set the number",
        done="The number of judgements is set.",
        form=forms.JudgementsForm(
            now,
            posted_data(request),
            initial={"judgements_per_item": min(now + 1, MOST_JUDGEMENTS)},
        ),
    )


def _increase_sentence(more: Increase) -> str:
    price = f" for {more.price}" if more.price else ""
    return (
        f"{more.judgements_per_item} of each: {_count(more.n_judgements, 'further judgement')}{price},"
        f" about {more.time} of work."
    )


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


@confirmation_view
def batch_return(request: StudyRequest, batch: Batch) -> Confirmation:
    if batch.state == BatchState.DRAFT:
        raise WrongStateError("The batch is a draft.")
    refusal = batch.withdrawn_objection or returned_drafts.objection(batch)
    if refusal:
        raise WrongStateError(f"This batch cannot become a draft again: {refusal}.")
    n_held = returned_drafts.held_claims(batch, timezone.now()).count()

    def act(**options: object) -> None:
        try:
            returned_drafts.return_to_draft(**options)  # type: ignore[arg-type]
        except returned_drafts.HeldItemsError as error:
            if "expire_claims" not in options:  # handed out since the page was loaded
                raise
            held = (
                "items are assigned to people: release them here, or wait until the claims expire"
            )
            raise FieldRefusalError("expire_claims", f"Nothing was changed: {held}.") from error

    return Confirmation(
        act=act,
        title=f"Make “{batch.name}” a draft again?",
        consequences=[
            "It has no judgements. Its items are removed; opening it again creates new ones.",
            "Annotators no longer see the batch, and all its settings can be changed.",
            *(
                [
                    f"{_count(n_held, 'item')} {'is' if n_held == 1 else 'are'} assigned to annotators."
                ]
                if n_held
                else []
            ),
        ],
        button="Return to draft",
        done=f"“{batch.name}” is a draft again.",
        form=forms.ReturnForm(posted_data(request)) if n_held else None,
    )
