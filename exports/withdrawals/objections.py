"""Why something cannot be withdrawn or brought back now, as a sentence without its end; "" if it can."""

from collections.abc import Iterable

from annotation.models import Batch, BatchState
from corpus.models import Dataset
from exports.models import Release
from exports.withdrawals import queries
from sampling.models import Pool


def of_pool(pool: Pool) -> str:
    if pool.built_at is None:
        return f"the pool “{pool}” is still being built: cancel its job, and delete the pool"
    steps = [
        *_steps(pool.batches.not_withdrawn()),
        *_step("withdraw the pool", queries.pools_drawn_from(pool).filter(is_withdrawn=False)),
    ]
    return f"the pool “{pool}” is in use: {' and '.join(steps)} first" if steps else ""


def of_pool_return(pool: Pool) -> str:
    sources = queries.sources_of(pool).filter(is_withdrawn=True)
    steps = [*_step("bring back the pool", sources)]
    if pool.dataset.is_withdrawn:
        steps.append(f"bring back the data set “{pool.dataset}”")
    if steps:
        return f"the pool “{pool}” was drawn from something withdrawn: {' and '.join(steps)} first"
    return ""


def of_dataset(dataset: Dataset) -> str:
    at_work = Batch.objects.not_withdrawn().filter(pool__dataset=dataset)
    steps = _steps(at_work.exclude(state=BatchState.CLOSED), act="close or withdraw")
    return (
        f"“{dataset}” has batches that are not closed: {' and '.join(steps)} first" if steps else ""
    )


def of_release(release: Release) -> str:
    return f"release {release} is withdrawn already" if release.is_withdrawn else ""


def of_release_return(release: Release) -> str:
    return "" if release.is_withdrawn else f"release {release} is not withdrawn"


def _steps(batches: Iterable[Batch], *, act: str = "withdraw") -> list[str]:
    """What is to be done with these batches first."""
    found = sorted(batches, key=lambda batch: (batch.created_at, batch.pk))
    drafts = [batch for batch in found if batch.state == BatchState.DRAFT]
    others = [batch for batch in found if batch.state != BatchState.DRAFT]
    return [*_step("discard the draft", drafts), *_step(f"{act} the batch", others)]


def _step(act: str, things: Iterable[Batch | Pool]) -> list[str]:
    names = [f"“{thing}”" for thing in things]
    if len(names) > 1:
        act += "es" if act.endswith("batch") else "s"
    return [f"{act} {', '.join(names)}"] if names else []
