"""The pages that draw questions for people to write answers to, and to curate."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from corpus.versions import with_work_first
from pages.validation import validation_message
from pages.words import sentence
from sampling.actions import curation_pools, offered_passages, writing_pools
from sampling.actions.pools import PoolError
from sampling.forms.curation import CurationForm
from sampling.forms.search import free_name
from sampling.forms.writing import WritingForm
from sampling.models import Pool
from sampling.pools.rule import RuleError
from sampling.views.pool_source import MissingSource

NO_DATASET = MissingSource(
    "Questions are drawn from a data set with passages, and there is none yet.",
    "dataset_import",
    "Import a data set",
)


@dataclass(frozen=True)
class Kind:
    """A kind of pool of questions: `name` begins that of a new pool."""

    title: str
    name: str
    template: str
    form: type[WritingForm]
    draw: Callable[..., Pool]


WRITING = Kind(
    title="Questions to write answers to",
    name="writing",
    template="sampling/writing/new.html",
    form=WritingForm,
    draw=writing_pools.draw_writing,
)
CURATION = Kind(
    title="Questions to curate",
    name="curation",
    template="sampling/curation/new.html",
    form=CurationForm,
    draw=curation_pools.draw_curation,
)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def writing_new(request: StudyRequest, study: Study) -> HttpResponse:
    return _new(request, study, WRITING)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def curation_new(request: StudyRequest, study: Study) -> HttpResponse:
    return _new(request, study, CURATION)


def _new(request: StudyRequest, study: Study, kind: Kind) -> HttpResponse:
    """Show the form, and draw the pool. The query says which data set; the newest one otherwise."""
    datasets = list(with_work_first(study.datasets.counting().select_related("study")))
    if not datasets:
        context = {"missing": NO_DATASET, "title": kind.title}
        return render(request, "sampling/nothing_to_draw.html", context)
    sent = request.POST if request.method == "POST" else None
    key = (sent or request.GET).get("dataset", "")
    dataset = next((each for each in datasets if str(each.pk) == key), None)
    if dataset is None and key:
        raise Http404("the data set that was chosen is not there")
    dataset = dataset or datasets[0]
    form = kind.form(
        sent,
        parts=offered_passages.parts_of(dataset),
        initial={"name": free_name(study, kind.name)},
    )
    if sent is not None and form.is_valid() and (drawn := _draw(request, dataset, form, kind)):
        return drawn
    context = {"form": form, "datasets": datasets, "dataset": dataset}
    status = 400 if form.errors else 200
    return render(request, kind.template, context, status=status)


def _draw(
    request: StudyRequest, dataset: Dataset, form: WritingForm, kind: Kind
) -> HttpResponse | None:
    """Redirect to the pool. Return None with the errors in the form."""
    try:
        pool = kind.draw(
            study=request.study,
            dataset=dataset,
            name=form.cleaned_data["name"],
            rule=form.rule(),
            by=request.user,
        )
    except (PoolError, RuleError) as error:
        form.add_error(None, sentence(error))
    except ValidationError as error:
        form.add_error(None, validation_message(error))
    else:
        messages.success(request, f"The pool {pool.name} was drawn.")
        return redirect("pool", study=request.study.slug, pool=pool.pk)
    return None
