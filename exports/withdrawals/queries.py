"""What rests on something that may be withdrawn, in sentences for the page that asks."""

from django.db.models import Exists, OuterRef

from annotation.models import Batch, Item
from corpus.models import Run
from corpus.versions import lineage_keys
from exports.models import Release
from sampling.models import Fate, Pool, Purpose


def rests_on_batch(batch: Batch) -> list[str]:
    """Return a sentence for each kind of thing that rests on the batch; [] where nothing does."""
    led_to = Item.objects.filter(came_from__batch=batch).order_by().values("batch")
    batches = Batch.objects.filter(pk__in=led_to).order_by("created_at", "pk")
    numbers = [release.number for release in _releases_with(batch)]
    return [
        *_sentence("Batches that came of it", [str(each) for each in batches]),
        *_sentence("Releases that contain it, and stay as they are", [str(n) for n in numbers]),
    ]


def rests_on_run(run: Run) -> list[str]:
    """Return a sentence for each kind of thing that has answers of the run; [] where nothing has."""
    same = [run.pk, run.carried_from_id] if run.carried_from_id else [run.pk]
    given = Fate.objects.filter(pool=OuterRef("pk"), answer__run__in=same)
    of_versions = lineage_keys(run.dataset)
    pools = Pool.objects.filter(Exists(given), dataset__in=of_versions).order_by("created_at", "pk")
    compared = [pool for pool in pools if pool.purpose == Purpose.COMPARISON]
    batches = Batch.objects.filter(pool__in=pools).order_by("created_at", "pk")
    releases = [
        release
        for release in run.dataset.releases.order_by("number")
        if run.name in {each.get("name") for each in release.manifest.get("runs", [])}
    ]
    return [
        *_sentence("Pools drawn from it", [str(pool) for pool in pools if pool not in compared]),
        *_sentence("Comparisons with it", [str(pool) for pool in compared]),
        *_sentence("Batches that asked about its answers", [str(each) for each in batches]),
        *_sentence(
            "Releases that contain it, and stay as they are",
            [str(each.number) for each in releases],
        ),
    ]


def _releases_with(batch: Batch) -> list[Release]:
    releases = batch.study.releases.order_by("number")
    return [
        release
        for release in releases
        if batch.name in {each.get("name") for each in release.manifest.get("batches", [])}
    ]


def _sentence(what: str, names: list[str]) -> list[str]:
    listed = ", ".join(names)
    return [f"{what}: {listed}."] if names else []
