"""Licence and citation of a data set, edited after the import."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.actions import dataset_descriptions
from corpus.forms.descriptions import DescriptionForm


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def dataset_description(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    found = get_object_or_404(study.datasets.select_related("study"), pk=dataset)
    data: Any = request.POST if request.method == "POST" else None
    initial = {field: getattr(found, field) for field in dataset_descriptions.FIELDS}
    form = DescriptionForm(data, initial=initial)
    if form.is_valid():
        before = dataset_descriptions.describe(
            dataset=found, about=form.cleaned_data, by=request.user
        )
        messages.success(request, "Saved." if before else "Nothing was changed.")
        return redirect("dataset", study=study.slug, name=found.name, version=found.version)
    return render(request, "corpus/dataset_description.html", {"form": form, "dataset": found})
