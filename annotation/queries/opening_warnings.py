"""What a requester should know who opens a batch, besides what it asks."""

from annotation import schemes
from annotation.models import Batch, Item
from annotation.queries import repeated_answers

NO_GUIDELINE = "the batch has no guideline: annotators go by the question alone"
# It stands in each template of annotation/schemes/guidelines.
PLACEHOLDER = "Replace these with examples from your own data"
OF_TEMPLATE = f"the guideline still says “{PLACEHOLDER}”, as its template does"
NO_CONTROLS = (
    "one item in {every} is to be a control item, and the batch has none: add some on its page Control items or with"
    " add_controls, also after it opened"
)


def warnings(batch: Batch) -> list[str]:
    """Sentences without capital and full stop; of the answers of a training nothing is decided.

    The batch may be one that is not saved yet, and has no items.
    """
    found = guideline_warnings(batch)
    if schemes.get(batch.scheme).has_verdict and not batch.is_training:
        repeated = repeated_answers.repeated(batch)
        found += [
            f"{each.n} of its answers have a verdict in the batch {each.batch} already, and are judged again"
            for each in repeated.decided
        ]
        found += [
            f"{each.n} of its answers are asked about in the batch {each.batch} too, and not decided there yet"
            for each in repeated.undecided
        ]
    if lacks_controls(batch):
        found.append(NO_CONTROLS.format(every=batch.control_every))
    return found


def guideline_warnings(batch: Batch) -> list[str]:
    if not batch.guideline.text:
        return [NO_GUIDELINE]
    return [OF_TEMPLATE] if PLACEHOLDER in batch.guideline.text else []


def lacks_controls(batch: Batch) -> bool:
    """Whether the batch is to hand out control items and has none."""
    own = Item.objects.keyed().filter(batch=batch.pk)
    return batch.control_every is not None and not own.exists()
