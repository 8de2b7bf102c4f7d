from django.urls import path

from sampling.views import (
    audits,
    desk,
    new_comparison,
    new_writing,
    pools,
    reference_evidence,
    spans,
)

urlpatterns = [
    path("studies/<slug:study>/pools/", pools.pools, name="pools"),
    path("studies/<slug:study>/pools/new/", desk.pool_new, name="pool_new"),
    path("studies/<slug:study>/pools/new/survey/", desk.pool_survey, name="pool_survey"),
    path(
        "studies/<slug:study>/pools/compare/", new_comparison.comparison_new, name="comparison_new"
    ),
    path("studies/<slug:study>/pools/writing/", new_writing.writing_new, name="writing_new"),
    path("studies/<slug:study>/pools/curation/", new_writing.curation_new, name="curation_new"),
    path(
        "studies/<slug:study>/pools/references/",
        reference_evidence.reference_evidence_new,
        name="reference_evidence_new",
    ),
    path("studies/<slug:study>/pools/<int:pool>/", pools.pool, name="pool"),
    path("studies/<slug:study>/pools/<int:pool>/audit/", audits.pool_audit, name="pool_audit"),
    path("studies/<slug:study>/pools/<int:pool>/sentences/", spans.pool_spans, name="pool_spans"),
]
