"""The page of written answers on a data set, the archive of them, and the page of a batch whose questions several people
wrote to; a job computes the figures.
"""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, Item
from annotation.queries import written_pairs
from corpus.models import Dataset
from exports.written import folder, presenter, queries
from exports.written.answers import WrittenAnswer
from exports.written.stored_figures import WrittenFigures
from jobs import shortcuts
from jobs.transactions import snapshot

PAIRS_PER_PAGE = 10
QUESTIONS_PER_PAGE = 5

requester = guards.study(Role.REQUESTER)


def _stored(study: Study, pk: int) -> WrittenFigures:
    dataset: Dataset = get_object_or_404(study.datasets.select_related("study"), pk=pk)
    return WrittenFigures(study, dataset)


@require_safe
@requester
def written(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """Counts, agreement of the two rounds, and the pairs that differ side by side."""
    stored = _stored(study, dataset)
    context: dict[str, Any] = {
        "stored": stored,
        "dataset": stored.dataset,
        "result": stored.result,
        "differing": written_pairs.with_changes(stored.batches),
    }
    if stored.result:
        agreement = stored.result["agreement"]
        page = Paginator(stored.result["pairs"], PAIRS_PER_PAGE).get_page(request.GET.get("page"))
        by_name = {batch.name: batch for batch in stored.batches}
        context |= {
            "agreement": agreement,
            "measures": presenter.measure_rows(agreement["differing"], agreement["all"]),
            "page": page,
            "pairs": _pairs(stored, page),
            "together": [
                (each, by_name[each["batch"]])
                for each in stored.result["together"]
                if each["batch"] in by_name
            ],
        }
    return render(request, "exports/written/written.html", context)


def _pairs(stored: WrittenFigures, page: Page[Any]) -> list[presenter.PairShown]:
    """The pairs of the page as they are now, without those that do not count any more."""
    keys = [each[which] for each in page for which in ("first", "second")]
    counted = queries.counted_judgements(stored.dataset, stored.batches).filter(pk__in=keys)
    found = queries.read(stored.dataset, stored.batches, counted)
    answers = {each.judgement: each for each in found.answers}
    return [
        presenter.pair_shown(answers[each["first"]], answers[each["second"]], each)
        for each in page
        if each["first"] in answers and each["second"] in answers
    ]


@require_POST
@requester
def written_start(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    here = reverse("written", args=[study.slug, dataset])
    return shortcuts.compute(request, _stored(study, dataset), here=here)


@require_safe
@requester
def written_zip(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """What export_written writes, as an archive; with figures if they are computed and up to date."""
    stored = _stored(study, dataset)
    with snapshot():
        found = folder.read(stored.dataset, stored.batches)
        if not found.written.answers:
            raise Http404
        up_to_date = stored.result if stored.result and not stored.since else None
        root = f"written-{slugify(stored.dataset.name)}-{stored.dataset.version}"
        packed = folder.archive(found, up_to_date and folder.in_file(up_to_date), root)
    return HttpResponse(
        packed,
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{root}.zip"'},
    )


@require_safe
@requester
def batch_written(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Each question that several people wrote to in this batch, with all their answers, and how alike each person's are
    to the others'.
    """
    batches = study.batches.filter(scheme__in=queries.SCHEMES).select_related(
        "study", "pool__dataset__study"
    )
    found: Batch = get_object_or_404(batches, pk=batch)
    stored = WrittenFigures(study, found.pool.dataset)
    sections = stored.result["together"] if stored.result else []
    section = next((each for each in sections if each["batch"] == found.name), None)
    items = queries.items_of_several(found)
    page = Paginator(items, QUESTIONS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "batch": found,
        "stored": stored,
        "section": section,
        "measures": presenter.measure_rows(section) if section else [],
        "people": list(presenter.people_rows(section)) if section else [],
        "page": page,
        "questions": _questions(stored.dataset, found, list(page)),
    }
    return render(request, "exports/written/together.html", context)


def _questions(
    dataset: Dataset, batch: Batch, items: Sequence[Item]
) -> list[tuple[Item, list[WrittenAnswer]]]:
    """The items, each with all its answers by the annotators' pseudonyms."""
    counted = queries.counted_judgements(dataset, [batch]).filter(assignment__item__in=items)
    answers = queries.read(dataset, [batch], counted).answers
    by_item: dict[str, list[WrittenAnswer]] = {}
    for each in sorted(answers, key=lambda each: each.annotator):
        by_item.setdefault(each.item_id, []).append(each)
    return [(item, by_item.get(str(item.public_id), [])) for item in items]
