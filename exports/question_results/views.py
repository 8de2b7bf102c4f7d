"""The page of scores cut by the metadata of questions, and its files. They are counted within the request."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.question_results import charts, latex, queries
from exports.question_results.cuts import CUTS, MOST_CUTS, OF_QUESTIONS, Choice, CutError, cuts_of
from exports.question_results.differences import Differences
from exports.question_results.figures import BOOTSTRAP, FEW, Results
from exports.question_results.queries import Source
from pages import spreadsheet
from pages.charts import in_xml
from pages.words import sentence

requester = guards.study(Role.REQUESTER)
MOST_DIFFERENCES = 20  # on the page; the file has all


@dataclass(frozen=True)
class Asked:
    """What the address asks for. `problem` is a sentence that says why there are no results of it.

    `pair` are the evaluators whose differences are shown; None if one alone has scores of the measure.
    """

    source: Source
    choice: Choice
    pair: tuple[str, str] | None
    results: Results | None = None
    problem: str = ""
    is_large: bool = False

    @property
    def query(self) -> str:
        chosen: dict[str, str | int | tuple[str, ...]] = {
            "dataset": self.source.dataset.pk,
            "measure": self.choice.measure,
            "evaluator": self.choice.evaluator or (self.pair[0] if self.pair else ""),
            "by": self.choice.by,
            "against": self.pair[1] if self.pair else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value}, doseq=True)


@require_safe
@requester
def question_results(request: StudyRequest, study: Study) -> HttpResponse:
    datasets = _datasets(study)
    context: dict[str, Any] = {"datasets": datasets}
    if datasets:
        dataset = _dataset(request, datasets)
        source = queries.source(dataset)
        context |= {"dataset": dataset, "source": source}
        if source.measures and source.is_cut_by_questions:
            context |= _context(_asked(request, source))
    return render(request, "exports/question_results/results.html", context)


def _context(asked: Asked) -> dict[str, Any]:
    source, choice = asked.source, asked.choice
    n_selects = min(MOST_CUTS, len(source.cuts))
    chosen = [*choice.by, *[""] * n_selects][:n_selects]
    return {
        "asked": asked,
        "results": asked.results,
        "measures": [(name, source.label(name, choice.evaluator)) for name in source.measures],
        "evaluators": list(source.measures.get(choice.measure, ())),
        "differences": _differences(asked, MOST_DIFFERENCES),
        "selects": list(zip(("Cut by", *["Then by"] * (n_selects - 1)), chosen, strict=True)),
        "cuts": [(cut, CUTS[cut]) for cut in source.cuts],
        "picture": charts.picture(asked.results) if asked.results else None,
        "most_marks": charts.MOST_MARKS,
        "few": FEW,
        "replicates": BOOTSTRAP.replicates,
    }


def _differences(asked: Asked, most: int | None) -> Differences | None:
    """Return where the two evaluators differ; None if there are not two, or too many scores to be read now."""
    if asked.pair is None or not queries.are_two_at_once(asked.source):
        return None
    return queries.differences(asked.source, asked.choice.measure, asked.pair, most=most)


def _datasets(study: Study) -> list[Dataset]:
    return list(with_work_first(study.datasets.select_related("study")))


def _dataset(request: HttpRequest, datasets: list[Dataset]) -> Dataset:
    asked = request.GET.get("dataset", "")
    return next((each for each in datasets if str(each.pk) == asked), datasets[0])


def _asked(request: HttpRequest, source: Source) -> Asked:
    """Return the results of the choice in the address; what it leaves out is chosen for it."""
    names = _cut_names(request, source)
    pair = _pair(request, source, names)
    choice = _choice(request, source, names)
    try:
        choice = _choice(request, source, cuts_of(",".join(names), source.cuts))
        if not queries.is_at_once(source, choice):
            return Asked(source, choice, pair, is_large=True)
        found = queries.results(source, choice)
    except CutError as error:
        return Asked(source, choice, pair, problem=sentence(error))
    return Asked(source, choice, pair, found)


def _pair(request: HttpRequest, source: Source, by: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the two evaluators whose differences are asked for."""
    measure = _choice(request, source, by).measure
    return source.pair(measure, *(request.GET.get(name, "") for name in ("evaluator", "against")))


def _choice(request: HttpRequest, source: Source, by: tuple[str, ...]) -> Choice:
    measure = request.GET.get("measure", "") or next(iter(source.measures))
    first = next(iter(source.measures.get(measure, ())), "")
    # The form sends the evaluator of the table before, also where it is now asked to cut by evaluator.
    evaluator = "" if "evaluator" in by else request.GET.get("evaluator", "") or first
    return Choice(by, measure, evaluator)


def _cut_names(request: HttpRequest, source: Source) -> tuple[str, ...]:
    return tuple(name for name in request.GET.getlist("by") if name) or _usual_cuts(source)


def _usual_cuts(source: Source) -> tuple[str, ...]:
    """Return the first cut by questions, and the run as columns."""
    return next(cut for cut in source.cuts if cut in OF_QUESTIONS), "run"


@require_safe
@requester
def question_results_file(request: StudyRequest, study: Study, name: str) -> HttpResponseBase:
    """Return the results that the address asks for as a file."""
    datasets = _datasets(study)
    source = queries.source(_dataset(request, datasets)) if datasets else None
    if source is None or not (source.measures and source.is_cut_by_questions):
        raise Http404
    if name == DIFFERENCES:  # which no means are counted for
        names = _cut_names(request, source)
        choice, pair = _choice(request, source, names), _pair(request, source, names)
        return _differences_csv(Asked(source, choice, pair))
    asked = _asked(request, source)
    if asked.results is None or name not in FILES:
        raise Http404
    return FILES[name](request, asked.results)


def _differences_csv(asked: Asked) -> HttpResponseBase:
    found = _differences(asked, None)
    if found is None:
        raise Http404
    return spreadsheet.download(DIFFERENCES, found.csv_columns, found.csv_rows())


def _csv(request: HttpRequest, found: Results) -> HttpResponseBase:
    return spreadsheet.download("results.csv", found.csv_columns, found.csv_rows())


def _tex(request: HttpRequest, found: Results) -> HttpResponseBase:
    return HttpResponse(
        latex.table(found),
        content_type="application/x-tex; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="results.tex"'},
    )


def _svg(request: HttpRequest, found: Results) -> HttpResponseBase:
    picture = charts.picture(found)
    if picture is None:
        raise Http404
    text = render_to_string("exports/pictures/intervals.svg", {"picture": picture, "alone": True})
    return HttpResponse(
        in_xml(text),
        content_type="image/svg+xml",
        headers={"Content-Disposition": 'attachment; filename="results.svg"'},
    )


DIFFERENCES = "differences.csv"
FILES = {"results.csv": _csv, "results.tex": _tex, "results.svg": _svg}
