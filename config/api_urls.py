"""The addresses of the REST API, under /api/v1/. Imported with the first request for one (config/urls.py)."""

from django.urls import URLPattern, URLResolver, include, path

from config import api_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", api_views.reference, name="api_reference"),
    path("schema/", api_views.Schema.as_view(), name="api_schema"),
    path("", include("accounts.api_urls")),
    path("", include("jobs.api_urls")),
    path("", include("annotation.api_urls")),
    path("", include("exports.api_urls")),
    path("<path:rest>", api_views.no_such_address, name="api_nothing"),
]
