"""What rests on something that may be withdrawn, in sentences for the page that asks."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Batch, Item
from annotation.queries.second_rounds import current_rounds
from corpus.models import Dataset, Run, RunKind
from corpus.versions import lineage_keys
from exports.models import Release
from exports.rows.released_runs import released_runs
from sampling.late_run_queries import LIKE, top_ups
from sampling.models import Candidate, Fate, Pool, Purpose


def rests_on_batch(batch: Batch) -> list[str]:
    """Return a sentence for each kind of thing that rests on the batch; [] where nothing does."""
    led_to = Item.objects.filter(came_from__batch=batch).order_by().values("batch")
    batches = Batch.objects.filter(pk__in=led_to).order_by("created_at", "pk")
    second = list(current_rounds(batch))
    return [
        *sentence_naming(
            "Batches that came of it", [str(each) for each in batches if each not in second]
        ),
        *sentence_naming(
            "Its second round, whose answers do not count while it is withdrawn, and which stays open until it is closed",
            [f"{each} ({each.state})" for each in second],
        ),
        *sentence_naming(
            "Releases that contain it, which do not change", _with_state(_releases_with(batch))
        ),
    ]


def rests_on_run(run: Run) -> list[str]:
    """Return a sentence for each kind of thing that has answers of the run; [] where nothing has."""
    first = run.carried_from_id or run.pk
    same = Run.objects.filter(Q(pk=first) | Q(carried_from=first)).values("pk")
    given = Fate.objects.filter(pool=OuterRef("pk"), answer__run__in=same)
    of_versions = lineage_keys(run.dataset)
    pools = Pool.objects.filter(Exists(given), dataset__in=of_versions).order_by("created_at", "pk")
    compared = [pool for pool in pools if pool.purpose == Purpose.COMPARISON]
    batches = Batch.objects.filter(pool__in=pools).order_by("created_at", "pk")
    released = released_runs(run.dataset).get(run.pk)
    copies = run.carried_to.select_related("dataset").order_by("dataset__version")
    return [
        *sentence_naming(
            "Pools drawn from it", [str(pool) for pool in pools if pool not in compared]
        ),
        *sentence_naming("Comparisons with it", [str(pool) for pool in compared]),
        *sentence_naming("Batches with its answers", [str(each) for each in batches]),
        *sentence_naming(
            "Releases that contain it, which do not change",
            [str(number) for number in released.all_numbers] if released else [],
        ),
        *sentence_naming(
            "Copies in later versions, which stay",
            [f"{each} in {each.dataset}" for each in copies],
        ),
    ]


def rests_on_pool(pool: Pool) -> list[str]:
    """Return a sentence for each kind of thing made of the pool; [] where nothing was."""
    batches = list(pool.batches.order_by("created_at", "pk"))
    drawn = pools_drawn_from(pool)
    left_out = Fate.objects.filter(candidate__pool=pool).exclude(pool=pool).order_by()
    later = Pool.objects.filter(pk__in=left_out.values("pool"), purpose=Purpose.ANSWERS)
    topped_up = later.filter(counts__has_key=LIKE).exclude(pk__in=top_ups(pool).values("pk"))
    releases = {each.number: each for batch in batches for each in _releases_with(batch)}
    return [
        *sentence_naming("Batches on it", _with_state(batches)),
        *sentence_naming("Pools drawn from it", _with_state(drawn)),
        *sentence_naming("Top-ups of it for late runs", _with_state(top_ups(pool))),
        *(
            ["The study named it in a primary comparison."]
            if pool.primary_comparisons.exists()
            else []
        ),
        *sentence_naming(
            "Pools of later versions that left out what stands in it",
            _with_state(later.exclude(counts__has_key=LIKE).order_by("created_at", "pk")),
        ),
        *sentence_naming(
            "Top-ups of other pools with answers that stand in it",
            _with_state(topped_up.order_by("created_at", "pk")),
        ),
        *sentence_naming(
            "Releases that contain it, which do not change",
            _with_state(releases[number] for number in sorted(releases)),
        ),
    ]


def rests_on_dataset(dataset: Dataset) -> list[str]:
    """Return a sentence for each kind of thing that belongs to the version; [] where nothing does."""
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name")
    pools = dataset.pools.order_by("created_at", "pk")
    batches = Batch.objects.filter(pool__dataset=dataset).order_by("created_at", "pk")
    releases = dataset.study.releases.order_by("number")
    of_dataset = [release for release in releases if _is_of(release, dataset)]
    return [
        *sentence_naming("Runs", _with_state(runs)),
        *sentence_naming("Pools", _with_state(pools)),
        *sentence_naming("Batches", _with_state(batches)),
        *sentence_naming("Its releases, which do not change", _with_state(of_dataset)),
    ]


def rests_on_release(release: Release) -> list[str]:
    """Return the sentence that names later releases of the same; [] where there are none."""
    later = release.study.releases.filter(number__gt=release.number, dataset=release.dataset_id)
    return sentence_naming(
        f"Later releases of the same {release.get_contents_display()}, which do not change",
        _with_state(later.order_by("number")),
    )


def pools_drawn_from(pool: Pool) -> QuerySet[Pool]:
    """Return the audit samples of the pool, and the pools of evidence for its answers."""
    again = Candidate.objects.filter(source__pool=pool).order_by().values("pool")
    rows = Pool.objects.filter(Q(audit_of=pool) | Q(pk__in=again))
    return rows.order_by("created_at", "pk")


def sources_of(pool: Pool) -> QuerySet[Pool]:
    """Return the pools whose answers it has: the audited one, or those that evidence was found for."""
    sources = Candidate.objects.filter(pool=pool).order_by().values("source__pool")
    rows = Pool.objects.filter(Q(pk=pool.audit_of_id) | Q(pk__in=sources))
    return rows.order_by("created_at", "pk")


def _with_state(things: Iterable[Any]) -> list[str]:
    return [f"{thing} (withdrawn)" if thing.is_withdrawn else str(thing) for thing in things]


def _is_of(release: Release, dataset: Dataset) -> bool:
    """Whether the release is of the data set, or compares runs on it."""
    compared = release.manifest.get("datasets", [])
    named = {(each["name"], each["version"]) for each in compared}
    return release.dataset_id == dataset.pk or (dataset.name, dataset.version) in named


def _releases_with(batch: Batch) -> list[Release]:
    """Return the releases that contain the batch, which may have been renamed since: by its first name."""
    return [
        release
        for release in batch.study.releases.order_by("number")
        if any(
            batch.lot_name == (each.get("first_name") or each.get("name"))
            for each in release.manifest.get("batches", [])
        )
    ]


def sentence_naming(what: str, names: Iterable[str]) -> list[str]:
    """Return the sentence that names them; [] where there are none."""
    listed = ", ".join(names)
    return [f"{what}: {listed}."] if listed else []
