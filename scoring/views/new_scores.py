"""Pages that start scoring jobs and import scores from a file."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus import uploads
from corpus.uploads import NotKeptError
from jobs import shortcuts
from jobs.actions.jobs import JobStateError
from pages.middleware import MB, takes_uploads
from pages.templatetags.pages import count
from pages.words import sentence
from scoring.actions import score_jobs
from scoring.commands import name_for_workers
from scoring.forms import ImportForm, ScoreForm

FORM_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(FORM_METHODS)
@guards.study(Role.REQUESTER)
def score_start(request: StudyRequest, study: Study) -> HttpResponse:
    if not study.datasets.counting().exists():
        messages.info(request, "Scores compare answers with a data set: import that first.")
        return redirect("dataset_import", study=study.slug)
    if request.method != "POST":
        form = ScoreForm(study=study, initial={"dataset": request.GET.get("dataset")})
        return render(request, "scoring/score_start.html", {"form": form})
    form = ScoreForm(request.POST, study=study)
    if form.is_valid():
        try:
            return _start_jobs(request, form)
        except JobStateError as error:
            form.add_error(None, sentence(error))
    return render(request, "scoring/score_start.html", {"form": form})


def _start_jobs(request: StudyRequest, form: ScoreForm) -> HttpResponse:
    cleaned = form.cleaned_data
    jobs = score_jobs.score(
        dataset=cleaned["dataset"],
        metrics=cleaned["metrics"],
        model=name_for_workers(cleaned["model"]),
        bf16=cleaned["bf16"],
        two_stages=form.two_stages,
        derive_relevance=cleaned["derive_relevance"],
        references=cleaned["references"],
        by=request.user,
    )
    for job in jobs:
        shortcuts.hand_to_worker(request, job)
    messages.success(request, f"{count(len(jobs), 'scoring job')} started.")
    here = reverse("scores", args=[request.study.slug])
    return redirect(f"{here}?dataset={cleaned['dataset'].pk}")


@require_http_methods(FORM_METHODS)
@takes_uploads
@guards.study(Role.REQUESTER)
def scores_import(request: StudyRequest, study: Study) -> HttpResponse:
    if not study.datasets.counting().exists():
        messages.info(request, "Scores are of answers to a data set: import that first.")
        return redirect("dataset_import", study=study.slug)
    if request.method != "POST":
        return _page(
            request, ImportForm(study=study, initial={"dataset": request.GET.get("dataset")})
        )
    form = ImportForm(request.POST, request.FILES, study=study, by=request.user)
    if not form.is_valid():
        form.keep_files()
        return _page(request, form)
    cleaned = form.cleaned_data
    try:
        upload = uploads.keep([cleaned["file"]], by=request.user)
    except NotKeptError as error:
        form.add_error(None, sentence(error))
        return _page(request, form)
    job = score_jobs.import_scores(
        dataset=cleaned["dataset"],
        upload=upload,
        metric=cleaned["metric"],
        scorer=cleaned["scorer"],
        leave_out_unknown=cleaned["leave_out_unknown"],
        format=cleaned["format"],
        run=cleaned["run"],
        by=request.user,
    )
    return shortcuts.hand_to_worker(request, job)


def _page(request: StudyRequest, form: ImportForm) -> HttpResponse:
    most = settings.MOST_UPLOAD_MB
    context = {"form": form, "most_mb": most, "most_bytes": most * MB}
    return render(request, "scoring/scores_import.html", context)
