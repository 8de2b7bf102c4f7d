from annotation.models import Batch, BatchState
from annotation.queries.batch_progress import BatchLine
from annotation.templatetags.batch_progress import progress_words


def line(state, *, n_verdicts=0, scheme="plausibility"):
    batch = Batch(state=state, scheme=scheme)
    return BatchLine(batch, 2, 4, 0, 3, n_verdicts, 0)


def test_a_batch_says_how_far_it_is():
    assert progress_words(line(BatchState.DRAFT)) == "not open yet"
    assert progress_words(line(BatchState.OPEN)) == "3 of 4 judgements"
    assert progress_words(line(BatchState.CLOSED)) == "3 of 4 judgements, not settled"
    assert progress_words(line(BatchState.CLOSED, n_verdicts=2)) == "3 of 4 judgements, settled"


def test_a_batch_that_ends_without_verdicts_is_never_unsettled():
    assert progress_words(line(BatchState.CLOSED, scheme="rating")) == "3 of 4 judgements"
